"""Results compare by the published rules (trials T036 to T038)."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies

from envhub_sql import compare as module
from envhub_sql.compare import compare, same_value

GOLD = [("ICML", 3), ("AAAS", 1), ("ISA", 1)]


def test_T036_rows_that_tie_may_swap_and_others_may_not() -> None:
    assert compare([GOLD[0], GOLD[2], GOLD[1]], GOLD, order_by=(1,)).equal
    assert not compare([GOLD[1], GOLD[0], GOLD[2]], GOLD, order_by=(1,)).equal
    assert compare([GOLD[1], GOLD[0], GOLD[2]], GOLD).equal


def test_T036_a_limit_through_a_tie_accepts_any_of_the_tied_rows() -> None:
    limited, other = GOLD[:2], [GOLD[0], GOLD[2]]
    assert compare(other, limited, order_by=(1,), also=[GOLD[2]]).equal
    assert not compare(other, limited, order_by=(1,)).equal
    assert not compare([GOLD[1], GOLD[2]], limited, order_by=(1,), also=[GOLD[2]]).equal


def test_T037_column_order_is_free_and_other_columns_are_wrong() -> None:
    gold = [("pen", 2), ("ink", 5)]
    assert compare([(2, "pen"), (5, "ink")], gold).equal
    assert compare([(5, "ink"), (2, "pen")], gold, order_by=()).equal
    assert not compare([("pen", 2, 1), ("ink", 5, 1)], gold).equal
    assert not compare([("pen",), ("ink",)], gold).equal
    assert not compare([(5, "ink"), (2, "pen")], gold, order_by=(1,)).equal


def test_T037_columns_that_only_look_alike_are_wrong() -> None:
    assert not compare([(1, 1), (2, 3)], [(1, 1), (2, 2)]).equal
    assert not compare([("1",), ("2",)], [(1,), (2,)]).equal


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, True),
        (1, "1", False),
        (0.1 + 0.2, 0.3, True),
        (33.33, 33.333333, False),
        (10**16 + 1, 10**16, False),
        (10**16 + 1, 1e16, False),
        (None, 0, False),
        (None, "", False),
        (None, None, True),
        (float("nan"), float("nan"), True),
        (float("inf"), float("inf"), True),
        (float("inf"), 1e300, False),
        (Decimal("2.50"), 2.5, True),
        ("2024-01-02", datetime.date(2024, 1, 2), True),
        (b"a", "a", False),
    ],
)
def test_T038_values_are_equal_by_the_table(left: Any, right: Any, equal: bool) -> None:
    assert same_value(left, right) is equal
    assert same_value(right, left) is equal
    assert compare([(left,)], [(right,)]).equal is equal


def test_T038_rows_that_mix_kinds_are_sorted_without_an_error() -> None:
    rows = [(None, "a"), (1, b"a"), ("x", 2.5), (float("nan"), None), (2, "a")]
    assert compare(rows, rows[::-1]).equal


def test_the_table_is_published_as_it_stands_in_the_code(repository: Path) -> None:
    readme = (repository / "environments/envhub_sql/README.md").read_text("utf-8")
    table = (module.__doc__ or "").partition("|---|---|\n")[2].strip().splitlines()
    missing = [row for row in table if row.split("|")[1] not in readme]
    assert table and not missing


CELLS = strategies.one_of(
    strategies.none(),
    strategies.integers(-2, 2),
    strategies.floats(allow_nan=True),
    strategies.sampled_from(["", "a", "1"]),
    strategies.binary(max_size=1),
)
ROWS = strategies.lists(strategies.tuples(CELLS, CELLS), max_size=6)


@hypothesis.given(ROWS, ROWS)
def test_comparison_is_symmetric(left: Any, right: Any) -> None:
    there, back = compare(left, right), compare(right, left)
    assert there.equal == back.equal
    assert 0.0 <= there.overlap <= 1.0


@hypothesis.given(ROWS, strategies.randoms())
def test_a_shuffled_result_equals_itself(rows: Any, rng: Any) -> None:
    shuffled = list(rows)
    rng.shuffle(shuffled)
    assert compare(shuffled, rows).equal
    assert compare([*shuffled, (9, 9)], rows).equal is False
