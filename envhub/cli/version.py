"""`envhub version`: which envhub this is."""

from __future__ import annotations

import platform

import typer

import envhub
from envhub.cli import screen
from envhub.cli.options import AsJson, Example
from envhub.cli.status import Status

__all__ = ["EXAMPLES", "print_and_exit", "show_version"]

EXAMPLES = (
    Example("envhub version", "for a report of a bug"),
    Example("envhub version --json", "the same for a program"),
)


def show_version(as_json: AsJson = False) -> Status:
    """Show the version of envhub and of what it stands on."""
    import gymnasium

    facts = {
        "envhub": envhub.__version__,
        "python": platform.python_version(),
        "gymnasium": gymnasium.__version__,
        "platform": platform.platform(terse=True),
    }
    if as_json:
        screen.print_json(facts)
    else:
        for name, version in facts.items():
            screen.out().print(f"{name} {version}")
    return Status.OK


def print_and_exit(wanted: bool) -> None:
    """What `--version` does."""
    if wanted:
        screen.out().print(f"envhub {envhub.__version__}")
        raise typer.Exit
