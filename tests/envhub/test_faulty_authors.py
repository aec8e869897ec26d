"""What an author's code does wrong is the environment's fault, whatever it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import envhub
from envhub.errors import EnvironmentFault, InvalidScore, StepAfterEnd

Hook = Callable[["Faulty"], Any]


class Unspeakable(Exception):
    """Cannot be told."""

    def __str__(self) -> str:
        raise ValueError("no text")


class Faulty(envhub.ToolEnv):
    """Runs one hook at one moment."""

    tasks = envhub.Tasks.from_list("faulty", [{}])

    def __init__(self, moment: str = "", hook: Hook = lambda env: None) -> None:
        super().__init__()
        self._moment, self._hook = moment, hook

    def begin(self, task: envhub.Task) -> str:
        return str(self._at("begin") or "begun")

    @envhub.tool
    def act_up(self) -> str:
        """Act up."""
        return str(self._at("tool") or "done")

    @envhub.tool
    def end(self) -> str:
        """End."""
        self.finish()
        return "over"

    def grammar(self, text: str) -> None:
        self._at("grammar")

    def nudge(self, parsed: Any) -> str:
        return str(self._at("nudge") or "nothing")

    def describe(self) -> dict[str, Any]:
        return self._at("describe") or {}

    def score(self) -> envhub.Score:
        given: envhub.Score | None = self._at("score")
        return given or envhub.Score(1.0)

    def _at(self, moment: str) -> Any:
        return self._hook(self) if moment == self._moment else None


def _raise(error: BaseException) -> Hook:
    def hook(env: Faulty) -> None:
        raise error

    return hook


def _earn(amount: Any) -> Hook:
    return lambda env: env.earn("bonus", amount)


def _whole_episode(env: Faulty) -> list[Any]:
    env.reset(seed=0)
    turns = [env.step(envhub.ToolCall("act_up")), env.step("words")]
    return [*turns, env.step(envhub.ToolCall("end"))]


@pytest.mark.parametrize("moment", ["begin", "tool", "grammar", "describe", "score"])
@pytest.mark.parametrize(
    "error", [ZeroDivisionError(), SystemExit(3), Unspeakable(), GeneratorExit()]
)
def test_whatever_is_raised_is_a_fault_that_voids_the_episode(
    moment: str, error: BaseException
) -> None:
    env = Faulty(moment, _raise(error))
    with pytest.raises(EnvironmentFault, match=type(error).__name__):
        _whole_episode(env)
    with pytest.raises(StepAfterEnd):
        env.step("more")


@pytest.mark.parametrize("moment", ["begin", "score", "describe"])
def test_the_agent_is_not_to_blame_when_it_does_not_act(moment: str) -> None:
    env = Faulty(moment, _raise(envhub.PolicyError("your fault")))
    with pytest.raises(EnvironmentFault, match="your fault"):
        _whole_episode(env)


def test_an_interrupt_is_nobodys_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        _whole_episode(Faulty("tool", _raise(KeyboardInterrupt())))


@pytest.mark.parametrize(
    "amount", [float("nan"), float("inf"), 10**400, "7", None, 1j], ids=repr
)
def test_a_process_reward_is_a_finite_number(amount: Any) -> None:
    with pytest.raises(InvalidScore, match="bonus is "):
        _whole_episode(Faulty("tool", _earn(amount)))


def test_finite_rewards_whose_sum_is_not_are_refused() -> None:
    def hook(env: Faulty) -> None:
        env.earn("a", sys.float_info.max)
        env.earn("b", sys.float_info.max)

    with pytest.raises(InvalidScore, match="this turn"):
        _whole_episode(Faulty("tool", hook))


@pytest.mark.parametrize("score", [1.0, "1", True, envhub.Score("1", success=True)])  # type: ignore[arg-type]  # an author's mistake
def test_a_score_is_a_score_of_numbers(score: Any) -> None:
    with pytest.raises(EnvironmentFault):
        _whole_episode(Faulty("score", lambda env: score))


def test_numbers_of_numpy_become_plain_floats() -> None:
    given = envhub.Score(float(np.float64(1)), {"part": float(np.float64(0.5))})
    object.__setattr__(given, "value", np.float32(1))
    turns = _whole_episode(Faulty("score", lambda env: given))
    turns += _whole_episode(Faulty("tool", _earn(np.float32(0.25))))
    assert [type(reward) for _, reward, *_ in turns] == [float] * 6
    json.dumps([info for *_, info in turns])


def test_a_task_source_that_fails_is_named_with_its_task() -> None:
    def make(split: str, index: int, level: int) -> dict[str, Any]:
        raise ZeroDivisionError

    class NoTask(Faulty):
        tasks = envhub.Tasks.from_generator("broken", make, splits={"a": 2})

    with pytest.raises(EnvironmentFault, match=r"broken-a-0000\d.*ZeroDivisionError"):
        NoTask().reset(seed=0)


def test_a_source_without_tasks_says_so() -> None:
    class Empty(Faulty):
        tasks = envhub.Tasks.from_list("empty", [])

    with pytest.raises(envhub.UsageError, match="no split"):
        Empty().reset(seed=0)
