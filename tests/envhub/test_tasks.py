"""Task sources: ids, splits, levels, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from envhub import Tasks
from envhub.errors import EnvironmentFault, UnknownTask, UsageError
from envhub.tasks import task_random


def _numbers(levels: int = 3) -> Tasks:
    return Tasks.from_generator(
        "n",
        lambda split, index, level: {"n": index, "split": split, "hard": level},
        splits={"train": 10, "test": 4},
        levels=levels,
    )


def test_a_task_is_found_by_index_and_by_id() -> None:
    tasks = _numbers()
    assert tasks.get(7) is tasks.get("n-train-00007")
    assert tasks.get(np.int64(3), "test").id == "n-test-00003"
    assert len(tasks) == 14 == len(list(tasks)) == len({task.id for task in tasks})


def test_a_level_keeps_the_ids_of_its_tasks() -> None:
    tasks = _numbers().at_level(2)
    assert tasks.ids() == ["n-train-00001", "n-train-00004", "n-train-00007"]
    assert tasks.get(1)["hard"] == 2
    assert tasks.splits == {"train": 3, "test": 1}
    assert {tasks.draw(np.random.default_rng(s)).level for s in range(20)} == {2}
    with pytest.raises(UsageError, match="levels 1 to 3"):
        tasks.at_level(4)


@pytest.mark.parametrize(
    "key", [10, -1, "n-train-00010", "n-train-7", "n-train-٣", "x"]
)
def test_an_unknown_task_is_refused_with_the_range(key: int | str) -> None:
    with pytest.raises(UnknownTask, match=r"0 to 9|n-train-00000 to n-train-00009"):
        _numbers().get(key)
    with pytest.raises(UnknownTask, match="its splits are test, train"):
        _numbers().get(0, "dev")


def test_a_tasks_data_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        _numbers().get(0).data["n"] = 5  # type: ignore[index]  # the subject


def test_task_randomness_is_the_same_everywhere() -> None:
    assert task_random("a", "train", 1).random() == 0.01207358146998383


def test_json_lines_become_tasks_by_split(tmp_path: Path) -> None:
    file = tmp_path / "orders.jsonl"
    file.write_text('{"q": 1}\n\n{"q": 2, "split": "test"}\n', encoding="utf-8")
    tasks = Tasks.from_jsonl(file)
    assert tasks.splits == {"train": 1, "test": 1}
    assert tasks.get("orders-test-00000")["q"] == 2


@pytest.mark.parametrize("line", ["{", "[1]", "nul"])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "orders.jsonl"
    file.write_text(f"{{}}\n{line}\n", encoding="utf-8")
    with pytest.raises(EnvironmentFault, match=r"orders\.jsonl:2"):
        Tasks.from_jsonl(file)
