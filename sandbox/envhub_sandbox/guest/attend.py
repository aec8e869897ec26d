"""Waiting for a command while its output flows: pipes, end, time limit, memory."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Sequence

from envhub_sandbox.guest.limits import Watch
from envhub_sandbox.guest.output import Capture

__all__ = ["Attendant"]


class Attendant:
    """Waits on behalf of the supervisor; ends the sandbox when the host is gone."""

    def __init__(self, host: int, watch: Watch) -> None:
        self._host = host
        self.watch = watch

    def wait(
        self, captures: Sequence[Capture], ends: Sequence[int], deadline: float
    ) -> str | None:
        """Read output until one of `ends` is readable.

        Returns:
            None when that came, else the limit that was reached before it.
        """
        poll = select.poll()
        poll.register(self._host, 0)
        for end in ends:
            poll.register(end, select.POLLIN)
        streams = {capture.fd: capture for capture in captures}
        for fd in streams:
            poll.register(fd, select.POLLIN)
        look = time.monotonic() + (self.watch.tick or 0)
        while True:
            now = time.monotonic()
            if now >= deadline:
                return "wall"
            if self.watch.tick is not None and now >= look:
                if self.watch.over():
                    return "memory"
                look = time.monotonic() + self.watch.tick
            ended = False
            for fd, _ in poll.poll(self._patience(now, deadline, look)):
                if fd in streams:
                    if not streams[fd].read():
                        poll.unregister(streams.pop(fd).fd)
                elif fd == self._host:
                    os._exit(0)
                else:
                    ended = True
            if ended:
                return None

    def _patience(self, now: float, deadline: float, look: float) -> float:
        until = deadline if self.watch.tick is None else min(deadline, look)
        return max((until - now) * 1000, 0) + 1
