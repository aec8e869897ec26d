"""Where the four tags of a turn stand, and which of them can begin a call.

A ``<tool_call>`` begins a call only when a JSON object, or a list of objects, follows:
after white space and at most one code fence. Otherwise it is prose about the tag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = [
    "CALL",
    "CALL_END",
    "THINK",
    "THINK_END",
    "Tag",
    "find_tags",
    "skip_space",
]

THINK, THINK_END = "<think>", "</think>"
CALL, CALL_END = "<tool_call>", "</tool_call>"

_SPACE = re.compile(r"\s*")
_FENCE = re.compile(r"```[A-Za-z]*")
_ALL = re.compile(r"</?think>|</?tool_call>")
_THINK_ONLY = re.compile(r"</?think>")


@dataclass(slots=True)
class Tag:
    """One tag.

    Attributes:
        start: Index of its first character.
        end: Index just after it.
        kind: The tag itself.
        body: Where the JSON of a call begins; -1 for every other tag.
        partner: Position in the list of the ``</tool_call>`` that matches when calls
            nest as brackets do; -1 when there is none.
    """

    start: int
    end: int
    kind: str
    body: int = -1
    partner: int = -1


def find_tags(text: str, *, calls: bool) -> list[Tag]:
    """Find the tags from left to right; those of calls only where `calls` says so."""
    tags: list[Tag] = []
    open_calls: list[Tag] = []
    for match in (_ALL if calls else _THINK_ONLY).finditer(text):
        tag = Tag(match.start(), match.end(), match[0])
        if tag.kind == CALL:
            tag.body = _body(text, tag.end)
            if tag.body >= 0:
                open_calls.append(tag)
        elif tag.kind == CALL_END and open_calls:
            open_calls.pop().partner = len(tags)
        tags.append(tag)
    return tags


def skip_space(text: str, at: int) -> int:
    """Index of the first character from `at` on that is not white space."""
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _body(text: str, at: int) -> int:
    at = skip_space(text, at)
    fence = _FENCE.match(text, at)
    if fence:
        at = skip_space(text, fence.end())
    if text.startswith("{", at):
        return at
    if text.startswith("[", at) and text.startswith("{", skip_space(text, at + 1)):
        return at
    return -1
