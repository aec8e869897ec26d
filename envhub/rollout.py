"""Plays episodes with a policy that is a Python object, and records each one.

    starts(tasks) ──▶ rollout(env | pool, policy, starts) ──▶ Trajectory, ...

Every round asks the policy of each running episode for an action and steps them all at
once; an episode that ends makes room for the next. A failure of the platform is tried
once more, from the beginning, on a fresh instance; a failure of the environment is not.
What still failed is void: it has no reward. Models that sample in batches have rollouts
of their own, which give the same records.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np

from envhub.actions import Action
from envhub.env import Environment
from envhub.errors import EnvhubError, InfrastructureError, UsageError
from envhub.ids import EnvId
from envhub.policies import Policy, PolicyMaker
from envhub.pool import Failure, Lease, Pool, Reset, Step
from envhub.recording import Recorder
from envhub.tasks import Tasks
from envhub.trajectory import Trajectory

__all__ = ["Start", "rollout", "starts"]

T = TypeVar("T")
Finish: TypeAlias = Callable[[], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where an episode begins; the same start gives the same beginning anywhere.

    Attributes:
        task: Id, or index within the split; None lets the seed draw one.
        seed: Seed of the episode.
        split: Split of the task; None is the environment's first.
    """

    task: str | int | None = None
    seed: int = 0
    split: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        """For `reset`."""
        given = {"task": self.task, "split": self.split}
        return {name: value for name, value in given.items() if value is not None}


def starts(
    tasks: Tasks,
    *,
    episodes: int | None = None,
    only: Sequence[str | int] | None = None,
    split: str | None = None,
    seed: int = 0,
) -> list[Start]:
    """Choose tasks: each once before any comes again, in a shuffled order.

    Args:
        tasks: The environment's tasks.
        episodes: How many; by default as many as there are tasks.
        only: Take these tasks, in this order.
        split: Where tasks come from; the first split by default.
        seed: Of the order, and of the first episode; the others count upwards.

    Raises:
        UnknownTask: There is no such split or task, or the split is empty.
        UsageError: Fewer than one episode is asked for.
    """
    split = split or next(iter(tasks.splits))
    if only is None:
        ids = tasks.ids(split)
        order = np.random.default_rng(seed).permutation(len(ids))
        chosen = [ids[position] for position in order]
    else:
        chosen = [tasks.get(key, split).id for key in only]
    count = len(chosen) if episodes is None else episodes
    if count < 1 or not chosen:
        raise UsageError(
            f"{count} episodes of {len(chosen)} tasks of split {split!r} were asked "
            "for; there must be at least one of each"
        )
    return [
        Start(task=chosen[n % len(chosen)], seed=seed + n, split=split)
        for n in range(count)
    ]


def rollout(
    played_on: Environment | Pool,
    policy: PolicyMaker,
    starts: Sequence[Start],
    *,
    name: str = "",
    max_attempts: int = 2,
) -> Generator[Trajectory]:
    """Play every start; each record as its episode ends.

    Args:
        played_on: An environment, for one episode after the other in this process; or
            a pool, of which up to its size run at once.
        policy: Makes the policy of each episode.
        starts: Where the episodes begin.
        name: What the policy is called in the records.
        max_attempts: Instances an episode may take when the platform fails.

    Raises:
        UsageError: A start names no task, or the policy asks for what is not there.
    """
    env = _id_of(played_on)
    waiting = deque(_Live(env, name, start) for start in starts)
    live = list[_Live]()
    with _seats(played_on, len(waiting)) as seats:
        free = deque(seats)
        while waiting or live:
            count = min(len(waiting), len(free))
            begun = [waiting.popleft().sit(free.popleft()) for _ in range(count)]
            _begin(begun, policy)
            live += begun
            _step([episode for episode in live if not episode.over])
            ended = [episode for episode in live if episode.over]
            live = [episode for episode in live if not episode.over]
            for episode in ended:
                free.append(episode.seat)
                if episode.lost and episode.attempts < max_attempts:
                    waiting.appendleft(episode)
                else:
                    yield episode.record()


class _Seat(Protocol):
    """One place to play at: what a lease has, and `_Beside` gives to an environment."""

    def begin_reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> Finish: ...

    def begin_step(self, action: Action) -> Finish: ...

    def oracle(self) -> Action: ...


class _Beside:
    """An environment in this process; its owner closes it."""

    def __init__(self, env: Environment) -> None:
        self._env = env

    def begin_reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> Finish:
        got = Reset(*self._env.reset(seed=seed, options=options))
        return lambda: got

    def begin_step(self, action: Action) -> Finish:
        got = Step(*self._env.step(action))
        return lambda: got

    def oracle(self) -> Action:
        return self._env.oracle()


@contextmanager
def _seats(played_on: Environment | Pool, most: int) -> Iterator[Sequence[_Seat]]:
    """As many seats as there are, at most so many; given back at the end."""
    if isinstance(played_on, Environment):
        yield [_Beside(played_on)]
        return
    leases = list[Lease]()
    try:
        while len(leases) < min(most, played_on.size):
            leases.append(played_on.acquire())
        yield leases
    finally:
        for lease in leases:
            lease.close()


def _id_of(played_on: Environment | Pool) -> str:
    if isinstance(played_on, Pool):
        return played_on.spec.id
    if played_on.spec is None:
        return played_on.tasks.name
    named = EnvId.parse(played_on.spec.id)
    return named.name if named.owner == "envhub" else f"{named.owner}/{named.name}"


@dataclass(eq=False)
class _Live:
    """One episode on its way; it has a seat from `sit` and a policy from `begun` on."""

    env: str
    policy_name: str
    start: Start
    seat: _Seat = field(init=False)
    policy: Policy = field(init=False)
    recorder: Recorder = field(init=False)
    observation: str = ""
    info: Mapping[str, Any] = field(default_factory=dict[str, Any])
    attempts: int = 0
    failure: EnvhubError | None = None

    def sit(self, seat: _Seat) -> _Live:
        """Begin from the beginning, at this seat."""
        self.seat = seat
        self.recorder = Recorder(self.env, self.policy_name)
        self.attempts += 1
        self.failure = None
        return self

    @property
    def lost(self) -> bool:
        return isinstance(self.failure, InfrastructureError)

    @property
    def over(self) -> bool:
        return self.failure is not None or self.recorder.over

    def begun(self, reset: Reset, policy: PolicyMaker) -> None:
        self.observation, self.info = reset
        self.recorder.begun(reset)
        self.policy = policy(self.seat, int(reset.info["seed"]))

    def act(self) -> Action:
        return self.policy.act(self.observation, self.info)

    def answered(self, action: Action, step: Step, seconds: float) -> None:
        self.observation, self.info = step.observation, step.info
        self.recorder.answered(action, step, seconds)

    def record(self) -> Trajectory:
        return self.recorder.finish(
            self.failure,
            task=str(self.start.task),
            seed=self.start.seed,
            attempts=self.attempts,
        )


def _begin(episodes: list[_Live], policy: PolicyMaker) -> None:
    """Reset all at once; one that fails says so."""
    outcomes = _together(
        partial(e.seat.begin_reset, seed=e.start.seed, options=e.start.options)
        for e in episodes
    )
    for episode, outcome in zip(episodes, outcomes, strict=True):
        if isinstance(outcome, Failure):
            episode.failure = outcome.error
        else:
            episode.begun(outcome, policy)


def _step(episodes: list[_Live]) -> None:
    """Ask each policy, then step all at once; one that fails says so."""
    moves = list[tuple[_Live, Action]]()
    for episode in episodes:
        action = _caught(episode.act)
        if isinstance(action, Failure):
            episode.failure = action.error
        else:
            moves.append((episode, action))
    started = time.perf_counter()
    outcomes = _together(partial(e.seat.begin_step, action) for e, action in moves)
    seconds = time.perf_counter() - started
    for (episode, action), outcome in zip(moves, outcomes, strict=True):
        if isinstance(outcome, Failure):
            episode.failure = outcome.error
        else:
            episode.answered(action, outcome, seconds)


def _together(begins: Iterable[Callable[[], Finish]]) -> list[Any]:
    """Begin every call before waiting for the first; errors become values in place."""
    begun = [_caught(begin) for begin in begins]
    return [x if isinstance(x, Failure) else _caught(x) for x in begun]


def _caught(call: Callable[[], T]) -> T | Failure:
    try:
        return call()
    except UsageError:
        raise
    except EnvhubError as error:
        return Failure(error)
