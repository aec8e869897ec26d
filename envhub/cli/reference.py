"""Renders the page docs/cli.md: ``python -m envhub.cli.reference > docs/cli.md``.

A test compares the page with what this renders, and runs the examples on it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import typer.main

from envhub.cli.app import COMMANDS, Command, build
from envhub.cli.options import Example
from envhub.cli.status import Status

__all__ = ["main", "render"]

_HEAD = """\
# Command line

<!-- Made by `python -m envhub.cli.reference`; change the program, not this page. -->

`envhub COMMAND --help` shows what is on this page. `ENV` is the name of an environment
that is installed, or the path of a Python file or folder with one. Output for programs
is JSON (`--json`), colour is left out in a pipe and where `NO_COLOR` is set, progress
and messages go to standard error. `envhub --install-completion` teaches the shell to
complete commands, options and the names of environments.
"""
_STATUSES = """
## Exit statuses

| status | meaning |
|---|---|
"""
_DEBUG = """
A mistake gets one message. `ENVHUB_DEBUG=1` adds the traceback.
"""


def render() -> str:
    """The page."""
    group: Any = typer.main.get_command(build())
    parts = [_HEAD]
    parts += [_section(c, group.commands[c.name]) for c in COMMANDS]
    rows = "".join(f"| {status:d} | {status.meaning} |\n" for status in Status)
    return "\n".join(parts) + _STATUSES + rows + _DEBUG


def main() -> None:
    """Print the page."""
    sys.stdout.write(render())


def _section(command: Command, parsed: Any) -> str:
    text = inspect.getdoc(command.function) or ""
    lines = [f"## envhub {command.name}", "", text, "", *_parameters(parsed), ""]
    return "\n".join([*lines, *_examples(command.shown())])


def _parameters(parsed: Any) -> Iterator[str]:
    """A table of what the command takes, in the order of its help."""
    yield "| option | what it says |"
    yield "|---|---|"
    for parameter in parsed.params:
        says = str(getattr(parameter, "help", "") or "")
        if parameter.param_type_name == "argument":
            yield f"| `{parameter.metavar or parameter.name.upper()}` | {says} |"
            continue
        names = ", ".join(f"`{name}`" for name in parameter.opts)
        value = f" `{parameter.metavar}`" if parameter.metavar else ""
        yield (
            f"| {names}{value}".replace("|INDEX", "\\|INDEX")
            + f" | {says}{_default(parameter)} |"
        )


def _default(parameter: Any) -> str:
    default = parameter.default
    shown = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f" Default: `{default}`." if shown else ""


def _examples(examples: Sequence[Example]) -> Iterator[str]:
    """Blocks of commands; those that cannot be run in a block of their own."""
    for excuse, block in groupby(examples, key=lambda example: example.excuse):
        if excuse:
            yield f"<!-- not run: {excuse} -->"
        yield "```console"
        for example in block:
            yield f"# {example.says}"
            yield f"$ {example.command}"
        yield "```"
        yield ""


if __name__ == "__main__":
    main()
