"""Reads the ReAct form: ``Thought:``, ``Action:``, ``Action Input:``.

One action a turn, the first. A turn that goes on with an ``Observation:`` has invented
it: that and all after it is dropped. The JSON or the brackets of the action decide
where it ends, so that a label inside a string is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from envhub.actions import ToolCall
from envhub.parsing.calls import build, is_cut, refuse
from envhub.parsing.grammars import closing_bracket
from envhub.parsing.jsonread import JsonError, read_json
from envhub.parsing.plain import excerpt
from envhub.parsing.tags import skip_space
from envhub.parsing.values import Problem

__all__ = ["React", "read_react"]

_LABEL = re.compile(
    r"^[ \t>*]*(thought|action[ \t]+input|action|observation|final[ \t]+answer)"
    r"[ \t]*\**:[ \t*]*",
    re.MULTILINE | re.IGNORECASE,
)
_NAME = re.compile(r"`?([A-Za-z_][A-Za-z_0-9.-]*)`?[ \t]*")
_HOW = "Write 'Action: name[input]', or 'Action: name' and 'Action Input: {...}'"


@dataclass(frozen=True, slots=True)
class React:
    """The action of a turn, and what stands around it."""

    item: ToolCall | Problem
    text: str
    thoughts: tuple[str, ...]
    notes: dict[str, None]


@dataclass(slots=True)
class _Action:
    """The action as read: where it ends, and whether its end is certain."""

    item: ToolCall | Problem
    end: int
    closed: bool = True


def read_react(text: str, *, cut: bool) -> React | None:
    """Read the first action; None when no line begins with ``Action:``."""
    labels = list(_LABEL.finditer(text))
    first = next((i for i, m in enumerate(labels) if _word(m) == "action"), None)
    if first is None:
        return None
    notes: dict[str, None] = {}
    action = _read_action(text, labels, first, notes)
    item = action.item
    if cut and not (action.closed and "\n" in text[action.end :]):
        item = is_cut(item.name)
    thoughts, said = _around(text, labels[: first + 1])
    tail = _tail(text, action.end, labels[first + 1 :], notes)
    return React(item, f"{said}{tail}", tuple(thoughts), notes)


def _word(label: re.Match[str]) -> str:
    return " ".join(label[1].lower().split())


def _around(text: str, labels: list[re.Match[str]]) -> tuple[list[str], str]:
    """Thoughts and other text before the last of `labels`."""
    said = text[: labels[0].start()]
    thoughts: list[str] = []
    for label, following in pairwise(labels):
        content = text[label.end() : following.start()]
        if _word(label) == "thought":
            thoughts.append(content)
        else:
            said += text[label.start() : following.start()]
    return thoughts, said


def _tail(
    text: str, end: int, labels: list[re.Match[str]], notes: dict[str, None]
) -> str:
    """The text after the action, up to an observation of the model's own."""
    for label in labels:
        if label.start() < end:
            continue
        if _word(label) == "observation":
            notes["observation_dropped"] = None
            return text[end : label.start()]
        if _word(label) == "action":
            notes["extra_action_ignored"] = None
    return text[end:]


def _read_action(
    text: str, labels: list[re.Match[str]], index: int, notes: dict[str, None]
) -> _Action:
    at = skip_space(text, labels[index].end())
    if text.startswith("{", at):
        return _whole_call(text, at, notes)
    name = _NAME.match(text, at)
    following = labels[index + 1] if index + 1 < len(labels) else None
    if name is None or (following and following.start() <= at):
        return _Action(_refuse("no tool's name follows 'Action:'"), at)
    if text.startswith("[", name.end()):
        return _bracketed(text, name, notes)
    end = _line_end(text, name.end())
    rest = text[name.end() : end].strip()
    if rest:
        why = f"{excerpt(rest, 24)!r} follows the name of the tool"
        return _Action(_refuse(why, name[1]), end)
    if following is not None and _word(following) == "action input":
        return _with_input(text, name[1], following, labels[index + 2 :], notes)
    return _Action(ToolCall(name[1]), end, closed=following is not None)


def _whole_call(text: str, at: int, notes: dict[str, None]) -> _Action:
    try:
        read = read_json(text, at)
    except JsonError as error:
        item = refuse(f"its JSON cannot be read: {error}", error.name)
        return _Action(item, len(text), closed=False)
    notes.update(dict.fromkeys(read.notes))
    return _Action(build(read.value, notes), read.end)


def _bracketed(text: str, name: re.Match[str], notes: dict[str, None]) -> _Action:
    opening = name.end()
    at = skip_space(text, opening + 1)
    if text.startswith("{", at):
        return _json_input(text, name[1], at, notes, mark="]")
    end = _line_end(text, opening)
    closing = closing_bracket(text, opening, end)
    if closing < 0:
        item = _refuse("its bracket is not closed", name[1])
        return _Action(item, end, closed=False)
    given = text[opening + 1 : closing].strip()
    arguments = {"input": given} if given else {}
    return _Action(ToolCall(name[1], arguments), closing + 1)


def _with_input(
    text: str,
    name: str,
    label: re.Match[str],
    later: list[re.Match[str]],
    notes: dict[str, None],
) -> _Action:
    at = skip_space(text, label.end())
    if text.startswith("```", at):
        at = skip_space(text, _line_end(text, at))
    if text.startswith("{", at):
        return _json_input(text, name, at, notes)
    end = later[0].start() if later else len(text)
    given = text[label.end() : end].rstrip()
    end = label.end() + len(given)
    given = given.strip()
    return _Action(ToolCall(name, {"input": given} if given else {}), end)


def _json_input(
    text: str, name: str, at: int, notes: dict[str, None], mark: str = ""
) -> _Action:
    """Arguments as a JSON object at `at`, followed by `mark`."""
    try:
        read = read_json(text, at)
    except JsonError as error:
        item = _refuse(f"the JSON of its input cannot be read: {error}", name)
        return _Action(item, len(text), closed=False)
    notes.update(dict.fromkeys(read.notes))
    end = skip_space(text, read.end)
    call = build({"name": name, "arguments": read.value}, notes)
    if not mark:
        return _Action(call, read.end)
    if not text.startswith(mark, end):
        item = _refuse(f"{mark!r} does not follow its JSON", name)
        return _Action(item, end, closed=False)
    return _Action(call, end + len(mark))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _refuse(why: str, name: str = "") -> Problem:
    """The problem of an action in this form."""
    which = f"The action {excerpt(name)!r}" if name else "The action"
    return Problem(f"{which} was not executed: {why}. {_HOW}.", name)
