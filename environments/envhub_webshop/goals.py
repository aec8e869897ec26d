"""What customers ask for: goals, their wording, and the tasks made of them.

Levels, the easiest first:

    1  a kind of product with one attribute that titles show
    2  the same, and one option to choose
    3  two attributes, two options and a price limit
    4  up to three attributes that no title shows, two options, a tight price limit

Train and test goals are made of different products, every sixth of which is kept for
the test split, and no two goals ask for the same thing. Within a level every goal has a
product of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from envhub_webshop.catalogue import Catalogue, Product
from envhub_webshop.draw import Draw
from envhub_webshop.stock import CATEGORIES, Feature
from envhub_webshop.words import is_plural, with_article

__all__ = ["LEVELS", "SPLITS", "Goal", "goals"]

LEVELS = 4
SPLITS = {"train": 1000, "test": 200}
_TEST_SHARE = 6

_FEATURES: Mapping[tuple[str, str], Feature] = {
    (category.name, feature.attribute): feature
    for category in CATEGORIES
    for feature in category.features.values()
}
_REQUESTS = (
    "I am looking for {thing}.",
    "Please find me {thing}.",
    "I need {thing}.",
    "Could you order {thing} for me?",
    "I want to buy {thing}.",
    "My sister asked for {thing}.",
    "Show me {thing}, and buy it.",
    "We ran out of ideas: get us {thing}.",
    "A friend told me about {thing}. Buy that for me.",
    "Help me shop for {thing}.",
)
_CHOICES = (
    "Choose {values}.",
    "I would like {values}.",
    "Take {values}.",
    "It should come with {values}.",
)
_LIMITS = (
    "I can pay up to {price} dollars.",
    "It must not cost more than {price} dollars.",
    "My budget is {price} dollars.",
    "The price has to be {price} dollars or less.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What one customer wants.

    Attributes:
        instruction: What the customer says.
        level: Difficulty, 1 is the easiest.
        product: Id of a product that meets everything.
        query: Kind of product.
        path: Category path of that product.
        nouns: Nouns of that product's title.
        attributes: Attributes asked for.
        options: Option values asked for, by name.
        price_limit: The most that it may cost, in dollars; None when not asked.
    """

    instruction: str
    level: int
    product: str
    query: str
    path: Sequence[str]
    nouns: Sequence[str]
    attributes: Sequence[str]
    options: Mapping[str, str]
    price_limit: float | None = None

    def data(self) -> dict[str, Any]:
        """The goal as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


def goals(catalogue: Catalogue, seed: int = 0) -> dict[str, list[Goal]]:
    """All goals by split, in order; the goal at `index` has level ``index % 4 + 1``.

    The same catalogue and seed give the same goals on every machine. No two goals,
    of whatever split, ask for the same thing.
    """
    order = Draw(f"{seed}/split").shuffled(catalogue.products)
    taken: set[_Wish] = set()
    found: dict[str, list[Goal]] = {}
    for split, count in SPLITS.items():
        kept = [
            product
            for place, product in enumerate(order)
            if (place % _TEST_SHARE == 0) == (split == "test")
        ]
        by_level = [
            _of_level(kept, level, count // LEVELS, f"{seed}/{split}/{level}", taken)
            for level in range(1, LEVELS + 1)
        ]
        found[split] = [goal for row in zip(*by_level, strict=True) for goal in row]
    return found


_Wish = tuple[str, frozenset[str], frozenset[str]]


def _of_level(
    products: Sequence[Product], level: int, count: int, name: str, taken: set[_Wish]
) -> list[Goal]:
    chosen: list[Goal] = []
    for product in Draw(name).shuffled(products):
        goal = _goal(product, level, Draw(f"{name}/{product.id}"))
        wish = (
            goal.query,
            frozenset(goal.attributes),
            frozenset(goal.options.values()),
        )
        if wish not in taken:
            taken.add(wish)
            chosen.append(goal)
        if len(chosen) == count:
            return chosen
    raise ValueError(f"{len(products)} products give no {count} goals of level {level}")


def _goal(product: Product, level: int, draw: Draw) -> Goal:
    title = product.name.lower()
    shown = [name for name in product.attributes if name in title]
    hidden = [name for name in product.attributes if name not in title]
    names = draw.some(list(product.options), min(level - 1, 2))
    wish = Goal(
        instruction="",
        level=level,
        product=product.id,
        query=product.query,
        path=product.path,
        nouns=tuple(sorted(product.nouns)),
        attributes=tuple(_attributes(level, shown, hidden, draw)),
        options={name: draw.pick(product.options[name]) for name in names},
        price_limit=_limit(product.price, level, draw),
    )
    return replace(wish, instruction=_instruction(wish, draw))


def _attributes(
    level: int, shown: list[str], hidden: list[str], draw: Draw
) -> list[str]:
    if level < 3:
        return draw.some(shown, 1)
    if level == 3:
        return draw.some(shown + hidden, 2)
    return draw.some(hidden, 3)


def _limit(price: float, level: int, draw: Draw) -> float | None:
    """Level 3 rounds up to the next ten, level 4 leaves at most a dollar."""
    if level < 3:
        return None
    if level == 3:
        return float((int(price) // 10 + 1) * 10)
    return float(int(price) + 1)


def _instruction(goal: Goal, draw: Draw) -> str:
    said = [draw.pick(_REQUESTS).format(thing=_thing(goal))]
    if goal.options:
        values = [f"{name} {value}" for name, value in goal.options.items()]
        said.append(draw.pick(_CHOICES).format(values=" and ".join(values)))
    if goal.price_limit is not None:
        said.append(draw.pick(_LIMITS).format(price=f"{goal.price_limit:.2f}"))
    return " ".join(said)


def _thing(goal: Goal) -> str:
    """Words for what is wanted: a kettle made of steel that is safe and has a lid."""
    plural = is_plural(goal.query)
    verbs = {"is": "are", "has": "have"} if plural else {"is": "is", "has": "has"}
    said: dict[str, list[str]] = {"made of": [], "is": [], "has": []}
    for name in goal.attributes:
        feature = _FEATURES[goal.path[0], name]
        said[feature.verb].append(feature.phrase)
    words = [with_article(goal.query)]
    if made := said.pop("made of"):
        words.append(f"made of {' and '.join(made)}")
    clauses = [f"{verbs[verb]} {' and '.join(p)}" for verb, p in said.items() if p]
    if clauses:
        words.append(f"that {' and '.join(clauses)}")
    return " ".join(words)
