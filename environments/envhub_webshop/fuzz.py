"""How alike two short texts are, on a scale from 0 to 100.

The measures are those that WebShop's reward was defined with: the normalised indel
similarity, ``2 * LCS / (len(a) + len(b))`` with LCS the longest common subsequence,
and the same over sets of words. Both ignore case and punctuation.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["ratio", "token_set_ratio"]


def _plain(text: str) -> str:
    spaced = "".join(char if char.isalnum() else " " for char in text.lower())
    return " ".join(spaced.split())


def _common(a: str, b: str) -> int:
    """Counts the longest common subsequence, one row of the table per letter."""
    row = [0] * (len(b) + 1)
    for char in a:
        diagonal = 0
        for place, other in enumerate(b, 1):
            above = row[place]
            row[place] = diagonal + 1 if char == other else max(above, row[place - 1])
            diagonal = above
    return row[-1]


def _similarity(a: str, b: str) -> float:
    total = len(a) + len(b)
    return 200 * _common(a, b) / total if total else 100.0


@lru_cache(maxsize=65536)
def ratio(a: str, b: str) -> int:
    """Compares two texts letter by letter; texts without a letter are unlike all."""
    a, b = _plain(a), _plain(b)
    return round(_similarity(a, b)) if a and b else 0


@lru_cache(maxsize=65536)
def token_set_ratio(a: str, b: str) -> int:
    """Compares the sets of words: 100 where one set lies inside the other."""
    words_a, words_b = frozenset(_plain(a).split()), frozenset(_plain(b).split())
    if not words_a or not words_b:
        return 0
    shared = words_a & words_b
    if shared and shared in (words_a, words_b):
        return 100
    core = " ".join(sorted(shared))
    side_a = " ".join([core, *sorted(words_a - shared)]).strip()
    side_b = " ".join([core, *sorted(words_b - shared)]).strip()
    pairs = [(side_a, side_b)]
    if core:
        pairs += [(core, side_a), (core, side_b)]
    return round(max(_similarity(one, other) for one, other in pairs))
