"""Where an episode's environment runs: beside the pool, or in a process of its own.

Both bodies begin a call and give its answer later, so that a pool can begin many calls
before it waits for the first. Either ends what it holds when a deadline passes.
"""

from __future__ import annotations

import contextlib
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from queue import SimpleQueue
from typing import Any, Protocol

from envhub.actions import Action
from envhub.env import Environment
from envhub.errors import DeadlineExceeded, LifecycleError, SandboxLost
from envhub.pool.host import pack_action, unpack_action
from envhub.sandbox import Sandbox, Template

__all__ = ["Answer", "Body", "InProcessBody", "OwnProcessBody"]


class Answer(Protocol):
    """A result on its way."""

    def result(self, timeout: float | None = None) -> Any:
        """The result, or the error that took its place."""
        ...


class Body(ABC):
    """One environment at a pool's disposal."""

    @property
    @abstractmethod
    def alive(self) -> bool:
        """Whether it can serve another episode."""

    @abstractmethod
    def reset(self, seed: int, options: dict[str, Any] | None) -> Answer:
        """Begin `Environment.reset` in a fresh state."""

    @abstractmethod
    def step(self, action: Action, timeout: float) -> Answer:
        """Begin `Environment.step`."""

    @abstractmethod
    def oracle(self) -> Action:
        """The next action of the environment's oracle."""

    @abstractmethod
    def close(self) -> None:
        """End it; idempotent, from any thread."""


class InProcessBody(Body):
    """An environment object beside the pool, stepped by a thread of its own.

    For environments that run what the agent writes in a sandbox of their own: ending
    the sandbox unblocks a call that waits for it. A call that hangs for another reason
    keeps its thread, and holds up neither other instances nor the program's end.
    """

    def __init__(self, make: Callable[[], Environment]) -> None:
        self._env = make()
        self._thread = _Thread()
        self._alive = True

    @property
    def alive(self) -> bool:
        """Whether it was not closed."""
        return self._alive

    def reset(self, seed: int, options: dict[str, Any] | None) -> Answer:
        """Reset in its thread."""
        return self._begin(lambda: self._env.reset(seed=seed, options=options))

    def step(self, action: Action, timeout: float) -> Answer:
        """Step in its thread."""
        return self._begin(lambda: self._env.step(action))

    def oracle(self) -> Action:
        """The environment's own."""
        return self._env.oracle()

    def close(self) -> None:
        """Close the environment, and with it its sandbox."""
        self._alive = False
        self._thread.stop()
        # What an environment fails to release must not keep others from it.
        with contextlib.suppress(Exception):
            self._env.close()

    def _begin(self, call: Callable[[], Any]) -> Answer:
        return _Running(self, self._thread.submit(call))


class _Thread:
    """Makes calls one after the other; an executor would be waited for at the exit."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
        self._calls = SimpleQueue()
        self._started = False

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        if os.getpid() != self._owner:
            raise LifecycleError(
                f"this instance belongs to process {self._owner}; a process forked "
                "from it must make a pool of its own"
            )
        if not self._started:
            self._started = True
            threading.Thread(target=self._serve, name="envhub", daemon=True).start()
        future: Future[Any] = Future()
        self._calls.put((future, call))
        return future

    def stop(self) -> None:
        self._calls.put(None)

    def _serve(self) -> None:
        while (item := self._calls.get()) is not None:
            future, call = item
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - raised where it is awaited
                future.set_exception(error)
            del item, future, call  # nothing of an episode is kept while it waits


class _Running:
    def __init__(self, body: InProcessBody, future: Future[Any]) -> None:
        self._body = body
        self._future = future

    def result(self, timeout: float | None = None) -> Any:
        try:
            return self._future.result(timeout)
        except FutureTimeout:
            if self._future.done():
                raise
            self._body.close()
            raise DeadlineExceeded(
                f"the environment did not answer within {timeout:g} s; its sandbox "
                "was ended"
            ) from None


class OwnProcessBody(Body):
    """A forked child of a warm template that hosts the environment.

    Every reset takes a fresh child, so by construction nothing of the last episode is
    left; a deadline ends the child and nothing else.
    """

    def __init__(self, template: Template) -> None:
        self._template = template
        self._sandbox: Sandbox | None = template.take()
        self._used = False

    @property
    def alive(self) -> bool:
        """Whether the child is there."""
        return self._sandbox is not None and self._sandbox.alive

    def reset(self, seed: int, options: dict[str, Any] | None) -> Answer:
        """Reset in a fresh child."""
        if self._used or not self.alive:
            self._renew()
        self._used = True
        return self._child().start("reset", seed, options)

    def step(self, action: Action, timeout: float) -> Answer:
        """Step in the child."""
        return self._child().start("step", pack_action(action), timeout=timeout)

    def oracle(self) -> Action:
        """Ask the child."""
        return unpack_action(self._child().call("oracle"))

    def close(self) -> None:
        """End the child's process tree."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()

    def _renew(self) -> None:
        self.close()
        self._sandbox = self._template.take()

    def _child(self) -> Sandbox:
        if self._sandbox is None:
            raise SandboxLost("the episode's process was ended; reset it")
        return self._sandbox
