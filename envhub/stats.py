"""The few statistics that a comparison of agents needs, and their sources.

Pure functions of numbers; what an episode is, they do not know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from envhub.errors import UsageError

__all__ = ["Interval", "bootstrap_mean", "mcnemar", "wilson"]

_RESAMPLES = 10_000
_CHUNK = 2_000_000


class Interval(NamedTuple):
    """A confidence interval; both ends are NaN where there is no evidence."""

    low: float
    high: float


_UNKNOWN = Interval(math.nan, math.nan)


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion.

    Unlike the textbook's normal interval it stays within 0 and 1 and has a width when
    all or none succeed (Wilson 1927, J. Am. Stat. Assoc. 22:209; recommended by Brown,
    Cai & DasGupta 2001, Stat. Sci. 16:101).

    Args:
        successes: Trials that succeeded.
        trials: All of them; with 0 the interval is NaN.
        confidence: Share of such intervals that hold the true proportion.
    """
    _check_confidence(confidence)
    if not 0 <= successes <= trials:
        raise UsageError(f"{successes} successes of {trials} trials cannot be")
    if trials == 0:
        return _UNKNOWN
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate, shrink = successes / trials, 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / shrink
    spread = rate * (1 - rate) / trials + z * z / (4 * trials * trials)
    half = z * math.sqrt(spread) / shrink
    # At the ends the formula is exact, its floating-point evaluation is not.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low, high)


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p-value of McNemar's exact test on paired yes-or-no outcomes.

    Pairs that agree tell nothing; under the null hypothesis each of the others falls to
    either side like a fair coin (McNemar 1947, Psychometrika 12:153, in the exact
    binomial form).

    Args:
        gained: Pairs with a success in the second only.
        lost: Pairs with a success in the first only.
    """
    if gained < 0 or lost < 0:
        raise UsageError(f"{gained} gained and {lost} lost cannot be")
    discordant = gained + lost
    # Whole numbers until the end: 2 ** -discordant would underflow for large counts.
    ways = tail = 1
    for k in range(1, min(gained, lost) + 1):
        ways = ways * (discordant - k + 1) // k
        tail += ways
    return min(1.0, _ratio(2 * tail, discordant))


def bootstrap_mean(
    values: Sequence[float], *, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """Percentile bootstrap interval of a mean (Efron 1979, Ann. Stat. 7:1).

    Of paired differences it is the paired bootstrap. The same values and seed give the
    same interval.

    Args:
        values: The sample; an empty one gives NaN.
        confidence: Share of such intervals that hold the true mean, about.
        seed: Of the resampling.
    """
    _check_confidence(confidence)
    sample = np.asarray(values, dtype=np.float64)
    if not sample.size:
        return _UNKNOWN
    rng = np.random.default_rng(seed)
    rows = max(1, _CHUNK // sample.size)
    means = np.concatenate(
        [
            sample[rng.integers(sample.size, size=(count, sample.size))].mean(axis=1)
            for count in _portions(_RESAMPLES, rows)
        ]
    )
    outside = (1 - confidence) / 2
    low, high = np.quantile(means, [outside, 1 - outside])
    return Interval(float(low), float(high))


def _portions(total: int, most: int) -> list[int]:
    whole, rest = divmod(total, most)
    return [most] * whole + [rest] * bool(rest)


def _ratio(numerator: int, power: int) -> float:
    """``numerator / 2 ** power`` for numbers too large for floats."""
    excess = max(0, numerator.bit_length() - 64)
    return math.ldexp(float(numerator >> excess), excess - power)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UsageError(f"confidence is {confidence}; it lies between 0 and 1")
