"""Whether two query results say the same, by rules that are written down.

| rule | |
|---|---|
| rows | a multiset: duplicates count, order does not, unless the gold query orders |
| order | rows that tie on the sort key may come in any order |
| LIMIT through a tie | any of the tied rows is right |
| column names | ignored |
| column order | any order in which all rows agree is right |
| another column, a missing one | wrong |
| numbers | 1, 1.0 and True are equal; floats within 1e-6, relative above 1 |
| large integers | exact, against integers and against whole floats |
| NULL | equals NULL alone, not 0 and not the empty text |
| NaN | equals NaN |
| text | exact; never equals a number, nor bytes |
| dates, decimals | as their ISO text, as numbers |
"""

from __future__ import annotations

import datetime
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

__all__ = ["Comparison", "compare", "same_value"]

Row = Sequence[Any]
Plain = tuple[tuple[int, Any], ...]
_TOLERANCE = 1e-6
_MOST_ORDERS = 5000


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one result relates to another.

    Attributes:
        equal: Whether they say the same.
        columns: Whether they have the same number of columns.
        overlap: Rows in common over all rows (multiset IoU), in the best order of
            columns that was found.
        ordered: Whether the order asked for is kept; True when none is asked for.
    """

    equal: bool
    columns: bool
    overlap: float
    ordered: bool


def compare(
    rows: Sequence[Row],
    gold: Sequence[Row],
    *,
    order_by: Sequence[int] = (),
    also: Sequence[Row] = (),
) -> Comparison:
    """Compare a result with the gold one.

    Args:
        rows: The result to judge.
        gold: The right one.
        order_by: Positions of the gold columns that rows are ordered by; none when the
            order does not matter.
        also: Rows that tie with the last of `gold` and that its LIMIT left out.
    """
    left, right = [_plain(row) for row in rows], [_plain(row) for row in gold]
    widths = {len(row) for row in left} | {len(row) for row in right}
    if len(widths) > 1:
        return Comparison(False, False, 0.0, False)
    spare = [_plain(row) for row in also]
    best = Comparison(False, True, 0.0, False)
    for order in _column_orders(left, right + spare, max(widths, default=0)):
        turned = [tuple(row[i] for i in order) for row in left]
        found = _judge(turned, right, spare, order_by)
        if found.equal:
            return found
        best = max(best, found, key=lambda x: (x.overlap, x.ordered))
    return best


def same_value(left: Any, right: Any) -> bool:
    """Whether two cells are equal by the rules above."""
    return _close(_value(left), _value(right))


def _judge(
    left: list[Plain], right: list[Plain], spare: list[Plain], order_by: Sequence[int]
) -> Comparison:
    if spare and order_by:
        last = _key(right[-1], order_by)
        kept = [row for row in right if not _all_close(_key(row, order_by), last)]
        tied = right[len(kept) :] + spare
        common = _common(left[: len(kept)], kept) + _common(left[len(kept) :], tied)
    else:
        common = _common(left, right)
    union = len(left) + len(right) - common
    overlap = common / union if union else 1.0
    ordered = _in_order(left, right, order_by)
    return Comparison(overlap == 1.0 and ordered, True, overlap, ordered)


def _in_order(left: list[Plain], right: list[Plain], order_by: Sequence[int]) -> bool:
    if not order_by:
        return True
    return len(left) == len(right) and all(
        _all_close(_key(a, order_by), _key(b, order_by))
        for a, b in zip(left, right, strict=True)
    )


def _common(left: list[Plain], right: list[Plain]) -> int:
    """Size of the multiset intersection, numbers within tolerance."""
    groups: dict[Any, tuple[list[Plain], list[Plain]]] = {}
    for side, rows in enumerate((left, right)):
        for row in rows:
            groups.setdefault(_shape(row), ([], []))[side].append(row)
    return sum(_paired(sorted(a), sorted(b)) for a, b in groups.values())


def _paired(left: list[Plain], right: list[Plain]) -> int:
    """Pairs of close rows in two sorted lists, taken greedily."""
    i = j = pairs = 0
    while i < len(left) and j < len(right):
        if _all_close(left[i], right[j]):
            i, j, pairs = i + 1, j + 1, pairs + 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    return pairs


def _column_orders(
    left: list[Plain], right: list[Plain], width: int
) -> itertools.chain[tuple[int, ...]]:
    """Orders of the left columns to try: as they are, then those that may agree."""
    plain = tuple(range(width))
    mine = [Counter(_shape((row[i],)) for row in left) for i in plain]
    wanted = [Counter(_shape((row[i],)) for row in right) for i in plain]
    fits = [[i for i in plain if mine[i].keys() <= wanted[j].keys()] for j in plain]
    others = (
        order
        for order in itertools.islice(itertools.product(*fits), _MOST_ORDERS)
        if len(set(order)) == width and order != plain
    )
    return itertools.chain([plain], others)


def _key(row: Plain, positions: Sequence[int]) -> Plain:
    return tuple(row[i] for i in positions)


def _shape(row: Plain) -> tuple[Any, ...]:
    """What must be exactly equal in rows that are close: all but fractions."""
    return tuple((kind, "number" if kind == _NUMBER else value) for kind, value in row)


def _all_close(left: Plain, right: Plain) -> bool:
    return len(left) == len(right) and all(map(_close, left, right))


def _close(left: tuple[int, Any], right: tuple[int, Any]) -> bool:
    if left == right:
        return True
    if left[0] != _NUMBER or right[0] != _NUMBER:
        return False
    a, b = left[1], right[1]
    if isinstance(a, int) and isinstance(b, int):
        return False
    return math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


_NULL, _NUMBER, _NAN, _TEXT, _BYTES = range(5)


def _plain(row: Row) -> Plain:
    return tuple(_value(cell) for cell in row)


def _value(cell: Any) -> tuple[int, Any]:
    """A cell as a kind and a value; those of one kind can be sorted."""
    if cell is None:
        return (_NULL, 0)
    if isinstance(cell, bytes | bytearray | memoryview):
        return (_BYTES, bytes(cell))
    if isinstance(cell, datetime.date | datetime.time):
        return (_TEXT, cell.isoformat())
    if not isinstance(cell, int | float | Decimal):
        return (_TEXT, str(cell))
    if math.isnan(cell):
        return (_NAN, 0)
    if math.isfinite(cell) and cell == int(cell):
        return (_NUMBER, int(cell))
    return (_NUMBER, float(cell))
