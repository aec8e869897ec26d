"""The three views of an action, as values.

An agent acts by text, by tool calls, or by a chat message; all go through
`Environment.step`. This module holds the values; `envhub.parsing` turns text and
messages into calls, and `envhub.tools` executes calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["Action", "ChatMessage", "ToolCall", "ToolResult"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A wish of the agent to use one tool.

    Attributes:
        name: Name of the tool.
        arguments: Arguments by name, as JSON values.
        id: The id that the model gave the call, repeated in the result.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    id: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one tool call gave, as the agent reads it.

    Attributes:
        name: Name of the tool that was asked for.
        text: The text shown to the agent.
        ok: False when the call was refused or failed by the agent's own doing.
        id: Id of the call it answers.
    """

    name: str
    text: str
    ok: bool = True
    id: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """An assistant turn, as a model or an OpenAI-compatible server gives it.

    Attributes:
        content: The text of the turn, special tokens removed.
        tool_calls: Calls that the server has parsed already, in OpenAI's form
            (``{"id", "function": {"name", "arguments"}}``).
        finish_reason: ``"length"`` when the turn was cut by a token limit.
    """

    content: str = ""
    tool_calls: Sequence[Mapping[str, Any]] = ()
    finish_reason: str | None = None


Action: TypeAlias = (
    str | ToolCall | Sequence[ToolCall] | ChatMessage | Mapping[str, Any]
)
"""What `Environment.step` takes. Text is read as the content of an assistant turn; a
mapping is a chat message (it has ``role`` or ``content``) or a tool call (it has
``name`` and ``arguments``)."""
