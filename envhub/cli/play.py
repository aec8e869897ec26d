"""`envhub play`: a person plays an episode, or a script through a pipe does."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from envhub.cli.options import (
    Env,
    Example,
    Level,
    Settings,
    Split,
    opened,
    task_key,
    writable,
)
from envhub.cli.session import Session
from envhub.cli.status import Status

__all__ = ["EXAMPLES", "play"]

_SEEDS = 10_000  # few digits, so that a person can say one
EXAMPLES = (
    Example(
        "envhub play household", "a task drawn at random; type :help when in doubt"
    ),
    Example("envhub play webshop --task 3 --split test --set style=rich", "one task"),
    Example("envhub play sql --seed 7 --level 1 --record me.jsonl", "keep a record"),
    Example(
        "printf 'look\\ninventory\\n' | envhub play household", "one action a line"
    ),
)


def play(
    env: Env,
    task: Annotated[
        str | None,
        typer.Option(
            metavar="ID|INDEX", help="Which task; by default the seed draws one."
        ),
    ] = None,
    split: Split = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Seed of the episode; random by default."
        ),
    ] = None,
    level: Level = None,
    settings: Settings = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add the episode to a file (JSON Lines)."),
    ] = None,
    must_solve: Annotated[
        bool,
        typer.Option("--must-solve", help="Exit with status 1 unless it is solved."),
    ] = False,
) -> Status:
    """Play an episode yourself.

    You see what an agent sees. Type an action in the environment's own
    language, or a tool's name and arguments: enter 123, enter code=123 and
    enter {"code": "123"} are the same. A fenced block goes on until it is
    closed. Lines that begin with a colon are for envhub; :help lists them.
    Without a terminal, actions are read from the pipe, one a line.
    """
    if record is not None:
        writable(record, empty=False)
    asked = {"task": task_key(task), "split": split}
    options = {name: value for name, value in asked.items() if value is not None}
    with opened(env, settings, level) as made:
        session = Session(made, env, settings or ())
        try:
            session.play(secrets.randbelow(_SEEDS) if seed is None else seed, options)
        finally:
            if record is not None:
                session.save(record)
        session.tell_outcome()
    return Status.NO if must_solve and not session.solved else Status.OK
