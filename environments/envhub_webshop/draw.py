"""Draws that give the same values on every machine and Python version.

Python promises that `random.Random(seed).random()` gives one sequence for ever; it
makes no such promise for `choice`, `sample` and `shuffle`. Everything that the shop
draws goes through this class, which is built on `random()` alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Draw"]

T = TypeVar("T")


class Draw:
    """A stream of draws, named by a text such as ``"0/kettles"``.

    Streams with different names are independent, so that a new kind of product moves
    no draw of the others.
    """

    __slots__ = ("_random",)

    def __init__(self, name: str) -> None:
        self._random = random.Random(name).random

    def below(self, n: int) -> int:
        """Gives a whole number from 0 to ``n - 1``."""
        return min(int(self._random() * n), n - 1)

    def between(self, low: int, high: int) -> int:
        """Gives a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """Gives true in about `share` of all calls."""
        return self._random() < share

    def pick(self, items: Sequence[T]) -> T:
        """Gives one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Gives the items in a drawn order."""
        pool = list(items)
        for last in range(len(pool) - 1, 0, -1):
            other = self.below(last + 1)
            pool[last], pool[other] = pool[other], pool[last]
        return pool

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Gives up to `count` different items, in the order that `items` has them."""
        chosen = sorted(self.shuffled(range(len(items)))[:count])
        return [items[place] for place in chosen]
