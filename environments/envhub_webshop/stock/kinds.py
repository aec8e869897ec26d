"""What a category of goods is made of: features, and kinds of product.

The tables beside this module are written in a shorthand that reads like a list:
features as ``"is bpa free: a sentence about it"``, attributes and uses as one text
with commas. This module turns the shorthand into values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Category", "Feature", "Kind", "category", "kind"]

_VERBS = ("is", "has", "made of")


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that may be true of a product.

    Attributes:
        phrase: As one says it: ``a keep warm mode``.
        verb: How it joins a product in a sentence: ``is``, ``has`` or ``made of``.
        sentence: What the Features page says of it.
    """

    phrase: str
    verb: str
    sentence: str

    @property
    def attribute(self) -> str:
        """The short form that goals and the Attributes page use, without an article."""
        return self.phrase.removeprefix("a ").removeprefix("an ")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of product, of which the catalogue holds several.

    Attributes:
        name: The kind, as one says it: ``electric kettle``.
        leaf: Last part of the category path.
        prices: Cheapest and dearest, in dollars.
        phrases: Phrases of the features that products of this kind may have.
        uses: What it is for; completes ``for ...``.
        options: Values to choose from, by the option's name.
    """

    name: str
    leaf: str
    prices: tuple[float, float]
    phrases: tuple[str, ...]
    uses: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Category:
    """A department of the shop.

    Attributes:
        name: First part of the category path.
        features: By phrase.
        kinds: In order.
        care: Sentences that may close a description.
    """

    name: str
    features: Mapping[str, Feature]
    kinds: tuple[Kind, ...]
    care: tuple[str, ...]


def category(
    name: str, *, features: Sequence[str], kinds: Sequence[Kind], care: Sequence[str]
) -> Category:
    """Make a category from the shorthand."""
    read = [_feature(line) for line in features]
    by_phrase = {feature.phrase: feature for feature in read}
    return Category(name, by_phrase, tuple(kinds), tuple(care))


def kind(  # the shorthand's columns
    name: str,
    leaf: str,
    prices: tuple[float, float],
    phrases: str,
    uses: str,
    **options: tuple[str, ...],
) -> Kind:
    """Make a kind from the shorthand; all words of its name count as nouns."""
    return Kind(
        name=name,
        leaf=leaf,
        prices=prices,
        phrases=_listed(phrases),
        uses=_listed(uses),
        options={key.replace("_", " "): values for key, values in options.items()},
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


def _feature(line: str) -> Feature:
    head, _, sentence = line.partition(": ")
    verb = next(verb for verb in _VERBS if head.startswith(verb + " "))
    return Feature(head.removeprefix(verb).strip(), verb, sentence)
