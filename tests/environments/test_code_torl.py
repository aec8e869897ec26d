"""ToRL's protocol: observations byte for byte, the budget of runs, the rewards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from envhub.errors import SandboxUnavailable
from envhub.sandbox import Completed
from envhub.sandboxes import default_sandboxes
from envhub_code.torl import TorlEnv, torl_observation

CODE = "Let me compute.\n```python\nprint(1)\n```"
TRACEBACK = (
    'Traceback (most recent call last):\n  File "<cell 1>", line 1, in <module>\n'
    "    1 / 0\nZeroDivisionError: division by zero\n"
)


@pytest.fixture
def make() -> Iterator[Any]:
    """Makes environments that are closed at the end."""
    try:
        default_sandboxes().provider()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    made: list[TorlEnv] = []

    def new(**kwargs: Any) -> TorlEnv:
        made.append(TorlEnv(**kwargs))
        made[-1].reset(seed=1, options={"task": 0})
        return made[-1]

    yield new
    for env in made:
        env.close()


def test_an_error_is_its_last_line() -> None:
    """A traceback is cut to what went wrong."""
    done = Completed(exit_code=1, stderr=TRACEBACK)
    expected = "```output\nZeroDivisionError: division by zero\n```\n"
    assert torl_observation(done) == expected


def test_output_is_stripped_and_wrapped() -> None:
    """One blank line less than was printed."""
    assert (
        torl_observation(Completed(exit_code=0, stdout="2\n")) == "```output\n2\n```\n"
    )


@pytest.mark.parametrize(("printed", "shown"), [(255, 270), (256, 274), (300, 274)])
def test_long_output_loses_its_middle(printed: int, shown: int) -> None:
    """255 characters stay whole; of more, the first and last 128 do."""
    done = Completed(exit_code=0, stdout="x" * printed)
    assert len(torl_observation(done)) == shown


def test_silence_is_not_a_time_out_unless_asked_for() -> None:
    """The published code tells a silent program that it timed out."""
    silent = Completed(exit_code=0)
    assert torl_observation(silent) == "```output\n(no output)\n```\n"
    assert "TimeoutError: 'Timed Out'" in torl_observation(silent, compat=True)
    ended = Completed(exit_code=None, timed_out=True)
    assert "TimeoutError: 'Timed Out'" in torl_observation(ended)


@pytest.mark.parametrize("runs", [0, 1, 2])
def test_code_is_run_as_often_as_the_budget_says(make: Any, runs: int) -> None:
    """A policy that always writes code gets `runs` runs; its next turn is final."""
    env = make(runs=runs)
    for _ in range(runs):
        observation, _, terminated, *_ = env.step(f"{CODE}\n```output")
        assert observation == "```output\n1\n```\n"
        assert not terminated
    _, reward, terminated, *_ = env.step(CODE)
    assert (reward, terminated) == (-1.0, True)


def test_right_is_one_and_wrong_is_minus_one(make: Any) -> None:
    """Whether the answer was computed or known."""
    env = make()
    gold = env.task["work"].gold()
    assert env.step(f"So it is \\boxed{{{gold}}}.")[1] == 1.0
    assert make().step("So it is \\boxed{-1}.")[1] == -1.0
    assert make().step("I do not know.")[1] == -1.0


def test_costs_are_taken_when_they_apply(make: Any) -> None:
    """A wrong answer, and code that was run and failed; no code costs nothing."""
    costs = {"wrong_costs": 0.5, "failure_costs": 0.5}
    assert make(**costs).step("\\boxed{-1}")[1] == -1.5
    assert make(**costs).step("no idea")[1] == -1.0
    env = make(**costs)
    env.step("```python\n1 / 0\n```")
    assert env.step("\\boxed{-1}")[1] == -2.0
    env = make(**costs)
    gold = env.task["work"].gold()
    env.step("```python\n1 / 0\n```")
    assert env.step(f"\\boxed{{{gold}}}")[1] == 0.5
