"""Arguments that several commands take, and what they have in common."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from envhub.errors import UsageError
from envhub.plugins import ENVIRONMENTS, plugins

if TYPE_CHECKING:
    from envhub.env import Environment

__all__ = [
    "AsJson",
    "Env",
    "Example",
    "Level",
    "Settings",
    "Split",
    "arguments",
    "complete_env",
    "opened",
    "pairs",
    "task_key",
    "writable",
]


class Example(NamedTuple):
    """A line of a command's help, and of its reference.

    Attributes:
        command: As typed.
        says: What it does.
        excuse: Why the tests of the documentation cannot run it, if they cannot.
    """

    command: str
    says: str
    excuse: str = ""


def complete_env(incomplete: str) -> list[str]:
    """Ids that begin like this, without importing any environment."""
    return [p.name for p in plugins(ENVIRONMENTS) if p.name.startswith(incomplete)]


Env: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="ENV",
        help="Name of an environment, or path of a Python file or folder with one.",
        autocompletion=complete_env,
        show_default=False,
    ),
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON, for programs.")
]
Level: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Tasks of this difficulty level alone."),
]
Split: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Where tasks come from, such as train or test."),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="An argument of the environment; may be given several times.",
    ),
]


def pairs(given: Sequence[str] | None, option: str, example: str) -> dict[str, Any]:
    """NAME=VALUE by name; a value is JSON where it can be, else text.

    Raises:
        UsageError: One is not NAME=VALUE.
    """
    found: dict[str, Any] = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"{option} {pair}: write NAME=VALUE, as in {example}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def arguments(
    settings: Sequence[str] | None, level: int | None = None
) -> dict[str, Any]:
    """Arguments of the environment, from `--set` and `--level`."""
    given = pairs(settings, "--set", "max_turns=5")
    return given if level is None else {**given, "level": level}


@contextmanager
def opened(
    env: str, settings: Sequence[str] | None = None, level: int | None = None
) -> Iterator[Environment]:
    """An environment in this process, closed at the end."""
    from envhub.registry import default_registry

    made = default_registry().make(env, **arguments(settings, level))
    try:
        yield made
    finally:
        made.close()


def task_key(text: str | None) -> str | int | None:
    """A task as a person names it: digits alone are an index, all else is an id."""
    return int(text) if text is not None and text.isascii() and text.isdigit() else text


def writable(path: Path, *, empty: bool) -> None:
    """See now, not after an hour, that a file can be written.

    Args:
        path: The file; its folder is made.
        empty: Whether a file that is there already is refused.

    Raises:
        UsageError: It is there already.
        OSError: It cannot be written.
    """
    if empty and path.exists() and path.stat().st_size:
        raise UsageError(
            f"{path} is there already; name another file, or move this one away"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8"):
        pass
