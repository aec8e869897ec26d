"""What one episode records about itself while it runs: turns, rewards, how it ended."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from envhub.errors import (
    EnvhubError,
    EnvironmentFault,
    InfrastructureError,
    PolicyError,
)
from envhub.score import Score, finite
from envhub.tasks import Task

__all__ = ["Blame", "Episode", "StopReason"]


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
        amount = finite(component, amount)
        self.earned[component] = self.earned.get(component, 0.0) + amount

    def settle(self) -> tuple[float, dict[str, float]]:
        """This turn's reward and its components; the turn's account starts anew."""
        components, self.earned = self.earned, {}
        reward = float(sum(components.values()))
        if self.score is not None:
            reward += self.score.value
            components |= self.score.components
        reward = finite("the reward of this turn", reward)
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


class Blame:
    """Mark the episode void when its environment or the platform fails.

    What the environment's code raises becomes an `EnvironmentFault`: also an exit,
    which must not end the caller's program, and an error that blames the agent at a
    moment at which no agent acts. A plain class, as a generator would cost a
    microsecond at every step.
    """

    __slots__ = ("episode",)

    def __init__(self, episode: Episode) -> None:
        self.episode = episode

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception | SystemExit | GeneratorExit):
            return
        lost = isinstance(error, InfrastructureError)
        reason = StopReason.INFRASTRUCTURE if lost else StopReason.ENVIRONMENT_FAULT
        self.episode.stop = reason
        self.episode.over = True
        if isinstance(error, PolicyError) or not isinstance(error, EnvhubError):
            name = self.episode.task.id
            message = f"{name}: {type(error).__name__}: {_text_of(error)}"
            raise EnvironmentFault(message) from error


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as failure:  # noqa: BLE001 - a broken __str__ must not hide it
        return f"its text raised {type(failure).__name__}"
