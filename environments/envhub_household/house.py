"""What stays the same during an episode: the house.

A house is a list of receptacles (furniture and appliances, each at a place) and a
list of items. Their order is the order in which texts list them. What changes while
the agent acts is the business of `envhub_household.world`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

__all__ = ["MIDDLE", "House", "Item", "Receptacle", "Work"]

Work = Literal["heat", "cool", "clean"]
"""What an appliance does to an item that is held in front of it."""

MIDDLE = 0
"""The place in the middle of the room, where no receptacle stands."""


@dataclass(frozen=True, slots=True)
class Receptacle:
    """A piece of furniture or an appliance.

    Attributes:
        name: Its name with its number, as the agent writes it (``drawer 2``).
        kind: Its name without the number.
        place: Where it stands; receptacles may share a place.
        openable: Whether it has a door; it starts shut.
        work: What it does to an item, if it is an appliance.
    """

    name: str
    kind: str
    place: int
    openable: bool = False
    work: Work | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A thing that lies in or on receptacles.

    Attributes:
        name: Its name with its number (``mug 1``).
        kind: Its name without the number.
        movable: Whether the agent can take it.
        lamp: Whether it can be switched on.
        works: Which appliances have an effect on it.
        vessel: Whether texts describe it by what it contains.
        holds: Names of the items inside it, for texts alone.
        sliceable: Whether a blade can slice it.
        blade: Whether it slices other items.
    """

    name: str
    kind: str
    movable: bool = True
    lamp: bool = False
    works: frozenset[Work] = frozenset()
    vessel: bool = False
    holds: tuple[str, ...] = ()
    sliceable: bool = False
    blade: bool = False


@dataclass(frozen=True)
class House:
    """The receptacles and items of one scene, and where everything starts.

    Attributes:
        receptacles: In the order of the listings.
        items: In the order of the listings.
        contents: For each receptacle, the indices of the items that start there.
        fits: Pairs (receptacle kind, item kind) that may be put together.
        start: The place at which the agent starts.
        spots: Places of items, by index, for rules that ask for nearness alone.
        chilled: Indices of the items that are cool from the start.
        in_hand: Whether an item must be in the hand to be examined.
    """

    receptacles: tuple[Receptacle, ...]
    items: tuple[Item, ...]
    contents: tuple[tuple[int, ...], ...]
    fits: frozenset[tuple[str, str]]
    start: int = MIDDLE
    spots: tuple[tuple[int, int], ...] = ()
    chilled: frozenset[int] = frozenset()
    in_hand: bool = False

    @cached_property
    def receptacle_index(self) -> dict[str, int]:
        """Indices of the receptacles by name."""
        return {each.name: index for index, each in enumerate(self.receptacles)}

    @cached_property
    def item_index(self) -> dict[str, int]:
        """Indices of the items by name."""
        return {each.name: index for index, each in enumerate(self.items)}

    @cached_property
    def at(self) -> dict[int, tuple[int, ...]]:
        """Indices of the receptacles by place."""
        places: dict[int, tuple[int, ...]] = {}
        for index, receptacle in enumerate(self.receptacles):
            places[receptacle.place] = (*places.get(receptacle.place, ()), index)
        return places

    @cached_property
    def journeys(self) -> tuple[tuple[str, int], ...]:
        """The command that goes to each receptacle, with its place."""
        return tuple((f"go to {each.name}", each.place) for each in self.receptacles)
