"""What every command line has in common: help, statuses, messages, pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from envhub.cli.app import COMMANDS
from envhub.cli.status import Status, explain
from envhub.errors import (
    DeadlineExceeded,
    EnvironmentFault,
    InvalidAction,
    MissingExtra,
    UnknownTask,
)
from tests.envhub.cli.conftest import Type

Spawn = Callable[..., subprocess.CompletedProcess[str]]
NAMES = [command.name for command in COMMANDS]


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_lists_every_command_and_status(
    type_in: Type, words: tuple[str, ...]
) -> None:
    found = type_in(*words)
    assert found.status == Status.OK
    for name in NAMES:
        assert f" {name} " in found.out
    for status in Status:
        assert str(int(status)) in found.out


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_shows_its_examples(type_in: Type, name: str) -> None:
    found = type_in(name, "--help")
    assert found.status == Status.OK
    shown = " ".join(found.out.split())
    command = next(command for command in COMMANDS if command.name == name)
    for example in command.shown():
        assert " ".join(example.command.split()) in shown
        assert example.says in shown


def test_version_is_told_in_both_ways(type_in: Type) -> None:
    import envhub

    assert type_in("--version").out == f"envhub {envhub.__version__}\n"
    assert type_in("version").out.startswith(f"envhub {envhub.__version__}\n")
    assert json.loads(type_in("version", "--json").out)["envhub"] == envhub.__version__


@pytest.mark.parametrize(
    ("words", "hints"),
    [
        (["lst"], ["lst", "list", "envhub --help"]),
        (["play"], ["ENV", "envhub play --help"]),
        (["play", "toy-lok"], ["no environment 'toy-lok'", "toy-lock", "envhub list"]),
        (["info", "toy-lok"], ["toy-lock"]),
        (["check", "toy-lok"], ["toy-lock"]),
        (["train", "toy-lok"], ["toy-lock"]),
        (["run", "toy-lok"], ["toy-lock"]),
        (["run", "toy-lock", "--policy", "orcle"], ["orcle", "oracle", "model:"]),
        (["run", "toy-lock", "--policy", "model:"], ["model:PATH_OR_ID"]),
        (["run", "toy-lock", "--episodes", "0"], ["--episodes", "1"]),
        (["run", "toy-lock", "--jobs", "many"], ["--jobs"]),
        (["run", "toy-lock", "--split", "moon"], ["moon", "test", "train"]),
        (["run", "toy-lock", "--compare", "no.jsonl"], ["no.jsonl: No such file"]),
        (["run", "toy-lock", "--out", "/dev/null/x"], ["/dev/null"]),
        (["play", "toy-lock", "--task", "99"], ["99", "0 to 39"]),
        (["play", "toy-lock", "--task", "lock-tset-00001"], ["lock-test-00000"]),
        (["play", "toy-lock", "--level", "7"], ["levels 1 to 2"]),
        (["play", "toy-lock", "--sed", "1"], ["--sed", "--seed"]),
        (["play", "toy-lock", "--set", "x"], ["--set x", "NAME=VALUE"]),
        (["play", "toy-lock", "--set", "colour=1"], ["colour"]),
        (["play", "./nothing.py"], ["nothing.py", "no such file"]),
        (["play", "a//b"], ["a//b", "OWNER/NAME"]),
        (["list", "extra"], ["extra", "envhub list --help"]),
    ],
    ids=" ".join,
)
def test_a_mistake_gets_one_message_that_says_what_to_type(
    type_in: Type, words: list[str], hints: list[str]
) -> None:
    found = type_in(*words)
    assert found.status == Status.USAGE
    assert found.out == ""
    assert found.err.startswith("Error: ")
    assert "Traceback" not in found.err
    assert len(found.err.splitlines()) <= 2
    for hint in hints:
        assert hint in found.err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UnknownTask("x"), Status.USAGE),
        (MissingExtra("x"), Status.USAGE),
        (FileNotFoundError(2, "No such file", "x"), Status.USAGE),
        (EnvironmentFault("x"), Status.ENVIRONMENT),
        (InvalidAction("x"), Status.ENVIRONMENT),
        (DeadlineExceeded("x"), Status.INFRASTRUCTURE),
        (ZeroDivisionError("x"), Status.BUG),
    ],
)
def test_the_status_says_whose_fault_it_was(error: Exception, status: Status) -> None:
    assert explain(error)[0] is status


def test_a_traceback_of_another_process_is_left_for_debugging() -> None:
    text = "it broke\nTraceback (most recent call last):\n  File x\nKeyError"
    _, message = explain(EnvironmentFault(text))
    assert message.splitlines()[0].endswith("it broke")
    assert "File x" not in message
    assert "ENVHUB_DEBUG=1" in message


def test_a_bug_shows_its_traceback_and_a_status_of_its_own(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    from envhub.cli import screen

    def broken(value: object) -> None:
        raise ZeroDivisionError("a slip of ours")

    monkeypatch.setattr(screen, "print_json", broken)
    found = type_in("version", "--json")
    assert found.status == Status.BUG
    assert "Traceback" in found.err
    assert "a slip of ours" in found.err


def test_debugging_adds_the_traceback_to_the_message(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVHUB_DEBUG", "1")
    found = type_in("play", "moody", "--set", "mode=fault")
    assert found.status == Status.ENVIRONMENT
    assert "Traceback" in found.err
    assert "Error: the environment failed" in found.err


# In a process of its own


def test_a_reader_that_goes_away_is_no_error_message(spawn: Spawn) -> None:
    for line in ("envhub list --json | true", "envhub --help | true"):
        found = spawn(line)
        assert found.returncode in (Status.OK, Status.NO_READER)
        assert found.stderr == ""


def test_a_pipe_gets_no_colour_and_whole_lines(spawn: Spawn) -> None:
    found = spawn("envhub list | cat")
    assert found.returncode == 0
    assert "\x1b" not in found.stdout
    rows = found.stdout.splitlines()
    assert rows[0].split() == ["NAME", "VERSION", "LEVELS", "FROM", "SUMMARY"]
    assert all(row == row.rstrip() for row in rows)
    assert all(row.split()[0].replace("-", "").isalnum() for row in rows)


def test_colour_can_be_asked_for_and_refused(spawn: Spawn) -> None:
    cyan = "\x1b[36m"
    assert cyan in spawn("envhub list", FORCE_COLOR="1").stdout
    assert cyan not in spawn("envhub list", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_locale_without_unicode_is_survived(spawn: Spawn) -> None:
    found = spawn(
        "envhub run household --policy oracle -n 1 --in-process",
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
    )
    assert found.returncode == 0, found.stderr


def test_listing_loads_nothing_that_it_does_not_need() -> None:
    script = (
        "import sys; from envhub.cli import main; status = main(['list']); "
        "print(*sys.modules, file=sys.stderr); sys.exit(status)"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(found.stderr.split())
    unneeded = {"torch", "transformers", "httpx", "fastapi", "asyncio", "scipy"}
    unneeded |= {"rich.markdown", "rich.live", "rich.progress", "markdown_it"}
    unneeded |= {"envhub.pool", "envhub.evaluate", "envhub.testing", "docstring_parser"}
    assert loaded & unneeded == set()
    assert [name for name in loaded if name.startswith("envhub_sandbox")] == []
    assert [name for name in loaded if name.startswith("envhub_trainers")] == []


@pytest.mark.parametrize(
    ("words", "count", "expected"),
    [
        ("envhub ", 1, NAMES),
        ("envhub play hous", 2, ["household"]),
        ("envhub run household --policy o", 4, ["oracle"]),
        ("envhub run --ou", 2, ["--out"]),
    ],
)
def test_the_shell_completes_commands_options_and_environments(
    spawn: Spawn, words: str, count: int, expected: list[str]
) -> None:
    found = spawn(
        "envhub",
        _ENVHUB_COMPLETE="complete_bash",
        COMP_WORDS=words,
        COMP_CWORD=str(count),
    )
    assert found.stdout.split() == expected
