"""Tool calls as a person types them, and actions as a person reads them.

look                    no arguments
enter 123               the rest of the line is the one argument, as it stands
paint red wall          one word for each argument
paint colour=red        by name
paint {"colour": "red"} as JSON
paint("red", "wall")    as in Python
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envhub.actions import Action, ChatMessage, ToolCall

__all__ = ["Misread", "as_typed", "read_call", "signature"]

_CALL = re.compile(
    r"(?P<name>[\w-]+)(?:\((?P<inside>.*)\)|\s+(?P<rest>.*))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Misread:
    """A line that begins like a call and cannot be read as one.

    Attributes:
        message: What to type instead.
    """

    message: str


def signature(tool: Mapping[str, Any]) -> str:
    """A tool as it would stand in a book: ``enter(code, tries=1)``."""
    function = tool["function"]
    required = set(function["parameters"].get("required", ()))
    parts = [
        name if name in required else f"{name}={json.dumps(schema.get('default'))}"
        for name, schema in _parameters(tool).items()
    ]
    return f"{function['name']}({', '.join(parts)})"


def read_call(
    line: str, tools: Sequence[Mapping[str, Any]]
) -> ToolCall | Misread | None:
    """Read a line that begins with the name of a tool; None where it does not."""
    found = _CALL.fullmatch(line.strip())
    known = {tool["function"]["name"]: tool for tool in tools}
    if found is None:
        begun = known.get(line.strip().partition("(")[0])
        return Misread(f"a bracket is open; {_form(begun)}") if begun else None
    if found["name"] not in known:
        return None
    tool, inside, rest = (
        known[found["name"]],
        found["inside"],
        (found["rest"] or "").strip(),
    )
    given = _python(inside, tool) if inside is not None else _shell(rest, tool)
    if given is None:
        return Misread(f"this is not how {signature(tool)} is called; {_form(tool)}")
    return ToolCall(found["name"], given)


def as_typed(action: Action) -> str:
    """An action as a person would type it."""
    if isinstance(action, str):
        return action
    if isinstance(action, ToolCall):
        return _typed(action.name, action.arguments)
    if isinstance(action, ChatMessage):
        return action.content
    if isinstance(action, Mapping):
        if "name" in action:
            return _typed(action["name"], action.get("arguments") or {})
        return str(action.get("content") or "")
    return "\n".join(_typed(call.name, call.arguments) for call in action)


def _typed(name: str, arguments: Mapping[str, Any]) -> str:
    values = list(arguments.values())
    if not values:
        return name
    if len(values) == 1 and isinstance(values[0], str) and "\n" not in values[0]:
        return f"{name} {values[0]}"
    return f"{name} {json.dumps(dict(arguments), ensure_ascii=False, default=str)}"


def _shell(rest: str, tool: Mapping[str, Any]) -> dict[str, Any] | None:
    """Arguments written after the name; None where they cannot be read."""
    parameters = _parameters(tool)
    if not rest:
        return None if tool["function"]["parameters"].get("required") else {}
    if (as_object := _object(rest)) is not None:
        return as_object
    try:
        words = shlex.split(rest)
    except ValueError:
        words = []
    named = [word.partition("=") for word in words]
    if named and all(equals and name in parameters for name, equals, _ in named):
        return {name: _value(value, parameters[name]) for name, _, value in named}
    required = tool["function"]["parameters"].get("required") or [*parameters][:1]
    if len(required) == 1:
        return {required[0]: _value(rest, parameters[required[0]])}
    if len(words) == len(required) > 0:
        pairs = zip(required, words, strict=True)
        return {name: _value(word, parameters[name]) for name, word in pairs}
    return None


def _python(inside: str, tool: Mapping[str, Any]) -> dict[str, Any] | None:
    """Arguments written as a call in Python; else the inside is the one argument."""
    parameters = _parameters(tool)
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
        assert isinstance(call, ast.Call)
        positional = [ast.literal_eval(node) for node in call.args]
        keywords = {k.arg or "": ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError, AssertionError, RecursionError):
        return {next(iter(parameters)): inside} if len(parameters) == 1 else None
    if len(positional) > len(parameters):
        return None
    given = dict(zip(parameters, positional, strict=False)) | keywords
    return {name: _text(given[name], parameters.get(name, {})) for name in given}


def _parameters(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = tool["function"]["parameters"].get("properties", {})
    return found


def _form(tool: Mapping[str, Any]) -> str:
    names = [*_parameters(tool)]
    if not names:
        return f"write {tool['function']['name']}"
    return f"write {tool['function']['name']} {' '.join(f'{n}=...' for n in names)}"


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _value(word: str, schema: Mapping[str, Any]) -> Any:
    """A word as the schema's type; text stays text."""
    if schema.get("type") == "string":
        return word
    try:
        return json.loads(word)
    except (ValueError, RecursionError):
        return word


def _text(value: Any, schema: Mapping[str, Any]) -> Any:
    """`enter(123)` means the text 123 where a text is wanted."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if schema.get("type") == "string" and number else value
