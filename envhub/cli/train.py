"""`envhub train` and `envhub demo`: handed to the training side, if it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from envhub.cli import screen
from envhub.cli.options import AsJson, Env, Example, Level, Settings, arguments, pairs
from envhub.cli.status import Status
from envhub.cli.trainers import trainer
from envhub.registry import default_registry

__all__ = ["DEMO_EXAMPLES", "EXAMPLES", "demo", "train"]

_LONG = "takes minutes"
EXAMPLES = (
    Example(
        "envhub train household --level 1 --steps 30", "a tiny model, on a CPU", _LONG
    ),
    Example(
        "envhub train webshop --model smollm2-135m --lora 16 --out runs/shop",
        "a real model with adapters",
        _LONG,
    ),
    Example(
        "envhub train household --out runs/train --resume", "go on with a run", _LONG
    ),
    Example(
        "envhub train sql --with 'trainer={\"beta\": 0.01}'",
        "any argument of TRL's GRPOConfig",
        _LONG,
    ),
)
DEMO_EXAMPLES = (
    Example("envhub demo", "train a small model, with a plot and a report", _LONG),
)

_Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Where everything is written.", file_okay=False
    ),
]


def train(
    env: Env,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="tiny, smollm2-135m, a folder, or a hub id."),
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Optimizer steps.")
    ] = None,
    out: _Out = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in --out.")
    ] = False,
    groups: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Tasks in a step.")
    ] = None,
    group_size: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Episodes of each task.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(min=0, metavar="X", help="Constant over the run.")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(min=0, metavar="X", help="Of the sampling.")
    ] = None,
    turn_tokens: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Tokens of one turn.")
    ] = None,
    max_turns: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Turns of an episode.")
    ] = None,
    lora: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="RANK", help="Train adapters of this rank; 0: all."
        ),
    ] = None,
    test_episodes: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Held-out episodes, before and after."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Of it all.")
    ] = None,
    vllm: Annotated[
        bool, typer.Option("--vllm", help="Sample with vLLM; needs a GPU.")
    ] = False,
    level: Level = None,
    settings: Settings = None,
    extra: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="NAME=VALUE", help="Any other setting of the trainer."
        ),
    ] = None,
    as_json: AsJson = False,
) -> Status:
    """Train a model on an environment, and report what it learnt.

    The model is evaluated on held-out tasks before and after, on the same
    episodes. Progress, every episode, checkpoints, a plot and a report go
    into one folder. What is not said here is the trainer's default.
    """
    default_registry().spec(env)  # a slip of the name shows before anything is loaded
    wishes = {
        "model": model,
        "steps": steps,
        "output": out,
        "resume": resume or None,
        "groups": groups,
        "group_size": group_size,
        "learning_rate": learning_rate,
        "temperature": temperature,
        "turn_tokens": turn_tokens,
        "max_turns": max_turns,
        "lora": lora,
        "test_episodes": test_episodes,
        "seed": seed,
        "vllm": vllm or None,
        "env_kwargs": arguments(settings, level) or None,
        **pairs(extra, "--with", "learning_rate=1e-5"),
    }
    report = trainer("train")(env, **_said(wishes))
    if as_json:
        screen.print_json(report.summary())
    return Status.OK


def demo(
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="tiny, or smollm2-135m.")
    ] = None,
    out: _Out = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in --out.")
    ] = False,
    as_json: AsJson = False,
) -> Status:
    """Train a small model on an environment, tuned to show learning on a CPU.

    Progress is shown; a plot and a report are written.
    """
    wishes = {"model": model, "output": out, "resume": resume or None}
    report = trainer("demo")(**_said(wishes))
    if as_json:
        screen.print_json(report.summary())
    return Status.OK


def _said(wishes: dict[str, Any]) -> dict[str, Any]:
    """Those that were said, so that a default stands in one place: the trainer's."""
    return {name: wish for name, wish in wishes.items() if wish is not None}
