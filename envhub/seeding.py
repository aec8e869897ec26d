"""The seeds of an environment's successive episodes.

A reset with a seed begins a chain; a reset without one takes the chain's next seed. The
chain depends on the seed given and on nothing that happens inside the episodes, so the
same first seed gives the same sequence of tasks wherever the episodes run. Without any
seed the chain begins with entropy of the operating system; no global generator is read
or written.
"""

from __future__ import annotations

import operator

import numpy as np

from envhub.errors import UsageError

__all__ = ["SeedChain"]


class SeedChain:
    """Seeds below 2**53 (exact in JSON everywhere), one for each episode."""

    def __init__(self) -> None:
        self._following: np.random.Generator | None = None

    def next(self, seed: int | None) -> int:
        """The seed of the next episode: the given one, or the chain's.

        Raises:
            UsageError: The given one is no whole number, or negative.
        """
        if seed is not None:
            seed = _checked(seed)
            self._following = np.random.default_rng([seed, 1])
            return seed
        if self._following is None:
            self._following = np.random.default_rng()
        return int(self._following.integers(2**53))


def _checked(seed: int) -> int:
    try:
        whole = operator.index(seed)
    except TypeError:
        whole = -1
    if whole < 0:
        raise UsageError(f"the seed is {seed!r}; it must be a whole number from 0 up")
    return whole
