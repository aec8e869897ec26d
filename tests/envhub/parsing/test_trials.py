"""The field's trials T039 to T044, as far as they are the parser's."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from envhub.actions import ChatMessage, ToolCall
from envhub.parsing import Parsed, bracket_grammar, command_grammar, parse

GOOD = '<tool_call>{"name":"good","arguments":{"n":1}}</tool_call>'


def wrapped(body: str) -> str:
    """A call in tags."""
    return f"<tool_call>\n{body}\n</tool_call>"


def cut(content: str) -> Parsed:
    """A turn that the token limit has cut, read."""
    return parse(ChatMessage(content, finish_reason="length"))


def names(parsed: Parsed) -> list[str]:
    """The tools that are executed."""
    return [call.name for call in parsed.calls]


def argument(body: str, name: str = "q") -> Any:
    """One argument of the only call in a turn."""
    (call,) = parse(wrapped(body)).calls
    return call.arguments[name]


def test_T039_the_end_tag_inside_a_string_does_not_cut_the_call() -> None:
    text = "use <tool_call>x</tool_call> here"
    parsed = parse(wrapped(json.dumps({"name": "write", "arguments": {"text": text}})))
    assert parsed.calls == (ToolCall("write", {"text": text}),)
    assert not parsed.problems
    assert parsed.text == ""


def test_T039_a_whole_call_inside_a_string_is_not_executed() -> None:
    inner = '<tool_call>{"name":"submit","arguments":{}}</tool_call>'
    outer = json.dumps({"name": "write", "arguments": {"text": inner}})
    assert parse(wrapped(outer)).calls == (ToolCall("write", {"text": inner}),)


BAD = {
    "single quotes": "{'name': 'sh', 'arguments': {'cmd': 'ls'}}",
    "unquoted keys": '{"name": "sh", "arguments": {cmd: "ls"}}',
    "two braces missing": '{"name": "sh", "arguments": {"cmd": "ls"',
    "a comment": '{"name": "sh", /* why */ "arguments": {"cmd": "ls"}}',
    "a hash comment": '{"name": "sh",\n# why\n"arguments": {"cmd": "ls"}}',
    "NaN": '{"name": "sh", "arguments": {"n": NaN}}',
    "infinity": '{"name": "sh", "arguments": {"n": -Infinity}}',
    "two commas": '{"name": "sh", "arguments": {"cmd": "ls"},,}',
    "a form feed": '{"name": "sh", "arguments": {"cmd": "l\fs"}}',
    "no value": '{"name": "sh", "arguments": }',
    "no colon": '{"name": "sh", "arguments" {}}',
    "a bare word": '{"name": "sh", "arguments": {"cmd": ls}}',
    "only the beginning": "{",
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_T040_bad_json_is_a_problem_with_its_place_and_is_not_executed(
    body: str,
) -> None:
    parsed = parse(wrapped(body) + GOOD)
    assert names(parsed) == ["good"]
    (problem,) = parsed.problems
    assert "line " in problem.message
    assert "char " in problem.message
    assert not any(note.startswith("repaired") for note in parsed.notes)


REPAIRED: dict[str, tuple[str, dict[str, Any]]] = {
    "trailing_comma": ('{"name": "sh", "arguments": {"cmd": "ls",},}', {"cmd": "ls"}),
    "python_literal": (
        '{"name": "sh", "arguments": {"a": True, "b": False, "c": None}}',
        {"a": True, "b": False, "c": None},
    ),
    "missing_brace": ('{"name": "sh", "arguments": {"cmd": "ls"}', {"cmd": "ls"}),
    "raw_control": (
        '{"name": "sh", "arguments": {"cmd": "a\n\tb\r"}}',
        {"cmd": "a\n\tb\r"},
    ),
}


@pytest.mark.parametrize("repair", REPAIRED)
def test_T040_a_repair_with_one_reading_is_made_and_noted(repair: str) -> None:
    body, arguments = REPAIRED[repair]
    parsed = parse(wrapped(body))
    assert parsed.calls == (ToolCall("sh", arguments),)
    assert parsed.notes == (f"repaired:{repair}",)


@pytest.mark.parametrize("unit", ["[", '{"a":', '[{"a":'])
def test_T040_deep_nesting_is_a_problem_and_quick(unit: str) -> None:
    body = '{"name": "sh", "arguments": {"x": ' + unit * 100_000
    started = time.process_time()
    parsed = parse(wrapped(body) + GOOD)
    assert time.process_time() - started < 1
    assert names(parsed) == ["good"]
    assert "levels deep" in parsed.problems[0].message
    assert parsed.problems[0].name == "sh"


def test_T040_the_name_is_told_where_it_was_read() -> None:
    (problem,) = parse(wrapped('{"name": "sh", "arguments": oops}')).problems
    assert problem.name == "sh"
    assert "'sh'" in problem.message


DRAFT = '<tool_call>{"name":"submit","arguments":{"a":1}}</tool_call>'
RUN = '<tool_call>{"name":"run","arguments":{}}</tool_call>'


def test_T041_only_the_call_after_the_thought_is_executed() -> None:
    parsed = parse(f"<think>maybe {DRAFT}</think>{RUN}")
    assert names(parsed) == ["run"]
    assert parsed.notes == ("draft_ignored:submit",)


def test_T041_a_draft_alone_is_not_executed_and_noted() -> None:
    parsed = parse(f"<think>maybe {DRAFT}</think>")
    assert parsed.calls == ()
    assert parsed.problems == ()
    assert parsed.notes == ("draft_ignored:submit",)


def test_T041_a_call_after_an_unclosed_thought_is_told_to_the_agent() -> None:
    parsed = parse(f"<think>I run it. {RUN}")
    assert parsed.calls == ()
    (problem,) = parsed.problems
    assert problem.name == "run"
    assert "</think>" in problem.message
    assert parsed.notes == ("draft_ignored:run", "think_unclosed")


def test_T041_prose_about_the_tag_gives_no_error() -> None:
    parsed = parse("You write <tool_call> tags, then </tool_call>.")
    assert parsed.problems == ()
    assert parsed.calls == ()
    assert parsed.text == "You write <tool_call> tags, then </tool_call>."
    assert parsed.notes == ("tag_in_text", "end_tag_in_text")


def test_T041_a_code_string_that_holds_the_end_of_a_thought_is_text() -> None:
    code = "print('</think>')"
    body = json.dumps({"name": "py", "arguments": {"code": code}})
    assert parse(wrapped(body)).calls == (ToolCall("py", {"code": code}),)


def test_T041_a_thought_that_says_its_own_end_executes_no_draft() -> None:
    parsed = parse(f"<think>I print '</think>' or {DRAFT}</think>{RUN}")
    assert names(parsed) == ["run"]
    assert "draft_ignored:submit" in parsed.notes


def test_T041_a_draft_whose_code_holds_the_end_executes_nothing() -> None:
    draft = '<tool_call>{"name":"py","arguments":{"code":"</think>"}}</tool_call>'
    parsed = parse(f"<think>{draft} or {DRAFT}")
    assert parsed.calls == ()
    assert len(parsed.problems) == 1


def test_T042_a_lone_brace_inside_a_string_is_text() -> None:
    body = '{"name":"sh","arguments":{"cmd":"mkdir -p a/{b,c"}}'
    assert argument(body, "cmd") == "mkdir -p a/{b,c"


def test_T042_nested_stays_nested() -> None:
    body = '{"name":"sh","arguments":{"q":{"a":{"b":[1]}}}}'
    assert argument(body) == {"a": {"b": [1]}}


def test_T042_escapes_are_joined() -> None:
    body = r'{"name":"sh","arguments":{"q":"caf\u00e9 \ud83d\ude42"}}'
    assert argument(body) == "café 🙂"


def test_T042_a_large_integer_is_exact() -> None:
    body = '{"name":"sh","arguments":{"q":9007199254740993}}'
    assert argument(body) == 9007199254740993


def test_T042_a_string_of_100_kb_is_exact_and_quick() -> None:
    text = 'say "hi"\n\\' * 10_000
    body = json.dumps({"name": "sh", "arguments": {"q": text}})
    started = time.process_time()
    assert argument(body) == text
    assert time.process_time() - started < 0.5


def test_T042_a_key_that_stands_twice_is_refused() -> None:
    parsed = parse(wrapped('{"name":"sh","arguments":{"q":1,"q":2}}'))
    assert parsed.calls == ()
    assert "'q' stands twice" in parsed.problems[0].message


def test_T043_half_a_call_is_not_executed() -> None:
    parsed = cut('<tool_call>{"name":"sh","arguments":{"cmd":"rm -rf build')
    assert parsed.calls == ()
    assert parsed.cut
    assert parsed.problems[0].name == "sh"
    assert "token limit" in parsed.problems[0].message


def test_T043_a_complete_call_without_its_end_tag_is_not_executed() -> None:
    parsed = cut('<tool_call>{"name":"sh","arguments":{"cmd":"rm -rf build"}}')
    assert parsed.calls == ()
    assert parsed.cut
    assert "token limit" in parsed.problems[0].message


@pytest.mark.parametrize("thought", ["so I", f"so {RUN} or", "so <tool_call>{"])
def test_T043_nothing_is_executed_of_a_cut_thought(thought: str) -> None:
    parsed = cut(f"<think>{thought}")
    assert parsed.calls == ()
    assert parsed.problems == ()
    assert parsed.cut


def test_T043_what_was_finished_before_the_cut_is_executed() -> None:
    parsed = cut(RUN + '<tool_call>{"name":"sh"')
    assert names(parsed) == ["run"]
    assert parsed.cut


def test_T043_an_unfinished_line_of_text_is_not_executed() -> None:
    for grammar in (command_grammar("do", "line"), bracket_grammar({"buy": "it"})):
        message = ChatMessage("Action: buy[the red", finish_reason="length")
        parsed = parse(message, grammar=grammar)
        assert parsed.calls == ()
        assert parsed.problems == ()
        assert parsed.notes == ("cut_line_dropped",)


NO_CALL = ["", " \n\t ", "<think>hm</think>", "The answer is 4.", "<think></think>\n4"]


@pytest.mark.parametrize("content", NO_CALL)
def test_T044_a_turn_without_a_call_is_no_error(content: str) -> None:
    for grammar in (None, bracket_grammar({"search": "q"})):
        parsed = parse(content, grammar=grammar)
        assert parsed.calls == ()
        assert parsed.problems == ()
        assert parsed.notes == ()


def test_T044_the_final_answer_in_words_is_the_text() -> None:
    assert parse("<think>2+2</think>\n\nIt is 4.\n").text == "It is 4."


@pytest.mark.parametrize("content", ["", "  ", "<think>go north</think>"])
def test_T044_no_command_is_made_of_nothing(content: str) -> None:
    assert parse(content, grammar=command_grammar("do", "line")).calls == ()
