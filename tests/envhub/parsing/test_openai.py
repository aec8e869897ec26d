"""Ready-made calls, and the forms of a message."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.actions import ChatMessage, ToolCall
from envhub.errors import UsageError
from envhub.parsing import Parsed, command_grammar, parse


def entry(name: Any = "sh", arguments: Any = '{"cmd": "ls"}') -> dict[str, Any]:
    """An entry of `tool_calls`."""
    function = {"name": name, "arguments": arguments}
    return {"id": "c1", "type": "function", "index": 0, "function": function}


def ready(*entries: Any, **more: Any) -> Parsed:
    """A message with ready-made calls, read."""
    message = {"role": "assistant", "content": None, "tool_calls": entries, **more}
    return parse(message)


LS = ToolCall("sh", {"cmd": "ls"}, "c1")


@pytest.mark.parametrize("arguments", ['{"cmd": "ls"}', {"cmd": "ls"}])
def test_arguments_may_be_json_in_a_string_or_an_object(arguments: Any) -> None:
    parsed = ready(entry(arguments=arguments))
    assert parsed.calls == (LS,)
    assert parsed.notes == ()


@pytest.mark.parametrize("arguments", ["", None, "{}", {}])
def test_no_arguments_may_be_said_in_four_ways(arguments: Any) -> None:
    assert ready(entry(arguments=arguments)).calls == (ToolCall("sh", {}, "c1"),)


def test_a_chat_message_is_read_alike() -> None:
    message = ChatMessage("<think>a</think>b", tool_calls=[entry()])
    parsed = parse(message)
    assert (parsed.calls, parsed.text, parsed.thoughts) == ((LS,), "b", ("a",))


def test_a_flat_call_is_read_alike() -> None:
    call = {"name": "sh", "arguments": {"cmd": "ls"}, "id": "c1"}
    assert ready(call).calls == (LS,)
    assert parse(call).calls == (LS,)


@pytest.mark.parametrize(
    ("bad", "name", "why"),
    [
        (entry(arguments='{"cmd": ls}'), "sh", "line 1 column 9"),
        (entry(arguments="[]"), "sh", "not a JSON object"),
        (entry(arguments=[1]), "sh", "not a JSON object"),
        (entry(arguments={"n": float("nan")}), "", "nan is not a JSON value"),
        (entry(arguments={1: 2}), "", "the key 1 is not a string"),
        (entry(name=None), "", '"name" is missing'),
        ({"id": "c1"}, "", '"name" is missing'),
        ({"function": "sh"}, "", '"name" is missing'),
        ("sh", "", "not an object"),
    ],
)
def test_a_bad_call_is_a_problem_and_a_good_one_runs(
    bad: Any, name: str, why: str
) -> None:
    parsed = ready(bad, entry())
    assert parsed.calls == (LS,)
    (problem,) = parsed.problems
    assert problem.name == name
    assert why in problem.message


def test_repairs_in_arguments_are_noted() -> None:
    parsed = ready(entry(arguments='{"cmd": "ls",}'))
    assert parsed.calls == (LS,)
    assert parsed.notes == ("repaired:trailing_comma",)


def test_half_a_pair_in_ready_arguments_is_replaced() -> None:
    (call,) = ready(entry(arguments={"\ud83d": ["\ud83d\ude42"]})).calls
    assert call.arguments == {"�": ["🙂"]}


def test_the_last_ready_made_call_of_a_cut_turn_is_not_executed() -> None:
    parsed = ready(entry(), entry("rm"), finish_reason="length")
    assert parsed.calls == (LS,)
    assert parsed.problems[0].name == "rm"
    assert parsed.cut


def test_ready_made_calls_win_over_calls_in_the_text() -> None:
    content = '<tool_call>{"name":"sh"}</tool_call>'
    parsed = ready(entry(), content=content)
    assert parsed.calls == (LS,)
    assert parsed.notes == ("text_calls_ignored",)


def test_ready_made_calls_are_ignored_where_the_format_is_not_asked_for() -> None:
    parsed = parse({"content": "hi", "tool_calls": [entry()]}, formats=["hermes"])
    assert parsed.calls == ()
    assert parsed.notes == ("tool_calls_ignored",)


def test_a_grammar_is_not_tried_beside_a_structured_call_or_problem() -> None:
    grammar = command_grammar("do", "line")
    message = {"content": "go north", "tool_calls": [entry()]}
    assert parse(message, grammar=grammar).calls == (LS,)
    bad = parse("<tool_call>{x}</tool_call> go north", grammar=grammar)
    assert bad.calls == ()
    assert bad.text == "go north"


def test_a_grammar_is_tried_on_the_visible_text() -> None:
    parsed = parse("<think>a</think>\ngo north", grammar=command_grammar("do", "line"))
    assert parsed.calls == (ToolCall("do", {"line": "go north"}),)


@pytest.mark.parametrize(
    "empty", [None, "", [], [{"type": "image_url"}, {"text": 1}, 3]]
)
def test_a_message_without_text_is_empty(empty: Any) -> None:
    assert parse({"role": "assistant", "content": empty}) == Parsed()


def test_parts_of_a_content_are_joined() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert parse({"content": parts}).text == "ab"


def test_null_in_a_chat_message_is_empty() -> None:
    message = ChatMessage(None, tool_calls=None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - servers send it
    assert parse(message) == Parsed()


@pytest.mark.parametrize(
    "message",
    [7, None, {}, {"rolle": "x"}, {"content": 7}, {"content": "", "tool_calls": "sh"}],
)
def test_a_wrong_form_is_the_callers_mistake(message: Any) -> None:
    with pytest.raises(UsageError, match="found"):
        parse(message)


def test_an_unknown_format_is_the_callers_mistake() -> None:
    with pytest.raises(UsageError, match="no format 'xml'; there are openai, hermes"):
        parse("", formats=["xml"])
    with pytest.raises(UsageError, match=r"grammar=fenced_grammar\(\{"):
        parse("", formats=["fenced"])
