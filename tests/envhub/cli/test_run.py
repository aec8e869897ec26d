"""`envhub run`: how good a policy is, for people, programs and builds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from envhub import trajectory
from envhub.cli import plan
from envhub.cli.status import Status
from envhub.errors import InfrastructureError, MissingExtra
from envhub.policies import POLICIES
from envhub.pool import Pool
from envhub.rollout import Start, rollout
from envhub.trajectory import Trajectory
from tests.envhub.cli.conftest import Type


def test_the_oracle_solves_every_task(type_in: Type) -> None:
    found = type_in("run", "toy-lock", "--policy", "oracle", "-n", "10")
    assert found.status == Status.OK
    for words in (
        "toy-lock 1.0.0 · oracle · test tasks · seed 0",
        "solved    100 %  (10 of 10)  95 % interval: 72.2 % to 100 %",
        "return    1  ",
        "turns     2\n",
        "ended     done 10\n",
        "failures  none\n",
        "step  ",
        "time  ",
    ):
        assert words in found.out
    assert found.err == ""


def test_the_summary_is_json_for_programs(type_in: Type) -> None:
    found = type_in(
        *("run", "toy-lock", "--policy", "noop", "-n", "5", "--split", "train"),
        *("--seed", "3", "--jobs", "2", "--set", "max_turns=2", "--json"),
    )
    summary = json.loads(found.out)
    assert found.status == Status.OK
    seconds = summary.pop("seconds"), summary.pop("seconds_per_step")
    assert all(value > 0 for value in seconds)
    low, high = summary.pop("success_interval")
    assert low == 0.0 < high < 0.6
    assert summary == {
        "env": "toy-lock",
        "version": "1.0.0",
        "policy": "noop",
        "split": "train",
        "seed": 3,
        "asked": 5,
        "jobs": 2,
        "arguments": {"max_turns": 2},
        "episodes": 5,
        "valid": 5,
        "solved": 0,
        "success_rate": 0.0,
        "mean_return": 0.0,
        "return_interval": [0.0, 0.0],
        "confidence": 0.95,
        "mean_turns": 2.0,
        "stop_reasons": {"max_turns": 5},
        "failures": {},
        "retried": 0,
        "out": None,
        "comparison": None,
    }


def test_here_and_in_a_pool_the_same_episodes_are_played(type_in: Type) -> None:
    words = ("run", "toy-lock", "--policy", "random", "-n", "6", "--out")
    type_in(*words, "pool.jsonl", "--jobs", "3")
    type_in(*words, "here.jsonl", "--in-process")

    def essence(name: str) -> list[Any]:
        episodes = sorted(trajectory.read(name), key=lambda episode: episode.seed)
        return [
            (
                e.task_id,
                e.seed,
                e.reward,
                [(s.response, s.observation) for s in e.steps],
            )
            for e in episodes
        ]

    assert essence("pool.jsonl") == essence("here.jsonl")


def test_a_build_can_ask_for_a_rate(type_in: Type) -> None:
    words = ("run", "toy-lock", "-n", "4", "--at-least", "0.9", "--policy")
    assert type_in(*words, "oracle").status == Status.OK
    assert type_in(*words, "noop").status == Status.NO


def test_levels_are_chosen(type_in: Type, tmp_path: Path) -> None:
    words = ("run", "toy-lock", "-n", "3", "--level", "2", "--policy", "noop")
    type_in(*words, "--out", "two.jsonl")
    numbers = [int(e.task_id[-5:]) for e in trajectory.read(tmp_path / "two.jsonl")]
    assert all(number % 2 == 1 for number in numbers)


def test_episodes_are_written_and_never_over_others(
    type_in: Type, tmp_path: Path
) -> None:
    words = ("run", "toy-lock", "-n", "3", "--out", "runs/one.jsonl")
    found = type_in(*words)
    assert found.status == Status.OK
    assert found.err == "3 episodes were written to runs/one.jsonl.\n"
    before = (tmp_path / "runs" / "one.jsonl").read_bytes()
    again = type_in(*words)
    assert again.status == Status.USAGE
    assert "is there already" in again.err
    assert (tmp_path / "runs" / "one.jsonl").read_bytes() == before


def test_a_mistake_leaves_no_file(type_in: Type, tmp_path: Path) -> None:
    type_in("run", "toy-lok", "--out", "one.jsonl")
    type_in("run", "toy-lock", "--split", "moon", "--out", "one.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_two_runs_are_compared_pair_by_pair(type_in: Type) -> None:
    words = ("run", "toy-lock", "-n", "10", "--policy")
    type_in(*words, "noop", "--out", "floor.jsonl")
    found = type_in(*words, "oracle", "--compare", "floor.jsonl")
    for words_shown in (
        "Against noop",
        "pairs    10 episodes that both played; 0 left out",
        "solved   0 % before, 100 % now",
        "changed  10 gained, 0 lost; p = 0.002 (McNemar, exact)",
        "return   +1",
    ):
        assert words_shown in found.out
    found = type_in(*words, "oracle", "--compare", "floor.jsonl", "--json")
    comparison = json.loads(found.out)["comparison"]
    assert (comparison["gained"], comparison["p_value"]) == (10, 2 / 2**10)


def test_what_is_compared_must_be_a_file_of_episodes(
    type_in: Type, tmp_path: Path
) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "other.txt").write_text("hello\n")
    for name, words in (
        ("empty.jsonl", "holds no episode"),
        ("other.txt", "other.txt:1"),
    ):
        found = type_in("run", "toy-lock", "--compare", name)
        assert found.status == Status.USAGE
        assert words in found.err


def test_runs_of_other_tasks_are_not_compared(type_in: Type) -> None:
    words = ("run", "toy-lock", "-n", "2", "--policy", "noop")
    type_in(*words, "--out", "a.jsonl", "--seed", "1")
    found = type_in(*words, "--compare", "a.jsonl", "--seed", "2")
    assert found.status == Status.USAGE
    assert "same tasks, split and seed" in found.err


# Failures


def test_what_the_platform_loses_is_left_out_and_counted(type_in: Type) -> None:
    words = ("run", "moody", "--policy", "oracle", "-n", "12", "--set", "mode=lost")
    found = type_in(*words, "--at-least", "1")
    assert found.status == Status.OK
    assert "(8 of 8)" in found.out
    assert "failures  InfrastructureError 4" in found.out
    assert "4 tried twice" in found.out


def test_too_many_faults_stop_the_run_and_show_what_there_is(type_in: Type) -> None:
    found = type_in("run", "moody", "--policy", "oracle", "--set", "mode=crash")
    assert found.status == Status.ENVIRONMENT
    assert "8 of 20" in found.out
    assert "stopped early" in found.out
    assert "ZeroDivisionError: a slip" in found.err


def test_an_environment_that_cannot_begin_shows_no_empty_table(type_in: Type) -> None:
    found = type_in("run", "household", "--set", "level=9")
    assert found.status == Status.USAGE
    assert found.out == ""


def test_an_interrupted_run_keeps_what_was_finished(
    type_in: Type, tmp_path: Path
) -> None:
    words = ("run", "moody", "--policy", "oracle", "--in-process")
    found = type_in(
        *words, "--set", "mode=interrupt", "--seed", "1", "--out", "o.jsonl"
    )
    assert found.status == Status.INTERRUPTED
    count = len(list(trajectory.read(tmp_path / "o.jsonl")))
    assert 0 < count < 12
    assert f"{count} of 20: stopped early" in found.out


# Models


def test_a_model_is_played_by_the_training_side(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def play(
        pool: Pool,
        model: str,
        starts: Sequence[Start],
        *,
        on_episode: Callable[[Trajectory], None],
        on_loading: Callable[[str, float], None],
        **options: Any,
    ) -> None:
        asked.update(options, model=model)
        on_loading("loading", 0.5)
        for record in rollout(pool, POLICIES["oracle"], starts, name=model):
            on_episode(record)

    monkeypatch.setattr(plan, "trainer", lambda name: {"evaluate": play}[name])
    words = ("run", "toy-lock", "-n", "3", "--policy", "model:runs/a", "--seed", "4")
    found = type_in(*words, "--temperature", "0.5", "--level", "1")
    assert found.status == Status.OK
    assert "(3 of 3)" in found.out
    assert asked == {
        "model": "runs/a",
        "temperature": 0.5,
        "seed": 4,
        "env_kwargs": {"level": 1},
    }


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MissingExtra('Type:  pip install "envhub-gym[train]"'), Status.USAGE),
        (InfrastructureError("no memory"), Status.INFRASTRUCTURE),
    ],
)
def test_what_a_model_needs_is_told(
    type_in: Type,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: Status,
) -> None:
    def play(*args: Any, **options: Any) -> None:
        raise error

    monkeypatch.setattr(plan, "trainer", lambda name: play)
    found = type_in("run", "toy-lock", "--policy", "model:x")
    assert (found.status, found.out) == (status, "")
    assert str(error) in found.err
