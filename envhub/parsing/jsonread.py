"""Reads one JSON value out of a longer text, and says where it ends.

The standard decoder cannot be used as it is: it recurses, keeps the last of two equal
keys, takes NaN, and counts lines from the start of the text for each error, which is
quadratic on a turn full of broken calls. This reader keeps its own stack, goes over
each character once, refuses what has two readings, and repairs what has one:

    raw_control     a newline, carriage return or tab as such inside a string
    trailing_comma  a comma before the closing bracket
    python_literal  True, False, None
    missing_brace   the last brace is missing and the end mark follows

It knows nothing of tools; `envhub.parsing.calls` makes calls of the values.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import NoReturn

from envhub.parsing.plain import MAX_DEPTH, JsonValue, encodable, excerpt

__all__ = ["JsonError", "JsonRead", "read_json"]

_SPACE = re.compile(r"[ \t\n\r]*")
_CONTROL = re.compile(r"[\x00-\x1f]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"-?[A-Za-z_][A-Za-z_0-9]*")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}
_PYTHON: dict[str, JsonValue] = {"True": True, "False": False, "None": None}
_HINTS = {
    "'": "strings take double quotes",
    "/": "comments are not JSON",
    "#": "comments are not JSON",
    "": "the text ends here",
}


class JsonError(ValueError):
    """The text is not JSON, or has more than one reading.

    Attributes:
        at: Index in the whole text at which reading stopped.
        name: The value of the outermost ``"name"``, where it had been read.
    """

    def __init__(self, text: str, start: int, at: int, what: str, name: str) -> None:
        super().__init__(what)
        self.at = at
        self.name = name
        self._text = text
        self._start = start

    def __str__(self) -> str:
        """What is wrong and where, counted from the value's beginning."""
        text, start, at = self._text, self._start, self.at
        line = text.count("\n", start, at) + 1
        column = at - max(text.rfind("\n", start, at), start - 1)
        where = f"at line {line} column {column} (char {at - start})"
        near = excerpt(text[at : at + 40], 24)
        return f"{self.args[0]} {where}" + (f", near {near!r}" if near else "")


@dataclass(frozen=True, slots=True)
class JsonRead:
    """One value that was read.

    Attributes:
        value: The value.
        end: Index just after it.
        notes: Repairs that were made, as note codes.
    """

    value: JsonValue
    end: int
    notes: tuple[str, ...] = ()


def read_json(text: str, start: int = 0, *, stop: str = "") -> JsonRead:
    """Read the JSON value that begins at `start`.

    Args:
        text: The whole text.
        start: Where the value begins; leading white space is skipped.
        stop: The mark that ends the value's surroundings. Where it stands instead of
            the very last brace, the brace is taken as forgotten.

    Raises:
        JsonError: What stands there is not JSON, or has more than one reading.
    """
    reader = _Reader(text, start, stop)
    value = reader.read()
    return JsonRead(value, reader.at, tuple(reader.notes))


class _Frame:
    """A container that has been opened and not yet closed."""

    __slots__ = ("box", "key")

    def __init__(self, box: dict[str, JsonValue] | list[JsonValue]) -> None:
        self.box = box
        self.key = ""

    @property
    def closer(self) -> str:
        return "}" if isinstance(self.box, dict) else "]"

    def keep(self, value: JsonValue) -> None:
        if isinstance(self.box, dict):
            self.box[self.key] = value
        else:
            self.box.append(value)


class _Reader:
    """One reading. `at` only ever grows."""

    def __init__(self, text: str, start: int, stop: str) -> None:
        self.text = text
        self.start = start
        self.stop = stop
        self.at = start
        self.notes: dict[str, None] = {}
        self._frames: list[_Frame] = []
        self._root: JsonValue = None

    def read(self) -> JsonValue:
        while True:
            complete = self._value()
            while complete:
                if not self._frames:
                    return self._root
                complete = self._after_value()

    def _value(self) -> bool:
        """Read a value, or the beginning of one; say whether it is complete."""
        char = self._peek()
        if char == "{":
            return self._open({})
        if char == "[":
            return self._open([])
        self._keep(self._string() if char == '"' else self._number_or_word(char))
        return True

    def _after_value(self) -> bool:
        """Read the comma or the closing bracket that follows a value."""
        frame = self._frames[-1]
        char = self._peek()
        if char == ",":
            self.at += 1
            if self._peek() != frame.closer:
                self._next_key(frame)
                return False
            self.notes["repaired:trailing_comma"] = None
        elif char != frame.closer:
            if not self._brace_forgotten(frame):
                self._fail(f"expected ',' or '{frame.closer}'", char)
            self.notes["repaired:missing_brace"] = None
            self.at -= 1
        self.at += 1
        self._close()
        return True

    def _open(self, box: dict[str, JsonValue] | list[JsonValue]) -> bool:
        if len(self._frames) >= MAX_DEPTH:
            self._fail(f"nested more than {MAX_DEPTH} levels deep")
        frame = _Frame(box)
        self._frames.append(frame)
        self.at += 1
        if self._peek() == frame.closer:
            self.at += 1
            self._close()
            return True
        self._next_key(frame)
        return False

    def _close(self) -> None:
        self._keep(self._frames.pop().box)

    def _keep(self, value: JsonValue) -> None:
        if self._frames:
            self._frames[-1].keep(value)
        else:
            self._root = value

    def _brace_forgotten(self, frame: _Frame) -> bool:
        return (
            bool(self.stop)
            and len(self._frames) == 1
            and isinstance(frame.box, dict)
            and self.text.startswith(self.stop, self.at)
        )

    def _next_key(self, frame: _Frame) -> None:
        if not isinstance(frame.box, dict):
            return
        char = self._peek()
        if char != '"':
            self._fail("expected a key in double quotes", char)
        begin = self.at
        frame.key = self._string()
        if frame.key in frame.box:
            self.at = begin
            self._fail(f"the key {excerpt(frame.key)!r} stands twice")
        char = self._peek()
        if char != ":":
            self._fail("expected ':' after a key", char)
        self.at += 1

    def _string(self) -> str:
        begin = self.at + 1
        end = self._closing_quote(begin)
        raw = self.text[begin:end]
        self._check_controls(raw, begin)
        if "\\" in raw:
            try:
                raw = json.loads(f'"{raw}"', strict=False)
            except json.JSONDecodeError as error:
                self.at = begin + error.pos - 1
                self._fail(error.msg)
        self.at = end + 1
        value = encodable(raw)
        if value != raw:
            self.notes["surrogate_replaced"] = None
        return value

    def _closing_quote(self, begin: int) -> int:
        end = self.text.find('"', begin)
        while end >= 0:
            run = end
            while run > begin and self.text[run - 1] == "\\":
                run -= 1
            if (end - run) % 2 == 0:
                return end
            end = self.text.find('"', end + 1)
        return self._fail("a string is not closed")

    def _check_controls(self, raw: str, begin: int) -> None:
        found = _CONTROL.search(raw)
        while found:
            if found[0] not in "\n\r\t":
                self.at = begin + found.start()
                self._fail("a control character inside a string")
            self.notes["repaired:raw_control"] = None
            found = _CONTROL.search(raw, found.end())

    def _number_or_word(self, char: str) -> JsonValue:
        number = _NUMBER.match(self.text, self.at)
        if number:
            return self._number(number)
        word = _WORD.match(self.text, self.at)
        if not word:
            self._fail("expected a value", char)
        if word[0] in _WORDS:
            self.at = word.end()
            return _WORDS[word[0]]
        if word[0] in _PYTHON:
            self.at = word.end()
            self.notes["repaired:python_literal"] = None
            return _PYTHON[word[0]]
        return self._fail(f"{excerpt(word[0], 24)} is not a JSON value")

    def _number(self, match: re.Match[str]) -> int | float:
        value: int | float
        if match[1] or match[2]:
            value = float(match[0])
            if math.isinf(value):
                self._fail("the number is too large")
        else:
            try:
                value = int(match[0])
            except ValueError:  # Python's own limit on the digits of an integer
                self._fail(f"an integer of {len(match[0])} digits is too long")
        self.at = match.end()
        return value

    def _peek(self) -> str:
        char = self.text[self.at : self.at + 1]
        if char.isspace():
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            char = self.text[self.at : self.at + 1]
        return char

    def _fail(self, what: str, char: str | None = None) -> NoReturn:
        hint = None if char is None else _HINTS.get(char)
        name = ""
        if self._frames and isinstance(self._frames[0].box, dict):
            found = self._frames[0].box.get("name")
            name = found if isinstance(found, str) else ""
        what = f"{what} ({hint})" if hint else what
        raise JsonError(self.text, self.start, self.at, what, name)
