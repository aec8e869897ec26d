"""Counting what a process holds, to see whether something was left behind."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Census"]


@dataclass(frozen=True, slots=True)
class Census:
    """What a process holds at one moment.

    Attributes:
        threads: Threads of this process.
        descriptors: Open descriptors (0 where the system does not tell).
        processes: Living descendants (0 where the system does not tell).
        files: Entries of the folder for temporary files that envhub made.
        memory: Resident bytes (0 where the system does not tell).
    """

    threads: int
    descriptors: int
    processes: int
    files: int
    memory: int

    @classmethod
    def take(cls) -> Census:
        """Count now, after a garbage collection."""
        gc.collect()
        return cls(
            threads=threading.active_count(),
            descriptors=_count("/proc/self/fd"),
            processes=len(_descendants()),
            files=len(list(Path(tempfile.gettempdir()).glob("envhub*"))),
            memory=_resident(),
        )

    def compare(self, after: Census, *, slack: int = 2, patience: float = 5.0) -> None:
        """Raise an AssertionError unless `after` holds no more than this census did.

        Args:
            after: The later census; taken again until it fits, for `patience` seconds,
                as ended processes take a moment to go.
            slack: How many more of each are accepted.
            patience: Seconds.
        """
        deadline = time.monotonic() + patience
        while (grown := self._grown(after, slack)) and time.monotonic() < deadline:
            time.sleep(0.05)
            after = Census.take()
        assert not grown, f"left behind: {grown}"

    def _grown(self, after: Census, slack: int) -> str:
        grown = [
            f"{name} {getattr(self, name)} -> {getattr(after, name)}"
            for name in ("threads", "descriptors", "processes", "files")
            if getattr(after, name) > getattr(self, name) + slack
        ]
        if after.memory > self.memory + 50 * 2**20:
            grown.append(f"memory {self.memory:,} -> {after.memory:,} bytes")
        return ", ".join(grown)


def _count(folder: str) -> int:
    try:
        return len(list(Path(folder).iterdir()))
    except OSError:
        return 0


def _resident() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _descendants() -> set[int]:
    """Living descendants of this process, zombies left out."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(entry.parent.name))
    found: set[int] = set()
    queue = [os.getpid()]
    while queue:
        for child in children.get(queue.pop(), ()):
            found.add(child)
            queue.append(child)
    return found
