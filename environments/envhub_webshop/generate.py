"""Makes a catalogue of invented products from a seed.

The same seed gives the same catalogue on every machine. Each kind of product draws
from a stream of its own, so that an edit to one kind leaves all others as they were.

Titles of different kinds have little in common, as the reward compares their nouns: no
line of products occurs twice, and no brand in two kinds of a department.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from envhub_webshop.catalogue import Catalogue, Product
from envhub_webshop.draw import Draw
from envhub_webshop.stock import CATEGORIES, Category, Feature, Kind
from envhub_webshop.words import with_article

__all__ = ["PER_KIND", "generate"]

PER_KIND = 10
"""Products of each kind; with the 100 kinds in stock, 1,000 products."""
_BRANDS_PER_KIND = 6

_BRANDS = (
    "Ablewick", "Aldermoor", "Ansteck", "Bexcroft", "Boltimer", "Brindlow",
    "Callowfinch", "Castorly", "Corvanta", "Daleforth", "Drimmond", "Dunmarra",
    "Elmsgate", "Eskerly", "Evenhart", "Farnolds", "Fennoway", "Fulvetta", "Gantrell",
    "Gorsefield", "Gratham", "Havenoak", "Hexbourne", "Hollisk", "Inverloch",
    "Islandia", "Ivoreth", "Jarnwood", "Jessamy", "Joltane", "Kelvessa", "Kirrick",
    "Knollman", "Lathwell", "Lomberry", "Lundgate", "Marrowby", "Mirrowell",
    "Morvane", "Nethercott", "Norvale", "Nuthampton", "Ostralane", "Ottersby",
    "Oxmere", "Pellinor", "Pinderly", "Quenby", "Quillby", "Rosketh", "Rushmere",
    "Selwick", "Sundravo", "Tamsinore", "Thornaby", "Ulverdin", "Vantrica", "Wexomar",
    "Yarrowden", "Zephrine",
)  # fmt: skip
_LINE_HEADS = (
    "Acorn", "Amber", "Aster", "Birch", "Breeze", "Brook", "Cedar", "Cinder", "Clover",
    "Coral", "Dawn", "Delta", "Ember", "Fern", "Flint", "Frost", "Glen", "Hazel",
    "Heron", "Iris", "Juniper", "Kestrel", "Lark", "Lunar", "Maple", "Marsh", "Nova",
    "Onyx", "Opal", "Pine", "Quartz", "Raven", "Reed", "Sable", "Shale", "Sorrel",
    "Storm", "Thistle", "Umber", "Willow",
)  # fmt: skip
_LINE_TAILS = (
    "ara", "bay", "crest", "dale", "ella", "fell", "ford", "gate", "haven", "ia",
    "kin", "lea", "line", "mere", "mont", "nest", "ora", "point", "ridge", "side",
    "star", "ton", "vale", "way", "wyn",
)  # fmt: skip
_INTROS = (
    "Meet the {line}, the {kind} that {brand} designed for {use}.",
    "{brand} built the {line} {kind} with {use} in mind.",
    "The {line} {kind} is what {brand} recommends for {use}.",
    "After two years of trials, {brand} brings you {thing} for {use}.",
)
_VERBS = {"is": "is", "has": "has", "made of": "is made of"}
_PRAISE = (
    "Does what it says, and I use it daily.",
    "Bought a second one for my brother.",
    "Better than the one it replaced.",
    "Arrived early and well packed.",
    "My whole family likes it.",
    "Exactly as in the picture.",
)
_BLAME = (
    "The instructions could be clearer.",
    "A little smaller than I thought.",
    "Fine, but the price went up since.",
    "It took three weeks to arrive.",
    "The color is duller than in the picture.",
)
_ACRONYMS = frozenset({"bpa", "gmo", "tv", "usb", "usda", "uv"})
_STARS = (5, 5, 4, 5, 3, 4, 2, 5, 4, 5)


def generate(seed: int = 0) -> Catalogue:
    """Make the catalogue of a seed.

    Products lie in a mixed order and are numbered in it, so that neighbouring ids say
    nothing about the kind.
    """
    lines = Draw(f"{seed}/lines").shuffled(
        [head + tail for head in _LINE_HEADS for tail in _LINE_TAILS]
    )
    drafts: list[_Draft] = []
    for department, category in enumerate(CATEGORIES):
        for shelf, kind in enumerate(category.kinds):
            own, lines = lines[:PER_KIND], lines[PER_KIND:]
            brands = _brands_of(department, shelf)
            drafts += _drafts(category, kind, brands, own, Draw(f"{seed}/{kind.name}"))
    mixed = Draw(f"{seed}/order").shuffled(drafts)
    return Catalogue(
        tuple(_product(f"P{1000 + place}", *draft) for place, draft in enumerate(mixed))
    )


_Draft = tuple[Category, Kind, str, str, Draw]


def _brands_of(department: int, shelf: int) -> Sequence[str]:
    """The brands that make a kind; no other kind of its department has them."""
    first = (department + shelf) * _BRANDS_PER_KIND % len(_BRANDS)
    return _BRANDS[first : first + _BRANDS_PER_KIND]


def _drafts(
    category: Category,
    kind: Kind,
    brands: Sequence[str],
    lines: Sequence[str],
    draw: Draw,
) -> list[_Draft]:
    """Brand and line of each product, with a stream of draws of its own."""
    return [
        (category, kind, draw.pick(brands), line, Draw(f"{line}/{draw.below(2**32)}"))
        for line in lines
    ]


def _product(
    id: str, category: Category, kind: Kind, brand: str, line: str, draw: Draw
) -> Product:
    features = [category.features[phrase] for phrase in _phrases(kind, draw)]
    shown = features[: draw.between(1, 2)]
    use = draw.pick(kind.uses)
    price = _price(kind, draw)
    reviews, rating = _reviews(draw)
    return Product(
        id=id,
        name=_title(brand, line, kind, shown, use),
        query=kind.name,
        path=(category.name, kind.leaf),
        nouns=_nouns(brand, line, kind, use),
        price=price,
        price_text=f"${price:.2f}",
        description=_description(category, kind, brand, line, use, features, draw),
        bullets=tuple(_bullet(feature) for feature in features[:-1]),
        attributes=tuple(feature.attribute for feature in features),
        options=_options(kind, draw),
        reviews=reviews,
        rating=rating,
    )


def _phrases(kind: Kind, draw: Draw) -> list[str]:
    """Four or five features in a drawn order: titles show the first ones."""
    return draw.shuffled(kind.phrases)[: draw.between(4, 5)]


def _title(
    brand: str, line: str, kind: Kind, shown: Sequence[Feature], use: str
) -> str:
    highlights = [_capitals(feature.attribute) for feature in shown]
    name = f"{brand} {line} {_capitals(kind.name)}"
    return ", ".join([name, *highlights, f"for {_capitals(use)}"])


def _capitals(text: str) -> str:
    return " ".join(_capital(word) for word in text.split())


def _capital(word: str) -> str:
    return word.upper() if word in _ACRONYMS else word[:1].upper() + word[1:]


def _nouns(brand: str, line: str, kind: Kind, use: str) -> frozenset[str]:
    words = [brand, line, *kind.name.split(), use.split()[-1]]
    return frozenset(word.lower() for word in words)


def _price(kind: Kind, draw: Draw) -> float:
    low, high = kind.prices
    dollars = draw.between(int(low), int(high) - 1)
    return dollars + draw.pick((0.0, 0.25, 0.49, 0.5, 0.95, 0.99))


def _bullet(feature: Feature) -> str:
    first, *rest = feature.attribute.split()
    return f"{' '.join([_capital(first), *rest])}: {feature.sentence}"


def _description(
    category: Category,
    kind: Kind,
    brand: str,
    line: str,
    use: str,
    features: Sequence[Feature],
    draw: Draw,
) -> str:
    """The last feature stands here and not among the bullets."""
    intro = draw.pick(_INTROS).format(
        line=line, kind=kind.name, thing=with_article(kind.name), brand=brand, use=use
    )
    last = features[-1]
    also = f"This model {_VERBS[last.verb]} {last.phrase}. {last.sentence}"
    return " ".join([intro, also, draw.pick(category.care)])


def _options(kind: Kind, draw: Draw) -> MappingProxyType[str, tuple[str, ...]]:
    return MappingProxyType(
        {
            name: tuple(draw.some(values, draw.between(2, len(values))))
            for name, values in kind.options.items()
        }
    )


def _reviews(draw: Draw) -> tuple[tuple[str, ...], str]:
    lines: list[str] = []
    stars: list[int] = []
    for _ in range(draw.between(0, 3)):
        given = draw.pick(_STARS)
        text = draw.pick(_PRAISE if given > 3 else _BLAME)
        stars.append(given)
        lines.append(f"{given} of 5 stars: {text}")
    rating = f"{sum(stars) / len(stars):.1f}" if stars else "N.A."
    return tuple(lines), rating
