"""Calls in tags: where they begin and end, and what a call is."""

from __future__ import annotations

import pytest

from envhub.actions import ChatMessage, ToolCall
from envhub.parsing import MAX_PROBLEMS, Parsed, parse

RUN = '<tool_call>{"name":"run","arguments":{}}</tool_call>'


def names(parsed: Parsed) -> list[str]:
    """The tools that are executed."""
    return [call.name for call in parsed.calls]


def blamed(parsed: Parsed) -> list[str]:
    """The tools whose calls could not be read."""
    return [problem.name for problem in parsed.problems]


@pytest.mark.parametrize(
    "turn",
    [
        '<tool_call>{"name":"run"}</tool_call>',
        '<tool_call>\n\n  {"name":"run"}  \n</tool_call>',
        '<tool_call>```json\n{"name":"run"}\n```</tool_call>',
        '<tool_call>\n```\n{"name":"run"}\n```\n</tool_call>',
        '<tool_call>[{"name":"run"}]</tool_call>',
        '<tool_call>{"type":"function","function":{"name":"run"}}</tool_call>',
        '<tool_call>{"name":"run","arguments":null}</tool_call>',
        '<tool_call>{"name":"run","arguments":""}</tool_call>',
        '<tool_call>{"name":"run","arguments":"{}"}</tool_call>',
        '<tool_call>{"name":"run","parameters":{}}</tool_call>',
        '<tool_call>{"name":"run"}',
        '<tool_call>{"name":"run"}\nI wait for it.',
    ],
)
def test_one_call_in_many_dresses(turn: str) -> None:
    parsed = parse(turn)
    assert parsed.calls == (ToolCall("run"),)
    assert parsed.problems == ()


def test_the_text_around_calls_is_kept() -> None:
    assert parse(f"a {RUN} b {RUN}{RUN} c").text == "a  b  c"


def test_the_order_is_kept_and_repeats_are_executed_again() -> None:
    assert names(parse(RUN + RUN)) == ["run", "run"]


def test_the_id_that_a_model_gave_is_kept() -> None:
    (call,) = parse('<tool_call>{"name":"a","id":"x7"}</tool_call>').calls
    assert call.id == "x7"


def test_an_id_that_is_no_string_is_dropped() -> None:
    (call,) = parse('<tool_call>{"name":"a","id":7}</tool_call>').calls
    assert call.id == ""


@pytest.mark.parametrize(
    ("body", "name", "why"),
    [
        ("{}", "", '"name" is missing'),
        ('{"name":""}', "", '"name" is missing'),
        ('{"name":["a"]}', "", '"name" is missing'),
        ('{"name":"a","arguments":[1]}', "a", "not a JSON object"),
        ('{"name":"a","arguments":"[1]"}', "a", "not a JSON object"),
        ('{"name":"a","arguments":7}', "a", "not a JSON object"),
        ('{"name":"a","arguments":"ls -l"}', "a", "JSON of its arguments"),
        ('{"name":"a","arguments":"{} {}"}', "a", "go on after char 2"),
        ('{"name":"a","arguments":{},"parameters":{}}', "a", "both"),
        ('{"name":"a","cmd":"ls"}', "a", "unexpected key 'cmd'"),
        ('{"name":"a"} then', "a", "'then' follows"),
        ('[{"name":"a"}, 3]', "", "not a JSON object"),
    ],
)
def test_what_is_no_call_is_refused_with_a_reason(
    body: str, name: str, why: str
) -> None:
    parsed = parse(f"<tool_call>{body}</tool_call>{RUN}")
    assert why in parsed.problems[0].message
    assert blamed(parsed) == [name]
    assert names(parsed)[-1] == "run"


def test_a_bad_call_spans_the_calls_that_it_quotes() -> None:
    body = f"{{'text': 'one {RUN}, two {RUN}'}}"
    parsed = parse(f"<tool_call>{body}</tool_call>{RUN}")
    assert names(parsed) == ["run"]
    assert len(parsed.problems) == 1
    assert parsed.text == ""


def test_a_bad_call_without_its_end_tag_spans_to_the_next_one() -> None:
    parsed = parse(f"<tool_call>{{bad\n{RUN}{RUN}")
    assert names(parsed) == ["run"]
    assert len(parsed.problems) == 1


def test_a_bad_call_without_any_end_tag_spans_the_rest() -> None:
    parsed = parse('<tool_call>{"name": "sh", "arguments": {"cmd": "ls')
    assert names(parsed) == []
    assert blamed(parsed) == ["sh"]
    assert "is not closed" in parsed.problems[0].message


def test_a_bad_call_in_a_cut_turn_without_its_end_tag_spans_the_rest() -> None:
    parsed = parse(ChatMessage(f"<tool_call>{{bad\n{RUN}", finish_reason="length"))
    assert names(parsed) == []
    assert len(parsed.problems) == 1


def test_a_second_call_inside_one_tag_may_be_bad() -> None:
    parsed = parse('<tool_call>{"name":"a"}\n{"name":"b",,}</tool_call>')
    assert names(parsed) == ["a"]
    assert blamed(parsed) == ["b"]


def test_an_end_tag_may_be_missing_before_the_next_call() -> None:
    parsed = parse(f'<tool_call>{{"name":"a"}}\n{RUN}')
    assert names(parsed) == ["a", "run"]
    assert parsed.notes == ("unclosed_call",)


def test_in_a_cut_turn_every_call_needs_its_end_tag() -> None:
    turn = f'<tool_call>{{"name":"a"}}\n{RUN} and then'
    parsed = parse(ChatMessage(turn, finish_reason="length"))
    assert names(parsed) == ["run"]
    assert blamed(parsed) == ["a"]


def test_a_list_that_is_cut_is_not_executed() -> None:
    turn = '<tool_call>[{"name":"a"}]'
    parsed = parse(ChatMessage(turn, finish_reason="length"))
    assert names(parsed) == []
    assert len(parsed.problems) == 1


def test_a_problem_quotes_little_of_a_long_turn() -> None:
    turn = f'<tool_call>{{"name":"{"n" * 9999}",{"x" * 9999}}}</tool_call>'
    (problem,) = parse(turn).problems
    assert len(problem.message) < 400


def test_a_turn_full_of_bad_calls_shows_only_the_first_ones() -> None:
    parsed = parse("<tool_call>{x}</tool_call>" * 50 + RUN)
    assert names(parsed) == ["run"]
    assert len(parsed.problems) == MAX_PROBLEMS
    assert f"problems_left_out:{50 - MAX_PROBLEMS}" in parsed.notes


def test_without_the_format_tags_are_text() -> None:
    parsed = parse(RUN, formats=["react"])
    assert parsed.calls == ()
    assert parsed.text == RUN
