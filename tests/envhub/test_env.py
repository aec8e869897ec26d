"""The environment contract: views of an action, accounting, failures, limits."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

import envhub
from envhub.errors import (
    Closed,
    EnvironmentFault,
    InfrastructureError,
    InvalidScore,
    SandboxLost,
)
from envhub.testing import environment_suite

test_toy = environment_suite("toy-lock", quick=False)


def _lock(**kwargs: Any) -> envhub.Environment:
    env = envhub.make("toy-lock", **kwargs)
    env.reset(seed=1)
    return env


VIEWS: dict[str, envhub.Action] = {
    "a call": envhub.ToolCall("look"),
    "calls": [envhub.ToolCall("look")],
    "text": '<tool_call>{"name": "look", "arguments": {}}</tool_call>',
    "a message": envhub.ChatMessage('<tool_call>{"name": "look"}</tool_call>'),
    "a mapping": {
        "role": "assistant",
        "content": '<tool_call>{"name":"look"}</tool_call>',
    },
    "OpenAI's form": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "1",
                "type": "function",
                "function": {"name": "look", "arguments": "{}"},
            }
        ],
    },
    "a bare call": {"name": "look", "arguments": {}},
}


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_an_action_does_the_same(view: str) -> None:
    observation, *_, info = _lock().step(VIEWS[view])
    assert observation.startswith("The note says")
    assert [result["ok"] for result in info["tool_results"]] == [True]


@pytest.mark.parametrize("action", [None, 5, [1], b"look"])
def test_what_is_no_action_at_all_is_the_callers_mistake(action: Any) -> None:
    with pytest.raises(envhub.UsageError, match="is no action"):
        _lock().step(action)


def test_several_calls_in_a_turn_run_in_order_until_the_end() -> None:
    env = _lock()
    code = env.task["code"]
    calls = [
        envhub.ToolCall("look", id="a"),
        envhub.ToolCall("enter", {"code": code}, id="b"),
        envhub.ToolCall("look", id="c"),
    ]
    _, reward, terminated, _, info = env.step(calls)
    assert (reward, terminated) == (1.0, True)
    results = info["tool_results"]
    assert [(r["id"], r["ok"]) for r in results] == [
        ("a", True),
        ("b", True),
        ("c", False),
    ]
    assert "the episode is over" in results[2]["text"]


def test_an_unknown_tool_is_an_observation_that_names_the_tools() -> None:
    observation, reward, *_ = _lock().step(envhub.ToolCall("open"))
    assert observation == "There is no tool 'open'. Tools: look, enter."
    assert reward == 0.0


def test_fruitless_turns_end_an_episode_when_they_are_limited() -> None:
    env = _lock(max_fruitless=2)
    assert env.step("well...")[2:4] == (False, False)
    env.step(envhub.ToolCall("look"))
    env.step("hm")
    *_, terminated, truncated, info = env.step("hm")
    assert (terminated, truncated) == (False, True)
    assert info["episode"]["stop_reason"] == "no_action"


def test_gymnasium_makes_the_same_environment() -> None:
    env = gymnasium.make("envhub/toy-lock-v1")
    ours = envhub.make("toy-lock")
    assert env.reset(seed=4) == ours.reset(seed=4)
    assert env.unwrapped.spec is not None
    env.close()


def test_render_shows_the_last_observation_in_ansi_mode_alone() -> None:
    env = envhub.make("toy-lock", render_mode="ansi")
    observation, _ = env.reset(seed=1)
    assert env.render() == observation
    assert _lock().render() is None
    with pytest.raises(envhub.UsageError, match="render_mode"):
        envhub.make("toy-lock", render_mode="human")


def test_a_context_manager_closes() -> None:
    with envhub.make("toy-lock") as env:
        env.reset(seed=1)
    with pytest.raises(Closed):
        env.step("look")


def test_arguments_it_does_not_take_are_a_usage_error() -> None:
    with pytest.raises(envhub.UsageError, match="colour"):
        envhub.make("toy-lock", colour="red")
    with pytest.raises(envhub.UsageError, match="at least 1"):
        envhub.make("toy-lock", max_turns=0)
    with pytest.raises(envhub.UsageError, match="unknown options tusk"):
        _lock().reset(options={"tusk": 1})


def test_the_digest_tells_versions_and_arguments_apart() -> None:
    digests = {_lock().digest, _lock(level=1).digest, _lock(max_turns=5).digest}
    assert len(digests) == 3
    assert _lock().digest == _lock().digest


class Treacherous(envhub.ToolEnv):
    """Breaks in the way its task says."""

    tasks = envhub.Tasks.from_list(
        "bad", [{"how": how} for how in ("tool", "score", "nan", "range", "sandbox")]
    )

    def begin(self, task: envhub.Task) -> str:
        return "?"

    @envhub.tool
    def go(self) -> str:
        """Go."""
        self.earn("effort", 0.25)
        if self.task["how"] == "tool":
            raise KeyError("missing")
        if self.task["how"] == "sandbox":
            raise SandboxLost("gone")
        self.finish()
        return "went"

    def score(self) -> envhub.Score:
        if self.task["how"] == "score":
            raise ZeroDivisionError
        value = {"nan": float("nan"), "range": 7.0}.get(self.task["how"], 1.0)
        return envhub.Score(value)


@pytest.mark.parametrize(
    ("index", "kind"),
    [
        (0, EnvironmentFault),
        (1, EnvironmentFault),
        (2, InvalidScore),
        (3, InvalidScore),
        (4, InfrastructureError),
    ],
)
def test_a_failure_is_typed_voids_the_episode_and_is_never_a_reward(
    index: int, kind: type[Exception]
) -> None:
    env = Treacherous()
    env.reset(options={"task": index})
    with pytest.raises(kind):
        env.step(envhub.ToolCall("go"))
    with pytest.raises(envhub.UsageError, match="ended"):
        env.step(envhub.ToolCall("go"))
    env.reset(options={"task": index})


def test_process_rewards_and_outcome_are_summed_with_their_components() -> None:
    class Steady(Treacherous):
        tasks = envhub.Tasks.from_list("fine", [{"how": "fine"}])

        def score(self) -> envhub.Score:
            return envhub.Score(0.5, {"half": 0.5})

    env = Steady()
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(envhub.ToolCall("go"))
    assert (reward, terminated) == (0.75, True)
    assert info["reward_components"] == {"effort": 0.25, "half": 0.5}
    assert info["episode"]["return"] == 0.75
    assert info["episode"]["success"] is False


@pytest.mark.parametrize(
    "text", ["", " \n", "<think>only thoughts</think>", "The end."]
)
def test_T044_a_message_without_a_call_is_answered_and_bounded(text: str) -> None:
    env = _lock()
    for _ in range(env.max_turns - 1):
        observation, reward, terminated, truncated, _ = env.step(text)
        assert (
            observation
            == "Nothing was done: the message holds no action. Tools: look, enter."
        )
        assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.step(text)[2:4] == (False, True)


def test_T043_a_turn_cut_by_the_token_limit_executes_nothing_unfinished() -> None:
    cut = envhub.ChatMessage(
        '<tool_call>{"name": "enter", "arguments": {"code": "1', finish_reason="length"
    )
    env = _lock()
    _, _, terminated, _, info = env.step(cut)
    assert info["cut"] and not terminated
    assert not any(result["ok"] for result in info["tool_results"])
