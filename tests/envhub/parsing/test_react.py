"""The ReAct form."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.actions import ChatMessage, ToolCall
from envhub.parsing import Parsed, parse


def react(turn: str, *, reason: str = "stop") -> Parsed:
    """A turn in the ReAct form, read."""
    return parse(ChatMessage(turn, finish_reason=reason), formats=["react"])


@pytest.mark.parametrize(
    ("turn", "arguments"),
    [
        ('Action: sh\nAction Input: {"cmd": "ls"}', {"cmd": "ls"}),
        ('Action:\nsh\nAction Input:\n{"cmd": "ls"}\n', {"cmd": "ls"}),
        ('**Action:** `sh`\n**Action Input:** {"cmd": "ls"}', {"cmd": "ls"}),
        ('action : sh\naction  input: {"cmd": "ls"}', {"cmd": "ls"}),
        ('Action: sh\nAction Input:\n```json\n{"cmd": "ls"}\n```', {"cmd": "ls"}),
        ('Action: sh[{"cmd": "ls"}]', {"cmd": "ls"}),
        ('Action: sh[\n{"cmd": "ls"}\n]', {"cmd": "ls"}),
        ('Action: {"name": "sh", "arguments": {"cmd": "ls"}}', {"cmd": "ls"}),
        ("Action: sh\nAction Input: ls -l", {"input": "ls -l"}),
        ("Action: sh\nAction Input: ls\nThought: b", {"input": "ls"}),
        ("Action: sh[ls -l]", {"input": "ls -l"}),
        ("Action: sh[a [b] c]", {"input": "a [b] c"}),
        ("Action: sh [a", None),
        ("Action: sh[]", {}),
        ("Action: sh", {}),
        ("Action: sh\nAction Input:", {}),
        ("Action: sh\nThought: hm", {}),
    ],
)
def test_an_action_and_its_input(turn: str, arguments: Any) -> None:
    parsed = react(turn)
    if arguments is None:
        assert parsed.problems[0].name == "sh"
    else:
        assert parsed.calls == (ToolCall("sh", arguments),)


@pytest.mark.parametrize(
    ("turn", "name", "why"),
    [
        ("Action: sh\nAction Input: {cmd: 1}", "sh", "cannot be read"),
        ("Action: sh[{cmd: 1}]", "sh", "cannot be read"),
        ('Action: sh[{"cmd": 1} x]', "sh", "']' does not follow"),
        ("Action: sh[ls", "sh", "not closed"),
        ("Action: look around", "look", "'around' follows"),
        ("Action: !", "", "no tool's name"),
        ("Action:", "", "no tool's name"),
        ("Action:\nObservation: x", "", "no tool's name"),
        ("Action: sh: ls", "sh", "': ls' follows"),
        ('Action: {"name": "sh", "arguments": }', "sh", "cannot be read"),
        ('Action: {"name": 7}', "", '"name" is missing'),
    ],
)
def test_a_bad_action_is_refused_with_a_reason(turn: str, name: str, why: str) -> None:
    parsed = react(turn)
    assert parsed.calls == ()
    assert parsed.problems[0].name == name
    assert why in parsed.problems[0].message


def test_thoughts_and_text_are_separated() -> None:
    turn = "Hi.\nThought: one\nThought: two\nAction: a[]\nbye"
    parsed = react(f"<think>zero</think>{turn}")
    assert parsed.thoughts == ("zero", "one", "two")
    assert parsed.text == "Hi.\n\nbye"


def test_other_labels_before_the_action_stay_text() -> None:
    parsed = react("Final Answer: 3\nObservation: no\nAction: a[]")
    assert parsed.calls == (ToolCall("a"),)
    assert parsed.text == "Final Answer: 3\nObservation: no"


def test_without_an_action_the_text_stays_whole() -> None:
    turn = "Thought: I know.\nFinal Answer: 3"
    assert react(turn) == Parsed(text=turn)


def test_an_invented_observation_is_dropped_with_all_after_it() -> None:
    parsed = react("Action: a[]\nObservation: 5\nThought: so\nAction: b[]")
    assert parsed.calls == (ToolCall("a"),)
    assert parsed.text == ""
    assert parsed.notes == ("observation_dropped",)


def test_a_label_inside_a_line_is_text() -> None:
    assert react("I take no Action: none").calls == ()


def test_a_repair_is_noted() -> None:
    turn = 'Action: a\nAction Input: {"n": True}'
    assert react(turn).notes == ("repaired:python_literal",)
    turn = 'Action: {"name": "a", "arguments": {"n": True}}'
    assert react(turn).notes == ("repaired:python_literal",)


@pytest.mark.parametrize(
    "turn",
    [
        "Action: rm",
        "Action: rm\n",
        "Action: rm[x]",
        "Action: rm[x",
        'Action: rm\nAction Input: {"p": "x"}',
        'Action: rm\nAction Input: {"p": "x',
        "Action: rm\nAction Input: x",
        'Action: {"name": "rm", "arguments": {}',
    ],
)
def test_an_action_at_the_end_of_a_cut_turn_is_not_executed(turn: str) -> None:
    parsed = react(turn, reason="length")
    assert parsed.calls == ()
    assert "token limit" in parsed.problems[0].message
    assert parsed.problems[0].name == "rm"


@pytest.mark.parametrize(
    "turn",
    [
        "Action: a\nAction Input: x\nObservation: y",
        "Action: a[x]\nso",
        "Action: a\nThought: x",
        'Action: a[{"n": 1}]\n',
    ],
)
def test_an_action_before_the_cut_is_executed(turn: str) -> None:
    assert react(turn, reason="length").calls[0].name == "a"


def test_calls_in_tags_come_before_react() -> None:
    turn = 'Action: a[]\n<tool_call>{"name":"b"}</tool_call>'
    assert parse(turn, formats=["hermes", "react"]).calls == (ToolCall("b"),)
