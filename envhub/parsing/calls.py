"""From JSON to a tool call: which keys it takes, what its arguments may be.

Every structured format ends here, so that a call means the same in all of them. The
tool's existence and the arguments' types are checked where the tools are known, in
`envhub.tools`.
"""

from __future__ import annotations

from typing import Any

from envhub.actions import ToolCall
from envhub.parsing.jsonread import JsonError, read_json
from envhub.parsing.plain import JsonValue, excerpt
from envhub.parsing.values import Problem

__all__ = ["CUT", "build", "decode_arguments", "is_cut", "refuse"]

CUT = "the turn was cut by the token limit before the call was finished"
_FORM = 'Write {"name": "<tool>", "arguments": {...}} as valid JSON.'
_KEYS = {"name", "arguments", "parameters", "id", "type", "function"}


def refuse(why: str, name: str = "") -> Problem:
    """The problem that tells the agent why its call was not executed."""
    which = f"The call of {excerpt(name)!r}" if name else "A tool call"
    return Problem(f"{which} was not executed: {why}. {_FORM}", name)


def is_cut(name: str = "") -> Problem:
    """The problem of a call that the token limit cut."""
    which = f"The call of {excerpt(name)!r}" if name else "A tool call"
    return Problem(f"{which} was not executed: {CUT}. Write less before it.", name)


def build(value: JsonValue, notes: dict[str, None]) -> ToolCall | Problem:
    """Make a call of a JSON value, or say why it is none.

    Args:
        value: ``{"name", "arguments"}``, or the same under ``"function"``;
            ``"parameters"`` is another word for ``"arguments"``.
        notes: Takes the note codes of what had to be done.
    """
    if not isinstance(value, dict):
        return refuse("it is not a JSON object")
    inner = value.get("function")
    call: dict[str, JsonValue] = inner if isinstance(inner, dict) else value
    name = call.get("name")
    if not isinstance(name, str) or not name.strip():
        return refuse('its "name" is missing or not a string')
    unknown = sorted((value.keys() | call.keys()) - _KEYS)
    if unknown:
        why = f"unexpected key {excerpt(unknown[0])!r}; arguments go in 'arguments'"
        return refuse(why, name)
    if "arguments" in call and "parameters" in call:
        return refuse("it has both 'arguments' and 'parameters'", name)
    given = call.get("arguments", call.get("parameters"))
    arguments = decode_arguments(given, name, notes)
    if isinstance(arguments, Problem):
        return arguments
    marker = value.get("id")
    return ToolCall(name, arguments, marker if isinstance(marker, str) else "")


def decode_arguments(
    given: JsonValue, name: str, notes: dict[str, None]
) -> dict[str, Any] | Problem:
    """The arguments as an object: as such, as JSON in a string, or none at all."""
    if given is None or given == "":
        return {}
    if isinstance(given, str):
        notes["arguments_string"] = None
        try:
            read = read_json(given)
        except JsonError as error:
            return refuse(f"the JSON of its arguments cannot be read: {error}", name)
        if given[read.end :].strip():
            return refuse(f"its arguments go on after char {read.end}", name)
        notes.update(dict.fromkeys(read.notes))
        given = read.value
    if not isinstance(given, dict):
        return refuse("its arguments are not a JSON object", name)
    return given
