"""Whether an answer is the right one, and whether a result is.

The kind of the gold answer decides how a text is read:

    whole number   the one number of the text, equal
    float          likewise; at most 0.0051 off, so that either way to round to two
                   decimals will do
    text           equal but for letter case, blanks, quotes and a full stop
    list           items between commas, brackets around them or not; each as above
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from envhub.answering import LONGEST_ANSWER, bare, only_number
from envhub_code.problems import Answer

__all__ = ["same_answer", "same_result"]

_TOLERANCE = Fraction(51, 10_000)


def same_answer(given: str, gold: Answer) -> bool:
    """Whether a text says what the gold answer says."""
    text = bare(given)
    if len(text) > LONGEST_ANSWER:
        return False
    if isinstance(gold, list):
        return _same_list(text, gold)
    if isinstance(gold, str):
        return _folded(text) == _folded(gold)
    number = only_number(text)
    if number is None:
        return False
    if isinstance(gold, int):
        return number == gold
    return abs(number - Fraction(gold)) <= _TOLERANCE


def same_result(found: Any, expected: Any) -> bool:
    """Whether two JSON values are equal; floats may differ by a millionth.

    A truth value equals no number, and a whole float equals the whole number.
    """
    if isinstance(found, bool) or isinstance(expected, bool):
        return found is expected
    if isinstance(found, int | float) and isinstance(expected, int | float):
        return found == expected or _close(found, expected)
    if isinstance(found, list) and isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(same_result, found, expected))
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(
            same_result(found[key], expected[key]) for key in expected
        )
    return type(found) is type(expected) and bool(found == expected)


def _close(found: float, expected: float) -> bool:
    if isinstance(found, int) and isinstance(expected, int):
        return False
    try:
        return math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-9)
    except OverflowError:  # a whole number that no float can be near to
        return False


def _folded(text: str) -> str:
    return " ".join(bare(text).casefold().split())


def _same_list(text: str, gold: list[Any]) -> bool:
    inner = text.strip("()[]{} ")
    items = [item for item in re.split(r"[,;]", inner) if item.strip()]
    if len(items) != len(gold):
        items = inner.split()
    return len(items) == len(gold) and all(map(same_answer, items, gold))
