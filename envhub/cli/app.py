"""The commands in order, and how one of them is run."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.markup import escape

from envhub.cli import screen, version
from envhub.cli.options import Example
from envhub.cli.status import Status, debugging, explain

__all__ = ["COMMANDS", "Command", "build", "main"]

_USE, _TRAIN, _LOOK = "Use environments", "Train", "Look after envhub"


@dataclass(frozen=True, slots=True)
class Command:
    """One command; its module is imported when it is run, or helped with.

    Attributes:
        name: As typed.
        panel: Heading that it stands under.
        module: Module of this package.
        attribute: The function; its docstring is the help.
        examples: Attribute with the examples, shown in the help and run by the tests.
    """

    name: str
    panel: str
    module: str
    attribute: str
    examples: str = "EXAMPLES"

    @property
    def function(self) -> Callable[..., Status]:
        """What it does."""
        found: Callable[..., Status] = self._load(self.attribute)
        return found

    def shown(self) -> Sequence[Example]:
        """The examples."""
        found: Sequence[Example] = self._load(self.examples)
        return found

    def _load(self, attribute: str) -> Any:
        return getattr(importlib.import_module(f"envhub.cli.{self.module}"), attribute)


COMMANDS: tuple[Command, ...] = (
    Command("list", _USE, "listing", "list_environments"),
    Command("info", _USE, "info", "show_info"),
    Command("play", _USE, "play", "play"),
    Command("run", _USE, "run", "run"),
    Command("check", _USE, "check", "check"),
    Command("train", _TRAIN, "train", "train"),
    Command("demo", _TRAIN, "train", "demo", "DEMO_EXAMPLES"),
    Command("doctor", _LOOK, "doctor", "doctor"),
    Command("version", _LOOK, "version", "show_version"),
)


def build(only: str = "") -> typer.Typer:
    """The program, fresh.

    Args:
        only: Leave all commands out but this one: the parser takes a millisecond for
            each option that it learns. A name that is none leaves out nothing.
    """
    program = typer.Typer(
        name="envhub",
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback(epilog=_statuses())(_root)
    wanted = [command for command in COMMANDS if command.name == only]
    for command in wanted or COMMANDS:
        program.command(
            command.name,
            rich_help_panel=command.panel,
            epilog=_examples(command.shown()),
        )(command.function)
    return program


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; its exit status.

    Args:
        arguments: What follows the program's name; those of the process by default.
    """
    screen.prepare()
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        program = build(only=given[0])
        status = program(args=given, prog_name="envhub", standalone_mode=False)
        sys.stdout.flush()
    except (screen.NoReader, BrokenPipeError):
        screen.hush()
        return Status.NO_READER
    except (KeyboardInterrupt, typer.Abort):
        return Status.INTERRUPTED
    except SystemExit as ended:  # completion; or help that nobody reads
        lost = ended.code == 1 and "_ENVHUB_COMPLETE" not in os.environ
        return Status.NO_READER if lost else int(ended.code or 0)
    except Exception as error:  # noqa: BLE001  # whatever it is, a person reads it
        return _failed(error)
    return int(status or 0)


def _root(
    version_wanted: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show the version.",
            is_eager=True,
            callback=version.print_and_exit,
        ),
    ] = False,
) -> None:
    """Gymnasium for LLM agents: list, play, evaluate and train on environments.

    Start with `envhub list`, then `envhub play NAME`.
    """


def _failed(error: Exception) -> Status:
    """Say what went wrong: one message, or the traceback of a bug."""
    if hasattr(error, "format_message"):  # of the option parser, whichever it is
        screen.complain(_with_hint(error))
        return Status.USAGE
    status, message = explain(error)
    if status is Status.BUG or debugging():
        traceback.print_exception(error)
    if message:
        screen.complain(message)
    return status


def _with_hint(error: Any) -> str:
    """The parser's message, and where to read more."""
    message = str(error.format_message()).rstrip(".")
    path = getattr(getattr(error, "ctx", None), "command_path", "envhub")
    return f"{message}\n`{path} --help` shows what it takes"


def _statuses() -> str:
    lines = [f"[cyan]{status:>4}[/]  {escape(status.meaning)}" for status in Status]
    return "\n".join(["[bold]Exit statuses[/]", *lines])


def _examples(examples: Sequence[Example]) -> str:
    lines = [
        f"[dim]# {escape(example.says)}[/]\n[cyan]{escape(example.command)}[/]"
        for example in examples
    ]
    return "\n".join(["[bold]Examples[/]", *lines])
