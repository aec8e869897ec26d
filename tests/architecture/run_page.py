"""Do what a page of the documentation tells its reader to do, in the current folder.

    python title="orders.py"     a block with a title is saved under that name
    python                       a block without one is run; names live on down the page
    console                      lines that start with `$ envhub` or `$ python` are run

A block that cannot be run here says why, in a comment on the line before its fence:
`<!-- not run: needs a GPU -->`. Other languages, and other commands, are for reading.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Block", "blocks", "run"]

FENCE = re.compile(
    r"(?P<excuse><!-- not run: .+? -->\n)?"
    r"^```(?P<language>\w+)(?P<options>[^\n]*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
TITLE = re.compile(r'title="(?P<title>[^"]+)"')
RUNNABLE = ("envhub", "python")


@dataclass(frozen=True)
class Block:
    """One fenced block: what it holds, where it stands, whether it asks to be left."""

    language: str
    text: str
    line: int
    title: str | None
    excused: bool

    @property
    def commands(self) -> list[str]:
        """The commands after a `$`, with continued lines joined."""
        joined = self.text.replace("\\\n", " ")
        return [line[2:] for line in joined.splitlines() if line.startswith("$ ")]

    @property
    def runs(self) -> bool:
        """Whether this block does anything when its page is run."""
        return not self.excused and (
            self.title is not None or self.language in ("python", "console")
        )


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, from top to bottom."""
    for match in FENCE.finditer(page):
        title = TITLE.search(match["options"])
        yield Block(
            language=match["language"],
            text=match["text"],
            line=page.count("\n", 0, match.start("text")),
            title=title["title"] if title else None,
            excused=match["excuse"] is not None,
        )


def run(page: Path) -> None:
    """Run a page from top to bottom; the first failure ends it."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.runs:
            _run_block(block, page, names)


def _run_block(block: Block, page: Path, names: dict[str, object]) -> None:
    if block.title is not None:
        file = Path(block.title)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
    elif block.language == "python":
        # Empty lines in front make a traceback point at the line of the page.
        code = compile("\n" * block.line + block.text, str(page), "exec")
        exec(code, names)
    else:
        for command in block.commands:
            _run_command(command)


def _run_command(command: str) -> None:
    program, *arguments = shlex.split(command, comments=True)
    if program not in RUNNABLE:
        return
    here = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    print(f"$ {command}", flush=True)  # noqa: T201 - the log of a page that fails
    subprocess.run([here / program, *arguments], env=environment, check=True)


if __name__ == "__main__":
    # A page's own modules are found in the folder where it is run.
    sys.path[0] = str(Path.cwd())
    run(Path(sys.argv[1]))
