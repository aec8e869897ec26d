"""The forms in which an assistant turn may come, made one.

A wrong form is the caller's mistake and raises; whatever the model itself wrote does
not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from envhub.actions import ChatMessage
from envhub.errors import UsageError
from envhub.parsing.plain import excerpt

__all__ = ["Turn", "as_turn"]

_FIELDS = ("content", "tool_calls", "finish_reason")


@dataclass(frozen=True, slots=True)
class Turn:
    """One assistant turn: its text, its ready-made calls and thoughts, its end."""

    text: str = ""
    entries: Sequence[Any] = ()
    thought: str = ""
    cut: bool = False


def as_turn(message: str | ChatMessage | Mapping[str, Any]) -> Turn:
    """Read the form of a message.

    Args:
        message: Text; a `ChatMessage`; a chat message as a mapping (``content`` may be
            None or a list of parts, thoughts may be in ``reasoning_content``); or one
            tool call as a mapping (``name`` and ``arguments``).

    Raises:
        UsageError: It is none of these.
    """
    if isinstance(message, str):
        return Turn(message)
    if isinstance(message, ChatMessage):
        # Servers send null or parts for a content, whatever the type says.
        message = {name: getattr(message, name) for name in _FIELDS} | {"role": ""}
    if not isinstance(message, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - callers are not all typed
        raise _wrong("an assistant turn is text, a ChatMessage or a mapping", message)
    if not message.keys() & {"role", "content", "tool_calls"}:
        return _from_call(message)
    return Turn(
        _text(message, "content"),
        _entries(message),
        _text(message, "reasoning_content") or _text(message, "reasoning"),
        message.get("finish_reason") == "length",
    )


def _from_call(message: Mapping[str, Any]) -> Turn:
    if not message.keys() & {"name", "function"}:
        raise _wrong("a mapping has 'content' or 'name' and 'arguments'", message)
    return Turn(entries=(message,))


def _entries(message: Mapping[str, Any]) -> Sequence[Any]:
    entries: Any = message.get("tool_calls") or ()
    if not isinstance(entries, list | tuple):
        raise _wrong("'tool_calls' is a list", entries)
    return cast("Sequence[Any]", entries)


def _text(message: Mapping[str, Any], key: str) -> str:
    content: Any = message.get(key)
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        raise _wrong(f"'{key}' is text or a list of parts", content)
    return "".join(_part(part) for part in cast("Sequence[Any]", content))


def _part(part: Any) -> str:
    text: Any = ""
    if isinstance(part, Mapping):
        text = cast("Mapping[str, Any]", part).get("text", "")
    return text if isinstance(text, str) else ""


def _wrong(rule: str, found: object) -> UsageError:
    kind = type(found).__name__
    return UsageError(f"{rule}; found {kind} {excerpt(repr(found))}")
