"""One line of JSON for every optimizer step, finite numbers only."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from envhub_trainers.extras import need

__all__ = ["make_callback", "read_log"]

_NAMES = {
    "reward": "reward",
    "reward_std": "reward_std",
    "env/success": "success",
    "env/turns": "turns",
    "env/truncated": "truncated",
    "env/clipped": "clipped",
    "env/void": "void",
    "completions/mean_length": "sampled_tokens",
    "frac_reward_zero_std": "groups_without_signal",
    "entropy": "entropy",
    "grad_norm": "grad_norm",
    "loss": "loss",
    "learning_rate": "learning_rate",
    "step_time": "seconds",
}


def make_callback(path: Path, on_step: Callable[[dict[str, Any]], None]) -> Any:
    """A callback of transformers' that appends each step to a file and tells of it.

    Steps that a resumed run does again replace those of the interrupted one.
    """
    base: Any = need("transformers").TrainerCallback

    class StepLog(base):
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            kept = [row for row in read_log(path) if row["step"] <= state.global_step]
            path.write_text("".join(json.dumps(row) + "\n" for row in kept))

        def on_log(
            self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any
        ) -> None:
            if logs and "reward" in logs:
                row = {"step": state.global_step, **_finite(logs)}
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, allow_nan=False) + "\n")
                on_step(row)

    return StepLog()


def read_log(path: Path) -> list[dict[str, Any]]:
    """The steps of a run; none if it has not begun. A torn last line is left out."""
    if not path.is_file():
        return []
    rows: list[dict[str, Any]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    return rows


def _finite(logs: Mapping[str, Any]) -> dict[str, float | None]:
    """Numbers under our names; null where a number is not finite (nothing known)."""
    return {
        ours: float(logs[theirs]) if math.isfinite(float(logs[theirs])) else None
        for theirs, ours in _NAMES.items()
        if theirs in logs
    }
