"""A lease: one episode slot of a pool, used by one caller until it is given back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from envhub.actions import Action
from envhub.errors import Closed, EnvhubError, StepAfterEnd, StepBeforeReset, UsageError
from envhub.pool.bodies import Answer, Body
from envhub.seeding import SeedChain

if TYPE_CHECKING:
    from envhub.pool.pool import Pool

__all__ = ["Failure", "Lease", "Reset", "Step"]


class Reset(NamedTuple):
    """What a reset gives, as Gymnasium orders it."""

    observation: str
    info: dict[str, Any]


class Step(NamedTuple):
    """What a step gives, as Gymnasium orders it."""

    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failure:
    """A member of a batch that failed; the others are unharmed.

    Attributes:
        error: Why. Its class tells who is to blame; there is no reward.
    """

    error: EnvhubError


Finish: TypeAlias = Callable[[], Any]


class Lease:
    """One episode slot. Used by one thread at a time; `close` from any.

    The same calls as `gymnasium.Env`: `reset`, `step`, `close`. An error of the
    environment or the platform ends the instance behind the lease, and so does an
    interrupt while a call is on its way; the next `reset` gets a fresh one.
    """

    def __init__(self, pool: Pool, body: Body, ttl: float | None) -> None:
        self._pool = pool
        self._body: Body | None = body
        self._ttl = ttl
        self._seeds = SeedChain()
        self._running: bool | None = None
        self._busy = False
        self._last_use = time.monotonic()
        self.observation = ""
        self.info: dict[str, Any] = {}

    @property
    def expired(self) -> bool:
        """Whether nobody used it for its time to live; a call on its way is use."""
        idle = time.monotonic() - self._last_use
        return self._ttl is not None and not self._busy and idle > self._ttl

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> Reset:
        """Begin an episode in a fresh state; see `Environment.reset`."""
        result: Reset = self.begin_reset(seed=seed, options=options)()
        return result

    def step(self, action: Action) -> Step:
        """Take one turn; see `Environment.step`."""
        result: Step = self.begin_step(action)()
        return result

    def oracle(self) -> Action:
        """The next action of the environment's oracle."""
        return self._use().oracle()

    def begin_reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> Finish:
        """Start a reset; the function returned waits for it."""
        started = time.perf_counter()
        body = self._use(fresh=True)
        self._running = None
        given = self._seeds.next(seed)
        answer = self._begin("reset_failures", lambda: body.reset(given, options))

        def finish() -> Reset:
            timeout = self._pool.reset_timeout
            got = Reset(*self._wait("reset_failures", answer, timeout))
            self._pool.counters.reset_took(time.perf_counter() - started)
            self._running = True
            self.observation, self.info = got
            return got

        return finish

    def begin_step(self, action: Action) -> Finish:
        """Start a step; the function returned waits for it."""
        body = self._use()
        if self._running is None:
            raise StepBeforeReset("there is no episode yet; call reset() first")
        if not self._running:
            raise StepAfterEnd("the episode ended; call reset() for another")
        timeout = self._pool.step_timeout
        answer = self._begin("step_failures", lambda: body.step(action, timeout))

        def finish() -> Step:
            got = Step(*self._wait("step_failures", answer, timeout))
            self._pool.counters.add("steps")
            self._running = not (got.terminated or got.truncated)
            return got

        return finish

    def abandon(self) -> None:
        """End the instance if a call is on its way whose answer nobody will await."""
        if self._busy:
            self._busy = self._running = False
            self._end_body()

    def close(self) -> None:
        """Give the slot back; idempotent."""
        self.abandon()
        body, self._body = self._body, None
        if body is not None:
            self._pool.take_back(self, body)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _use(self, *, fresh: bool = False) -> Body:
        self._last_use = time.monotonic()
        if self._body is None:
            raise Closed("this lease was given back or has expired; acquire another")
        if fresh and not self._body.alive:
            self._body = self._pool.replace(self._body)
        return self._body

    def _begin(self, failure: str, call: Callable[[], Answer]) -> Answer:
        answer: Answer = self._try(failure, call)
        self._busy = True
        return answer

    def _wait(self, failure: str, answer: Answer, timeout: float) -> Any:
        try:
            return self._try(failure, lambda: answer.result(timeout))
        except Exception:
            raise
        except BaseException:  # an interrupt: the call goes on, and nobody waits
            self.abandon()
            raise
        finally:
            self._busy = False
            self._last_use = time.monotonic()

    def _try(self, failure: str, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except UsageError:
            raise
        except Exception:
            self._pool.counters.add(failure)
            self._running = False
            self._end_body()
            raise

    def _end_body(self) -> None:
        if self._body is not None:
            self._body.close()
