"""What reading an assistant turn gives.

This module holds the values and nothing else; the other modules of the package fill
them, and an environment decides what a turn without calls, or a problem, is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from envhub.actions import ToolCall

__all__ = ["NOTES", "Grammar", "Parsed", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A call that the agent tried to make and that could not be read.

    Attributes:
        message: For the agent: what is wrong, where, and what to write instead.
        name: Name of the tool it was meant for, empty when it could not be read.
    """

    message: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """One assistant turn, taken apart.

    Attributes:
        calls: What is to be executed, in the order written.
        text: What stands outside thoughts and calls, stripped.
        thoughts: The turn's non-empty thoughts, each stripped.
        problems: Calls that could not be read; none of them is executed.
        notes: What the reader did, as ``code`` or ``code:detail``; see `NOTES`.
        cut: True when the token limit cut the turn.
    """

    calls: tuple[ToolCall, ...] = ()
    text: str = ""
    thoughts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    cut: bool = False


Grammar: TypeAlias = Callable[[str], ToolCall | Problem | None]
"""An environment's own text grammar, from the visible text of a turn to the one action
in it. None says that there is no action; a problem, that one was tried and failed."""

NOTES = {
    "arguments_string": "the arguments came as JSON inside a string and were decoded",
    "call_in_code": "a `<tool_call>` inside a fenced code block was left in the text",
    "cut_line_dropped": "the unfinished last line of a cut turn was not read",
    "draft_ignored": "a call inside a thought was not executed; detail: its name",
    "end_tag_in_text": "a `</tool_call>` that closes nothing was left in the text",
    "extra_action_ignored": "ReAct: only the first action of the turn is executed",
    "observation_dropped": "ReAct: an observation of the model's own was dropped",
    "problems_left_out": "only the first problems are kept; detail: how many were not",
    "repaired": "JSON with exactly one reading was repaired; detail: how",
    "several_in_one_tag": "one `<tool_call>` block held several calls",
    "surrogate_replaced": "half a surrogate pair was replaced by U+FFFD",
    "tag_in_text": "a `<tool_call>` without JSON after it was left in the text",
    "text_calls_ignored": "calls in the text, beside ready-made ones, were ignored",
    "think_stray_end": "a `</think>` without a beginning: all before it is thought",
    "think_unclosed": "a thought was not closed: all after `<think>` is thought",
    "tool_calls_ignored": "ready-made calls, while 'openai' is not among the formats",
    "unclosed_call": "a complete call without its `</tool_call>` was executed",
}
"""Every note code and what it says. A stable part of the trajectory record."""
