"""Odd arguments of callers: each gets a typed error that says what is taken."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import envhub
from envhub.errors import InvalidId, UnknownEnvironment, UnknownTask, UsageError


@pytest.mark.parametrize("id", [None, 5, b"toy-lock", ("toy-lock",), object()])
def test_an_id_is_text(id: Any) -> None:
    with pytest.raises(InvalidId, match="it is no text"):
        envhub.make(id)


@pytest.mark.parametrize("id", ["~nobody-of-this-name/x.py", "x" * 5000 + ".py"])
def test_a_path_that_cannot_be_is_not_found(id: str) -> None:
    with pytest.raises(UnknownEnvironment):
        envhub.make(id)


@pytest.mark.parametrize("seed", [-1, 1.5, "3", [1], float("nan"), np.float64(2)])
def test_a_seed_is_a_whole_number_from_0_up(seed: Any) -> None:
    with envhub.make("toy-lock") as env, pytest.raises(UsageError, match="the seed is"):
        env.reset(seed=seed)


@pytest.mark.parametrize("seed", [0, 2**200, np.int64(7), np.uint8(7)])
def test_every_whole_number_is_a_seed(seed: Any) -> None:
    with envhub.make("toy-lock") as env:
        *_, info = env.reset(seed=seed)
        assert info["seed"] == int(seed)
        assert type(info["seed"]) is int


@pytest.mark.parametrize("name", ["max_turns", "max_fruitless"])
@pytest.mark.parametrize("number", [0, -3, 2.5, "3", float("nan")])
def test_a_number_of_turns_is_a_whole_number(name: str, number: Any) -> None:
    with pytest.raises(UsageError, match=f"{name} is .*at least 1"):
        envhub.make("toy-lock", **{name: number})


@pytest.mark.parametrize("level", [0, 99, "1", 1.5])
def test_a_level_is_one_of_the_levels(level: Any) -> None:
    with pytest.raises(UsageError, match="level"):
        envhub.make("toy-lock", level=level)


@pytest.mark.parametrize("options", ["task", 5, [("task", 1)]])
def test_options_are_a_mapping(options: Any) -> None:
    with envhub.make("toy-lock") as env, pytest.raises(UsageError, match="mapping"):
        env.reset(options=options)


@pytest.mark.parametrize(
    "options", [{"split": [1]}, {"task": f"toy-lock-train-{'9' * 6000}"}]
)
def test_tasks_that_cannot_be_are_unknown(options: dict[str, Any]) -> None:
    with envhub.make("toy-lock") as env, pytest.raises(UnknownTask):
        env.reset(options=options)


@pytest.mark.parametrize(
    "call",
    [
        envhub.ToolCall("look", None),  # type: ignore[arg-type]  # a caller's mistake
        envhub.ToolCall("look", "{}"),  # type: ignore[arg-type]  # a caller's mistake
        envhub.ToolCall(["look"]),  # type: ignore[arg-type]  # a caller's mistake
    ],
    ids=repr,
)
def test_a_call_of_a_wrong_form_is_the_callers_mistake_and_no_turn(call: Any) -> None:
    with envhub.make("toy-lock", max_turns=1) as env:
        env.reset(seed=1)
        for action in (call, [call]):
            with pytest.raises(UsageError, match="a ToolCall has a name"):
                env.step(action)
        assert env.step("words")[3]


@pytest.mark.parametrize("content", [None, [{"type": "text", "text": "hello"}]])
def test_the_content_of_a_message_may_come_in_parts(content: Any) -> None:
    with envhub.make("toy-lock") as env:
        env.reset(seed=1)
        assert env.step(envhub.ChatMessage(content))[4]["tool_results"] == []


@pytest.mark.parametrize(
    "message",
    [
        envhub.ChatMessage(b"look"),  # type: ignore[arg-type]  # a caller's mistake
        envhub.ChatMessage(tool_calls=5),  # type: ignore[arg-type]  # a caller's mistake
    ],
    ids=repr,
)
def test_a_message_of_a_wrong_form_is_the_callers_mistake(message: Any) -> None:
    with envhub.make("toy-lock") as env:
        env.reset(seed=1)
        with pytest.raises(UsageError):
            env.step(message)


def test_specs_and_tasks_can_be_pickled_and_copied() -> None:
    spec = envhub.EnvSpec(id="a/b", entry_point="m:C", kwargs={"x": [1]}, levels=3)
    task = envhub.Task("t-train-00000", "train", 0, data={"x": [1]})
    for each in (spec, task):
        assert pickle.loads(pickle.dumps(each)) == each
        assert copy.deepcopy(each) == each


@pytest.mark.parametrize("mask", [[1], [True] * 3, "x", [[1, 0]], [0.0, 1.0, 0.0]])
def test_a_reset_mask_has_one_truth_value_a_member(mask: Any) -> None:
    envs = envhub.make_vec("toy-lock", 2)
    with pytest.raises(UsageError, match="not 2 booleans"):
        envs.reset(options={"reset_mask": mask})
    envs.close()


@pytest.mark.parametrize("seed", [1.5, [1], -1, [1, "x"], 2**70, [1, 2**63]])
def test_the_seeds_of_a_vector_are_whole_numbers_one_a_member(seed: Any) -> None:
    envs = envhub.make_vec("toy-lock", 2)
    with pytest.raises(UsageError, match="seed"):
        envs.reset(seed=seed)
    envs.close()


@pytest.mark.parametrize("actions", [None, 5, "ab", ["look"], ["look", None]])
def test_a_vector_takes_all_actions_or_none(actions: Any) -> None:
    envs = envhub.make_vec("toy-lock", 2, max_turns=1)
    envs.reset(seed=1)
    with pytest.raises(UsageError, match="action"):
        envs.step(actions)
    assert envs.step(["look", "look"])[3].all()
    envs.close()


@pytest.mark.parametrize("size", [0, -1, 2.5, "3", None])
def test_a_pool_has_a_size(size: Any) -> None:
    with pytest.raises(UsageError, match="size is"):
        envhub.Pool("toy-lock", size=size)
