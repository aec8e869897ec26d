"""What a pool counts about itself."""

from __future__ import annotations

import threading
from collections import Counter, deque
from dataclasses import dataclass

import numpy as np

__all__ = ["Counters", "PoolStats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStats:
    """A pool at one moment.

    Attributes:
        size: Most leases alive at once.
        live: Leases alive now.
        idle: Instances that wait for a lease.
        acquired: Leases given since the start.
        episodes: Successful resets since the start.
        steps: Successful steps since the start.
        reset_failures: Resets that raised.
        step_failures: Steps that raised.
        replaced: Instances closed because they died or raised.
        expired: Leases taken back because nobody used them for their time to live.
        reset_p50: Median seconds of the last thousand resets; NaN without any.
        reset_p99: Their 99th percentile.
    """

    size: int
    live: int
    idle: int
    acquired: int
    episodes: int
    steps: int
    reset_failures: int
    step_failures: int
    replaced: int
    expired: int
    reset_p50: float
    reset_p99: float


class Counters:
    """Thread-safe counts, and the last thousand reset times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._resets: deque[float] = deque(maxlen=1000)

    def add(self, name: str) -> None:
        """Count one."""
        with self._lock:
            self._counts[name] += 1

    def reset_took(self, seconds: float) -> None:
        """Record the time of a successful reset."""
        with self._lock:
            self._counts["episodes"] += 1
            self._resets.append(seconds)

    def snapshot(self, *, size: int, live: int, idle: int) -> PoolStats:
        """The counts as a value."""
        with self._lock:
            counts, resets = self._counts.copy(), list(self._resets)
        p50, p99 = np.percentile(resets, [50, 99]) if resets else (np.nan, np.nan)
        return PoolStats(
            size=size,
            live=live,
            idle=idle,
            acquired=counts["acquired"],
            episodes=counts["episodes"],
            steps=counts["steps"],
            reset_failures=counts["reset_failures"],
            step_failures=counts["step_failures"],
            replaced=counts["replaced"],
            expired=counts["expired"],
            reset_p50=float(p50),
            reset_p99=float(p99),
        )
