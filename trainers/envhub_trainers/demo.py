"""The demonstration behind ``envhub demo``: settings that learn visibly on a CPU.

The numbers were found by trying; each says what it is for. Nothing here is special to
the demonstration but the numbers: `train` takes the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from envhub.errors import UsageError
from envhub_trainers.report import Report
from envhub_trainers.tiny import TinyRecipe
from envhub_trainers.train import train

__all__ = ["DEMOS", "demo"]

_EASY: Mapping[str, Any] = MappingProxyType({"level": 1})

DEMOS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "tiny": {
            "recipe": TinyRecipe(),
            "steps": 30,
            "groups": 6,
            "turn_tokens": 16,
            "completion_tokens": 420,
            "test_episodes": 120,
        },
        "smollm2-135m": {
            # By itself it talks instead of giving commands, and never succeeds.
            "recipe": TinyRecipe(
                demonstrations=64, skill=0.7, batch=4, learning_rate=1e-3
            ),
            "warm_steps": 40,
            "lora": 16,
            "steps": 15,
            "groups": 2,
            "micro_batch": 8,
            "learning_rate": 5e-4,
            "turn_tokens": 12,
            "completion_tokens": 300,
            "test_episodes": 32,
        },
    }
)
"""Settings by model."""


def demo(
    *,
    model: str = "tiny",
    output: str | Path | None = None,
    resume: bool = False,
    show: bool = True,
    **settings: Any,
) -> Report:
    """Train a small model on the easiest level of ``household``.

    Args:
        model: ``tiny`` (minutes on two cores) or ``smollm2-135m`` (a pretrained model
            of 135 million parameters; much longer on a CPU).
        output: Folder that everything is written into; by default ``runs/demo``, or
            the next that holds no run yet, such as ``runs/demo-2``.
        resume: Go on from the last checkpoint in `output`.
        show: Show progress on standard error.
        settings: Changes to the demonstration's settings.

    Raises:
        UsageError: There is no demonstration with this model.
    """
    if model not in DEMOS:
        known = ", ".join(DEMOS)
        raise UsageError(
            f"there is no demonstration with {model!r}; there are: {known}"
        )
    if output is None:
        output = _folder(Path("runs"), resume=resume)
    chosen = {"env_kwargs": dict(_EASY), **DEMOS[model], **settings}
    return train(
        "household", model=model, output=output, resume=resume, show=show, **chosen
    )


def _folder(runs: Path, *, resume: bool) -> Path:
    """The next free folder of a demonstration; the last taken one to resume."""
    names = (f"demo-{n}" if n > 1 else "demo" for n in itertools.count(1))
    last = runs / "demo"
    while (folder := runs / next(names)).exists():
        last = folder
    return last if resume else folder
