"""Scenes: a furnished room, things in it, and a goal, made from a few seed words.

The same split, index and level give the same scene for ever. Whether a combination
of task kind, item and target belongs to the training or to the test split is decided
by its digest, so that no test task asks for what a training task asks for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from envhub_household.draws import Draws, number_of
from envhub_household.goals import KINDS, Goal, Kind
from envhub_household.house import MIDDLE, House, Item, Receptacle
from envhub_household.vocabulary import (
    FURNITURE,
    LAMP,
    PLAYROOM,
    ROOMS,
    THINGS,
    Room,
    plural,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["LEVELS", "Level", "Scene", "scene_of"]


@dataclass(frozen=True, slots=True)
class Level:
    """How hard a level is.

    Attributes:
        receptacles: Fewest and most receptacles.
        others: Fewest and most things besides those the task is about.
        spares: Most things of the right kind beyond those that are needed.
        kinds: Kinds of tasks.
        turns: Turns an episode may take.
    """

    receptacles: tuple[int, int]
    others: tuple[int, int]
    spares: int
    kinds: tuple[Kind, ...]
    turns: int


LEVELS = {
    1: Level((2, 3), (1, 2), spares=0, kinds=("place",), turns=8),
    2: Level((4, 6), (2, 4), spares=0, kinds=("place",), turns=20),
    3: Level((7, 10), (6, 10), spares=0, kinds=KINDS, turns=40),
    4: Level((16, 24), (18, 30), spares=2, kinds=KINDS, turns=60),
}
"""The levels by number."""

_TEXTS: dict[Kind, tuple[str, ...]] = {
    "place": ("put {one} {at}", "find {one} and leave it {at}"),
    "light": ("look at {one} under a lit lamp", "hold {one} next to a lamp that is on"),
    "clean": ("put a clean {item} {at}", "wash {one} and put it {at}"),
    "heat": ("put a hot {item} {at}", "heat {one} and put it {at}"),
    "cool": ("put a cold {item} {at}", "cool {one} and put it {at}"),
    "two": ("put two {items} {same}", "bring two {items} together {same}"),
}

_TEST_SHARE = 6
"""One in this many combinations belongs to the test split."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A house, the goal in it, and the goal in words."""

    house: House
    goal: Goal
    text: str


@lru_cache(maxsize=256)
def scene_of(split: str, index: int, level: int) -> Scene:
    """Give the scene of a task."""
    draws = Draws("household", split, index, level)
    rules = LEVELS[level]
    kind = rules.kinds[index // len(LEVELS) % len(rules.kinds)]
    room = PLAYROOM if level == 1 else _room_for(kind, split, draws)
    item, target = draws.pick(_combinations(room, kind, split, level))
    goal = Goal(kind, item, target)
    house = _Builder(goal, room, level, draws).build()
    return Scene(house, goal, _worded(goal, level, draws))


def _room_for(kind: Kind, split: str, draws: Draws) -> Room:
    rooms = [room for room in ROOMS.values() if _combinations(room, kind, split, 0)]
    return draws.pick(rooms)


@lru_cache(maxsize=256)
def _combinations(
    room: Room, kind: Kind, split: str, level: int
) -> tuple[tuple[str, str], ...]:
    """Items and targets that a task of this kind can be about."""
    targets = (LAMP,) if kind == "light" else room.furniture
    return tuple(
        (item, target)
        for item in room.things
        for target in targets
        if _split_of(kind, item, target) == split
        and _makes_sense(room, Goal(kind, item, target), level)
    )


def _split_of(kind: Kind, item: str, target: str) -> str:
    return "train" if number_of(kind, item, target) % _TEST_SHARE else "test"


def _makes_sense(room: Room, goal: Goal, level: int) -> bool:
    if room is PLAYROOM:
        return True
    if goal.kind == "light":
        return bool(_lamp_hosts(room)) and bool(_sources(room, goal, level))
    if not _fit(goal.target, goal.item) or not _sources(room, goal, level):
        return False
    need = goal.need
    return need is None or (
        need in THINGS[goal.item].works
        and FURNITURE[goal.target].work != need
        and bool(_appliances(room, goal))
    )


def _fit(furniture: str, item: str) -> bool:
    return THINGS[item].group in FURNITURE[furniture].groups


_FITS = frozenset(
    (place, item) for place in FURNITURE for item in THINGS if _fit(place, item)
)
_FITS_PLAYROOM = frozenset(
    (place, item) for place in PLAYROOM.furniture for item in PLAYROOM.things
)


def _sources(room: Room, goal: Goal, level: int) -> list[str]:
    """Furniture in which the item may be found at the start."""
    if room is PLAYROOM:
        return [each for each in room.furniture if each != goal.target]
    found = [
        each for each in room.furniture if each != goal.target and _fit(each, goal.item)
    ]
    if level == 2 and not FURNITURE[goal.target].door:
        return [each for each in found if FURNITURE[each].door]
    return found


def _appliances(room: Room, goal: Goal) -> list[str]:
    return [each for each in room.furniture if FURNITURE[each].work == goal.need]


def _lamp_hosts(room: Room) -> list[str]:
    hosts = [each for each in room.furniture if not FURNITURE[each].door]
    return [each for each in hosts if "decor" in FURNITURE[each].groups]


class _Builder:
    """Furnishes a room and puts things into it, for one goal."""

    def __init__(self, goal: Goal, room: Room, level: int, draws: Draws) -> None:
        self.goal, self.room, self.level, self.draws = goal, room, level, draws
        self.rules = LEVELS[level]
        self.fits = _FITS_PLAYROOM if room is PLAYROOM else _FITS
        self.spans: dict[str, range] = {}
        self.homes: dict[str, list[str]] = {}
        self.things: list[tuple[str, int]] = []

    def build(self) -> House:
        """Give the house."""
        source = self.draws.pick(_sources(self.room, self.goal, self.level))
        self._furnish(source)
        self._place_goal_items(source)
        start = self.things[0][1]
        self._place_lamps()
        self._place_others()
        return self._house(start)

    def _furnish(self, source: str) -> None:
        draws, goal, room = self.draws, self.goal, self.room
        chosen = [source]
        if goal.kind == "light":
            chosen.append(draws.pick(_lamp_hosts(room)))
        else:
            chosen.append(goal.target)
        if goal.need is not None:
            chosen.append(draws.pick(_appliances(room, goal)))
        chosen = sorted(set(chosen))
        most = 1 if self.level == 1 else max(self.rules.receptacles)
        free = [
            each
            for each in room.furniture
            for _ in range(min(most, FURNITURE[each].most) - (each in chosen))
        ]
        wanted = draws.between(*self.rules.receptacles)
        chosen += draws.some(free, wanted - len(chosen))
        self.spans = _spans(sorted(chosen))

    def _place_goal_items(self, source: str) -> None:
        draws, goal = self.draws, self.goal
        self._put(goal.item, [source])
        elsewhere = [each for each in self._homes(goal.item) if each != goal.target]
        if goal.kind == "two":
            self._put(goal.item, elsewhere)
        for _ in range(draws.below(self.rules.spares + 1)):
            anywhere = goal.need is not None or goal.kind == "light"
            self._put(goal.item, self._homes(goal.item) if anywhere else elsewhere)

    def _place_lamps(self) -> None:
        if self.goal.kind == "light":
            hosts = [each for each in _lamp_hosts(self.room) if each in self.spans]
            self._put(LAMP, hosts)

    def _place_others(self) -> None:
        draws, goal = self.draws, self.goal
        taken = {goal.item}
        for _ in range(draws.between(*self.rules.others)):
            item = draws.pick(self.room.things)
            homes = self._homes(item)
            if homes and item not in taken:
                self._put(item, homes)
                if self.level == 1:
                    taken.add(item)

    def _homes(self, item: str) -> list[str]:
        """Kinds of furniture in the room that take the item."""
        if item not in self.homes:
            kinds = self.spans
            self.homes[item] = [each for each in kinds if (each, item) in self.fits]
        return self.homes[item]

    def _put(self, item: str, homes: Sequence[str]) -> None:
        self.things.append((item, self.draws.pick(self.spans[self.draws.pick(homes)])))

    def _house(self, source: int) -> House:
        furniture = [kind for kind, span in self.spans.items() for _ in span]
        size = len(furniture)
        places = self.draws.some(range(1, size + 1), size)
        contents: list[list[int]] = [[] for _ in range(size)]
        by_kind = sorted(self.things, key=_kind)
        for index, (_, place) in enumerate(by_kind):
            contents[place].append(index)
        near = self.level == 1 and self.draws.below(3) == 0
        return House(
            receptacles=tuple(
                _receptacle(name, kind, place, plain=self.level == 1)
                for (name, kind), place in zip(
                    _numbered(furniture), places, strict=True
                )
            ),
            items=tuple(
                _item(name, kind)
                for name, kind in _numbered(kind for kind, _ in by_kind)
            ),
            contents=tuple(map(tuple, contents)),
            fits=self.fits,
            start=places[source] if near else MIDDLE,
        )


def _spans(furniture: Sequence[str]) -> dict[str, range]:
    """Positions of each kind in a sorted list."""
    counts = Counter(furniture)
    spans, first = dict[str, range](), 0
    for kind, number in counts.items():
        spans[kind] = range(first, first + number)
        first += number
    return spans


def _kind(thing: tuple[str, int]) -> str:
    return thing[0]


def _numbered(kinds: Iterable[str]) -> list[tuple[str, str]]:
    numbers: dict[str, count[int]] = {}
    return [
        (f"{kind} {next(numbers.setdefault(kind, count(1)))}", kind) for kind in kinds
    ]


def _receptacle(name: str, kind: str, place: int, *, plain: bool) -> Receptacle:
    if plain:
        return Receptacle(name, kind, place)
    furniture = FURNITURE[kind]
    return Receptacle(name, kind, place, furniture.door, furniture.work)


@lru_cache(maxsize=1024)
def _item(name: str, kind: str) -> Item:
    if kind == LAMP:
        return Item(name, kind, movable=False, lamp=True)
    return Item(name, kind, works=THINGS[kind].works)


def _worded(goal: Goal, level: int, draws: Draws) -> str:
    template = _TEXTS[goal.kind][0] if level == 1 else draws.pick(_TEXTS[goal.kind])
    into = "on"
    if goal.kind != "light" and FURNITURE[goal.target].inside:
        into = "in"
    return template.format(
        item=goal.item,
        items=plural(goal.item),
        one=_one(goal.item),
        at=f"{into} {_one(goal.target)}",
        same=f"{into} the same {goal.target}",
    )


def _one(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
