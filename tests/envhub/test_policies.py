"""Policies without a model: what they do, and that they repeat themselves."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel

import envhub
from envhub.actions import ToolCall
from envhub.errors import UsageError
from envhub.policies import POLICIES, NoopPolicy, OraclePolicy, RandomPolicy
from envhub.tools import Tool


class Point(BaseModel):
    x: int
    y: int = 0


class Rich:
    """Tools with every kind of argument that a hint can ask for."""

    @envhub.tool
    def paint(
        self,
        text: str,
        count: int,
        share: float,
        sure: bool,
        colour: Literal["red", "blue"],
        where: Point,
        path: list[Point],
        pair: tuple[int, str],
        only: Literal["this"] = "this",
        maybe: int | None = None,
    ) -> str:
        """Paint."""
        return f"{text}{count}{share}{sure}{colour}{where}{path}{pair}{only}{maybe}"


def test_random_arguments_fit_the_schema_they_were_drawn_from() -> None:
    read = Tool.from_method(Rich.paint)
    policy = RandomPolicy(4)
    info = {"tools": [read.schema()]}
    for _ in range(200):
        action = policy.act("Words like these: item-12, blue.", info)
        assert isinstance(action, ToolCall)
        read.arguments(action.arguments)


def test_random_numbers_keep_to_their_bounds() -> None:
    schema = {
        "properties": {
            "a": {"type": "integer", "minimum": 3, "maximum": 4},
            "b": {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
            "c": {"type": "integer", "maximum": -7},
            "d": {"type": "string", "minLength": 30, "maxLength": 40},
            "e": {"type": "array", "minItems": 2, "items": {"enum": [1, 2]}},
        },
        "required": ["a", "b", "c", "d", "e"],
    }
    info = {"tools": [{"function": {"name": "f", "parameters": schema}}]}
    policy = RandomPolicy(0)
    for _ in range(50):
        action = policy.act("", info)
        assert isinstance(action, ToolCall)
        given = action.arguments
        assert given["a"] in (3, 4)
        assert given["b"] == 4
        assert given["c"] <= -7
        assert 30 <= len(given["d"]) <= 40
        assert 2 <= len(given["e"]) <= 5


def test_a_schema_that_holds_itself_comes_to_an_end() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    node["required"] = ["next"]
    schema = {
        "properties": {"tree": {"$ref": "#/$defs/tree"}},
        "required": ["tree"],
        "$defs": {
            "tree": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                    {"type": "null"},
                ]
            }
        },
    }
    info = {"tools": [{"function": {"name": "f", "parameters": schema}}]}
    for seed in range(50):
        RandomPolicy(seed).act("", info)


def test_random_words_come_from_what_was_observed() -> None:
    policy = RandomPolicy(1)
    words = {w for _ in range(50) for w in str(policy.act("alpha beta", {})).split()}
    assert words == {"alpha", "beta"}


def test_listed_actions_are_preferred_and_their_blanks_filled() -> None:
    tools = [
        {"function": {"name": "say", "parameters": {"properties": {"words": {}}}}},
        {"function": {"name": "go", "parameters": {"properties": {}}}},
    ]
    policy = RandomPolicy(1)
    listed = ["go[north]", "say[words]", "hum <tune>"]
    info = {"possible_actions": listed, "tools": tools}
    said = {str(policy.act("sesame", info)) for _ in range(80)}
    filled = [" ".join(["sesame"] * n) for n in (1, 2, 3)]
    songs, words = {f"hum {x}" for x in filled}, {f"say[{x}]" for x in filled}
    assert said == {"go[north]", *songs, *words}


def test_tools_are_remembered_from_the_beginning() -> None:
    tools = [{"function": {"name": "look", "parameters": {"properties": {}}}}]
    policy = RandomPolicy(0)
    policy.act("", {"tools": tools})
    assert policy.act("", {}) == ToolCall("look", {})


def test_one_seed_is_one_sequence_and_no_global_generator_is_touched() -> None:
    import random

    random.seed(5)
    before = random.getstate()
    runs = [
        [policy.act("a b c d e", {}) for _ in range(10)]
        for policy in (RandomPolicy(3), RandomPolicy(3), RandomPolicy(4))
    ]
    assert runs[0] == runs[1] != runs[2]
    assert random.getstate() == before


def test_noop_is_silent_and_the_oracle_asks_the_environment() -> None:
    with envhub.make("toy-lock") as env:
        observation, info = env.reset(seed=1)
        assert NoopPolicy().act(observation, info) == ""
        assert OraclePolicy(env).act(observation, info) == env.oracle()


def test_without_an_oracle_its_policy_says_so() -> None:
    class Mute(envhub.ToolEnv):
        tasks = envhub.Tasks.from_list("mute", [{}])

        def begin(self, task: envhub.Task) -> str:
            return ""

        def score(self) -> envhub.Score:
            return envhub.Score(0.0)

    env = Mute()
    observation, info = env.reset(seed=0)
    with pytest.raises(UsageError, match="Mute has no oracle"):
        POLICIES["oracle"](env, 0).act(observation, info)
