"""Reads what a person types, or what a pipe brings: one action a line, or one block.

A line that opens a fenced block or a ``<tool_call>`` goes on until it is closed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence

__all__ = ["Reader", "unfinished"]

_OPENS = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_PAIRS = (("<tool_call>", "</tool_call>"),)
_MORE = "... "


class Reader:
    """The next action, from the terminal or from a pipe.

    Args:
        suggestions: Told at every press of the tab key; what could be typed.
    """

    def __init__(self, suggestions: Callable[[], Sequence[str]] = lambda: ()) -> None:
        self.interactive = sys.stdin.isatty()
        if self.interactive:
            _offer(suggestions)

    def read(self, prompt: str) -> str | None:
        """The next line or block that is not empty; None when there is none.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        text = self._line(prompt)
        while text is not None and not text.strip():
            text = self._line(prompt)
        while text is not None and unfinished(text):
            more = self._line(_MORE)
            if more is None:
                break
            text = f"{text}\n{more}"
        return text

    def _line(self, prompt: str) -> str | None:
        if self.interactive:
            try:
                return input(prompt)
            except EOFError:
                return None
            except KeyboardInterrupt:
                print()  # noqa: T201  # what comes next begins a line of its own
                raise
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None


def unfinished(text: str) -> bool:
    """Whether a block or a tag is open at the end of the text."""
    fence = ""
    for mark, rest in _OPENS.findall(text):
        if not fence:
            # A mark that comes again on its line is code within a line.
            fence = "" if mark[0] == "`" and "`" in rest else mark
        elif mark.startswith(fence) and not rest.strip():
            fence = ""
    return bool(fence) or any(text.count(a) > text.count(b) for a, b in _PAIRS)


def _offer(suggestions: Callable[[], Sequence[str]]) -> None:
    """Line editing, history and completion, where the system has them."""
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        found = [name for name in suggestions() if name.startswith(text)]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")
