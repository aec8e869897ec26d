"""An expert that knows the house: a shortest plan from any state, by trying them all.

Every plan has the same skeleton (fetch, prepare, deliver), so a search over states is
not needed: the expert writes down one sketch for each choice of item, appliance and
target, and takes the shortest, the first one among equals. That takes well under a
millisecond. With a hand that holds something useless it first puts that down, and
tries each place for it too.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from envhub.errors import UsageError
from envhub_household.world import NONE, Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from envhub_household.goals import Goal
    from envhub_household.world import World

__all__ = ["plan"]


def plan(world: World, goal: Goal) -> list[Command]:
    """Give a shortest list of commands that reaches the goal from this state.

    Raises:
        UsageError: The goal is out of reach in this house.
    """
    if goal.is_done(world):
        return []
    items = goal.items(world)
    sketches = [
        sketch
        for start in _starts(world, items)
        for sketch in _finished(start, goal, items)
    ]
    if not sketches:
        message = f"the goal {goal} cannot be reached in this house"
        raise UsageError(message)
    return min(sketches, key=lambda sketch: len(sketch.commands)).commands


class _Sketch:
    """A plan in the making: its commands, and the state they lead to."""

    __slots__ = ("commands", "held", "opened", "place", "where", "world")

    def __init__(self, world: World) -> None:
        self.world = world
        self.commands: list[Command] = []
        self.place, self.held = world.place, world.held
        self.opened: set[int] = set()
        self.where: dict[int, int] = {}

    def copy(self) -> _Sketch:
        other = _Sketch(self.world)
        other.commands = [*self.commands]
        other.place, other.held = self.place, self.held
        other.opened, other.where = {*self.opened}, {**self.where}
        return other

    def go(self, receptacle: int) -> _Sketch:
        place = self.world.house.receptacles[receptacle].place
        if place != self.place:
            self.commands.append(Command("go", receptacle=receptacle))
            self.place = place
        return self

    def reach(self, receptacle: int) -> _Sketch:
        self.go(receptacle)
        if receptacle not in self.opened and not self.world.accessible(receptacle):
            self.commands.append(Command("open", receptacle=receptacle))
            self.opened.add(receptacle)
        return self

    def take(self, item: int, receptacle: int) -> _Sketch:
        self.reach(receptacle).commands.append(Command("take", item, receptacle))
        self.held = item
        return self

    def put(self, receptacle: int) -> _Sketch:
        self.reach(receptacle).commands.append(Command("put", self.held, receptacle))
        self.where[self.held] = receptacle
        self.held = NONE
        return self

    def work(self, command: Command) -> _Sketch:
        self.commands.append(command)
        return self


def _starts(world: World, items: list[int]) -> Iterator[_Sketch]:
    sketch = _Sketch(world)
    if world.held == NONE or world.held in items:
        yield sketch
    if world.held != NONE:
        for receptacle in _homes(world, world.held):
            yield sketch.copy().put(receptacle)


def _homes(world: World, item: int) -> list[int]:
    everything = range(len(world.house.receptacles))
    return [each for each in everything if world.fits(item, each)]


def _finished(start: _Sketch, goal: Goal, items: list[int]) -> Iterator[_Sketch]:
    if goal.kind == "two":
        return _two(start, goal, items)
    if goal.kind == "light":
        return _lit(start, goal, items)
    return _placed(start, goal, items)


def _fetched(start: _Sketch, items: list[int]) -> Iterator[_Sketch]:
    """Sketches that go on from here to each of the items."""
    if start.held != NONE:
        if start.held in items:
            yield start.copy()
        return
    for item in items:
        for receptacle in _whereabouts(start, item):
            yield start.copy().take(item, receptacle)


def _whereabouts(sketch: _Sketch, item: int) -> list[int]:
    if item in sketch.where:
        return [sketch.where[item]]
    if not sketch.world.house.items[item].movable:
        return []
    contents = enumerate(sketch.world.contents)
    return [receptacle for receptacle, items in contents if item in items]


def _placed(start: _Sketch, goal: Goal, items: list[int]) -> Iterator[_Sketch]:
    for fetched in _fetched(start, items):
        for ready in _prepared(fetched, goal):
            for target in goal.targets(start.world):
                if start.world.fits(ready.held, target):
                    yield ready.copy().put(target)


def _prepared(sketch: _Sketch, goal: Goal) -> Iterator[_Sketch]:
    world, item, need = sketch.world, sketch.held, goal.need
    if need is None or goal.is_ready(world, item):
        yield sketch
        return
    if need not in world.house.items[item].works:
        return
    for index, receptacle in enumerate(world.house.receptacles):
        if receptacle.work == need:
            yield sketch.copy().go(index).work(Command(need, item, index))


def _lit(start: _Sketch, goal: Goal, items: list[int]) -> Iterator[_Sketch]:
    for fetched in _fetched(start, items):
        for lamp, receptacle in goal.lamps(start.world):
            lit = fetched.copy().go(receptacle)
            shines = lamp in start.world.lit
            yield lit if shines else lit.work(Command("use", lamp))


def _two(start: _Sketch, goal: Goal, items: list[int]) -> Iterator[_Sketch]:
    for target in goal.targets(start.world):
        lying = [item for item in items if target in _whereabouts(start, item)]
        missing = [item for item in items if item not in lying]
        for chosen in permutations(missing, 2 - min(len(lying), 1)):
            yield from _delivered(start, chosen, target)


def _delivered(
    start: _Sketch, chosen: tuple[int, ...], target: int
) -> Iterator[_Sketch]:
    sketches = [start]
    for item in chosen:
        sketches = [
            fetched.put(target)
            for sketch in sketches
            for fetched in _fetched(sketch, [item])
            if sketch.world.fits(item, target)
        ]
    yield from sketches
