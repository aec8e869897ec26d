"""Two small text grammars that environments share.

`bracket_grammar` reads ``search[red shoes]``, `command_grammar` a line of words. Both
look first for a line that begins with ``Action:``, and take the first one: what follows
it in the same turn, such as an observation of the model's own making, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from envhub.actions import ToolCall
from envhub.parsing.plain import excerpt
from envhub.parsing.values import Grammar, Problem

__all__ = ["action_at", "bracket_grammar", "closing_bracket", "command_grammar"]

_ACTION = re.compile(r"^[ \t>*]*action[ \t]*\**:[ \t*]*", re.MULTILINE | re.IGNORECASE)
_PROMPT = re.compile(r"^[ \t]*>[ \t]*", re.MULTILINE)
_ANY_VERB = re.compile(r"[ \t`*]*([A-Za-z_][A-Za-z_0-9]*)[ \t]*\[")
_BRACKET = re.compile(r"[\[\]]")


def action_at(text: str) -> int:
    """Index just after the first ``Action:`` that begins a line; -1 without one."""
    label = _ACTION.search(text)
    return label.end() if label else -1


def closing_bracket(text: str, opening: int, end: int) -> int:
    """The bracket that closes the one at `opening`, before `end`; -1 without one.

    Brackets inside are counted. Where the count does not come out, the last closing
    bracket before `end` is taken.
    """
    depth = 0
    for bracket in _BRACKET.finditer(text, opening, end):
        depth += 1 if bracket[0] == "[" else -1
        if depth == 0:
            return bracket.start()
    return text.rfind("]", opening, end)


def bracket_grammar(verbs: Mapping[str, str | None]) -> Grammar:
    """A grammar of ``verb[argument]``.

    The action is, in this order: what stands after the first ``Action:``; the first
    line that begins with a verb and its bracket; the only one in the text. Text after
    the closing bracket is ignored. An action ends on the line it begins on.

    Args:
        verbs: From a verb, which is also the tool's name and is matched in any letter
            case, to the name of its argument; None for a verb that takes none.
    """
    names = {verb.lower(): verb for verb in verbs}
    known = ", ".join(f"{verb}[...]" for verb in verbs)
    words = "|".join(sorted(map(re.escape, verbs), key=len, reverse=True))
    anywhere = re.compile(rf"(?<![A-Za-z0-9_])({words})[ \t]*\[", re.IGNORECASE)
    beginning = re.compile(
        rf"^[ \t`*>]*({words})[ \t]*\[", re.IGNORECASE | re.MULTILINE
    )

    def action(text: str, found: re.Match[str]) -> ToolCall | Problem:
        verb = names[found[1].lower()]
        opening = found.end() - 1
        end = text.find("\n", opening)
        end = len(text) if end < 0 else end
        closing = closing_bracket(text, opening, end)
        if closing < 0:
            return Problem(f"The bracket of {verb}[...] is not closed.", verb)
        argument = verbs[verb]
        value = text[opening + 1 : closing].strip()
        return ToolCall(verb, {} if argument is None else {argument: value})

    def after_label(text: str, at: int) -> ToolCall | Problem:
        found = anywhere.match(text, _skip_marks(text, at))
        if found:
            return action(text, found)
        line = text[at:].split("\n", 1)[0]
        return Problem(f"{excerpt(line.strip())!r} is no action here; use {known}.")

    def grammar(text: str) -> ToolCall | Problem | None:
        at = action_at(text)
        if at >= 0:
            return after_label(text, at)
        found = beginning.search(text)
        if found:
            return action(text, found)
        places = list(anywhere.finditer(text))
        if len(places) == 1:
            return action(text, places[0])
        if places:
            return Problem(
                "More than one action; write a single one on a line of its own."
            )
        return after_label(text, 0) if _ANY_VERB.match(text) else None

    return grammar


def command_grammar(tool: str, argument: str) -> Grammar:
    """A grammar in which one line of words is the action.

    The line is, in this order: what stands after the first ``Action:``, on the same
    line or the next one that is not empty; what stands after the first ``>`` that
    begins a line; the first line that is not empty. Backticks around it are taken off.

    Args:
        tool: Name of the tool that takes the line.
        argument: Name of the argument that takes it.
    """

    def grammar(text: str) -> ToolCall | Problem | None:
        at = action_at(text)
        if at < 0:
            prompt = _PROMPT.search(text)
            at = prompt.end() if prompt else 0
        line = text[at:].strip().split("\n", 1)[0].strip()
        if len(line) > 2 and line[0] == line[-1] == "`":
            line = line.strip("`").strip()
        return ToolCall(tool, {argument: line}) if line else None

    return grammar


def _skip_marks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n`*":
        at += 1
    return at
