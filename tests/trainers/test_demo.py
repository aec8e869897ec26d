"""The demonstration chooses a folder of its own, so that it can be run again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envhub_trainers import demo as module


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The folders that runs were asked to be written into; each run makes its own."""
    monkeypatch.chdir(tmp_path)
    asked: list[Path] = []

    def train(env: str, *, output: Path, **settings: Any) -> None:
        asked.append(output)
        Path(output).mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(module, "train", train)
    return asked


def test_every_demonstration_gets_a_folder_of_its_own(outputs: list[Path]) -> None:
    for _ in range(3):
        module.demo()
    module.demo(output="elsewhere")
    assert [str(folder) for folder in outputs] == [
        "runs/demo",
        "runs/demo-2",
        "runs/demo-3",
        "elsewhere",
    ]


def test_resuming_goes_on_in_the_last_folder(outputs: list[Path]) -> None:
    module.demo(resume=True)
    module.demo()
    module.demo(resume=True)
    assert [str(folder) for folder in outputs[-2:]] == ["runs/demo-2", "runs/demo-2"]
