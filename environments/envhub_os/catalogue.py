"""The tasks of the environment `os`: whose files, and what is to be done with them."""

from __future__ import annotations

from typing import Any

from envhub.tasks import Tasks, task_random
from envhub_os.chores import CHORES
from envhub_os.company import company
from envhub_os.projects import PROJECTS
from envhub_os.questions import LOOKS, PIPELINES, Maker

__all__ = ["LEVELS", "make", "tasks"]

LEVELS: tuple[tuple[Maker, ...], ...] = (LOOKS, PIPELINES, CHORES, PROJECTS)
"""Makers of jobs, by level."""


def make(split: str, index: int, level: int) -> dict[str, Any]:
    """The data of one task; kinds of jobs take turns within a level."""
    rng = task_random("os", split, index)
    makers = LEVELS[level - 1]
    maker = makers[index // len(LEVELS) % len(makers)]
    tree, job = maker(rng, company(rng))
    return {"tree": tree, "job": job, "kind": maker.__name__}


def tasks() -> Tasks:
    """All tasks."""
    splits = {"train": 1200, "test": 200}
    return Tasks.from_generator("os", make, splits=splits, levels=len(LEVELS))
