"""Process trees: who belongs to whom, and ending what must not stay.

The supervisor is the parent of every orphan among its descendants (as PID 1 of its
namespace, or as a subreaper), so nothing escapes by a double fork or a new session.
The rule for what stays after a call:

    still a descendant of the interpreter or the shell session   stays
    everything else                                              ends with the call

So a background job of the shell lives as long as the session; what has detached itself
from its parent ends with the call that started it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Collection

__all__ = ["children", "descendants", "end", "end_strays", "exit_code"]

_PATIENCE = 5.0


def children(pid: int) -> list[int]:
    """Direct children of a process; empty when it is gone."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as stream:
                found += map(int, stream.read().split())
    return found


def descendants(pid: int) -> list[int]:
    """All processes below one, parents first."""
    found: list[int] = []
    ahead = children(pid)
    while ahead:
        found += ahead
        ahead = [grandchild for child in ahead for grandchild in children(child)]
    return found


def exit_code(status: int) -> int:
    """A wait status as a shell reports it."""
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def end_strays(keep: Collection[int] = ()) -> None:
    """End all that does not descend from a process to keep."""
    me = os.getpid()
    deadline = time.monotonic() + _PATIENCE
    while strays := [pid for pid in children(me) if pid not in keep]:
        for pid in strays:
            _kill_below(pid)
        for pid in strays:
            _collect(pid)
        if time.monotonic() > deadline:
            _end_everything()
            return


def _end_everything() -> None:
    """What forks faster than it is found takes the sessions along.

    Only a first process can do this: for others it would reach beyond the sandbox.
    """
    if os.getpid() == 1:
        os.kill(-1, signal.SIGKILL)


def end(root: int) -> int:
    """End a child with all its descendants; its exit code."""
    _kill_below(root)
    _, status = os.waitpid(root, 0)
    return exit_code(status)


def _kill_below(pid: int) -> None:
    """SIGKILL to a process and all below it, the root first."""
    # Orphans of a killed parent become children of the supervisor and are found
    # there by the next round.
    for target in [pid, *descendants(pid)]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(target, signal.SIGKILL)


def _collect(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
