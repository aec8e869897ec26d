"""What holds of every turn, however hostile."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envhub.actions import ChatMessage, ToolCall
from envhub.parsing import (
    FORMATS,
    Grammar,
    Parsed,
    Problem,
    bracket_grammar,
    command_grammar,
    fenced_grammar,
    parse,
)

GRAMMARS: list[Grammar | None] = [
    None,
    bracket_grammar({"search": "keywords", "click": "value"}),
    command_grammar("do", "command"),
    fenced_grammar({"python": ("python", "code"), "": ("sh", "command")}),
]

PIECES = [
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "\n", " ", "\ud83d"),
    *("{", "}", "[", "]", ",", ":", '"', "\\", "'", "```", "```python\n", "\n```\n"),
    *('{"name":"a"}', '{"name":"a","arguments":{"x":1}}', '"name"', "None", "NaN"),
    *("Thought:", "\nAction: ", "\nAction Input: ", "\nObservation:", "search[", "> "),
    *("a", "é", "🙂", "1", "-", "\x00", "//"),
]
TURNS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
FORMAT_LISTS = st.lists(st.sampled_from(FORMATS), unique=True)


def strings(parsed: Parsed) -> list[str]:
    """Every text of a result, arguments as JSON."""
    calls = [(call.name, dict(call.arguments), call.id) for call in parsed.calls]
    problems = [(problem.name, problem.message) for problem in parsed.problems]
    written = json.dumps([calls, problems], ensure_ascii=False, allow_nan=False)
    return [written, parsed.text, *parsed.thoughts, *parsed.notes]


@settings(max_examples=500)
@given(
    TURNS | st.text(),
    FORMAT_LISTS,
    st.sampled_from(GRAMMARS),
    st.booleans(),
    st.sampled_from(["stop", "length", None]),
)
def test_every_turn_is_read_and_the_result_can_be_written(
    turn: str,
    formats: list[str],
    grammar: Grammar | None,
    think_open: bool,
    reason: str | None,
) -> None:
    message = ChatMessage(turn, finish_reason=reason)
    parsed = parse(message, formats=formats, grammar=grammar, think_open=think_open)
    for text in strings(parsed):
        assert text.encode().decode() == text
    assert parsed.cut == (reason == "length")
    assert all(problem.message for problem in parsed.problems)


@given(TURNS)
def test_the_same_turn_is_read_the_same_way(turn: str) -> None:
    assert parse(turn) == parse(turn)


PLAIN = st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"]))


@given(PLAIN)
def test_plain_text_stays_as_it_is(text: str) -> None:
    parsed = parse(text)
    assert parsed == Parsed(text=text.strip())
    assert parse(parsed.text) == parsed


@given(TURNS.filter(lambda turn: "</think>" not in turn))
def test_nothing_is_executed_after_a_thought_begins_and_does_not_end(turn: str) -> None:
    for grammar in GRAMMARS:
        assert parse(f"<think>{turn}", formats=FORMATS, grammar=grammar).calls == ()


@given(TURNS.filter(lambda turn: "```" not in turn and '"' not in turn))
def test_nothing_before_the_end_of_a_thought_is_executed(turn: str) -> None:
    for begin in ("<think>", ""):
        turn = turn.replace("{", "(")
        parsed = parse(f"{begin}{turn}</think>", formats=FORMATS)
        assert parsed.calls == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(PIECES),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text() | st.sampled_from(PIECES), inner, max_size=3)
    ),
    max_leaves=8,
).filter(lambda value: "\ud83d" not in json.dumps(value, ensure_ascii=False))
ARGUMENTS = st.dictionaries(
    st.sampled_from(PIECES).filter(lambda key: key != "\ud83d"), JSON, max_size=3
)


@given(st.lists(ARGUMENTS, max_size=3), st.booleans(), st.booleans())
def test_what_is_written_as_calls_is_executed_exactly(
    calls: list[dict[str, object]], ascii_only: bool, ready_made: bool
) -> None:
    written = [json.dumps(each, ensure_ascii=ascii_only) for each in calls]
    expected = tuple(ToolCall("t", each) for each in calls)
    if ready_made:
        entries = [{"function": {"name": "t", "arguments": text}} for text in written]
        parsed = parse(ChatMessage("x", tool_calls=entries))
    else:
        bodies = [f'{{"name": "t", "arguments": {text}}}' for text in written]
        blocks = [f"<tool_call>\n{body}\n</tool_call>" for body in bodies]
        parsed = parse("<think>hm</think>x\n" + "\n".join(blocks))
    assert parsed.calls == expected
    assert parsed.problems == ()
    assert parsed.text == "x"


@given(ARGUMENTS, st.data())
def test_no_beginning_of_a_call_is_executed_in_a_cut_turn(
    arguments: dict[str, object], data: st.DataObject
) -> None:
    whole = json.dumps({"name": "t", "arguments": arguments}, ensure_ascii=False)
    turn = f"<tool_call>{whole}</tool_call>"
    length = data.draw(st.integers(0, len(turn) - 1))
    parsed = parse(ChatMessage(turn[:length], finish_reason="length"))
    assert parsed.calls == ()


HOSTILE = [
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "<think></think>"),
    *("<tool_call>{", "<tool_call>{}", '<tool_call>{"', '<tool_call>{"a":"'),
    *("<tool_call>{x</tool_call>", "<tool_call>{<tool_call>{</tool_call>"),
    *(
        '<tool_call>{"name":"a"}</tool_call>',
        '<tool_call>{"name":"a"}',
        "<tool_call>[{",
    ),
    *("```x\n<think></think>\n", "```x\n", "~~~\n", "Action: a\n", "Thought: a\n"),
    *("Action Input: {", "Observation:", "search[", "search ", "click[a]\n"),
    *("[", '{"a":', "\\", '"', "`", "*", "> ", " ", "\n", "1,"),
]
BEGINNINGS = ["", "<think>", '<tool_call>{"a":"', '<tool_call>{"a":"\\']


def every_grammar(text: str) -> None:
    """A grammar that tries all of them."""
    for grammar in GRAMMARS:
        if grammar is not None:
            grammar(text)


def seconds(turn: str, reason: str) -> float:
    """Processor time of reading a turn in every format and grammar."""
    message = ChatMessage(turn, finish_reason=reason)
    started = time.process_time()
    parse(message, formats=FORMATS, grammar=every_grammar)
    return time.process_time() - started


@pytest.mark.parametrize("unit", ["<tool_call>{", "<think>"])
def test_a_megabyte_of_tags_takes_well_under_a_second(unit: str) -> None:
    turn = unit * (1_000_000 // len(unit))
    assert min(seconds(turn, "stop") for _ in range(2)) < 1


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_in_the_length_of_a_hostile_turn(unit: str) -> None:
    # Quadratic time would be minutes here; the bound leaves room for a slow machine.
    for beginning in BEGINNINGS:
        turn = beginning + unit * (100_000 // len(unit))
        for reason in ("stop", "length"):
            assert seconds(turn, reason) < 2


@given(TURNS)
def test_the_grammars_give_calls_problems_or_nothing(turn: str) -> None:
    for grammar in GRAMMARS[1:]:
        assert grammar is not None
        assert isinstance(grammar(turn), ToolCall | Problem | None)
