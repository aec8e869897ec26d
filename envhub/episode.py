"""What one episode records about itself while it runs: turns, rewards, how it ended."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from envhub.score import Score
from envhub.tasks import Task

__all__ = ["Episode", "StopReason"]


class StopReason(StrEnum):
    """Why an episode ended. Only `DONE` terminates; the others truncate or void it."""

    DONE = "done"
    """The environment says the episode is complete, solved or not."""
    MAX_TURNS = "max_turns"
    """The turn limit was reached."""
    NO_ACTION = "no_action"
    """Too many turns in a row held nothing that could be executed."""
    ENVIRONMENT_FAULT = "environment_fault"
    """The environment's own code failed; there is no reward."""
    INFRASTRUCTURE = "infrastructure"
    """The platform failed; there is no reward."""


@dataclass(slots=True)
class Episode:
    """The running account of one episode.

    Attributes:
        task: What is to be done.
        seed: Seed of this episode's own randomness.
        turns: Turns taken.
        returned: Sum of the rewards given.
        fruitless: Turns in a row in which nothing could be executed.
        stop: Why it ended or is about to; None while it runs.
        over: Whether it has ended and takes no more actions.
        score: The outcome; None while it runs or when there is none.
    """

    task: Task
    seed: int
    turns: int = 0
    returned: float = 0.0
    fruitless: int = 0
    stop: StopReason | None = None
    over: bool = False
    score: Score | None = None
    earned: dict[str, float] = field(default_factory=dict[str, float])
    started: float = field(default_factory=time.perf_counter)

    def earn(self, component: str, amount: float) -> None:
        """Add to this turn's process reward."""
        self.earned[component] = self.earned.get(component, 0.0) + amount

    def settle(self) -> tuple[float, dict[str, float]]:
        """This turn's reward and its components; the turn's account starts anew."""
        components, self.earned = self.earned, {}
        reward = float(sum(components.values()))
        if self.score is not None:
            reward += self.score.value
            components |= self.score.components
        self.returned += reward
        return reward, components

    def summary(self) -> Mapping[str, Any]:
        """What `info["episode"]` holds at the end."""
        return {
            "return": self.returned,
            "turns": self.turns,
            "seconds": time.perf_counter() - self.started,
            "stop_reason": str(self.stop),
            "success": bool(self.score and self.score.success),
        }
