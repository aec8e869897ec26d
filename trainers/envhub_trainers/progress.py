"""What a person sees while a run goes on: phases, a bar, and how it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = ["Screen", "Silent", "Watcher"]

Advance = Callable[[int, str], None]


class Watcher(Protocol):
    """Is told how a run goes."""

    def phase(self, title: str, total: int) -> AbstractContextManager[Advance]:
        """Work of `total` parts; what it gives is told how many are done, and how."""
        ...

    def say(self, text: str) -> None:
        """A line for the person."""
        ...


class Silent:
    """Tells nobody."""

    @contextmanager
    def phase(self, title: str, total: int) -> Iterator[Advance]:
        """Nothing is shown."""
        yield lambda done, word: None

    def say(self, text: str) -> None:
        """Nothing is shown."""


class Screen:
    """A bar for each phase in a terminal, a line for each step anywhere else.

    Args:
        console: Where to; standard error by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)

    @contextmanager
    def phase(self, title: str, total: int) -> Iterator[Advance]:
        """Show a bar while the phase lasts, and a line when it is over."""
        if not self._console.is_terminal:
            yield self._lines(title, total)
            return
        columns = (
            TextColumn("{task.description:<22}"),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[word]}"),
        )
        with Progress(*columns, console=self._console) as shown:
            task = shown.add_task(title, total=total, word="")
            yield lambda done, word: shown.update(task, completed=done, word=word)

    def say(self, text: str) -> None:
        """A line for the person."""
        self._console.print(text, highlight=False)

    def _lines(self, title: str, total: int) -> Advance:
        """A line at each tenth, once."""
        shown = {-1}

        def advance(done: int, word: str) -> None:
            tenth = 10 * done // max(1, total)
            if tenth not in shown and done:
                shown.add(tenth)
                self.say(f"{title}: {done}/{total} {word}".rstrip())

        return advance
