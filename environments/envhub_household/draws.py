"""Random draws that are the same on every machine and in every Python version.

The standard library promises the stream of `random.random`, not what `choice` or
`shuffle` make of it. Scenes must be byte-equal for years, so they draw from this
generator: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
Generators", OOPSLA 2014), with rejection where a plain remainder would be biased.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Draws", "number_of"]

T = TypeVar("T")

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def number_of(*words: object) -> int:
    """Give the 64-bit number that belongs to some words, whatever the hash seed."""
    text = "\x1f".join(map(str, words))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


class Draws:
    """A stream of draws that its seed words decide alone."""

    __slots__ = ("_state",)

    def __init__(self, *words: object) -> None:
        self._state = number_of(*words)

    def word(self) -> int:
        """Give the next 64 bits."""
        self._state = state = (self._state + _STEP) & _WORD
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _WORD
        return state ^ (state >> 31)

    def below(self, bound: int) -> int:
        """Give a whole number from 0 to `bound` - 1, each equally likely."""
        ceiling = _WORD + 1 - (_WORD + 1) % bound
        while (word := self.word()) >= ceiling:  # pragma: no cover - once in 2**58
            continue
        return word % bound

    def between(self, low: int, high: int) -> int:
        """Give a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, things: Sequence[T]) -> T:
        """Give one of `things`."""
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """Give `count` different ones of `things` (all, if there are fewer)."""
        pool = list(things)
        for place in range(min(count, len(pool))):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]
