"""The pool: hands out leases, keeps instances warm, replaces those that fail."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from typing import Any, Self, TypeVar

from envhub.actions import Action
from envhub.errors import Closed, EnvhubError, PoolExhausted, UsageError
from envhub.pool.bodies import Body, InProcessBody, OwnProcessBody
from envhub.pool.lease import Failure, Lease, Reset, Step
from envhub.pool.stats import Counters, PoolStats
from envhub.registry import Registry, default_registry
from envhub.sandbox import Template, TemplateSpec
from envhub.sandboxes import Sandboxes, default_sandboxes
from envhub.spec import EnvSpec, Placement

__all__ = ["Pool"]

T = TypeVar("T")


class Pool:
    """Isolated instances of one environment, handed out first come, first served.

    Args:
        env: Id or spec of the environment.
        size: Most leases alive at once.
        warm: Instances kept ready ahead of need.
        placement: Where the environment's code runs; by default where its spec says,
            or beside the pool for classes that no other process could import.
        reset_timeout: Seconds a reset may take before its process tree is ended.
        step_timeout: Seconds a step may take before its process tree is ended.
        lease_ttl: Seconds of disuse after which a lease may be taken back when others
            wait; None for never.
        registry: Where `env` is looked up.
        sandboxes: Where templates come from.
        kwargs: Arguments of the environment.
    """

    def __init__(
        self,
        env: str | EnvSpec,
        *,
        size: int = 8,
        warm: int = 2,
        placement: Placement | None = None,
        reset_timeout: float = 60.0,
        step_timeout: float = 120.0,
        lease_ttl: float | None = None,
        registry: Registry | None = None,
        sandboxes: Sandboxes | None = None,
        **kwargs: Any,
    ) -> None:
        if not hasattr(size, "__index__") or size < 1:
            raise UsageError(f"size is {size!r}; a pool holds at least one episode")
        self._registry = registry or default_registry()
        self._sandboxes = sandboxes or default_sandboxes()
        self.spec = env if isinstance(env, EnvSpec) else self._registry.spec(env)
        self.size = size
        self.warm = min(warm, size)
        self.placement = placement or _placement(self.spec)
        self.reset_timeout = reset_timeout
        self.step_timeout = step_timeout
        self.lease_ttl = lease_ttl
        self.counters = Counters()
        self._kwargs = kwargs
        self._turnstile = threading.Condition()
        self._queue: deque[object] = deque()
        self._leases: set[Lease] = set()
        self._idle: list[Body] = []
        self._closed = False
        self._pending = 0
        self.template: Template | None = None
        self._make_body = self._body_maker()
        self._idle = [self._make_body() for _ in range(self.warm)]

    def acquire(self, *, timeout: float | None = None) -> Lease:
        """A lease on one instance.

        Args:
            timeout: Seconds to wait for one to come free; None waits for ever.

        Raises:
            PoolExhausted: None came free in time.
        """
        self._enter(timeout)
        try:
            lease = Lease(self, self._healthy(), self.lease_ttl)
        except BaseException:
            with self._turnstile:
                self._pending -= 1
                self._turnstile.notify_all()
            raise
        with self._turnstile:
            self._pending -= 1
            self._leases.add(lease)
        self.counters.add("acquired")
        return lease

    def acquire_group(
        self,
        n: int,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        timeout: float | None = None,
    ) -> list[Lease]:
        """`n` leases on isolated copies of one initial state, reset already.

        Each lease's `observation` and `info` hold what its reset gave. All or none: a
        member that cannot be reset ends the group.
        """
        if n > self.size:
            raise UsageError(f"a group of {n} does not fit a pool of size {self.size}")
        leases: list[Lease] = []
        try:
            while len(leases) < n:
                leases.append(self.acquire(timeout=timeout))
            first = leases[0].reset(seed=seed, options=options)
            same = {**(options or {}), "task": first.info["task_id"]}
            for outcome in self.reset_many(
                leases[1:],
                seeds=[first.info["seed"]] * (n - 1),
                options=[same] * (n - 1),
            ):
                if isinstance(outcome, Failure):
                    raise outcome.error
        except BaseException:
            for lease in leases:
                lease.close()
            raise
        return leases

    def reset_many(
        self,
        leases: Sequence[Lease],
        *,
        seeds: Sequence[int | None] | None = None,
        options: Sequence[dict[str, Any] | None] | None = None,
    ) -> list[Reset | Failure]:
        """Reset all at once; a member that fails is a `Failure` in its place."""
        seeds = seeds or [None] * len(leases)
        options = options or [None] * len(leases)
        return _together(
            (lease, partial(lease.begin_reset, seed=seed, options=option))
            for lease, seed, option in zip(leases, seeds, options, strict=True)
        )

    def step_many(self, moves: Sequence[tuple[Lease, Action]]) -> list[Step | Failure]:
        """Step all at once; a member that fails is a `Failure` in its place."""
        return _together(
            (lease, partial(lease.begin_step, action)) for lease, action in moves
        )

    def stats(self) -> PoolStats:
        """What the pool counts about itself."""
        with self._turnstile:
            live, idle = len(self._leases), len(self._idle)
        return self.counters.snapshot(size=self.size, live=live, idle=idle)

    def close(self) -> None:
        """End every instance; leases still out are taken back. Idempotent."""
        with self._turnstile:
            self._closed = True
            leases, idle = list(self._leases), self._idle
            self._idle = []
            self._turnstile.notify_all()
        with ExitStack() as stack:  # one that cannot be closed keeps no other open
            if self.template is not None:
                stack.callback(self.template.close)
            for body in idle:
                stack.callback(body.close)
            for lease in leases:
                stack.callback(lease.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # For leases

    def take_back(self, lease: Lease, body: Body) -> None:
        """Keep a lease's instance for the next one, or end it."""
        with self._turnstile:
            self._leases.discard(lease)
            keep = body.alive and not self._closed and len(self._idle) < self.size
            if keep:
                self._idle.append(body)
            self._turnstile.notify_all()
        if not keep:
            body.close()

    def replace(self, body: Body) -> Body:
        """A fresh instance in place of one that died or raised."""
        body.close()
        self.counters.add("replaced")
        return self._make_body()

    # Inside

    def _enter(self, timeout: float | None) -> None:
        """Wait in line until a slot is free, and reserve it."""
        deadline = None if timeout is None else time.monotonic() + timeout
        ticket = object()
        with self._turnstile:
            self._queue.append(ticket)
            try:
                while not self._my_turn(ticket):
                    left = None if deadline is None else deadline - time.monotonic()
                    if left is not None and left <= 0:
                        raise PoolExhausted(
                            f"all {self.size} instances of {self.spec.id} were busy "
                            f"for {timeout:g} s; close leases, or make the pool larger"
                        )
                    self._turnstile.wait(0.5 if left is None else min(left, 0.5))
                self._pending += 1
            finally:
                self._queue.remove(ticket)
                self._turnstile.notify_all()

    def _my_turn(self, ticket: object) -> bool:
        if self._closed:
            raise Closed(f"the pool of {self.spec.id} was closed")
        if self._queue[0] is not ticket:
            return False
        if len(self._leases) + self._pending >= self.size:
            self._expire()
        return len(self._leases) + self._pending < self.size

    def _expire(self) -> None:
        for lease in [lease for lease in self._leases if lease.expired]:
            self.counters.add("expired")
            lease.close()

    def _healthy(self) -> Body:
        while True:
            with self._turnstile:
                body = self._idle.pop() if self._idle else None
            if body is None:
                return self._make_body()
            if body.alive:
                return body
            body.close()
            self.counters.add("replaced")

    def _body_maker(self) -> Callable[[], Body]:
        if self.placement == "in_process":
            make = partial(self._registry.make, self.spec, **self._kwargs)
            return lambda: InProcessBody(make)
        config = {
            "id": self.spec.id,
            "version": self.spec.version,
            "entry_point": self.spec.importable,
            "kwargs": {**self.spec.kwargs, **self._kwargs},
        }
        provider = self._sandboxes.provider()
        template = provider.template(
            TemplateSpec(
                service="envhub.pool.host:EpisodeHost",
                config=config,
                trusted=True,
                spares=max(1, self.warm),
            )
        )
        self.template = template
        return lambda: OwnProcessBody(template)


def _together(
    begins: Iterable[tuple[Lease, Callable[[], Callable[[], T]]]],
) -> list[T | Failure]:
    """Begin every call, then wait for each; errors become values in place.

    An interrupt ends the instances whose answers it kept from being awaited.
    """
    with ExitStack() as stack:
        started: list[Callable[[], T] | Failure] = []
        for lease, begin in begins:
            stack.callback(lease.abandon)
            started.append(_caught(begin))
        return [x if isinstance(x, Failure) else _caught(x) for x in started]


def _caught(call: Callable[[], T]) -> T | Failure:
    try:
        return call()
    except EnvhubError as error:
        return Failure(error)


def _placement(spec: EnvSpec) -> Placement:
    """Where the spec says, unless no other process could import the environment."""
    module = spec.importable.partition(":")[0]
    try:
        found = bool(module) and find_spec(module) is not None
    except (ImportError, ValueError):
        found = False
    return spec.placement if found else "in_process"
