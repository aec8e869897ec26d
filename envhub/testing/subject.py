"""The environment under test: how it is made, and short episodes to look at."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from envhub.actions import Action
from envhub.env import Environment
from envhub.pool.host import pack_action
from envhub.registry import default_registry
from envhub.spec import EnvSpec

__all__ = ["Player", "Subject", "play", "random_texts"]

_WORDS = ("", " ", "look", "help", "1", "search[x]", "<tool_call>{", "\x00", "漢字🙂")


class Player(Protocol):
    """What an episode is played on: an environment or a lease of a pool."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """As `gymnasium.Env.reset`."""
        ...

    def step(self, action: Action) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """As `gymnasium.Env.step`."""
        ...

    def oracle(self) -> Action:
        """The next action of the oracle."""
        ...


@dataclass(frozen=True)
class Subject:
    """An environment under test.

    Attributes:
        spec: How it is made.
        kwargs: Arguments for every instance.
        thorough: Whether to play more episodes and longer loops.
    """

    spec: EnvSpec
    kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    thorough: bool = True

    def make(self, **kwargs: Any) -> Environment:
        """A new instance."""
        return default_registry().make(self.spec, **{**self.kwargs, **kwargs})

    @contextmanager
    def open(self, **kwargs: Any) -> Iterator[Environment]:
        """A new instance, closed at the end."""
        env = self.make(**kwargs)
        try:
            yield env
        finally:
            env.close()

    def some(self, many: int, few: int) -> int:
        """How many of something to try."""
        return many if self.thorough else few


def random_texts(seed: int, count: int) -> list[str]:
    """Texts an agent might write when it has lost its mind."""
    rng = random.Random(seed)
    return [" ".join(rng.choices(_WORDS, k=rng.randint(1, 4))) for _ in range(count)]


def play(
    player: Player,
    *,
    seed: int,
    options: dict[str, Any] | None = None,
    oracle: bool = True,
    most: int = 100,
) -> list[Any]:
    """Play an episode; everything it gave, as JSON values without timings.

    Args:
        player: What to play on.
        seed: Seed of the reset, and of the random texts.
        options: Options of the reset.
        oracle: Whether the oracle acts; otherwise random texts are written.
        most: Turns at which to stop at the latest.
    """
    observation, info = player.reset(seed=seed, options=options)
    record: list[Any] = [[observation, info]]
    texts = random_texts(seed, most)
    for text in texts:
        action = player.oracle() if oracle else text
        observation, reward, terminated, truncated, info = player.step(action)
        summary = dict(info.get("episode", {}))
        summary.pop("seconds", None)
        told = {**info, "episode": summary}
        packed = pack_action(action)
        record.append([packed, observation, reward, terminated, truncated, told])
        if terminated or truncated:
            break
    plain: list[Any] = json.loads(json.dumps(record, allow_nan=False))
    return plain
