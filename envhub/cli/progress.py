"""Progress of long work, on standard error: a bar in a terminal, nothing in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from envhub.cli import screen

__all__ = ["bar"]


@contextmanager
def bar(title: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar that goes when the work is done.

    Yields:
        Called with how many are done, and a word on how it goes.
    """
    console = screen.err()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[word]}"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        task = shown.add_task(title, total=total, word="")
        yield lambda done, word: shown.update(task, completed=done, word=word)
