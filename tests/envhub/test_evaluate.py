"""Rollouts, evaluations and comparisons: who is counted, and what is left out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

import envhub
from envhub import trajectory
from envhub.actions import Action, ChatMessage, ToolCall
from envhub.errors import (
    EnvironmentFault,
    InfrastructureError,
    SandboxLost,
    UnknownTask,
    UsageError,
)
from envhub.evaluate import Evaluation, compare, evaluate
from envhub.policies import POLICIES, Advisor
from envhub.pool import Pool
from envhub.recording import as_response
from envhub.rollout import Start, rollout, starts
from envhub.trajectory import Response, Trajectory, TrajectoryStep


class Moody(envhub.Environment):
    """Says `good` to be solved; fails where its task says that it does."""

    tasks = envhub.Tasks.from_list("moody", [{"n": n} for n in range(20)])
    max_turns = 3
    broken: frozenset[int] = frozenset()
    losses: ClassVar[dict[int, int]] = {}

    def begin(self, task: envhub.Task) -> str:
        self.good = False
        return f"task {task['n']}"

    def grammar(self, text: str) -> ToolCall | None:
        return ToolCall(text) if text else None

    def act(self, parsed: Any) -> tuple[str, list[envhub.ToolResult]]:
        if self.task["n"] in self.broken:
            raise ZeroDivisionError("a slip of the author")
        if self.losses.get(self.task["n"], 0) > 0:
            self.losses[self.task["n"]] -= 1
            raise SandboxLost("the sandbox is gone")
        self.earn("effort", 0.25)
        self.good = parsed.calls[0].name == "good"
        if self.good:
            self.finish()
        return "mm", [envhub.ToolResult("say", "mm")]

    def score(self) -> envhub.Score:
        return envhub.Score(0.5 if self.good else 0.0, success=self.good)


class Says:
    """A policy that says one thing, good on the tasks that it knows."""

    def __init__(self, *known: int) -> None:
        self._known = known

    def __call__(self, advisor: Advisor, seed: int) -> Says:
        return Says(*self._known)

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        if "task_id" in info:
            self._good = info["task_id"] in [
                f"moody-train-{n:05d}" for n in self._known
            ]
        return "good" if self._good else "bad"


ALL = tuple(range(20))


@pytest.fixture(autouse=True)
def healthy() -> Iterator[None]:
    """Nothing fails unless a test says so."""
    Moody.broken, Moody.losses = frozenset(), {}
    yield
    Moody.broken, Moody.losses = frozenset(), {}


@pytest.fixture
def moody() -> Iterator[Moody]:
    env = Moody()
    yield env
    env.close()


def moody_pool(size: int = 4) -> Pool:
    spec = envhub.EnvSpec(id="moody", entry_point=Moody, placement="in_process")
    return Pool(spec, size=size)


def each(count: int = 20) -> list[Start]:
    return [Start(task=n, seed=n) for n in range(count)]


# Which episodes


def test_starts_take_each_task_once_before_any_comes_again() -> None:
    chosen = starts(Moody.tasks, episodes=50, seed=3)
    ids = [start.task for start in chosen]
    assert sorted(map(str, ids[:20])) == Moody.tasks.ids()
    assert ids[20:40] == ids[:20]
    assert len({start.seed for start in chosen}) == 50


def test_starts_are_shuffled_by_the_seed_alone() -> None:
    assert starts(Moody.tasks, seed=1) == starts(Moody.tasks, seed=1)
    assert starts(Moody.tasks, seed=1) != starts(Moody.tasks, seed=2)
    assert len(starts(Moody.tasks)) == 20


def test_starts_take_the_tasks_that_are_named_in_their_order() -> None:
    chosen = starts(Moody.tasks, only=[7, "moody-train-00002"], episodes=3)
    names = ["moody-train-00007", "moody-train-00002", "moody-train-00007"]
    assert [start.task for start in chosen] == names


def test_starts_refuse_what_is_not_there() -> None:
    with pytest.raises(UnknownTask, match="no split 'test'"):
        starts(Moody.tasks, split="test")
    with pytest.raises(UnknownTask, match="no task 99"):
        starts(Moody.tasks, only=[99])
    with pytest.raises(UsageError, match="0 episodes"):
        starts(Moody.tasks, episodes=0)


# Playing them


def test_an_evaluation_counts_solved_episodes(moody: Moody) -> None:
    found = evaluate(moody, Says(0, 1, 2, 3, 4), each(), name="says")
    assert (len(found.valid), found.solved) == (20, 5)
    assert found.success_rate == 0.25
    low, high = found.success_interval
    assert low < 0.25 < high
    assert found.mean_return == pytest.approx((5 * 0.75 + 15 * 0.75) / 20)
    assert found.mean_turns == pytest.approx((5 * 1 + 15 * 3) / 20)
    assert found.stop_reasons == {"max_turns": 15, "done": 5}
    assert found.failures == {}
    assert (found.env, found.policy) == ("moody", "says")


def test_a_pool_and_an_environment_give_the_same_evaluation(moody: Moody) -> None:
    alone = evaluate(moody, Says(3, 4), each())
    with moody_pool() as pool:
        pooled = evaluate(pool, Says(3, 4), each())
        assert pool.stats().live == 0

    def essence(found: Evaluation) -> list[Any]:
        return [
            (e.task_id, e.seed, e.reward, e.success, [s.observation for s in e.steps])
            for e in found.episodes
        ]

    assert essence(alone) == essence(pooled)


def test_every_record_is_a_valid_trajectory(moody: Moody, tmp_path: Any) -> None:
    Moody.broken = frozenset({4})
    records = list(rollout(moody, Says(1), each(6), name="says"))
    trajectory.write(tmp_path / "t.jsonl", records)
    again = list(trajectory.read(tmp_path / "t.jsonl"))
    assert again == records
    assert [s.response.text for s in again[0].steps] == ["bad"] * 3
    assert again[0].engine == "says"


def test_the_oracle_reaches_the_maximum_and_silence_does_not() -> None:
    with envhub.make("toy-lock") as env:
        chosen = starts(env.tasks, split="test", seed=1)
        assert evaluate(env, POLICIES["oracle"], chosen).success_rate == 1.0
        assert evaluate(env, POLICIES["noop"], chosen).success_rate == 0.0
        assert evaluate(env, POLICIES["random"], chosen).success_rate < 0.5


# Failures


def test_what_the_platform_loses_is_tried_once_more(moody: Moody) -> None:
    Moody.losses = {3: 1}
    found = evaluate(moody, Says(*ALL), each())
    assert found.success_rate == 1.0
    assert (found.failures, found.retried) == ({}, 1)


def test_what_is_lost_twice_is_left_out_and_counted(moody: Moody) -> None:
    Moody.losses = {3: 9}
    found = evaluate(moody, Says(*ALL), each())
    assert (len(found.episodes), len(found.valid)) == (20, 19)
    assert found.success_rate == 1.0
    assert found.mean_return == 0.75
    assert found.failures == {"SandboxLost": 1}
    lost = found.episodes[3]
    assert (lost.attempts, lost.reward, lost.stop_reason) == (2, None, "infrastructure")
    assert lost.error == "SandboxLost: the sandbox is gone"


def test_a_pool_replaces_the_instance_that_was_lost() -> None:
    Moody.losses = {3: 1}
    with moody_pool() as pool:
        found = evaluate(pool, Says(*ALL), each())
        assert pool.stats().replaced >= 1
    assert (found.success_rate, found.retried) == (1.0, 1)


def test_what_the_author_broke_is_not_tried_again(moody: Moody) -> None:
    Moody.broken = frozenset({5})
    found = evaluate(moody, Says(*ALL), each())
    assert found.failures == {"EnvironmentFault": 1}
    assert found.episodes[5].attempts == 1
    assert "ZeroDivisionError: a slip" in found.episodes[5].error


def test_too_many_void_episodes_stop_the_run(moody: Moody) -> None:
    seen: list[Trajectory] = []
    Moody.losses = dict.fromkeys(range(20), 9)
    with pytest.raises(InfrastructureError, match="8 of the first 8 episodes of moody"):
        evaluate(moody, Says(), each(), on_episode=seen.append)
    assert len(seen) == 8
    Moody.losses, Moody.broken = {}, frozenset(range(20))
    with pytest.raises(EnvironmentFault, match=r"3 of the first 3 .*a slip"):
        evaluate(moody, Says(), each(3))


def test_a_mistake_of_the_caller_ends_everything_at_once() -> None:
    with moody_pool() as pool:
        with pytest.raises(UnknownTask):
            evaluate(pool, Says(), [Start(task="nonsense")])
        with pytest.raises(UsageError, match="Moody has no oracle"):
            evaluate(pool, POLICIES["oracle"], each())
        assert pool.stats().live == 0
        with pytest.raises(UsageError, match="nothing to evaluate"):
            evaluate(pool, Says(), [])


def test_an_interrupted_evaluation_gives_its_leases_back() -> None:
    def interrupt(record: Trajectory) -> None:
        raise KeyboardInterrupt

    with moody_pool() as pool:
        with pytest.raises(KeyboardInterrupt):
            evaluate(pool, Says(), each(), on_episode=interrupt)
        assert pool.stats().live == 0


def test_without_evidence_there_is_no_number() -> None:
    lost = Trajectory(
        env="x", task_id="x-0", seed=0, valid=False, error="SandboxLost: a"
    )
    empty = Evaluation(env="x", policy="p", episodes=(lost,))
    assert math.isnan(empty.success_rate)
    assert math.isnan(empty.mean_return)
    summary = json.loads(json.dumps(empty.summary(), allow_nan=False))
    assert summary["success_rate"] is None
    assert summary["success_interval"] == [None, None]
    assert summary["failures"] == {"SandboxLost": 1}


# Comparing


def test_a_comparison_pairs_what_began_alike(moody: Moody) -> None:
    before = evaluate(moody, Says(0, 1), each())
    after = evaluate(moody, Says(*range(1, 10)), each())
    found = compare(before, after)
    assert (found.pairs, found.left_out) == (20, 0)
    assert (found.before, found.after) == (0.1, 0.45)
    assert (found.gained, found.lost) == (8, 1)
    assert found.p_value == pytest.approx(2 * (1 + 9) / 2**9)
    assert found.return_change == pytest.approx(0.0)
    assert found.return_interval.low <= 0.0 <= found.return_interval.high


def test_void_and_missing_episodes_are_left_out_of_both_sides(moody: Moody) -> None:
    before = evaluate(moody, Says(0), each(10))
    Moody.broken = frozenset({1, 2})
    after = evaluate(moody, Says(0), each(12))
    found = compare(before, after)
    assert (found.pairs, found.left_out) == (8, 4)
    assert found.before == found.after == 1 / 8
    assert found.p_value == 1.0


def test_repeated_starts_are_paired_in_order() -> None:
    def evaluation(*solved: bool) -> Evaluation:
        step = TrajectoryStep()
        records = [
            Trajectory(
                env="x", task_id="x-0", seed=0, steps=(step,), reward=0.0, success=s
            )
            for s in solved
        ]
        return Evaluation(env="x", policy="p", episodes=tuple(records))

    found = compare(evaluation(True, False), evaluation(True, True))
    assert (found.pairs, found.gained, found.lost) == (2, 1, 0)


def test_evaluations_of_different_tasks_cannot_be_compared(moody: Moody) -> None:
    one = evaluate(moody, Says(), [Start(task=1, seed=1)])
    two = evaluate(moody, Says(), [Start(task=1, seed=2)])
    with pytest.raises(UsageError, match="evaluate both with the same tasks"):
        compare(one, two)


# Recording actions


@pytest.mark.parametrize(
    ("action", "response"),
    [
        ("look", Response(text="look")),
        (
            ChatMessage("hm", finish_reason="length"),
            Response(text="hm", finish_reason="length"),
        ),
        ({"role": "assistant", "content": "hm"}, Response(text="hm")),
    ],
)
def test_text_is_recorded_as_text(action: Action, response: Response) -> None:
    assert as_response(action) == response


@pytest.mark.parametrize(
    "action",
    [
        ToolCall("enter", {"code": "ä"}, "id1"),
        [ToolCall("enter", {"code": "ä"}, "id1")],
        {"name": "enter", "arguments": {"code": "ä"}, "id": "id1"},
    ],
)
def test_calls_are_recorded_in_one_form(action: Action) -> None:
    function = {"name": "enter", "arguments": '{"code": "ä"}'}
    call = {"id": "id1", "type": "function", "function": function}
    assert as_response(action) == Response(tool_calls=(call,))
