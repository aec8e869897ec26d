"""Reads ``<tool_call>{...}</tool_call>``, the form of Hermes and Qwen.

The JSON decides where a call ends, never a search for the end tag, so that a tag inside
a string is text. What a broken call spans is less clear; nothing within its span is
executed:

    to the end tag that matches when calls nest as brackets do;
    without one, in a cut turn, to the end of the turn;
    without one, in a whole turn, to the next end tag, or to the end of the turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from envhub.actions import ToolCall
from envhub.parsing.calls import build, is_cut, refuse
from envhub.parsing.jsonread import JsonError, JsonRead, read_json
from envhub.parsing.tags import CALL_END, Tag, skip_space
from envhub.parsing.values import Problem

__all__ = ["Block", "draft_name", "read_block"]


@dataclass(slots=True)
class Block:
    """One ``<tool_call>`` block.

    Attributes:
        end: Index in the turn just after it.
        items: Its calls and problems, in order.
        notes: Note codes, as an ordered set.
    """

    end: int = 0
    items: list[ToolCall | Problem] = field(default_factory=list[ToolCall | Problem])
    notes: dict[str, None] = field(default_factory=dict[str, None])

    def take(self, read: JsonRead) -> None:
        """Add the call, or the list of calls, that was read."""
        self.notes.update(dict.fromkeys(read.notes))
        values = read.value if isinstance(read.value, list) else [read.value]
        self.items.extend(build(value, self.notes) for value in values)


def read_block(text: str, tags: list[Tag], index: int, *, cut: bool) -> Block:
    """Read the block that `tags[index]` begins; its ``body`` is not -1."""
    block = Block()
    at = tags[index].body
    while True:
        try:
            read = read_json(text, at, stop=CALL_END)
        except JsonError as error:
            return _broken(block, text, tags, index, error, cut=cut)
        at = _after_json(text, read.end)
        if text.startswith(CALL_END, at):
            block.take(read)
            block.end = at + len(CALL_END)
            return block
        if not text.startswith("{", at):
            return _without_end_tag(block, read, text, tags, index, cut=cut)
        block.take(read)
        block.notes["several_in_one_tag"] = None


def draft_name(text: str, tag: Tag) -> tuple[str, int]:
    """The name of a call that is not to be executed, and where its JSON ends.

    A draft is often no JSON at all; then the tag alone is taken, and the name is empty.
    """
    try:
        read = read_json(text, tag.body, stop=CALL_END)
    except JsonError as error:
        return error.name, tag.end
    return _name(read), read.end


def _after_json(text: str, at: int) -> int:
    at = skip_space(text, at)
    return skip_space(text, at + 3) if text.startswith("```", at) else at


def _broken(
    block: Block, text: str, tags: list[Tag], index: int, error: JsonError, *, cut: bool
) -> Block:
    end = tags[index].partner
    if end < 0 and not cut:
        end = next((i for i in range(index, len(tags)) if tags[i].kind == CALL_END), -1)
    block.end = tags[end].end if end >= 0 else len(text)
    if end < 0 and cut:
        block.items.append(is_cut(error.name))
    else:
        block.items.append(refuse(f"its JSON cannot be read: {error}", error.name))
    return block


def _without_end_tag(
    block: Block, read: JsonRead, text: str, tags: list[Tag], index: int, *, cut: bool
) -> Block:
    """The JSON is complete and no end tag follows it at once."""
    while index < len(tags) and tags[index].start < read.end:
        index += 1
    block.end = _after_json(text, read.end)
    if index < len(tags) and tags[index].kind == CALL_END:
        stray = text[read.end : tags[index].start].strip()
        block.items.append(refuse(f"{stray[:24]!r} follows its JSON", _name(read)))
        block.end = tags[index].end
    elif cut:
        block.items.append(is_cut(_name(read)))
    else:
        block.take(read)
        block.notes["unclosed_call"] = None
    return block


def _name(read: JsonRead) -> str:
    name = read.value.get("name") if isinstance(read.value, dict) else ""
    return name if isinstance(name, str) else ""
