"""The commands in order, and how one of them is run."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.markup import escape

from envhub.cli import (
    check,
    doctor,
    info,
    listing,
    play,
    run,
    screen,
    train,
    version,
)
from envhub.cli.options import Example
from envhub.cli.status import Status, debugging, explain

__all__ = ["COMMANDS", "Command", "build", "main"]

_USE, _TRAIN, _LOOK = "Use environments", "Train", "Look after envhub"


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        name: As typed.
        function: What it does; its docstring is the help.
        panel: Heading that it stands under.
        examples: Shown in its help, and run by the tests.
        passes_on: Whether options that it does not know are handed on.
    """

    name: str
    function: Callable[..., Status]
    panel: str
    examples: Sequence[Example]
    passes_on: bool = False


COMMANDS: tuple[Command, ...] = (
    Command("list", listing.list_environments, _USE, listing.EXAMPLES),
    Command("info", info.show_info, _USE, info.EXAMPLES),
    Command("play", play.play, _USE, play.EXAMPLES),
    Command("run", run.run, _USE, run.EXAMPLES),
    Command("check", check.check, _USE, check.EXAMPLES),
    Command("train", train.train, _TRAIN, train.EXAMPLES),
    Command("demo", train.demo, _TRAIN, train.DEMO_EXAMPLES),
    Command("doctor", doctor.doctor, _LOOK, doctor.EXAMPLES),
    Command("version", version.show_version, _LOOK, version.EXAMPLES),
)


def build() -> typer.Typer:
    """The program, fresh."""
    program = typer.Typer(
        name="envhub",
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback(epilog=_statuses())(_root)
    for command in COMMANDS:
        program.command(
            command.name,
            rich_help_panel=command.panel,
            epilog=_examples(command.examples),
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
        status = build()(args=given, prog_name="envhub", standalone_mode=False)
        sys.stdout.flush()
    except (screen.NoReader, BrokenPipeError):
        screen.hush()
        return Status.NO_READER
    except (KeyboardInterrupt, typer.Abort):
        return Status.INTERRUPTED
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
