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
        streams = {capture.fd: capture for capture in captures}
        poll = select.poll()
        poll.register(self._host, 0)
        for fd in (*ends, *streams):
            poll.register(fd, select.POLLIN)
        look = time.monotonic() + self.watch.tick
        while (now := time.monotonic()) < deadline:
            if now >= look:
                if limit := self.watch.over():
                    return limit
                look = time.monotonic() + self.watch.tick
            patience = max(min(deadline, look) - now, 0) * 1000 + 1
            if self._serve(poll, streams, patience):
                return None
        return "wall"

    def _serve(
        self, poll: select.poll, streams: dict[int, Capture], patience: float
    ) -> bool:
        """Read what has come; whether an end was among it."""
        ended = False
        for fd, _ in poll.poll(patience):
            if fd == self._host:
                os._exit(0)
            if fd not in streams:
                ended = True
            elif not streams[fd].read():
                poll.unregister(fd)
        return ended
