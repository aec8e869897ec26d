"""Where output goes: a terminal or a pipe, with colour or without, as text or JSON.

Everything that a command prints goes through here. What an environment says is shown as
it is, never read as markup, and cannot steer the terminal.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = [
    "NoReader",
    "complain",
    "err",
    "grid",
    "heading",
    "hush",
    "number",
    "out",
    "prepare",
    "print_json",
    "say",
    "show",
    "show_markdown",
    "table",
    "visible",
]

_PIPED_WIDTH = 10_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class NoReader(Exception):
    """The other end of the pipe went away."""


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        raise NoReader


def prepare() -> None:
    """Make the streams take any text, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def hush() -> None:
    """Let nothing more be written to a pipe that nobody reads."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def out() -> Console:
    """Standard output; a pipe is as wide as need be, so that no line is broken."""
    return _console(stderr=False)


def err() -> Console:
    """Standard error, for messages and progress."""
    return _console(stderr=True)


def complain(message: str) -> None:
    """Say what went wrong, on standard error."""
    text = Text("Error: ", style="bold red")
    text.append(visible(message), style="default not bold")
    err().print(text, soft_wrap=not err().is_terminal)


def print_json(value: Any) -> None:
    """A value as JSON, for programs: two spaces deep, never coloured."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise NoReader from None


def table(*columns: str, right: Iterable[str] = (), title: str = "") -> Table:
    """An empty table in the house style; the columns named in `right` hold numbers."""
    made = Table(
        box=None,
        title=title or None,
        title_justify="left",
        header_style="bold",
        pad_edge=False,
    )
    numbers = set(right)
    for name in columns:
        made.add_column(
            name,
            justify="right" if name in numbers else "left",
            no_wrap=name != columns[-1],
        )
    return made


def grid(*, columns: int = 2) -> Table:
    """Columns without a head; the last holds text, those before it names."""
    made = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(columns - 1):
        made.add_column(no_wrap=True)
    made.add_column(overflow="fold")
    return made


def show(renderable: Table | Text) -> None:
    """Show a table or a line; in a pipe without the spaces that fill its cells."""
    console = out()
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as captured:
        console.print(renderable)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    console.print(Text("\n".join(lines)), soft_wrap=True)


def heading(text: str) -> None:
    """A line that says what follows."""
    out().print(Text(f"\n{text}", style="bold"))


def say(text: str, *, style: str = "") -> None:
    """A text of an environment or of a person, as it is."""
    console = out()
    console.print(Text(visible(text), style=style), soft_wrap=not console.is_terminal)


def show_markdown(text: str) -> None:
    """A page of an author's: set in a terminal, as it stands in a pipe."""
    if not out().is_terminal:
        say(text)
        return
    from rich.markdown import Markdown

    out().print(Markdown(visible(text)))


def number(value: float, *, digits: int = 3) -> str:
    """A number for people; a dash where there is none."""
    if math.isnan(value):
        return "–"
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"


def visible(text: str) -> str:
    """The text with control characters replaced by their pictures.

    Tabs and ends of lines stay; what could move the cursor, ring the bell or turn the
    direction of writing becomes a visible character.
    """
    return _CONTROL.sub(lambda found: _picture(ord(found[0])), text)


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"


def _console(*, stderr: bool) -> Console:
    console = _Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    return console
