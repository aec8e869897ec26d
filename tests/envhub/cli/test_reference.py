"""The page docs/cli.md says what the program says."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import typer.main

from envhub.cli.app import COMMANDS, build
from envhub.cli.options import Example
from envhub.cli.reference import render

EXAMPLES = [example for command in COMMANDS for example in command.shown()]


def test_the_page_is_what_the_program_renders(repository: Path) -> None:
    page = (repository / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == render(), "python -m envhub.cli.reference > docs/cli.md"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command)
def test_an_example_is_a_command_line_that_the_program_reads(example: Example) -> None:
    words = shlex.split(example.command)
    words = words[words.index("envhub") + 1 :]
    group = typer.main.get_command(build())
    command = group.commands[words[0]]  # type: ignore[attr-defined]  # a group has them
    context = command.make_context(words[0], words[1:])
    assert context.params


def test_every_command_has_examples_and_says_what_they_do() -> None:
    for command in COMMANDS:
        assert command.shown()
        assert all(f"envhub {command.name}" in e.command for e in command.shown())
        assert all(example.says for example in command.shown())
