"""The database an agent works on; hosted in a sandbox, and knowing no task and no gold.

Standard library only. The agent's SQL meets four fences: an authorizer that refuses
what reaches beyond the database, ``query_only`` where a task is read-only, SQLite's
own limits on sizes, and a deadline that interrupts the running statement. The process
around it is the sandbox's, whose limits end it if all of these fail.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

__all__ = ["Engine", "statements"]

Row = tuple[Any, ...]

_PRAGMAS = frozenset(
    {
        "collation_list",
        "compile_options",
        "database_list",
        "foreign_key_check",
        "foreign_key_list",
        "foreign_keys",
        "function_list",
        "index_info",
        "index_list",
        "index_xinfo",
        "integrity_check",
        "quick_check",
        "table_info",
        "table_list",
        "table_xinfo",
        "user_version",
    }
)
_WITH_ARGUMENT = frozenset(
    name for name in _PRAGMAS if name.endswith(("_info", "_xinfo", "_list", "_check"))
)
_FORBIDDEN_FUNCTIONS = frozenset(
    {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
)
_FORBIDDEN_ACTIONS = {
    sqlite3.SQLITE_ATTACH: "ATTACH and VACUUM INTO are not allowed here",
    sqlite3.SQLITE_DETACH: "DETACH is not allowed here",
    sqlite3.SQLITE_CREATE_VTABLE: "virtual tables are not allowed here",
}
_FENCE = re.compile(r"\A\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_CELL, _COLUMNS, _TOTAL, _COUNTED = 200, 30, 4000, 100_000
_TICK = 2000
_LARGEST = 8 * 2**20
"""Characters and bytes of all values that leave the sandbox together."""
_REFUSALS = (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError)
"""What a query can bring about; a ValueError, by a NUL or half a surrogate pair."""


class Engine:
    """One in-memory database and the rules for using it.

    Args:
        seconds: Time one `execute` may take.
        heap: Bytes that SQLite may use.
    """

    def __init__(self, seconds: float = 5.0, heap: int = 200 * 2**20) -> None:
        self._seconds = seconds
        self._heap = heap
        self._read_only = True
        self._refusal = ""
        self._deadline = 0.0
        self._room = _LARGEST
        self._database: sqlite3.Connection | None = None

    def load(self, image: bytes, read_only: bool) -> None:
        """Begin with a database given as `sqlite3.Connection.serialize` made it."""
        if self._database is not None:
            self._database.close()
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.deserialize(image)
        database.execute(f"PRAGMA hard_heap_limit={self._heap}")
        database.execute(f"PRAGMA query_only={int(read_only)}")
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 32 * 2**20)
        database.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, 2**20)
        database.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
        database.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        database.set_authorizer(self._authorize)
        database.set_progress_handler(self._overdue, _TICK)
        self._read_only = read_only
        self._database = database

    def execute(self, query: str, rows: int = 50) -> dict[str, Any]:
        """Run statements in order; the last result, as text for the agent.

        Returns:
            ``text``, and ``ok``: whether all statements ran.
        """
        database = self._open()
        shown: list[str] = []
        try:
            for statement in self._begin(query):
                cursor = database.execute(statement)
                shown = [self._show(cursor, rows)]
        except _REFUSALS as error:
            return {"text": self._complain(error), "ok": False}
        text = shown[0] if shown else "There is no statement in this query."
        return {"text": text, "ok": bool(shown)}

    def rows(self, query: str, most: int) -> dict[str, Any]:
        """Values of the last result of a query, for grading outside the sandbox.

        Returns:
            ``rows`` (at most `most` and one), ``columns``, ``error``.
        """
        database = self._open()
        found: dict[str, Any] = {"rows": [], "columns": 0, "error": ""}
        try:
            for statement in self._begin(query):
                cursor = database.execute(statement)
                if cursor.description:
                    found["columns"] = len(cursor.description)
                    found["rows"] = self._taken(cursor, most + 1)
        except _REFUSALS as error:
            found["error"] = self._complain(error)
        return found

    def tables(self, most: int = 20_000) -> dict[str, list[list[Any]]]:
        """Rows of every table, uncommitted changes left out, for grading outside.

        Of a table that cannot be read, one row that no table of a task has.
        """
        database = self._open()
        if database.in_transaction:
            database.rollback()
        self._deadline = time.monotonic() + 4 * self._seconds
        self._room = _LARGEST
        listed = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        try:
            names = self._taken(database.execute(listed), most)
        except _REFUSALS:
            return {}
        return {name: self._table(name, most) for (name,) in names}

    def _table(self, name: str, most: int) -> list[list[Any]]:
        try:
            rows = self._open().execute(f"SELECT * FROM {_quoted(name)}")
            return self._taken(rows, most)
        except _REFUSALS:
            return [["(cannot be read)"]]

    def _taken(self, rows: Iterable[Row], most: int) -> list[list[Any]]:
        """The first rows; they leave the sandbox, so their size is bounded."""
        taken: list[list[Any]] = []
        for row in islice(rows, most):
            self._room -= sum(len(x) for x in row if isinstance(x, str | bytes))
            if self._room < 0:
                raise ValueError("the result is too large")
            taken.append(list(row))
        return taken

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            raise ValueError("no database was loaded")
        return self._database

    def _begin(self, query: str) -> Iterator[str]:
        fenced = _FENCE.match(query)
        self._refusal = ""
        self._deadline = time.monotonic() + self._seconds
        self._room = _LARGEST
        return statements(fenced[1] if fenced else query)

    def _overdue(self) -> bool:
        return time.monotonic() > self._deadline

    def _authorize(
        self, action: int, first: str | None, second: str | None, *_: str | None
    ) -> int:
        if action in _FORBIDDEN_ACTIONS:
            return self._refuse(_FORBIDDEN_ACTIONS[action])
        if action == sqlite3.SQLITE_PRAGMA and not _harmless(first or "", second):
            return self._refuse(f"PRAGMA {first} is not allowed here")
        if action == sqlite3.SQLITE_FUNCTION and second in _FORBIDDEN_FUNCTIONS:
            return self._refuse(f"the function {second} is not allowed here")
        return sqlite3.SQLITE_OK

    def _refuse(self, why: str) -> int:
        self._refusal = self._refusal or why
        return sqlite3.SQLITE_DENY

    def _complain(self, error: Exception) -> str:
        database = self._open()
        text = f"Error: {self._refusal or str(error) or 'out of memory'}."
        if "interrupted" in str(error):
            text = f"Error: stopped at the time limit of {self._seconds:g} s."
        if "readonly database" in str(error):
            text = "Error: the database is read-only in this task; nothing was changed."
        if database.in_transaction:
            database.rollback()
            text += " The open transaction was rolled back."
        return text

    def _show(self, cursor: sqlite3.Cursor, most: int) -> str:
        if not cursor.description:
            changed = cursor.rowcount
            return f"Done. Rows changed: {changed}." if changed >= 0 else "Done."
        # Row by row, as a row may be large and only its beginning is shown.
        head = [_line(row) for row in islice(cursor, most)]
        total = len(head) + sum(1 for _ in islice(cursor, _COUNTED))
        names = [column[0] for column in cursor.description]
        text, left_out = _fit([_line(names), *head])
        shown = len(head) - left_out
        note = f"({total} rows)" if total != 1 else "(1 row)"
        if shown < total:
            beyond = "more than " if total == len(head) + _COUNTED else ""
            note = f"({shown} of {beyond}{total} rows shown)"
        return f"{text}\n{note}"


def statements(script: str) -> Iterator[str]:
    """The statements of a script, in order; a ``;`` inside a text does not split."""
    start = 0
    for end in (match.end() for match in re.finditer(";", script)):
        part = script[start:end]
        if sqlite3.complete_statement(part):
            start = end
            if _has_code(part):
                yield _unwrapped(part)
    if _has_code(script[start:]):
        yield _unwrapped(script[start:])


def _unwrapped(part: str) -> str:
    """``(SELECT 1)`` without its parentheses, which SQLite does not take."""
    bare = part.strip(" \t\r\n;")
    if not (bare.startswith("(") and bare.endswith(")")):
        return part
    inner = bare[1:-1]
    depth = 0
    for character in re.sub(r"'(?:[^']|'')*'|\"[^\"]*\"", "", inner):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return part
    return inner


def _has_code(part: str) -> bool:
    bare = re.sub(r"--[^\n]*|/\*.*?(?:\*/|\Z)", " ", part, flags=re.DOTALL)
    return bool(bare.strip(" \t\r\n;"))


def _harmless(name: str, argument: str | None) -> bool:
    """Whether a pragma only reads."""
    name = name.lower()
    return name in _PRAGMAS and (argument is None or name in _WITH_ARGUMENT)


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _line(row: Row | list[str]) -> str:
    cells = [_cell(value) for value in row[:_COLUMNS]]
    if len(row) > _COLUMNS:
        cells.append(f"[{len(row) - _COLUMNS} more columns]")
    return " | ".join(cells)


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        text = f"x'{value[: _CELL // 2].hex()}'"
        length, unit = len(value), "bytes"
        cut = length > _CELL // 2
    else:
        text = str(value)
        length, unit = len(text), "characters"
        cut = length > _CELL
        text = text[:_CELL]
    text = text.replace("\n", "\\n")
    return f"{text}[... {length} {unit}]" if cut else text


def _fit(lines: list[str]) -> tuple[str, int]:
    """Lines that fit the size of an answer, and the number left out at the end."""
    used = 0
    for count, line in enumerate(lines):
        used += len(line) + 1
        if used > _TOTAL and count > 1:
            return "\n".join(lines[:count]), len(lines) - count
    return "\n".join(lines), 0
