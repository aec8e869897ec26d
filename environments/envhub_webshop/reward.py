"""What a purchase is worth: WebShop's reward, with its parts.

Yao et al., "WebShop: Towards Scalable Real-World Web Interaction with Grounded Language
Agents", NeurIPS 2022, equation 1 and appendix:

                    attributes met + options met + [price <= limit]
    reward = type * -----------------------------------------------
                         attributes + options + 1

    type = 0    when the titles share no noun,
           0.1  when they share less than a tenth of the wanted title's nouns,
           0.5  when they share up to a fifth, and neither query nor category agree,
           1    otherwise.

An attribute is met when the product lists one that is more than 85 % alike, or when its
title, features or description contain it. An option is met when a chosen value is more
than 85 % alike after shades are taken for their base color. Categories agree when the
paths share two parts. A goal without a price limit leaves the price term out, above the
line and below; where nothing is left to meet, the reward is the type factor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from envhub_webshop.catalogue import Product
from envhub_webshop.fuzz import ratio, token_set_ratio
from envhub_webshop.goals import Goal

__all__ = ["Grade", "grade", "has_attribute", "same_option"]

_ALIKE = 85
_COLORS = (
    "black", "white", "gray", "grey", "silver", "gold", "red", "blue", "green",
    "yellow", "orange", "pink", "purple", "brown", "beige", "ivory", "navy", "teal",
    "turquoise", "burgundy", "maroon", "olive", "coral", "lavender", "charcoal",
    "khaki", "bronze", "copper",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grade:
    """A purchase against a goal.

    Attributes:
        type: The type factor.
        attributes: Goal attributes met.
        attributes_asked: Goal attributes.
        options: Goal options met.
        options_asked: Goal options.
        price_ok: Whether the price is within the limit; None without a limit.
        query_match: Whether the product is of the kind that was asked for.
        category_match: Whether the category paths share two parts.
        title_overlap: Share of the wanted title's nouns that the product's title has.
    """

    type: float
    attributes: int
    attributes_asked: int
    options: int
    options_asked: int
    price_ok: bool | None
    query_match: bool
    category_match: bool
    title_overlap: float

    @property
    def reward(self) -> float:
        """The reward, from 0 to 1."""
        asked = self.attributes_asked + self.options_asked
        met = self.attributes + self.options
        if self.price_ok is not None:
            asked, met = asked + 1, met + self.price_ok
        return self.type * (met / asked) if asked else self.type

    def components(self) -> dict[str, float]:
        """The parts by name; a part that the goal does not ask for is left out."""
        parts = {
            "type": self.type,
            "query_match": float(self.query_match),
            "category_match": float(self.category_match),
            "title_overlap": self.title_overlap,
        }
        if self.attributes_asked:
            parts["attributes"] = self.attributes / self.attributes_asked
        if self.options_asked:
            parts["options"] = self.options / self.options_asked
        if self.price_ok is not None:
            parts["price"] = float(self.price_ok)
        return parts


def grade(product: Product, chosen: Mapping[str, str], goal: Goal) -> Grade:
    """Compare a purchase with a goal.

    Args:
        product: What was bought.
        chosen: Values chosen, by the option's name.
        goal: What was asked for.
    """
    query_match = product.query == goal.query
    category_match = len(set(product.path) & set(goal.path)) >= 2
    overlap = _overlap(product.nouns, goal.nouns)
    limit = goal.price_limit
    return Grade(
        type=_type(query_match or category_match, overlap),
        attributes=sum(has_attribute(product, wanted) for wanted in goal.attributes),
        attributes_asked=len(goal.attributes),
        options=_options_met(chosen.values(), goal.options.values()),
        options_asked=len(goal.options),
        price_ok=None if limit is None else product.price <= limit,
        query_match=query_match,
        category_match=category_match,
        title_overlap=overlap,
    )


def has_attribute(product: Product, attribute: str) -> bool:
    """Whether a product has an attribute: lists one like it, or tells of it."""
    if any(token_set_ratio(own, attribute) > _ALIKE for own in product.attributes):
        return True
    texts = (product.name, *product.bullets, product.description)
    return any(attribute in text.lower() for text in texts)


def same_option(one: str, other: str) -> bool:
    """Whether two option values count as the same."""
    one, other = one.casefold(), other.casefold()
    return one == other or ratio(_base(one), _base(other)) > _ALIKE


def _base(value: str) -> str:
    """The base color that a shade contains, or the value itself."""
    return next((color for color in _COLORS if color in value), value)


def _options_met(chosen: Iterable[str], wanted: Iterable[str]) -> int:
    values = list(chosen)
    return sum(any(same_option(value, want) for value in values) for want in wanted)


def _overlap(nouns: Iterable[str], wanted: Iterable[str]) -> float:
    """A title without a noun overlaps by 0.2 with any: too little to decide."""
    asked = set(wanted)
    return len(asked & set(nouns)) / len(asked) if asked else 0.2


def _type(match: bool, overlap: float) -> float:
    if overlap == 0:
        return 0.0
    if overlap < 0.1:
        return 0.1
    return 1.0 if match or overlap > 0.2 else 0.5
