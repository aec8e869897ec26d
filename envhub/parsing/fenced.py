"""Fenced code blocks: where they are, and the grammar that makes actions of them.

Blocks are CommonMark's: a line of three or more backticks or tildes, indented by at
most three spaces, opens one; a bare line of at least as many of the same mark closes
it; what stands between is content, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from envhub.actions import ToolCall
from envhub.parsing.values import Grammar, Problem

__all__ = ["Shield", "fenced_grammar"]

_LINE = re.compile(r"^( {0,3})(`{3,}|~{3,})[ \t]*([^\n]*)\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Fence:
    """A line that can open or close a block."""

    start: int
    end: int
    indent: int
    mark: str
    info: str

    @property
    def opens(self) -> bool:
        return self.mark[0] == "~" or "`" not in self.info

    def closed_by(self, other: _Fence) -> bool:
        return not other.info and other.mark.startswith(self.mark)


@dataclass(frozen=True, slots=True)
class _Block:
    """A block; `closing` is None where the text ends before the block does.

    `nested` says that a line inside looks like the beginning of another block.
    """

    opening: _Fence
    closing: _Fence | None
    nested: bool


def _fences(text: str) -> list[_Fence]:
    return [
        _Fence(m.start(), m.end(), len(m[1]), m[2], m[3].strip())
        for m in _LINE.finditer(text)
    ]


def _next_block(fences: list[_Fence], index: int) -> tuple[_Block | None, int]:
    """The first block from `index` on, and the index after it."""
    while index < len(fences) and not fences[index].opens:
        index += 1
    if index == len(fences):
        return None, index
    opening, nested = fences[index], False
    for i in range(index + 1, len(fences)):
        if opening.closed_by(fences[i]):
            return _Block(opening, fences[i], nested), i + 1
        nested = nested or bool(fences[i].info)
    return _Block(opening, None, nested), len(fences)


class Shield:
    """Says whether a place lies inside a whole fenced block.

    Asked from left to right. A block in which another seems to begin shields nothing:
    it is more likely that its end was forgotten.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._fences: list[_Fence] | None = None
        self._index = 0
        self._block: _Block | None = None

    def covers(self, place: int, since: int) -> bool:
        """Whether `place` is inside a block that begins at `since` or later."""
        if self._fences is None:
            self._fences = _fences(self._text) if "```" in self._text else []
        if self._block and self._block.opening.start < since:
            self._block = None
        while self._ends(self._block) <= place and self._index < len(self._fences):
            if self._fences[self._index].start < since:
                self._index += 1
                continue
            if self._fences[self._index].start > place:
                break
            self._block, self._index = _next_block(self._fences, self._index)
        block = self._block
        return (
            block is not None
            and block.opening.start < place < self._ends(block)
            and not block.nested
        )

    @staticmethod
    def _ends(block: _Block | None) -> int:
        return block.closing.end if block and block.closing else -1


def fenced_grammar(languages: Mapping[str, tuple[str, str]]) -> Grammar:
    """A grammar in which a fenced code block is the action.

    The last block in one of the languages counts: models sketch first and decide
    last. If the text ends inside a block, nothing counts.

    Args:
        languages: From a block's language, in lower case, to the name of the tool and
            of the argument that takes the code; ``""`` stands for no language.
    """

    def grammar(text: str) -> ToolCall | Problem | None:
        fences, index = _fences(text), 0
        action: ToolCall | None = None
        while True:
            block, index = _next_block(fences, index)
            if block is None:
                return action
            target = languages.get(_language(block.opening))
            if block.closing is None:
                return _not_closed(target)
            if target:
                action = ToolCall(target[0], {target[1]: _code(text, block)})

    return grammar


def _language(fence: _Fence) -> str:
    return fence.info.split(maxsplit=1)[0].lower() if fence.info else ""


def _not_closed(target: tuple[str, str] | None) -> Problem:
    return Problem(
        "The last code block is not closed, so nothing was executed. End it with a "
        "line of three backticks.",
        target[0] if target else "",
    )


def _code(text: str, block: _Block) -> str:
    end = block.closing.start if block.closing else len(text)
    code = text[block.opening.end : end].removesuffix("\n")
    if block.opening.indent:
        indent = re.compile(rf"^ {{1,{block.opening.indent}}}", re.MULTILINE)
        code = indent.sub("", code)
    return code
