"""Separates what an assistant turn thinks from what it says and does.

    outside ──<think>──▶ inside ──</think>──▶ outside ...

One sweep from left to right. Nothing inside a thought is executed, and whatever could
be inside one counts as inside:

- a thought that is not closed reaches to the end of the turn;
- a ``</think>`` outside a thought closes one that began before the turn (in the chat
  template's prompt): everything before it is thought;
- tags inside the JSON of a call are text, in and out of thoughts; so are tags inside
  a whole fenced code block, unless the block begins with a call.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from envhub.actions import ToolCall
from envhub.parsing.calls import refuse
from envhub.parsing.fenced import Shield
from envhub.parsing.hermes import draft_name, read_block
from envhub.parsing.plain import excerpt
from envhub.parsing.tags import CALL, CALL_END, THINK, THINK_END, Tag, find_tags
from envhub.parsing.values import Problem

__all__ = ["Swept", "sweep"]


@dataclass(slots=True)
class Swept:
    """What a sweep found: items are calls and problems in the order written."""

    visible: list[str] = field(default_factory=list[str])
    thoughts: list[str] = field(default_factory=list[str])
    items: list[ToolCall | Problem] = field(default_factory=list[ToolCall | Problem])
    notes: dict[str, None] = field(default_factory=dict[str, None])


def sweep(text: str, *, calls: bool, cut: bool, think_open: bool) -> Swept:
    """Take a turn apart.

    Args:
        text: The turn.
        calls: Read ``<tool_call>`` blocks; otherwise they are text.
        cut: The token limit cut the turn.
        think_open: The prompt has begun a thought that this turn goes on with.
    """
    sweeper = _Sweeper(text, find_tags(text, calls=calls), cut=cut)
    if think_open:
        sweeper.think(0, 0)
    sweeper.run()
    return sweeper.finish()


class _Sweeper:
    """One sweep; `at` and `index` only ever grow."""

    def __init__(self, text: str, tags: list[Tag], *, cut: bool) -> None:
        self.text = text
        self.tags = tags
        self.cut = cut
        self.at = 0
        self.index = 0
        self.outside_since = 0
        self.swept = Swept()
        self._shield = Shield(text)
        self._head = 0
        self._outside_notes: dict[str, None] = {}

    def run(self) -> None:
        while self.index < len(self.tags):
            tag = self.tags[self.index]
            if tag.start >= self.at:
                self._outside(tag)
            self.index += 1

    def finish(self) -> Swept:
        self._say(len(self.text))
        self.swept.thoughts.insert(0, self.text[: self._head])
        self.swept.notes.update(self._outside_notes)
        return self.swept

    def _outside(self, tag: Tag) -> None:
        if tag.kind == CALL:
            self._call(tag)
        elif self._shield.covers(tag.start, self.outside_since):
            return
        elif tag.kind == CALL_END:
            self._outside_notes["end_tag_in_text"] = None
        elif tag.kind == THINK:
            self._say(tag.start)
            self.think(self.index + 1, tag.end)
        else:
            self._all_was_thought(tag)

    def _say(self, end: int) -> None:
        if end > self.at:
            self.swept.visible.append(self.text[self.at : end])

    def _call(self, tag: Tag) -> None:
        if tag.body < 0:
            self._outside_notes["tag_in_text"] = None
            return
        if self._shield.quotes_call(tag.start, self.outside_since):
            self._outside_notes["call_in_code"] = None
            return
        self._say(tag.start)
        block = read_block(self.text, self.tags, self.index, cut=self.cut)
        self.swept.items.extend(block.items)
        self._outside_notes.update(block.notes)
        self.at = block.end

    def _all_was_thought(self, tag: Tag) -> None:
        self._drafts([item.name for item in self.swept.items])
        self.swept.items.clear()
        self.swept.visible.clear()
        self.swept.thoughts.clear()
        self._outside_notes.clear()
        self.swept.notes["think_stray_end"] = None
        self._head = tag.start
        self.at = self.outside_since = tag.end

    def think(self, index: int, start: int) -> None:
        """Go over a thought whose text begins at `start`, up to and with its end."""
        names: list[str] = []
        read_to = start
        for i in range(index, len(self.tags)):
            tag = self.tags[i]
            if tag.start < read_to:
                continue
            if tag.kind == THINK_END:
                self._close(i, start, tag)
                self._drafts(names)
                return
            if tag.body >= 0:
                name, read_to = draft_name(self.text, tag)
                names.append(name)
        self._drafts(names)
        self._unclosed(start, names)

    def _close(self, index: int, start: int, tag: Tag) -> None:
        self._thought(start, tag.start)
        self.index = index
        self.at = self.outside_since = tag.end

    def _unclosed(self, start: int, names: list[str]) -> None:
        self._thought(start, len(self.text))
        self.swept.notes["think_unclosed"] = None
        self.at = len(self.text)
        self.index = len(self.tags)
        if names and not self.cut:
            why = f"it stands inside a thought; close it with {THINK_END} first"
            self.swept.items.append(refuse(why, names[-1]))

    def _thought(self, start: int, end: int) -> None:
        # Some models repeat the tag with which the prompt has begun the thought.
        thought = self.text[start:end].strip().removeprefix(THINK)
        self.swept.thoughts.append(thought)

    def _drafts(self, names: list[str]) -> None:
        for name in names:
            self.swept.notes[f"draft_ignored:{excerpt(name) or '?'}"] = None
