"""Reads an assistant turn: the one parser of training and evaluation.

    message ─▶ thoughts taken out ─▶ calls in the formats asked for
                                       └─ none, and no problem ─▶ the grammar

`envhub.parsing.think` holds the first step; this module only puts the steps in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envhub.actions import ChatMessage, ToolCall
from envhub.errors import UsageError
from envhub.parsing.message import Turn, as_turn
from envhub.parsing.openai import read_ready_made
from envhub.parsing.plain import encodable
from envhub.parsing.react import read_react
from envhub.parsing.think import Swept, sweep
from envhub.parsing.values import Grammar, Parsed, Problem

__all__ = ["FORMATS", "MAX_PROBLEMS", "parse"]

FORMATS = ("openai", "hermes", "react")
"""The structured formats. Fenced code is a grammar: `fenced_grammar`."""

MAX_PROBLEMS = 16
"""Problems that are kept of one turn; a note counts the rest."""


def parse(
    message: str | ChatMessage | Mapping[str, Any],
    *,
    formats: Sequence[str] = ("openai", "hermes"),
    grammar: Grammar | None = None,
    think_open: bool = False,
) -> Parsed:
    """Take an assistant turn apart.

    Whatever the model wrote gives a result: a call that cannot be read is a problem to
    show to the agent, never an exception. Time is linear in the length of the turn,
    and everything in the result can be encoded as UTF-8.

    Args:
        message: The turn, as text or as a chat message.
        formats: The structured formats to read, of `FORMATS`.
        grammar: The environment's own text grammar, tried on the visible text when it
            holds neither a call nor a problem.
        think_open: The chat template's prompt ended inside a ``<think>``.

    Raises:
        UsageError: The message has a wrong form, or a format is unknown.
    """
    _check(formats)
    turn = as_turn(message)
    text = encodable(turn.text)
    swept = sweep(text, calls="hermes" in formats, cut=turn.cut, think_open=think_open)
    if text != turn.text:
        swept.notes["surrogate_replaced"] = None
    _add_ready_made(swept, turn, formats)
    visible = "".join(swept.visible)
    if "react" in formats and not swept.items:
        visible = _react(visible, swept, cut=turn.cut)
    if grammar is not None and not swept.items:
        _try_grammar(visible, grammar, swept, cut=turn.cut)
    return _result(visible, turn, swept)


def _check(formats: Sequence[str]) -> None:
    unknown = sorted(set(formats) - set(FORMATS))
    if not unknown:
        return
    message = f"no format {unknown[0]!r}; there are {', '.join(FORMATS)}"
    if unknown[0] == "fenced":
        message += "; fenced code is a grammar: pass grammar=fenced_grammar({...})"
    raise UsageError(message)


def _add_ready_made(swept: Swept, turn: Turn, formats: Sequence[str]) -> None:
    if not turn.entries:
        return
    if "openai" not in formats:
        swept.notes["tool_calls_ignored"] = None
        return
    if swept.items:
        swept.notes["text_calls_ignored"] = None
    swept.items = read_ready_made(turn.entries, cut=turn.cut, notes=swept.notes)


def _react(visible: str, swept: Swept, *, cut: bool) -> str:
    found = read_react(visible, cut=cut)
    if found is None:
        return visible
    swept.items.append(found.item)
    swept.thoughts.extend(found.thoughts)
    swept.notes.update(found.notes)
    return found.text


def _try_grammar(visible: str, grammar: Grammar, swept: Swept, *, cut: bool) -> None:
    if cut and visible.strip():
        visible = visible[: visible.rfind("\n") + 1]
        swept.notes["cut_line_dropped"] = None
    item = grammar(visible.strip())
    if item is not None:
        swept.items.append(item)


def _result(visible: str, turn: Turn, swept: Swept) -> Parsed:
    thoughts = [encodable(turn.thought), *swept.thoughts]
    problems = [item for item in swept.items if isinstance(item, Problem)]
    more = len(problems) - MAX_PROBLEMS
    if more > 0:
        swept.notes[f"problems_left_out:{more}"] = None
    return Parsed(
        calls=tuple(item for item in swept.items if isinstance(item, ToolCall)),
        text=visible.strip(),
        thoughts=tuple(thought.strip() for thought in thoughts if thought.strip()),
        problems=tuple(problems[:MAX_PROBLEMS]),
        notes=tuple(swept.notes),
        cut=turn.cut,
    )
