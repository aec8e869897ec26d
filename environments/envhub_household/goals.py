"""What is to be achieved, and how far a world has come.

Each kind of task has its stages, the last of which is the goal itself:

    kind     stages
    place    held -> there -> done
    clean    held -> ready -> there -> done
    heat     held -> ready -> there -> done
    cool     held -> ready -> there -> done
    light    held -> there -> done
    two      held -> half -> both -> done

``held``: such an item is in the hand. ``ready``: such an item has been cleaned, heated
or cooled. ``there``: such an item, ready if need be, is in the hand in front of the
target. ``half``: one of two lies at a target. ``both``: one does, and another is in
the hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from envhub_household.world import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from envhub_household.house import Work
    from envhub_household.world import World

__all__ = ["KINDS", "STAGES", "Goal", "Kind"]

Kind = Literal["place", "light", "clean", "heat", "cool", "two"]

KINDS: tuple[Kind, ...] = ("place", "light", "clean", "heat", "cool", "two")
"""The kinds of tasks, in the order in which task indices run through them."""

STAGES: dict[Kind, tuple[str, ...]] = {
    "place": ("held", "there", "done"),
    "light": ("held", "there", "done"),
    "clean": ("held", "ready", "there", "done"),
    "heat": ("held", "ready", "there", "done"),
    "cool": ("held", "ready", "there", "done"),
    "two": ("held", "half", "both", "done"),
}
"""The stages of each kind of task, in order; the last is the goal."""

_NEEDS: dict[Kind, Work] = {"clean": "clean", "heat": "heat", "cool": "cool"}


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, in kinds of things: any item and any receptacle of the kind will do.

    Attributes:
        kind: The kind of task.
        item: The kind of item.
        target: The kind of receptacle it must end in; for ``light`` the kind of lamp.
    """

    kind: Kind
    item: str
    target: str

    @property
    def need(self) -> Work | None:
        """What must be done to the item before it counts."""
        return _NEEDS.get(self.kind)

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages on the way, the goal itself last."""
        return STAGES[self.kind]

    def items(self, world: World) -> list[int]:
        """Indices of the items of the kind."""
        items = world.house.items
        return [index for index, each in enumerate(items) if each.kind == self.item]

    def targets(self, world: World) -> list[int]:
        """Indices of the receptacles that count as the target."""
        if self.kind == "light":
            return [receptacle for _, receptacle in self.lamps(world)]
        everything = enumerate(world.house.receptacles)
        return [index for index, each in everything if each.kind == self.target]

    def lamps(self, world: World) -> Iterator[tuple[int, int]]:
        """Lamps of the kind, each with the receptacle it stands on."""
        for receptacle, items in enumerate(world.contents):
            for item in sorted(items):
                each = world.house.items[item]
                if each.lamp and each.kind == self.target:
                    yield item, receptacle

    def is_ready(self, world: World, item: int) -> bool:
        """Whether the item is in the state that the goal asks for."""
        if self.need is None:
            return True
        made = {"clean": world.clean, "heat": world.hot, "cool": world.cool}
        return item in made[self.need]

    def is_done(self, world: World) -> bool:
        """Whether the goal holds."""
        if self.kind == "light":
            return self._holds(world) and self._is_lit_here(world)
        wanted = 2 if self.kind == "two" else 1
        return self._most_at_one_target(world) >= wanted

    def reached(self, world: World) -> set[str]:
        """Stages whose condition holds now."""
        reached = set[str]()
        if self._holds(world):
            reached.add("held")
            here = set(self.targets(world)).intersection(world.here())
            if here and self.is_ready(world, world.held):
                reached.add("there")
        if self.need is not None and self._any_ready(world):
            reached.add("ready")
        if self.kind == "two" and self._most_at_one_target(world):
            reached |= {"half", "both"} if "held" in reached else {"half"}
        if self.is_done(world):
            reached.add("done")
        return reached.intersection(self.stages)

    def _holds(self, world: World) -> bool:
        return world.held != NONE and world.house.items[world.held].kind == self.item

    def _any_ready(self, world: World) -> bool:
        return any(self.is_ready(world, item) for item in self.items(world))

    def _is_lit_here(self, world: World) -> bool:
        here = world.here()
        return any(
            lamp in world.lit and receptacle in here
            for lamp, receptacle in self.lamps(world)
        )

    def _most_at_one_target(self, world: World) -> int:
        ready = {item for item in self.items(world) if self.is_ready(world, item)}
        counts = [
            len(ready & world.contents[receptacle])
            for receptacle in self.targets(world)
        ]
        return max(counts, default=0)
