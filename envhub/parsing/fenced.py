"""Fenced code blocks: where they are, and the grammar that makes actions of them.

Blocks are CommonMark's: a line of three or more backticks or tildes, indented by at
most three spaces, opens one; a bare line of at least as many of the same mark closes
it; what stands between is content, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from envhub.actions import ToolCall
from envhub.parsing.values import Grammar, Problem

__all__ = ["Shield", "fenced_grammar"]

_LINE = re.compile(r"^( {0,3})(`{3,}|~{3,})[ \t]*([^\n]*)\n?", re.MULTILINE)


class _Fence(NamedTuple):
    """A line that can open or close a block."""

    start: int
    end: int
    indent: int
    mark: str
    info: str

    @property
    def opens(self) -> bool:
        return self.mark[0] == "~" or "`" not in self.info

    @property
    def language(self) -> str:
        return self.info.split(maxsplit=1)[0].lower() if self.info else ""

    def closed_by(self, other: _Fence) -> bool:
        return not other.info and other.mark.startswith(self.mark)


def _fences(text: str) -> list[_Fence]:
    return [
        _Fence(m.start(), m.end(), len(m[1]), m[2], m[3].strip())
        for m in _LINE.finditer(text)
    ]


class Shield:
    """Says whether a place lies inside a whole fenced block with no other fence in it.

    Asked from left to right. A block in which another seems to begin shields nothing:
    it is more likely that its end was forgotten.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._fences: list[_Fence] | None = None
        self._index = 0
        self._since = 0
        self._open: _Fence | None = None
        self._of_calls: _Fence | None = None

    def quotes_call(self, place: int, since: int) -> bool:
        """Whether a call at `place` is only quoted.

        A block that begins with a call is a wrapping that some models put around
        their calls; the calls in any other block are part of its code.
        """
        block = self._open if self.covers(place, since) else None
        if block and not self._text[block.end : place].strip():
            self._of_calls = block
        return block is not None and block is not self._of_calls

    def covers(self, place: int, since: int) -> bool:
        """Whether `place` is inside a block that begins at `since` or later."""
        if self._fences is None:
            self._fences = _fences(self._text)
        if since != self._since:
            self._since, self._open = since, None
        fences = self._fences
        while self._index < len(fences) and fences[self._index].start < place:
            self._pass(fences[self._index])
            self._index += 1
        if self._open is None or self._index == len(fences):
            return False
        return self._open.end <= place and self._open.closed_by(fences[self._index])

    def _pass(self, fence: _Fence) -> None:
        if fence.start < self._since:
            return
        if self._open and self._open.closed_by(fence):
            self._open = None
        elif fence.opens and (self._open is None or fence.info):
            self._open = fence


def fenced_grammar(languages: Mapping[str, tuple[str, str]]) -> Grammar:
    """A grammar in which a fenced code block is the action.

    The last block in one of the languages counts: models sketch first and decide
    last. If the text ends inside such a block, nothing counts.

    Args:
        languages: From a block's language, in lower case, to the name of the tool and
            of the argument that takes the code; ``""`` stands for no language.
    """

    def grammar(text: str) -> ToolCall | Problem | None:
        action: ToolCall | None = None
        opening: _Fence | None = None
        for fence in _fences(text):
            if opening is None:
                opening = fence if fence.opens else None
            elif opening.closed_by(fence):
                target = languages.get(opening.language)
                if target:
                    code = _code(text, opening, fence)
                    action = ToolCall(target[0], {target[1]: code})
                opening = None
        if opening and opening.language in languages:
            return _not_closed(languages[opening.language][0])
        return action

    return grammar


def _not_closed(tool: str) -> Problem:
    return Problem(
        "The last code block is not closed, so nothing was executed. End it with a "
        "line of three backticks.",
        tool,
    )


def _code(text: str, opening: _Fence, closing: _Fence) -> str:
    code = text[opening.end : closing.start].removesuffix("\n").removesuffix("\r")
    if opening.indent:
        indent = re.compile(rf"^ {{1,{opening.indent}}}", re.MULTILINE)
        code = indent.sub("", code)
    return code
