"""Small environments with which trainers are tested."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import envhub
from envhub.actions import Action, ToolCall
from envhub.errors import InfrastructureError

COLOURS = ("red", "blue", "green", "white", "black", "brown", "pink", "grey")


def _door(split: str, index: int, level: int) -> Mapping[str, Any]:
    number = index * 5 + (3 if split == "test" else 0)
    return {"colour": COLOURS[number % len(COLOURS)]}


class Doors(envhub.ToolEnv):
    """One of eight doors is right. A note tells which; one attempt to open."""

    tasks = envhub.Tasks("doors", _door, splits={"train": 64, "test": 32})
    max_turns = 3

    def begin(self, task: envhub.Task) -> str:
        self.colour = task["colour"]
        self.opened = ""
        return "Find the right door."

    @envhub.tool
    def look(self) -> str:
        """Read the note."""
        return f"The note says {self.colour}."

    @envhub.tool
    def open(self, colour: str) -> str:
        """Open a door.

        Args:
            colour: Which.
        """
        self.opened = colour
        self.finish()
        return "It is open."

    def grammar(self, text: str) -> ToolCall | None:
        verb, _, rest = text.strip().partition(" ")
        if verb == "look" and not rest:
            return ToolCall("look")
        if verb == "open" and rest:
            return ToolCall("open", {"colour": rest})
        return None

    def oracle(self) -> Action:
        return f"open {self.colour}" if self.np_random_looked() else "look"

    def np_random_looked(self) -> bool:
        return self._running().turns > 0

    def score(self) -> envhub.Score:
        return envhub.Score(float(self.opened == self.colour))
