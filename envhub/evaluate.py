"""How good a policy is: success rate, intervals, failures, and a paired comparison.

    evaluate(env | pool, policy) ──────────▶ Evaluation ──┐
    Evaluation(episodes=trajectories, ...) ───────────────┴─▶ compare ──▶ Comparison

Only what the agent did counts. An episode that the platform or the environment's own
code failed has no reward: it is left out of every mean, counted, and shown by the class
of its error.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from envhub.env import Environment
from envhub.episode import StopReason
from envhub.errors import EnvironmentFault, InfrastructureError, UsageError
from envhub.policies import PolicyMaker
from envhub.pool import Pool
from envhub.rollout import Start, rollout
from envhub.stats import Interval, bootstrap_mean, mcnemar, wilson
from envhub.trajectory import Trajectory

__all__ = ["Comparison", "Evaluation", "compare", "evaluate", "watched"]

_TOO_FEW_TO_JUDGE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a set of episodes says about a policy. Numbers are NaN without evidence.

    Attributes:
        env: Id of the environment.
        policy: What chose the actions.
        episodes: Every record, void ones included.
        confidence: Of the intervals.
    """

    env: str
    policy: str
    episodes: tuple[Trajectory, ...]
    confidence: float = 0.95

    @property
    def valid(self) -> tuple[Trajectory, ...]:
        """Episodes that are evidence about the policy."""
        return tuple(episode for episode in self.episodes if episode.valid)

    @property
    def solved(self) -> int:
        """Valid episodes whose task was solved."""
        return sum(episode.success for episode in self.valid)

    @property
    def success_rate(self) -> float:
        """Share of the valid episodes whose task was solved."""
        return self.solved / len(self.valid) if self.valid else math.nan

    @property
    def success_interval(self) -> Interval:
        """Wilson's interval of the success rate, episodes taken as independent."""
        return wilson(self.solved, len(self.valid), confidence=self.confidence)

    @property
    def mean_return(self) -> float:
        """Mean of the episodes' summed rewards."""
        return _mean(_returns(self.valid))

    @property
    def return_interval(self) -> Interval:
        """Bootstrap interval of the mean return."""
        return bootstrap_mean(_returns(self.valid), confidence=self.confidence)

    @property
    def mean_turns(self) -> float:
        """Mean number of turns."""
        return _mean([episode.turns for episode in self.valid])

    @property
    def stop_reasons(self) -> dict[str, int]:
        """How the valid episodes ended, most frequent first."""
        return _counted(episode.stop_reason for episode in self.valid)

    @property
    def failures(self) -> dict[str, int]:
        """Void episodes by the class of their error, most frequent first."""
        void = (episode for episode in self.episodes if not episode.valid)
        return _counted(episode.error.partition(":")[0] for episode in void)

    @property
    def retried(self) -> int:
        """Episodes that needed a second instance."""
        return sum(episode.attempts > 1 for episode in self.episodes)

    @property
    def seconds_per_step(self) -> float:
        """Median wall seconds in which the environment answered a turn."""
        taken = [s.seconds_environment for e in self.valid for s in e.steps]
        return statistics.median(taken) if taken else math.nan

    def summary(self) -> dict[str, Any]:
        """Everything above as JSON values; null where there is no evidence."""
        return {
            "env": self.env,
            "policy": self.policy,
            "episodes": len(self.episodes),
            "valid": len(self.valid),
            "solved": self.solved,
            "success_rate": _plain(self.success_rate),
            "success_interval": [*map(_plain, self.success_interval)],
            "mean_return": _plain(self.mean_return),
            "return_interval": [*map(_plain, self.return_interval)],
            "confidence": self.confidence,
            "mean_turns": _plain(self.mean_turns),
            "stop_reasons": self.stop_reasons,
            "failures": self.failures,
            "retried": self.retried,
            "seconds_per_step": _plain(self.seconds_per_step),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two evaluations of the same starts, pair by pair.

    Attributes:
        pairs: Starts that are valid on both sides.
        left_out: Starts that are void, or missing, on either side.
        before: Success rate of the first, over the pairs.
        after: Success rate of the second, over the pairs.
        gained: Pairs solved by the second alone.
        lost: Pairs solved by the first alone.
        p_value: Of McNemar's exact test, two-sided: how often chance alone makes
            `gained` and `lost` differ at least so much.
        return_change: Mean of the second's return minus the first's.
        return_interval: Paired bootstrap interval of it.
        confidence: Of the interval.
    """

    pairs: int
    left_out: int
    before: float
    after: float
    gained: int
    lost: int
    p_value: float
    return_change: float
    return_interval: Interval
    confidence: float = 0.95


def evaluate(
    played_on: Environment | Pool,
    policy: PolicyMaker,
    episodes: Sequence[Start],
    *,
    name: str = "",
    max_attempts: int = 2,
    max_void: float = 0.5,
    on_episode: Callable[[Trajectory], None] | None = None,
) -> Evaluation:
    """Play episodes with a policy.

    The same starts begin the same episodes, whoever plays them, so that two evaluations
    can be compared pair by pair.

        env = envhub.make("household")
        evaluate(env, POLICIES["random"], starts(env.tasks, split="test", seed=1))

    Args:
        played_on: An environment, or a pool, of which up to its size run at once.
        policy: Makes the policy of each episode (`envhub.policies`).
        episodes: Where each begins; `envhub.rollout.starts` chooses.
        name: What the policy is called in the records.
        max_attempts: Instances an episode may take when the platform fails.
        max_void: Share of void episodes above which the evaluation stops.
        on_episode: Told each record as its episode ends.

    Raises:
        UsageError: There is no episode to play, or no such task.
        InfrastructureError: So many episodes are void that the rest would be a biased
            sample; an `EnvironmentFault` instead when most are the environment's.
    """
    if not episodes:
        raise UsageError("there is nothing to evaluate: no episode was given")
    records = rollout(played_on, policy, episodes, name=name, max_attempts=max_attempts)
    done = list[Trajectory]()
    with closing(records):  # an interrupted run gives its leases back at once
        for record in watched(records, len(episodes), max_void=max_void):
            done.append(record)
            if on_episode is not None:
                on_episode(record)
    done.sort(key=lambda record: (record.seed, record.task_id))
    return Evaluation(env=done[0].env, policy=name, episodes=tuple(done))


def watched(
    records: Iterable[Trajectory], total: int, *, max_void: float = 0.5
) -> Iterator[Trajectory]:
    """The same records; stops loudly once too many of them are void.

    Args:
        records: As they end.
        total: How many there will be.
        max_void: Share of void records, of those that have ended, that is still
            accepted.

    Raises:
        InfrastructureError: More are void; an `EnvironmentFault` when most of them are
            the environment's.
    """
    void: list[Trajectory] = []
    for count, record in enumerate(records, start=1):
        yield record
        void += [] if record.valid else [record]
        if count >= min(total, _TOO_FEW_TO_JUDGE) and len(void) > max_void * count:
            raise _too_many(void, count)


def compare(
    before: Evaluation, after: Evaluation, *, confidence: float = 0.95
) -> Comparison:
    """Compare two policies on the episodes that both began alike.

    Args:
        before: The first, such as the model before training.
        after: The second.
        confidence: Of the interval.

    Raises:
        UsageError: They have no start in common that is valid on both sides.
    """
    left, right = _by_start(before), _by_start(after)
    both = [
        (left[key], right[key])
        for key in left
        if key in right and left[key].valid and right[key].valid
    ]
    if not both:
        raise UsageError(
            "nothing to compare: the two evaluations have no valid episode of the same "
            "task and seed; evaluate both with the same tasks, split and seed"
        )
    gained = sum(b.success and not a.success for a, b in both)
    lost = sum(a.success and not b.success for a, b in both)
    changes = [_return(b) - _return(a) for a, b in both]
    return Comparison(
        pairs=len(both),
        left_out=len({*left, *right}) - len(both),
        before=_mean([a.success for a, _ in both]),
        after=_mean([b.success for _, b in both]),
        gained=gained,
        lost=lost,
        p_value=mcnemar(gained, lost),
        return_change=_mean(changes),
        return_interval=bootstrap_mean(changes, confidence=confidence),
        confidence=confidence,
    )


def _by_start(evaluation: Evaluation) -> Mapping[tuple[str, int, int], Trajectory]:
    """Records by task, seed and how often both came before."""
    seen = Counter[tuple[str, int]]()
    found: dict[tuple[str, int, int], Trajectory] = {}
    for record in evaluation.episodes:
        key = record.task_id, record.seed
        found[*key, seen[key]] = record
        seen[key] += 1
    return found


def _too_many(void: Sequence[Trajectory], ended: int) -> Exception:
    faults = sum(e.stop_reason == StopReason.ENVIRONMENT_FAULT for e in void)
    mine = 2 * faults > len(void)
    message = (
        f"{len(void)} of the first {ended} episodes of {void[0].env} are void, so the "
        f"run was stopped; the first: {void[0].task_id}: {void[0].error}"
    )
    return EnvironmentFault(message) if mine else InfrastructureError(message)


def _return(record: Trajectory) -> float:
    return record.reward or 0.0


def _returns(records: Iterable[Trajectory]) -> list[float]:
    return [_return(record) for record in records]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
