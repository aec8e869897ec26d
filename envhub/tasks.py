"""Where an environment's tasks come from, and how one is named.

A task has an id that means the same on every machine and in every release of the same
data: ``webshop-train-00042``. It can be asked for by that id, by its index within a
split, or drawn by a seed. Splits are disjoint by construction.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from envhub.errors import EnvhubError, EnvironmentFault, UnknownTask, UsageError
from envhub.ids import nearest

__all__ = ["Task", "Tasks", "task_random"]

Make = Callable[[str, int, int], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be done.

    Attributes:
        id: Stable id, unique within the environment.
        split: ``"train"``, ``"test"`` or another name the environment chose.
        index: Position within its split.
        level: Difficulty, 1 is the easiest.
        data: What the environment needs to set it up and to grade it; read-only.
    """

    id: str
    split: str
    index: int
    level: int = 1
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view cannot be pickled or copied; what it shows can.
        rest = self.split, self.index, self.level, dict(self.data)
        return type(self), (self.id, *rest)


def task_random(name: str, split: str, index: int) -> random.Random:
    """A generator of its own for one task, equal in every process, on any machine."""
    return random.Random(f"{name}/{split}/{index}")


class Tasks:
    """A finite, ordered source of tasks in named splits; immutable and shareable.

    Args:
        name: Name that ids begin with.
        make: ``make(split, index, level)`` gives the data of a task; it must be a pure
            function of its arguments.
        splits: Number of tasks in each split.
        levels: Number of difficulty levels. The task at `index` has level
            ``index % levels + 1``.
        only: Keep tasks of this level alone; ids stay what they were.
    """

    def __init__(
        self,
        name: str,
        make: Make,
        *,
        splits: Mapping[str, int],
        levels: int = 1,
        only: int | None = None,
    ) -> None:
        if only is not None and only not in range(1, levels + 1):
            raise UsageError(f"{name} has levels 1 to {levels}; level {only} is none")
        self.name = name
        self.levels = levels
        self.level = only
        self._make = make
        self._splits = MappingProxyType(dict(splits))
        self._get = functools.lru_cache(maxsize=256)(self._build)

    @classmethod
    def from_generator(
        cls, name: str, make: Make, *, splits: Mapping[str, int], levels: int = 1
    ) -> Tasks:
        """Tasks made on demand by a pure function of split, index and level."""
        return cls(name, make, splits=splits, levels=levels)

    @classmethod
    def from_list(
        cls, name: str, rows: Sequence[Mapping[str, Any]], *, split: str = "train"
    ) -> Tasks:
        """Tasks from rows at hand; a row's ``"split"`` decides where it goes."""
        parts: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            parts.setdefault(str(row.get("split", split)), []).append(row)
        counts = {part: len(members) for part, members in parts.items()}
        return cls(name, lambda part, index, _level: parts[part][index], splits=counts)

    @classmethod
    def from_jsonl(
        cls, path: str | Path, *, name: str = "", split: str = "train"
    ) -> Tasks:
        """Tasks from a JSON Lines file, one object a line.

        Raises:
            EnvironmentFault: A line is not a JSON object; names file and line.
        """
        file = Path(path)
        rows: list[Mapping[str, Any]] = []
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    rows.append(_object(line, f"{file}:{number}"))
        return cls.from_list(name or file.stem, rows, split=split)

    @property
    def splits(self) -> dict[str, int]:
        """Number of tasks in each split (of the chosen level, if one was chosen)."""
        return {split: len(self._indices(split)) for split in self._splits}

    def at_level(self, level: int | None) -> Tasks:
        """The same tasks with those of other levels left out; None keeps all.

        Raises:
            UsageError: There is no such level.
        """
        return Tasks(
            self.name, self._make, splits=self._splits, levels=self.levels, only=level
        )

    def ids(self, split: str = "train") -> list[str]:
        """Ids of a split, in order."""
        return [self._id(split, index) for index in self._indices(split)]

    def get(self, key: str | int | np.integer[Any], split: str = "train") -> Task:
        """A task by id (of any split) or by position within a split.

        Raises:
            UnknownTask: There is none; the message gives the range.
        """
        if isinstance(key, bool) or not isinstance(key, int | np.integer):
            return self._by_id(str(key))
        indices = self._indices(split)
        if not 0 <= key < len(indices):
            raise UnknownTask(
                f"{self.name} has no task {key} in split {split!r}: "
                f"the range is 0 to {len(indices) - 1}"
            )
        return self._get(split, indices[int(key)])

    def draw(self, rng: np.random.Generator, split: str = "train") -> Task:
        """A task drawn uniformly from a split by the given generator."""
        indices = self._indices(split)
        if not indices:
            raise UnknownTask(f"{self.name} has no task in split {split!r}")
        return self._get(split, indices[int(rng.integers(len(indices)))])

    def __iter__(self) -> Iterator[Task]:
        for split in self._splits:
            for index in self._indices(split):
                yield self._get(split, index)

    def __len__(self) -> int:
        return sum(self.splits.values())

    def _indices(self, split: str) -> range:
        if split not in [*self._splits]:  # a list, as it may not be hashable
            known = ", ".join(sorted(self._splits))
            raise UnknownTask(
                f"{self.name} has no split {split!r}; its splits are {known}"
            )
        if self.level is None:
            return range(self._splits[split])
        return range(self.level - 1, self._splits[split], self.levels)

    def _id(self, split: str, index: int) -> str:
        return f"{self.name}-{split}-{index:05d}"

    def _by_id(self, key: str) -> Task:
        head, _, digits = key.rpartition("-")
        split = head.removeprefix(f"{self.name}-")
        known = head.startswith(f"{self.name}-") and split in self._splits
        if known and digits.isascii() and digits.isdigit() and len(digits) < 20:
            index = int(digits)
            if index < self._splits[split] and self._id(split, index) == key:
                return self._get(split, index)
        splits = [
            f"{self._id(split, 0)} to {self._id(split, count - 1)}"
            for split, count in self._splits.items()
            if count
        ]
        close = nearest(key, [self._id(split, 0) for split in self._splits])
        hint = f" (nearest: {close[0]})" if close else ""
        raise UnknownTask(f"no task {key!r}{hint}; ids run {'; '.join(splits)}")

    def _build(self, split: str, index: int) -> Task:
        level = index % self.levels + 1
        name = self._id(split, index)
        try:
            data = MappingProxyType(dict(self._make(split, index, level)))
        except EnvhubError:
            raise
        except Exception as error:
            message = f"{name}: the task source raised {type(error).__name__}: {error}"
            raise EnvironmentFault(message) from error
        return Task(name, split, index, level, data)


def _object(line: str, where: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise EnvironmentFault(f"{where}: not JSON: {error}") from error
    if not isinstance(row, dict):
        raise EnvironmentFault(f"{where}: a task must be a JSON object")
    return row
