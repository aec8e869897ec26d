"""What changes while the agent acts: the world, and what each command does to it.

The rules are those of ALFWorld's household: one hand, doors that must be open to
take and to put, appliances that work on what is held in front of them, lamps that
stay on. A command that breaks a rule is refused and changes nothing. Words are the
business of `envhub_household.grammar` and `envhub_household.commands`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from envhub_household.house import House

__all__ = ["NONE", "Command", "Verb", "World"]

Verb = Literal[
    "look",
    "inventory",
    "help",
    "go",
    "open",
    "close",
    "take",
    "put",
    "examine",
    "use",
    "heat",
    "cool",
    "clean",
    "slice",
]

NONE = -1
"""The index of no item and of no receptacle."""


@dataclass(frozen=True, slots=True)
class Command:
    """What the agent wants, with names resolved to indices of the house.

    Attributes:
        verb: What to do.
        item: The item it is done to.
        receptacle: The receptacle it is done at.
        tool: The item it is done with.
    """

    verb: Verb
    item: int = NONE
    receptacle: int = NONE
    tool: int = NONE


class World:
    """The state of a house during one episode.

    Attributes:
        house: What does not change.
        place: Where the agent is.
        held: Index of the item in the agent's hand.
        contents: For each receptacle, the items in or on it.
        opened: Receptacles whose door is open.
        hot: Items that are hot.
        cool: Items that are cool.
        clean: Items that were cleaned.
        lit: Lamps that are on.
        sliced: Items that were sliced.
        spots: Items that were put or found at a place, with the place.
        left: Items that were taken from a receptacle and not put back, with it.
    """

    __slots__ = (
        "clean",
        "contents",
        "cool",
        "held",
        "hot",
        "house",
        "left",
        "lit",
        "opened",
        "place",
        "sliced",
        "spots",
    )

    def __init__(self, house: House) -> None:
        self.house = house
        self.place = house.start
        self.held = NONE
        self.contents = [set(items) for items in house.contents]
        self.opened: set[int] = set()
        self.hot: set[int] = set()
        self.cool: set[int] = set(house.chilled)
        self.clean: set[int] = set()
        self.lit: set[int] = set()
        self.sliced: set[int] = set()
        self.spots: set[tuple[int, int]] = set(house.spots)
        self.left: set[tuple[int, int]] = set()

    def key(self) -> tuple[object, ...]:
        """Everything that can change, as one comparable value."""
        return (
            self.place,
            self.held,
            tuple(map(frozenset, self.contents)),
            frozenset(self.opened),
            frozenset(self.hot),
            frozenset(self.cool),
            frozenset(self.clean),
            frozenset(self.lit),
            frozenset(self.sliced),
            frozenset(self.spots),
            frozenset(self.left),
        )

    def copy(self) -> World:
        """Give a world in the same state that goes its own way."""
        other = World(self.house)
        other.place, other.held = self.place, self.held
        other.contents = [set(items) for items in self.contents]
        for name in (
            "opened",
            "hot",
            "cool",
            "clean",
            "lit",
            "sliced",
            "spots",
            "left",
        ):
            setattr(other, name, set(getattr(self, name)))
        return other

    # Questions

    def here(self) -> tuple[int, ...]:
        """Receptacles where the agent stands."""
        return self.house.at.get(self.place, ())

    def accessible(self, receptacle: int) -> bool:
        """Whether nothing shuts the receptacle's contents off."""
        openable = self.house.receptacles[receptacle].openable
        return not openable or receptacle in self.opened

    def visible(self) -> Iterator[tuple[int, int]]:
        """Items that can be seen from here, with their receptacle, in listing order."""
        for receptacle in self.here():
            if self.accessible(receptacle):
                for item in sorted(self.contents[receptacle]):
                    yield item, receptacle

    def beside(self) -> list[int]:
        """Items here that have changed from one receptacle of the place to another."""
        here = self.here()
        return sorted(
            item
            for item, place in self.spots
            if place == self.place and any((item, each) in self.left for each in here)
        )

    def fits(self, item: int, receptacle: int) -> bool:
        """Whether the receptacle is made for such an item."""
        house = self.house
        pair = (house.receptacles[receptacle].kind, house.items[item].kind)
        return pair in house.fits

    def allows(self, command: Command) -> bool:
        """Whether the command would be carried out."""
        return getattr(self, f"_may_{command.verb}")(command) is True

    def possible(self) -> Iterator[Command]:
        """All commands that would be carried out, apart from ``help``."""
        yield Command("look")
        yield Command("inventory")
        for index, receptacle in enumerate(self.house.receptacles):
            if receptacle.place != self.place:
                yield Command("go", receptacle=index)
        yield from self.possible_here()

    def possible_here(self) -> Iterator[Command]:
        """Commands about what is here, that would be carried out."""
        for index in self.here():
            yield from self._possible_at(index)
        if self.held == NONE:
            yield from self._possible_takes()
        else:
            yield from self._possible_with_hand()
        yield from self._possible_examinations()

    # Deeds

    def do(self, command: Command) -> bool:
        """Carry a command out; False, and nothing has changed, if a rule forbids it."""
        if not self.allows(command):
            return False
        deed = getattr(self, f"_do_{command.verb}", None)
        if deed is not None:
            deed(command)
        return True

    # What is possible, by kind

    def _possible_at(self, receptacle: int) -> Iterator[Command]:
        yield Command("examine", receptacle=receptacle)
        if self.house.receptacles[receptacle].openable:
            shut = receptacle not in self.opened
            yield Command("open" if shut else "close", receptacle=receptacle)
        for item in sorted(self.contents[receptacle]):
            if self.house.items[item].lamp:
                yield Command("use", item)

    def _possible_takes(self) -> Iterator[Command]:
        for item, receptacle in self.visible():
            if self.house.items[item].movable:
                yield Command("take", item, receptacle)

    def _possible_with_hand(self) -> Iterator[Command]:
        held = self.house.items[self.held]
        for receptacle in self.here():
            if self.accessible(receptacle) and self.fits(self.held, receptacle):
                yield Command("put", self.held, receptacle)
            work = self.house.receptacles[receptacle].work
            if work is not None and work in held.works:
                yield Command(work, self.held, receptacle)
        if held.blade:
            for item, place in sorted(self.spots):
                if place == self.place and self.house.items[item].sliceable:
                    yield Command("slice", item, tool=self.held)

    def _possible_examinations(self) -> Iterator[Command]:
        seen = set[int]()
        if not self.house.in_hand:
            seen = {item for item, _ in self.visible()}
        if self.held != NONE:
            seen.add(self.held)
        for item in sorted(seen):
            yield Command("examine", item)

    # Rules

    def _may_look(self, _command: Command) -> bool:
        return True

    _may_inventory = _may_help = _may_look

    def _may_go(self, command: Command) -> bool:
        return self.house.receptacles[command.receptacle].place != self.place

    def _may_open(self, command: Command) -> bool:
        return self._near_door(command) and command.receptacle not in self.opened

    def _may_close(self, command: Command) -> bool:
        return self._near_door(command) and command.receptacle in self.opened

    def _may_take(self, command: Command) -> bool:
        return (
            self.held == NONE
            and self.house.items[command.item].movable
            and self._within_reach(command.receptacle)
            and command.item in self.contents[command.receptacle]
        )

    def _may_put(self, command: Command) -> bool:
        return (
            self.held == command.item
            and self._within_reach(command.receptacle)
            and self.fits(command.item, command.receptacle)
        )

    def _may_examine(self, command: Command) -> bool:
        if command.receptacle != NONE:
            return self._near(command.receptacle)
        if command.item == self.held or self.house.in_hand:
            return command.item == self.held
        return any(item == command.item for item, _ in self.visible())

    def _may_use(self, command: Command) -> bool:
        if not self.house.items[command.item].lamp:
            return False
        return any(command.item in self.contents[each] for each in self.here())

    def _may_work(self, command: Command) -> bool:
        receptacle = self.house.receptacles[command.receptacle]
        return (
            self.held == command.item
            and receptacle.work == command.verb
            and command.verb in self.house.items[command.item].works
            and receptacle.place == self.place
        )

    _may_heat = _may_cool = _may_clean = _may_work

    def _may_slice(self, command: Command) -> bool:
        return (
            self.held == command.tool
            and self.house.items[command.tool].blade
            and self.house.items[command.item].sliceable
            and (command.item, self.place) in self.spots
        )

    def _near(self, receptacle: int) -> bool:
        return self.house.receptacles[receptacle].place == self.place

    def _near_door(self, command: Command) -> bool:
        openable = self.house.receptacles[command.receptacle].openable
        return openable and self._near(command.receptacle)

    def _within_reach(self, receptacle: int) -> bool:
        return self._near(receptacle) and self.accessible(receptacle)

    # Effects

    def _do_go(self, command: Command) -> None:
        self.place = self.house.receptacles[command.receptacle].place

    def _do_open(self, command: Command) -> None:
        self.opened.add(command.receptacle)

    def _do_close(self, command: Command) -> None:
        self.opened.discard(command.receptacle)

    def _do_take(self, command: Command) -> None:
        self.contents[command.receptacle].discard(command.item)
        self.spots.discard((command.item, self.place))
        self.left.add((command.item, command.receptacle))
        self.held = command.item

    def _do_put(self, command: Command) -> None:
        self.contents[command.receptacle].add(command.item)
        self.spots.add((command.item, self.place))
        self.left.discard((command.item, command.receptacle))
        self.held = NONE

    def _do_use(self, command: Command) -> None:
        self.lit.add(command.item)

    def _do_heat(self, command: Command) -> None:
        self.hot.add(command.item)
        self.cool.discard(command.item)

    def _do_cool(self, command: Command) -> None:
        self.cool.add(command.item)
        self.hot.discard(command.item)

    def _do_clean(self, command: Command) -> None:
        self.clean.add(command.item)

    def _do_slice(self, command: Command) -> None:
        self.sliced.add(command.item)
