"""Ready-made calls, as an OpenAI-compatible server returns them.

The arguments are a JSON string by the standard and a dictionary from some servers. In
a turn that the token limit cut, the last call may be half: it is not executed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envhub.actions import ToolCall
from envhub.parsing.calls import build, is_cut, refuse
from envhub.parsing.plain import plain
from envhub.parsing.values import Problem

__all__ = ["read_ready_made"]


def read_ready_made(
    entries: Sequence[Any], *, cut: bool, notes: dict[str, None]
) -> list[ToolCall | Problem]:
    """Read the ``tool_calls`` of a message."""
    items = [_read(entry, notes) for entry in entries]
    if cut and items:
        items[-1] = is_cut(items[-1].name)
    return items


def _read(entry: Any, notes: dict[str, None]) -> ToolCall | Problem:
    if not isinstance(entry, Mapping):
        return refuse("an entry of tool_calls is not an object")
    ours: dict[str, None] = {}
    try:
        value = plain({k: entry[k] for k in ("id", "function") if k in entry})
        item = build(value if "function" in entry else plain(entry), ours)
    except ValueError as error:
        return refuse(str(error))
    # A string is this format's ordinary form of arguments, not worth a note.
    ours.pop("arguments_string", None)
    notes.update(ours)
    return item
