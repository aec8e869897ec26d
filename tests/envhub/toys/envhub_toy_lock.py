"""A small real environment for tests: look at a code, then enter it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import envhub
from envhub.tasks import task_random


def _make(split: str, index: int, level: int) -> Mapping[str, Any]:
    rng = task_random("lock", split, index)
    return {"code": "".join(rng.choices("0123456789", k=level + 1))}


class Lock(envhub.ToolEnv):
    """A door with a code that a note in the room tells."""

    tasks = envhub.Tasks.from_generator(
        "lock", _make, splits={"train": 40, "test": 10}, levels=2
    )
    instructions = "Open the door."
    max_turns = 6

    def begin(self, task: envhub.Task) -> str:
        self._opened = False
        self._looked = False
        colour = ["red", "blue"][int(self.np_random.integers(2))]
        return f"A {colour} door with a lock of {len(task['code'])} digits."

    @envhub.tool
    def look(self) -> str:
        """Look at the note on the table."""
        self._looked = True
        return f"The note says {self.task['code']}."

    @envhub.tool
    def enter(self, code: str) -> str:
        """Enter a code.

        Args:
            code: The digits, such as 123.
        """
        self._opened = code == self.task["code"]
        self.finish()
        return "The door opens." if self._opened else "The door stays shut."

    def score(self) -> envhub.Score:
        return envhub.Score(float(self._opened), {"looked": float(self._looked)})

    def oracle(self) -> envhub.Action:
        if not self._looked:
            return envhub.ToolCall("look")
        return envhub.ToolCall("enter", {"code": self.task["code"]})


spec = envhub.EnvSpec(
    id="toy-lock", entry_point="envhub_toy_lock:Lock", summary="A door with a code."
)
