"""How long a reset takes, beside the bare mechanism and beside a cold start.

    python -m benchmarks.reset [--rounds 200] [--env NAME ...] [--json]

For every environment, in one run:

    hand-over   taking a child forked ahead of need from its warm template
    warm        a whole reset, old child ended, task set up, spares at hand
    sustained   ending a child and taking the next, as fast as it goes
    whole       whole resets one after the other: sustained, and the task set up
    bare        kill, reap, clone into the same namespaces with the same imports, ready
                byte; no protocol and no task
    cold        the same isolation and imports started from nothing, then one reset

Milliseconds. ``x bare`` is sustained over bare (means), ``x cold`` is how many times
as fast as the cold start a warm reset is (medians).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import _bare_fork
from envhub import Placement, Pool
from envhub.sandboxes import default_sandboxes

__all__ = ["Row", "main", "measure"]

FORKED = ("webshop", "household")
"""Their own code runs in the forked child; the others' children hold their sandbox."""
ENVIRONMENTS = ("code", "sql", "os", *FORKED)
_REST = 0.03


@dataclass(frozen=True, kw_only=True)
class Row:
    """One environment; all times in milliseconds."""

    environment: str
    handover_p50: float
    handover_p99: float
    warm_p50: float
    warm_p99: float
    sustained_mean: float
    whole_mean: float
    bare_mean: float
    cold_p50: float

    @property
    def over_bare(self) -> float:
        """The sustained mechanism over the bare one."""
        return self.sustained_mean / self.bare_mean

    @property
    def under_cold(self) -> float:
        """How many times as fast as a cold start a warm reset is."""
        return self.cold_p50 / self.warm_p50


def measure(name: str, rounds: int) -> Row:
    """Measure one environment."""
    cold = [_cold_start(name) for _ in range(max(3, rounds // 40))]
    with _pool(name) as pool, pool.acquire() as lease:
        lease.reset()
        template = pool.template or default_sandboxes().templates()[-1]
        _timed(lease.reset, 20, rest=0.0)
        warm = _timed(lease.reset, rounds, rest=_REST)
        taken: list[float] = []
        for _ in range(rounds):
            time.sleep(_REST)
            started = time.perf_counter()
            sandbox = template.take()
            taken.append(1e3 * (time.perf_counter() - started))
            sandbox.close()
        # By turns, so that a busy machine slows both alike.
        sustained: list[float] = []
        whole: list[float] = []
        bare: list[float] = []
        for _ in range(4):
            bare += _bare(name, rounds // 2, hosted=name in FORKED)
            sustained += _timed(lambda: template.take().close(), rounds // 2, rest=0.0)
            whole += _timed(lease.reset, rounds // 2, rest=0.0)
    default_sandboxes().close()
    return Row(
        environment=name,
        handover_p50=float(np.percentile(taken, 50)),
        handover_p99=float(np.percentile(taken, 99)),
        warm_p50=float(np.percentile(warm, 50)),
        warm_p99=float(np.percentile(warm, 99)),
        sustained_mean=float(np.mean(sustained)),
        whole_mean=float(np.mean(whole)),
        bare_mean=float(np.mean(bare)),
        cold_p50=float(np.percentile(cold, 50)),
    )


def _pool(name: str) -> Pool:
    placement: Placement = "own_process" if name in FORKED else "in_process"
    return Pool(name, size=2, warm=1, placement=placement)


def _cold_start(name: str) -> float:
    default_sandboxes().close()
    started = time.perf_counter()
    with _pool(name) as pool, pool.acquire() as lease:
        lease.reset()
        took = 1e3 * (time.perf_counter() - started)
    default_sandboxes().close()
    return took


def _bare(name: str, rounds: int, *, hosted: bool) -> list[float]:
    os.environ["ENVHUB_BENCH_ENV"] = name
    seconds = _bare_fork.measure(rounds, ["_hosted"] if hosted else [])
    return [1e3 * second for second in seconds]


def _timed(call: Callable[[], object], rounds: int, *, rest: float) -> list[float]:
    times: list[float] = []
    for _ in range(rounds):
        time.sleep(rest)
        started = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - started))
    return times


def main() -> None:
    """Print the figures, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, prog="benchmarks.reset")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--env", action="append", choices=ENVIRONMENTS)
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    asked = parser.parse_args()
    names = asked.env or ENVIRONMENTS
    progress = Console(stderr=True)
    rows = [
        measure(name, asked.rounds)
        for name in track(names, "resetting", console=progress, transient=True)
    ]
    if asked.json:
        told = [
            {**asdict(row), "over_bare": row.over_bare, "under_cold": row.under_cold}
            for row in rows
        ]
        print(json.dumps(told, indent=2))
    else:
        Console().print(_table(rows))


def _table(rows: list[Row]) -> Table:
    table = Table(title="reset in ms; hand-over and warm: p50 / p99", padding=(0, 0))
    table.add_column("", no_wrap=True, min_width=9)
    for heading in ("hand-over", "warm", "whole", "sustained", "bare", "x bare"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("cold", justify="right", no_wrap=True)
    table.add_column("x cold", justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row.environment,
            f"{row.handover_p50:.2f} / {row.handover_p99:.1f}",
            f"{row.warm_p50:.1f} / {row.warm_p99:.0f}",
            f"{row.whole_mean:.1f}",
            f"{row.sustained_mean:.1f}",
            f"{row.bare_mean:.1f}",
            f"{row.over_bare:.2f}",
            f"{row.cold_p50:.0f}",
            f"{row.under_cold:.0f}",
        )
    return table


if __name__ == "__main__":
    main()
