"""docs/parsing.md is true: every row of its tables, every example, every note."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.actions import ChatMessage
from envhub.parsing import NOTES, Parsed, parse

PAGE = Path(__file__).parents[3] / "docs" / "parsing.md"
TEXT = PAGE.read_text(encoding="utf-8")
SPAN = re.compile(r"`([^`]+)`")


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Each row of a table of rules: the turn's column, the rule, the other cells."""
    kind = ""
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if len(cells) != 5:
            continue
        if cells[0] == "Rule":
            kind = cells[1]
        else:
            yield kind, cells[0], cells[1:]


ROWS = list(rows())


def spans(cell: str) -> list[str]:
    """What a cell shows as code."""
    return SPAN.findall(cell)


def read(kind: str, turn: str) -> Parsed:
    """The turn of a row, read the way its table says."""
    if kind == "ReAct turn":
        return parse(turn, formats=["react"])
    reason = "length" if kind == "Cut turn" else "stop"
    return parse(ChatMessage(turn, finish_reason=reason))


@pytest.mark.parametrize(("kind", "rule", "cells"), ROWS, ids=[row[1] for row in ROWS])
def test_a_row_of_the_page_is_true(kind: str, rule: str, cells: list[str]) -> None:
    turn = spans(cells[0])[0].replace("⏎", "\n")
    parsed = read(kind, turn)
    calls = [
        f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}"
        for call in parsed.calls
    ]
    assert calls == spans(cells[1])
    assert [problem.name or "?" for problem in parsed.problems] == spans(cells[2])
    assert sorted(parsed.notes) == sorted(spans(cells[3]))


def test_the_page_has_rows_for_every_format() -> None:
    assert {kind for kind, _, _ in ROWS} == {"Turn", "Cut turn", "ReAct turn"}
    assert len(ROWS) > 40


def test_the_examples_of_the_page_are_true() -> None:
    blocks = re.findall(r"^```pycon\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(
        "\n".join(blocks), {}, PAGE.name, str(PAGE), 0
    )
    outcome = doctest.DocTestRunner().run(example)
    assert outcome.attempted > 10
    assert outcome.failed == 0


def test_the_page_lists_every_note_with_its_meaning() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT, re.MULTILINE)
    assert dict(listed) == NOTES
