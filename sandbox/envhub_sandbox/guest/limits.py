"""Resource limits of a child and of what runs in it, and noticing which was reached.

Open files, processes, core and file sizes and data are rlimits that are inherited; CPU
time is one of each process started. Memory is a cgroup's matter, or `Watch` measures
it. Disk is the size of the private file system, where there is one.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import signal
import time

from envhub_sandbox.guest.boot import Limits
from envhub_sandbox.guest.cgroups import Slot
from envhub_sandbox.guest.tree import descendants

__all__ = ["TICK", "Watch", "apply", "limit_cpu", "put_first_in_line"]

TICK = 0.05  # seconds between two looks at memory where no cgroup does it
_SELDOM = 0.25  # where a cgroup limits memory, and only tells
_RESPITE = 1.0  # for a command to end after the kernel ended a part of it
_PAGE = resource.getpagesize()
_SIGXCPU_CODE = 128 + signal.SIGXCPU


def apply(limits: Limits, processes: int | None) -> None:
    """Put the inherited limits on this process."""
    files = limits.open_files
    _lower(resource.RLIMIT_NOFILE, files)
    _lower(resource.RLIMIT_FSIZE, limits.disk)
    _lower(resource.RLIMIT_CORE, 0)
    # A little below the limit of the whole tree, so that Python can say MemoryError
    # before the kernel ends the process; on top of what the template brought along.
    _lower(resource.RLIMIT_DATA, _own_data() + limits.memory - limits.memory // 16)
    if processes is not None:
        _lower(resource.RLIMIT_NPROC, processes)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def _own_data() -> int:
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[5]) * _PAGE
    except OSError:
        return 0


def limit_cpu(limits: Limits, pid: int = 0) -> None:
    """CPU seconds of a process just started (0: of this one)."""
    seconds = max(math.ceil(limits.cpu), 1)
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


def put_first_in_line() -> None:
    """Let the kernel end this process before its supervisor when memory is short."""
    with contextlib.suppress(OSError):
        fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        try:
            os.write(fd, b"1000")
        finally:
            os.close(fd)


class Watch:
    """Notices what a call reached, during it and at its end."""

    def __init__(
        self, limits: Limits, slot: Slot | None, disk: str | None, *, counts: bool
    ) -> None:
        """`counts` says that nobody else limits the number of processes."""
        self._limits = limits
        self._slot = slot
        self._disk = disk
        self._kills = 0
        self._killed_at: float | None = None
        self._counts = counts
        self.tick = TICK if slot is None or counts else _SELDOM

    def begin(self) -> None:
        """Before anything of the agent runs."""
        if self._slot is not None:
            self._slot.enter()
            self._kills = self._slot.kills()
            self._killed_at = None

    def over(self) -> str | None:
        """A limit that the call must be ended for, now."""
        if self._slot is not None and self._is_starved(self._slot):
            return "memory"
        if self._slot is not None and not self._counts:
            return None
        pids = descendants(os.getpid())
        if self._counts and _tasks(pids) > self._limits.processes:
            return "processes"
        if self._slot is not None or sum(map(_resident, pids)) <= self._limits.memory:
            return None
        return "memory" if sum(map(_proportional, pids)) > self._limits.memory else None

    def _is_starved(self, slot: Slot) -> bool:
        """Whether the kernel ended a process, and the rest has not ended since."""
        if slot.kills() == self._kills:
            return False
        now = time.monotonic()
        self._killed_at = self._killed_at or now
        return now - self._killed_at > _RESPITE

    def reached(self, code: int | None) -> str | None:
        """The limit that a call which ended with this code ran into, if any."""
        if self._slot is not None and self._slot.kills() > self._kills:
            return "memory"
        if code == 0 or code is None:
            return None
        if code == _SIGXCPU_CODE:
            return "cpu"
        if self._disk is not None and os.statvfs(self._disk).f_bavail == 0:
            return "disk"
        return "processes" if self._crowded() else None

    def _crowded(self) -> bool:
        # The supervisor and the process that has just ended were counted, too.
        pids = descendants(os.getpid())
        return bool(pids) and _tasks(pids) + 2 >= self._limits.processes


def _tasks(pids: list[int]) -> int:
    count = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            count += len(os.listdir(f"/proc/{pid}/task"))
    return count


def _resident(pid: int) -> int:
    """Bytes of private and shared anonymous memory: an upper bound, cheap to read."""
    with contextlib.suppress(OSError, IndexError):
        with open(f"/proc/{pid}/statm", "rb") as stream:
            fields = stream.read().split()
        return (int(fields[1]) - int(fields[2])) * _PAGE
    return 0


def _proportional(pid: int) -> int:
    """Bytes that fall to this process when shared pages are divided."""
    with (
        contextlib.suppress(OSError),
        open(f"/proc/{pid}/smaps_rollup", "rb") as stream,
    ):
        for line in stream:
            if line.startswith(b"Pss_Anon:"):
                return int(line.split()[1]) * 1024
    return 0
