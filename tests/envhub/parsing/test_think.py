"""Thoughts: where they begin and end, and that nothing in them is executed."""

from __future__ import annotations

import pytest

from envhub.actions import ChatMessage
from envhub.parsing import Parsed, fenced_grammar, parse

PYTHON = fenced_grammar({"python": ("python", "code")})


def call(name: str, code: str = "") -> str:
    """A call in tags."""
    return f'<tool_call>{{"name":"{name}","arguments":{{"c":"{code}"}}}}</tool_call>'


def names(parsed: Parsed) -> list[str]:
    """The tools that are executed."""
    return [call.name for call in parsed.calls]


def test_thoughts_are_kept_in_order_and_stripped() -> None:
    parsed = parse("<think>\n one </think>a<think>two</think>b")
    assert parsed.thoughts == ("one", "two")
    assert parsed.text == "ab"


def test_empty_thoughts_are_left_out() -> None:
    assert parse("<think>\n\n</think>\n\nHello").thoughts == ()


def test_calls_before_and_between_thoughts_are_executed() -> None:
    parsed = parse(f"{call('a')}<think>x</think>{call('b')}<think>y</think>")
    assert names(parsed) == ["a", "b"]


def test_thoughts_do_not_nest() -> None:
    parsed = parse(f"<think>The <think> tag opens.</think>{call('run')}")
    assert names(parsed) == ["run"]


def test_an_outer_end_makes_all_before_it_a_thought() -> None:
    parsed = parse(f"<think>a<think>b</think>{call('no')}</think>{call('run')}")
    assert names(parsed) == ["run"]
    assert "draft_ignored:no" in parsed.notes
    assert len(parsed.thoughts) == 1


def test_the_last_of_several_stray_ends_counts() -> None:
    parsed = parse(f"{call('a')}</think>{call('b')}</think>{call('c')}")
    assert names(parsed) == ["c"]
    assert parsed.notes == ("draft_ignored:a", "think_stray_end", "draft_ignored:b")


def test_a_bad_draft_before_a_stray_end_is_no_problem() -> None:
    parsed = parse("<tool_call>{...}</tool_call></think>Done.")
    assert parsed.problems == ()
    assert parsed.text == "Done."
    assert parsed.notes == ("draft_ignored:?", "think_stray_end")


def test_a_draft_that_is_no_json_does_not_hide_the_end() -> None:
    parsed = parse(f"<think>as <tool_call>{{...}} or so</think>{call('run')}")
    assert names(parsed) == ["run"]


def test_a_draft_list_is_noted_without_a_name() -> None:
    parsed = parse('<think><tool_call>[{"name":"a"}]</tool_call></think>')
    assert parsed.notes == ("draft_ignored:?",)


def test_a_long_name_of_a_draft_is_shortened_in_the_note() -> None:
    (note,) = parse(f"<think>{call('n' * 500)}</think>").notes
    assert len(note) < 100


def test_an_open_thought_goes_on_from_the_prompt() -> None:
    parsed = parse(f"so {call('no')} well</think>{call('run')}", think_open=True)
    assert names(parsed) == ["run"]
    assert parsed.notes == ("draft_ignored:no",)


def test_an_open_thought_that_does_not_end_is_all_there_is() -> None:
    parsed = parse(f"so {call('no')}", think_open=True)
    assert names(parsed) == []
    assert [problem.name for problem in parsed.problems] == ["no"]


def test_an_open_thought_may_repeat_its_beginning() -> None:
    parsed = parse("<think>\nhm</think>Yes.", think_open=True)
    assert parsed.thoughts == ("hm",)
    assert parsed.text == "Yes."


def test_an_open_thought_that_is_cut_is_no_problem() -> None:
    message = ChatMessage(f"so {call('no')}", finish_reason="length")
    assert parse(message, think_open=True).problems == ()


def test_think_tags_inside_whole_fenced_code_are_text() -> None:
    code = "a = '<think>'\nb = '</think>'"
    parsed = parse(f"<think>x</think>\n```python\n{code}\n```", grammar=PYTHON)
    assert parsed.calls[0].arguments == {"code": code}
    assert parsed.thoughts == ("x",)


def test_a_fence_that_is_not_closed_hides_no_think_tag() -> None:
    turn = "```python\nfoo\n</think>\n```python\nbar\n```"
    parsed = parse(turn, grammar=PYTHON)
    assert parsed.calls[0].arguments == {"code": "bar"}


def test_a_fence_inside_a_thought_hides_no_end() -> None:
    turn = "<think>\n```python\nfoo\n</think>\n```python\nbar\n```"
    parsed = parse(turn, grammar=PYTHON)
    assert parsed.calls[0].arguments == {"code": "bar"}


def test_a_beginning_quoted_in_code_begins_no_thought() -> None:
    turn = f"```\n<think>\n```\n{call('no')}</think>{call('run')}"
    parsed = parse(turn)
    assert names(parsed) == ["run"]
    assert parsed.notes == ("draft_ignored:no", "think_stray_end")


def test_a_fence_that_another_follows_hides_nothing() -> None:
    turn = f"```x\n<think>{call('no')}</think>\n```y\n"
    assert names(parse(turn)) == []


def test_a_block_with_a_smaller_fence_inside_is_still_one() -> None:
    code = "```\na = '<think>'"
    parsed = parse(f"````python\n{code}\n````", grammar=PYTHON)
    assert parsed.calls[0].arguments == {"code": code}


def test_a_fence_before_a_thought_does_not_reach_behind_it() -> None:
    turn = f"```x\n<think>\n```y\n</think>\nb</think>{call('run')}\n```\n"
    parsed = parse(turn)
    assert names(parsed) == ["run"]
    assert parsed.notes == ("think_stray_end",)


def test_a_call_quoted_in_code_is_text() -> None:
    code = f"print({call('submit')!r})"
    parsed = parse(f"```python\n{code}\n```", grammar=PYTHON)
    assert parsed.calls[0].arguments == {"code": code}
    assert parsed.notes == ("call_in_code",)


def test_calls_wrapped_in_a_fence_are_executed() -> None:
    parsed = parse(f"```xml\n{call('a')}\n{call('b')}\n```\n```\nx {call('c')}\n```")
    assert names(parsed) == ["a", "b"]
    assert parsed.notes == ("call_in_code",)


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_a_servers_separate_thoughts_come_first(key: str) -> None:
    message = {"role": "assistant", key: "first", "content": "<think>then</think>x"}
    assert parse(message).thoughts == ("first", "then")


def test_without_hermes_thoughts_are_still_taken_out() -> None:
    parsed = parse(f"<think>a</think>{call('b')}", formats=["openai"])
    assert parsed.thoughts == ("a",)
    assert parsed.text == call("b")
