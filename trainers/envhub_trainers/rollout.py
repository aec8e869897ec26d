"""Rolls out many episodes at once: one batch for the engine, one for the pool.

Every round, all live episodes are sampled as one batch, then all are stepped in
parallel; an episode that ends gives its lease to the next start. A bad action is an
observation. A failure of the platform is tried once more, from the beginning, on a
fresh instance; a failure of the environment is not. What still failed is void: it has
no reward, and a run in which too many are void stops.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from envhub.actions import ChatMessage
from envhub.errors import EnvhubError, InfrastructureError, UsageError
from envhub.pool import Failure, Lease, Pool
from envhub.rollout import Start
from envhub_trainers.engine import Engine
from envhub_trainers.live import Limits, Live, PromptTooLong, Rollout
from envhub_trainers.tokens import ChatFormat

__all__ = [
    "Limits",
    "PromptTooLong",
    "Rollout",
    "Runner",
    "TooManyFailures",
]


class TooManyFailures(InfrastructureError):
    """So many episodes are void that what is left would be a biased sample."""


@dataclass(slots=True)
class _Round:
    """What is in flight: episodes with a lease, and those that wait for one."""

    waiting: deque[Live]
    free: list[Lease]
    live: list[tuple[Live, Lease]] = field(default_factory=list[tuple[Live, Lease]])

    def settle(self) -> Iterator[Live]:
        """Take out what is over, freeing its leases."""
        ended = [pair for pair in self.live if pair[0].over]
        self.live = [pair for pair in self.live if not pair[0].over]
        for episode, lease in ended:
            self.free.append(lease)
            yield episode


class Runner:
    """Rolls out episodes of one environment with one engine.

    Args:
        pool: Where episodes come from; at most its size are live at once.
        engine: What samples.
        chat: How text becomes tokens.
        limits: How much an episode may hold.
        max_attempts: Instances an episode may take when the platform fails.
        max_void: Share of void episodes above which `run` raises.
        on_end: Called with every finished rollout, for progress.
    """

    def __init__(
        self,
        pool: Pool,
        engine: Engine,
        chat: ChatFormat,
        *,
        limits: Limits | None = None,
        max_attempts: int = 2,
        max_void: float = 0.5,
        on_end: Callable[[Rollout], None] | None = None,
    ) -> None:
        self._pool = pool
        self._engine = engine
        self._chat = chat
        self._limits = limits or Limits()
        self._max_attempts = max_attempts
        self._max_void = max_void
        self._on_end = on_end or (lambda rollout: None)

    def run(self, starts: Sequence[Start], *, policy_version: int = 0) -> list[Rollout]:
        """Roll out an episode for every start; answers in the order of the starts.

        Raises:
            PromptTooLong: A task's first prompt does not fit, before it is sampled.
            TooManyFailures: More than `max_void` of the episodes are void.
            UsageError: A start names no task.
        """
        episodes = [
            Live(
                start,
                self._chat,
                self._engine,
                self._limits,
                policy_version=policy_version,
            )
            for start in starts
        ]
        done: dict[int, Rollout] = {}
        leases: list[Lease] = []
        try:
            leases += self._leases(len(episodes))
            state = _Round(deque(episodes), list(leases))
            while state.waiting or state.live:
                self._round(state, done)
        finally:
            self._engine.forget(episode.key for episode in episodes)
            for lease in leases:
                lease.close()
        rollouts = [done[episode.key] for episode in episodes]
        self._check(rollouts)
        return rollouts

    def _leases(self, count: int) -> Iterator[Lease]:
        for _ in range(min(count, self._pool.size)):
            yield self._pool.acquire()

    def _round(self, state: _Round, done: dict[int, Rollout]) -> None:
        self._begin(state)
        self._step(state, self._sample(state))
        for episode in state.settle():
            self._engine.forget([episode.key])
            done[episode.key] = episode.finish(self._pool.spec.id)
            self._on_end(done[episode.key])

    def _begin(self, state: _Round) -> None:
        """Give free leases to waiting episodes and reset them, all at once."""
        count = min(len(state.free), len(state.waiting))
        pairs = [(state.waiting.popleft(), state.free.pop()) for _ in range(count)]
        state.live += pairs
        outcomes = self._pool.reset_many(
            [lease for _, lease in pairs],
            seeds=[episode.start.seed for episode, _ in pairs],
            options=[episode.start.options for episode, _ in pairs],
        )
        for pair, outcome in zip(pairs, outcomes, strict=True):
            if isinstance(outcome, Failure):
                pair[0].attempts += 1
                self._fail(state, pair, outcome.error)
            else:
                pair[0].begin(outcome)

    def _sample(self, state: _Round) -> list[tuple[Live, Lease, ChatMessage]]:
        asked = [(e, lease, e.ask()) for e, lease in state.live if not e.over]
        wanted = [(e, lease, r) for e, lease, r in asked if r is not None]
        started = time.perf_counter()
        generations = self._engine.generate([request for _, _, request in wanted])
        seconds = time.perf_counter() - started
        said = [
            (episode, lease, episode.said(generation, seconds))
            for (episode, lease, _), generation in zip(wanted, generations, strict=True)
        ]
        return [
            (e, lease, message) for e, lease, message in said if message is not None
        ]

    def _step(
        self, state: _Round, moves: list[tuple[Live, Lease, ChatMessage]]
    ) -> None:
        started = time.perf_counter()
        outcomes = self._pool.step_many([(lease, said) for _, lease, said in moves])
        seconds = time.perf_counter() - started
        for (episode, lease, _), outcome in zip(moves, outcomes, strict=True):
            if isinstance(outcome, Failure):
                self._fail(state, (episode, lease), outcome.error)
            else:
                episode.answered(outcome, seconds)

    def _fail(
        self, state: _Round, pair: tuple[Live, Lease], error: EnvhubError
    ) -> None:
        """Begin again after a failure of the platform, else declare it void."""
        if isinstance(error, UsageError):
            raise error
        episode, lease = pair
        self._engine.forget([episode.key])
        lost = isinstance(error, InfrastructureError)
        if lost and episode.attempts < self._max_attempts:
            state.live.remove(pair)
            state.free.append(lease)
            state.waiting.appendleft(episode)
        else:
            episode.failed(error)

    def _check(self, rollouts: list[Rollout]) -> None:
        void = [r.trajectory for r in rollouts if not r.trajectory.valid]
        if len(void) > self._max_void * len(rollouts):
            message = (
                f"{len(void)} of {len(rollouts)} episodes of {self._pool.spec.id} are "
                f"void, more than the allowed share of {self._max_void:.0%}. "
                f"The first: {void[0].task_id}: {void[0].error}"
            )
            raise TooManyFailures(message)
