"""The statistics, against values worked out elsewhere and against their definitions."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub.errors import UsageError
from envhub.stats import bootstrap_mean, mcnemar, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775328),
        (5, 10, 0.2365931, 0.7634069),
        (9, 10, 0.5958500, 0.9821238),
        (10, 10, 0.7224672, 1.0),
        # Newcombe 1998, Stat. Med. 17:857, table I: 0.2553 to 0.3662.
        (81, 263, 0.2552887, 0.3661803),
    ],
)
def test_wilson_gives_the_published_interval(
    successes: int, trials: int, low: float, high: float
) -> None:
    interval = wilson(successes, trials)
    assert interval.low == pytest.approx(low, abs=1e-4)
    assert interval.high == pytest.approx(high, abs=1e-4)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_stays_within_zero_and_one(
    counts: tuple[int, int],
) -> None:
    successes, trials = counts
    low, high = wilson(successes, trials)
    assert 0.0 <= low <= successes / trials <= high <= 1.0
    assert low < high


def test_wilson_is_wider_with_more_confidence_and_narrower_with_more_trials() -> None:
    widths = [
        wilson(n // 2, n, confidence=confidence)
        for n, confidence in [(1000, 0.95), (100, 0.95), (100, 0.99)]
    ]
    assert all(a.high - a.low < b.high - b.low for a, b in pairwise(widths))


def test_without_evidence_an_interval_is_not_a_number() -> None:
    assert all(map(math.isnan, wilson(0, 0)))
    assert all(map(math.isnan, bootstrap_mean([])))


@pytest.mark.parametrize(
    ("gained", "lost", "p_value"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (6, 0, 0.03125),
        (0, 6, 0.03125),
        (10, 2, 2 * (1 + 12 + 66) / 4096),
        (25, 75, 5.636e-7),
    ],
)
def test_mcnemar_is_the_sign_test_of_the_pairs_that_differ(
    gained: int, lost: int, p_value: float
) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p_value, rel=1e-3)


def test_mcnemar_takes_counts_whose_probabilities_are_no_floats() -> None:
    assert mcnemar(3000, 3000) == 1.0
    assert 0.0 < mcnemar(2600, 3000) < 1e-6
    assert mcnemar(0, 5000) == 0.0


def test_the_bootstrap_agrees_with_the_normal_interval_of_a_large_sample() -> None:
    sample = np.random.default_rng(3).normal(2.0, 1.0, 4000)
    low, high = bootstrap_mean([*sample])
    half = 1.96 * sample.std(ddof=1) / math.sqrt(sample.size)
    assert low == pytest.approx(sample.mean() - half, abs=0.004)
    assert high == pytest.approx(sample.mean() + half, abs=0.004)


def test_the_bootstrap_repeats_itself_and_its_seed_matters_little() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.5]
    assert bootstrap_mean(values) == bootstrap_mean(values)
    assert bootstrap_mean(values, seed=1) == pytest.approx(
        bootstrap_mean(values), abs=0.05
    )
    assert bootstrap_mean([1.0, 1.0]) == (1.0, 1.0)


def test_what_cannot_be_is_refused() -> None:
    for wrong in (
        lambda: wilson(3, 2),
        lambda: wilson(1, 2, confidence=1.0),
        lambda: mcnemar(-1, 0),
        lambda: bootstrap_mean([1.0], confidence=0.0),
    ):
        with pytest.raises(UsageError):
            wrong()
