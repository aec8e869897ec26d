"""The program as a user types it: in this process, in another, or in a terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

import envhub
from envhub.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


class Type(Protocol):
    """Types a command line."""

    def __call__(self, *words: str, stdin: str = "") -> Outcome: ...


@pytest.fixture
def type_in(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Type:
    """Run a command in this process, in an empty folder, with piped input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ENVHUB_DEBUG", raising=False)

    def run(*words: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        status = main(words)
        found = capsys.readouterr()
        return Outcome(status, found.out, found.err)

    return run


PROGRAM = Path(sys.executable).with_name("envhub")


@pytest.fixture
def spawn(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a line of shell that knows the program, in a process of its own."""
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"

    def run(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


class Moody(envhub.ToolEnv):
    """An environment that fails as it is told to."""

    tasks = envhub.Tasks.from_list("moody", [{"n": n} for n in range(12)])
    max_turns = 4
    instructions = "Open the box."

    def __init__(self, mode: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mode = mode

    def begin(self, task: envhub.Task) -> str:
        self.opened = False
        if self.mode == "fault":
            raise KeyError("no such shelf")
        return "A box \x1b[31mred\x1b[0m [bold]and[/bold] shut :smile:."

    @envhub.tool
    def touch(self, times: int = 1) -> str:
        """Touch the box."""
        self.earn("touched", 0.25)
        return f"touched {times} times"

    @envhub.tool
    def open(self, key: str) -> str:
        """Open the box.

        Args:
            key: What it opens with.
        """
        if self.mode == "crash":
            raise ZeroDivisionError("a slip")
        if self.mode == "lost" and self.task["n"] % 3 == 0:
            raise envhub.InfrastructureError("the sandbox is gone")
        if self.mode == "interrupt" and self.task["n"] % 3 == 0:
            raise KeyboardInterrupt
        self.opened = True
        self.finish()
        return f"It opens with {key}."

    def score(self) -> envhub.Score:
        return envhub.Score(
            0.5 * self.opened, {"opened": float(self.opened)}, self.opened
        )

    def oracle(self) -> envhub.Action:
        return envhub.ToolCall("open", {"key": "iron"})


@pytest.fixture(scope="session", autouse=True)
def moody() -> None:
    """An environment that fails as it is told to, by name."""
    envhub.register(
        "moody", Moody, summary="Fails as it is told.", placement="in_process"
    )
