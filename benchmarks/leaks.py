"""What many lives of an environment leave behind: nothing.

    python -m benchmarks.leaks [--episodes 10000] [--env NAME ...] [--json]

A life is make, reset, one step, close. Threads, descriptors, living descendants,
temporary files and memory are counted before and after; the exit status is 1 when
something grew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

import envhub
from envhub.testing.leaks import Census

__all__ = ["lives", "main"]

ENVIRONMENTS = ("code", "sql", "os", "webshop", "household")


def lives(name: str, count: int) -> dict[str, Any]:
    """Live `count` lives of an environment; what was there before and after."""
    for _ in range(min(300, count)):  # caches fill, the warm template starts
        _live(name)
    before = Census.take()
    started = time.perf_counter()
    for _ in track(range(count), name, console=Console(stderr=True), transient=True):
        _live(name)
    seconds = time.perf_counter() - started
    after, left = Census.take(), ""
    try:
        before.compare(after)
    except AssertionError as error:
        left = str(error)
    return {
        "environment": name,
        "episodes": count,
        "seconds": seconds,
        "before": asdict(before),
        "after": asdict(Census.take()),
        "left": left,
    }


def _live(name: str) -> None:
    with envhub.make(name) as env:
        env.reset()
        env.step("look")


def main() -> None:
    """Print what is left, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, prog="benchmarks.leaks")
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--env", action="append", choices=ENVIRONMENTS)
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    asked = parser.parse_args()
    rows = [lives(name, asked.episodes) for name in asked.env or ENVIRONMENTS]
    if asked.json:
        print(json.dumps(rows, indent=2))
    else:
        Console().print(_table(rows))
    sys.exit(any(row["left"] for row in rows))


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="make, reset, step, close: before > after", padding=(0, 0))
    table.add_column("", no_wrap=True, min_width=9)
    for heading in ("lives", "a second", "threads", "files", "processes"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("MB", justify="right", no_wrap=True)
    table.add_column("left", min_width=7)
    for row in rows:
        before, after = row["before"], row["after"]
        cells = [
            f"{before[key]} > {after[key]}"
            for key in ("threads", "descriptors", "processes")
        ]
        table.add_row(
            row["environment"],
            f"{row['episodes']:,}",
            f"{row['episodes'] / row['seconds']:,.0f}",
            *cells,
            f"{before['memory'] / 1e6:.0f} > {after['memory'] / 1e6:.0f}",
            row["left"] or "nothing",
        )
    return table


if __name__ == "__main__":
    main()
