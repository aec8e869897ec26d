"""The outcome of an episode, with the components it is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from envhub.errors import InvalidScore

__all__ = ["Score", "finite"]


@dataclass(frozen=True, slots=True)
class Score:
    """What an environment's grader found.

    Attributes:
        value: The outcome reward.
        components: What it is made of, for people and diagnostics; not summed again.
        success: Whether the task was solved; by default whether `value` is at least 1.
    """

    value: float
    components: Mapping[str, float] = field(default_factory=dict[str, float])
    success: bool | None = None

    def __post_init__(self) -> None:
        if self.success is None:
            object.__setattr__(self, "success", bool(self.value >= 1.0))

    def checked(self, reward_range: tuple[float, float]) -> Score:
        """This score in plain floats, if it may be used as a reward.

        Raises:
            InvalidScore: The value or a component is not finite, or the value lies
                outside `reward_range`.
        """
        low, high = reward_range
        value = finite("score", self.value)
        components = {k: finite(k, part) for k, part in self.components.items()}
        if not low <= value <= high:
            message = f"score {value} is outside the declared [{low}, {high}]"
            raise InvalidScore(message)
        return Score(value, components, bool(self.success))


def finite(name: str, number: float) -> float:
    """The number as a plain float, which JSON and a trainer take.

    Raises:
        InvalidScore: It is no number, or not finite.
    """
    try:
        if math.isfinite(number):
            return float(number)
    except (TypeError, OverflowError):
        pass
    raise InvalidScore(f"{name} is {number!r:.60}; a reward is a finite number")
