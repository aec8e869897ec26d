"""The host's side of a warm template: spares, hand-over, restart, counting.

    take() ── asks for one child more ──▶ template process
       │                                        │ forks, sends the child's socket
       └── a child that is already here ◀───────┘ (read at the next take)

No thread runs in the background: what the template has forked waits in the socket
until the next call looks.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from envhub.errors import (
    Closed,
    EnvironmentFault,
    LifecycleError,
    SandboxLost,
    SandboxUnavailable,
)
from envhub.sandbox import Isolation, Template, TemplateSpec, TemplateStats
from envhub_sandbox.launch import START_LIMIT, Body, Launched
from envhub_sandbox.sandbox import WarmSandbox

__all__ = ["WarmTemplate"]

_CHILD_LIMIT = 30.0
_TRIES = 3


class WarmTemplate(Template):
    """See `envhub.sandbox.Template`."""

    def __init__(
        self,
        spec: TemplateSpec,
        isolation: Isolation,
        start: Callable[[], Launched],
    ) -> None:
        self._spec = spec
        self._isolation = isolation
        self._start = start
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._ready: deque[Body] = deque()
        self._asked = 0
        self._closed = False
        self._stats = TemplateStats()
        self._launched = self._launch()

    def _launch(self) -> Launched:
        launched = self._start()
        try:
            launched.wait_until_ready(time.monotonic() + START_LIMIT)
            launched.ask(self._spec.spares)
        except BaseException:
            launched.stop()
            raise
        self._asked = self._spec.spares
        self._ender = weakref.finalize(self, _stop, launched, self._owner)
        return launched

    @property
    def spec(self) -> TemplateSpec:
        """See `Template`."""
        return self._spec

    @property
    def isolation(self) -> Isolation:
        """What its sandboxes are isolated from, as the template found it."""
        return replace(
            self._isolation, gives=self._launched.gives, lacks=self._launched.lacks
        )

    @property
    def pid(self) -> int:
        """Process id of the template's guard."""
        return self._launched.pid

    def take(self) -> WarmSandbox:
        """See `Template`."""
        return WarmSandbox(self, self.take_body())

    def take_body(self) -> Body:
        """A child that is ready, for a sandbox to be or to become."""
        restarts = 1
        for _ in range(_TRIES):
            launched = self._launched
            try:
                body, warm = self._next()
            except (EOFError, OSError) as error:
                self._recover(launched, error, restarts)
                restarts -= 1
                continue
            try:
                body.greet(time.monotonic() + _CHILD_LIMIT)
            except (EOFError, TimeoutError):
                self.count(lost=1)
                continue
            self.count(taken=1, warm_hits=int(warm), live=1)
            return body
        message = "a template gave no working sandbox: its children end at their start"
        raise SandboxLost(message)

    def _next(self) -> tuple[Body, bool]:
        """The next child, and whether it was there already."""
        with self._lock:
            self._check()
            self._launched.ask(1)
            self._asked += 1
            self._collect()
            if self._ready:
                return self._ready.popleft(), True
            return self._receive(time.monotonic() + _CHILD_LIMIT), False

    def _collect(self) -> None:
        """Take in the children that have come; never waits."""
        with contextlib.suppress(TimeoutError):
            while True:
                self._ready.append(self._receive(0))

    def _receive(self, deadline: float) -> Body:
        body = self._launched.child(deadline)
        self._asked -= 1
        self._stats = replace(self._stats, forked=self._stats.forked + 1)
        return body

    def _check(self) -> None:
        if os.getpid() != self._owner:
            message = (
                f"this template belongs to process {self._owner}; a process forked "
                f"from it must start a template of its own"
            )
            raise LifecycleError(message)
        if self._closed:
            message = "the template has been closed"
            raise Closed(message)

    def _recover(self, ended: Launched, error: Exception, restarts: int) -> None:
        """Start the process anew, unless that has been tried, or another thread did."""
        with self._lock:
            self._check()
            if self._launched is not ended:
                return
            words = self._launched.last_words()
            if restarts <= 0:
                message = f"the template process ended and does not stay up: {words}"
                raise SandboxLost(message) from error
            self._ready.clear()
            self._ender()
            try:
                self._launched = self._launch()
            except (EnvironmentFault, SandboxUnavailable) as failure:
                message = f"the template process ended ({words}); {failure}"
                raise SandboxLost(message) from failure
            stats = self._stats
            self._stats = replace(stats, restarts=stats.restarts + 1)

    def count(self, **changes: int) -> None:
        """Add to the counters."""
        with self._lock:
            stats = self._stats
            sums = {name: getattr(stats, name) + by for name, by in changes.items()}
            self._stats = replace(stats, **sums)

    def stats(self) -> TemplateStats:
        """See `Template`."""
        with self._lock:
            with contextlib.suppress(EOFError, OSError):
                if not self._closed:
                    self._collect()
            return replace(self._stats, spare=len(self._ready))

    def close(self) -> None:
        """See `Template`."""
        self._closed = True
        if os.getpid() != self._owner:
            return
        self._launched.hang_up()
        with self._lock:
            self._ready.clear()
            self._ender()


def _stop(launched: Launched, owner: int) -> None:
    if os.getpid() == owner:
        launched.stop()
