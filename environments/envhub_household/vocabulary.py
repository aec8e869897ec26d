"""Rooms, furniture and things of which houses are made, and what goes where.

Things come in groups. A group says what appliances do to its members; a piece of
furniture says which groups it is made for; a room says which furniture it may have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from envhub_household.house import Work

__all__ = [
    "FURNITURE",
    "LAMP",
    "PLAYROOM",
    "ROOMS",
    "THINGS",
    "Furniture",
    "Room",
    "Thing",
    "plural",
]

LAMP = "lamp"
"""The one kind of thing that can be switched on; it cannot be carried."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """A kind of receptacle.

    Attributes:
        groups: Groups of things it is made for.
        door: Whether it must be opened.
        inside: Whether things lie in it rather than on it.
        work: What it does to things.
        most: How many of it a large room may have.
    """

    groups: frozenset[str]
    door: bool = False
    inside: bool = False
    work: Work | None = None
    most: int = 1


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of item: its group, and which appliances have an effect on it."""

    group: str
    works: frozenset[Work]


@dataclass(frozen=True, slots=True)
class Room:
    """A kind of room: the furniture it may have, and which things are found in it."""

    furniture: tuple[str, ...]
    things: tuple[str, ...]


_GROUPS: Mapping[str, tuple[str, tuple[Work, ...]]] = {
    "food": (
        "apple carrot egg lemon onion pear potato tomato",
        ("clean", "cool", "heat"),
    ),
    "baked": ("bagel loaf", ("cool", "heat")),
    "dish": ("bowl cup mug plate", ("clean", "cool", "heat")),
    "ware": ("kettle pan pot", ("clean", "cool")),
    "cutlery": ("fork knife ladle spatula spoon", ("clean",)),
    "bottle": ("bottle flask jar", ("clean", "cool")),
    "cloth": ("cloth sponge towel", ("clean",)),
    "toiletry": ("brush comb razor toothbrush", ("clean",)),
    "paper": ("book magazine newspaper notebook", ()),
    "small": ("card coin key pen pencil ring watch", ()),
    "device": ("camera clock laptop phone remote", ()),
    "decor": ("box candle statue vase", ()),
    "soft": ("blanket cushion pillow", ()),
    "toy": ("ball doll kite racket", ()),
}

THINGS: Mapping[str, Thing] = {
    name: Thing(group, frozenset(works))
    for group, (names, works) in _GROUPS.items()
    for name in names.split()
}
"""Every kind of item that can be carried."""


def _furniture(groups: str, **facts: bool | int | Work | None) -> Furniture:
    return Furniture(frozenset(groups.split()), **facts)  # type: ignore[arg-type]


FURNITURE: Mapping[str, Furniture] = {
    "armchair": _furniture("soft paper device", most=2),
    "bathtub": _furniture("cloth toiletry", inside=True, work="clean"),
    "bed": _furniture("soft paper device toy", most=2),
    "bin": _furniture("food baked paper bottle cloth", inside=True),
    "bookcase": _furniture("paper decor toy", most=2),
    "cabinet": _furniture(
        "dish ware bottle cloth toiletry", door=True, inside=True, most=6
    ),
    "chair": _furniture("soft paper device toy", most=3),
    "chest": _furniture("toy soft paper", door=True, inside=True, most=2),
    "counter": _furniture("food baked dish ware cutlery bottle cloth toiletry", most=3),
    "desk": _furniture("paper small device decor dish", most=2),
    "drawer": _furniture(
        "cutlery cloth small toiletry", door=True, inside=True, most=6
    ),
    "dresser": _furniture("small decor device cloth", most=2),
    "fridge": _furniture(
        "food baked dish bottle ware", door=True, inside=True, work="cool"
    ),
    "hamper": _furniture("cloth soft", door=True, inside=True),
    "microwave": _furniture("food baked dish", door=True, inside=True, work="heat"),
    "nightstand": _furniture("small paper device dish", most=2),
    "safe": _furniture("small device", door=True, inside=True),
    "shelf": _furniture("dish bottle decor paper toy small toiletry", most=5),
    "sideboard": _furniture("dish decor bottle", door=True, inside=True, most=2),
    "sink": _furniture(
        "food dish ware cutlery cloth toiletry", inside=True, work="clean"
    ),
    "sofa": _furniture("soft paper device toy", most=2),
    "stand": _furniture("device decor small", most=2),
    "stool": _furniture("cloth toiletry paper", most=2),
    "stove": _furniture("ware", most=4),
    "table": _furniture("food baked dish cutlery bottle paper small decor", most=3),
    "wardrobe": _furniture("soft cloth toy", door=True, inside=True, most=3),
}
"""Every kind of receptacle."""


def _room(furniture: str, groups: str) -> Room:
    names = tuple(
        name for name, thing in THINGS.items() if thing.group in groups.split()
    )
    return Room(tuple(furniture.split()), names)


ROOMS: Mapping[str, Room] = {
    "kitchen": _room(
        "bin cabinet chair counter drawer fridge microwave shelf sink stove table",
        "food baked dish ware cutlery bottle cloth paper small decor",
    ),
    "bathroom": _room(
        "bathtub bin cabinet counter drawer hamper shelf sink stool",
        "cloth toiletry bottle paper decor",
    ),
    "bedroom": _room(
        "bed bin chair chest desk drawer dresser nightstand safe shelf wardrobe",
        "paper small device decor soft toy cloth",
    ),
    "lounge": _room(
        "armchair bin bookcase chest drawer safe shelf sideboard sofa stand table",
        "paper small device decor soft toy bottle dish",
    ),
}
"""Every kind of room."""

PLAYROOM = Room(
    ("bed", "chair", "desk", "shelf", "sofa", "table"),
    ("ball", "book", "card", "cup", "doll", "pen", "phone", "watch"),
)
"""The small room of the first level, in which every thing goes everywhere."""

_PLURALS = {
    "box": "boxes",
    "brush": "brushes",
    "knife": "knives",
    "loaf": "loaves",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "toothbrush": "toothbrushes",
    "watch": "watches",
}


def plural(thing: str) -> str:
    """Give the plural of a thing's name."""
    return _PLURALS.get(thing, f"{thing}s")
