"""The tasks of the environment `code`: which family makes which, and how it is told."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from envhub.tasks import Tasks, task_random
from envhub_code import arithmetic, datafiles, machines, puzzles, texts
from envhub_code.problems import Exercise, Problem

__all__ = ["LEVELS", "make", "tasks"]

LEVELS: tuple[tuple[Callable[[random.Random], Problem | Exercise], ...], ...] = (
    arithmetic.FAMILIES,
    puzzles.FAMILIES,
    datafiles.FAMILIES,
    (*texts.FAMILIES, *machines.FAMILIES),
)
"""Makers of tasks, by level."""


def make(split: str, index: int, level: int) -> dict[str, Any]:
    """The data of one task; families take turns within a level."""
    families = LEVELS[level - 1]
    family = families[index // len(LEVELS) % len(families)]
    work = family(task_random("code", split, index))
    told = work.question if isinstance(work, Problem) else _told(work)
    return {"work": work, "family": family.__name__, "question": told}


def tasks() -> Tasks:
    """All tasks."""
    splits = {"train": 1200, "test": 200}
    return Tasks.from_generator("code", make, splits=splits, levels=len(LEVELS))


def _told(exercise: Exercise) -> str:
    how = (
        "The function is judged by other calls. Hand in a program that defines it: "
        "with submit, or as a code block after a line `Answer:`."
    )
    statement = f"Write a Python function. {exercise.statement}"
    return "\n".join([statement, "For example:", *exercise.shown(), how])
