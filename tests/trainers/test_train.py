"""A run from a name to a report: a real model, real GRPO, and it learns."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from envhub.errors import UsageError
from envhub.trajectory import problems, read
from envhub_trainers.report import Report
from envhub_trainers.steplog import read_log
from envhub_trainers.tiny import TinyRecipe
from envhub_trainers.train import train

RECIPE = TinyRecipe(
    demonstrations=200,
    skill=0.35,
    steps=0,
    weak_steps=80,
    vocabulary=300,
    hidden=64,
    layers=2,
    context=64,
    learning_rate=16e-3,
)
SETTINGS: Mapping[str, Any] = {
    "recipe": RECIPE,
    "turn_tokens": 6,
    "completion_tokens": 40,
    "test_episodes": 64,
    "show": False,
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("run") / "whole"
    return train(
        "toy-entrance",
        output=folder,
        steps=25,
        groups=8,
        learning_rate=2e-3,
        checkpoint_steps=10,
        **SETTINGS,
    )


@pytest.mark.slow
def test_a_tiny_model_learns(report: Report) -> None:
    assert 0 < report.comparison.before < 0.5
    assert report.comparison.after > report.comparison.before + 0.25
    assert report.learned
    assert report.comparison.p_value < 0.01
    rewards = [row["reward"] for row in report.steps]
    assert len(rewards) == 25
    assert sum(rewards[-5:]) > sum(rewards[:5])


@pytest.mark.slow
def test_everything_is_on_disk(report: Report) -> None:
    folder = report.folder
    trained = list(read(folder / "train.jsonl"))
    assert len(trained) == 25 * 64
    assert {t.steps[0].policy_version for t in trained} == set(range(25))
    assert all(problems(t.to_dict()) == [] for t in trained[::100])
    assert len(list(read(folder / "before.jsonl"))) == 64
    saved = json.loads((folder / "report.json").read_text())
    assert saved["comparison"]["pairs"] == 64
    assert saved["learned"] is True
    assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in (folder / "checkpoints").glob("check*")) == [
        "checkpoint-20",
        "checkpoint-25",
    ]


@pytest.mark.slow
def test_the_page_stands_alone_and_shows_text_as_text(report: Report) -> None:
    page = report.page.read_text()
    outside = re.findall(r"""(?:src|href)="([^"#][^"]*)|url\((?!#)|@import""", page)
    assert outside == []
    assert "prefers-color-scheme: dark" in page
    assert "currentColor" in page
    assert "A gate." in page
    assert "&lt;|" in page or "<|" not in page


@pytest.mark.slow
def test_the_trained_model_can_be_loaded_and_evaluated(report: Report) -> None:
    import envhub
    from envhub.rollout import Start
    from envhub_trainers.evaluation import evaluate

    starts = [Start(task=n, seed=n, split="test") for n in range(16)]
    with envhub.Pool("toy-entrance", size=8) as pool:
        found = evaluate(pool, str(report.folder / "model"), starts, turn_tokens=6)
    assert found.success_rate > report.comparison.before


@pytest.mark.slow
def test_a_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    wishes = {"steps": 2, "groups": 2, "checkpoint_steps": 1, "test_episodes": 8}
    first = train("toy-entrance", output=tmp_path / "run", **{**SETTINGS, **wishes})
    with pytest.raises(UsageError, match="holds a run already"):
        train("toy-entrance", output=tmp_path / "run", **{**SETTINGS, **wishes})
    with pytest.raises(UsageError, match=r"other settings \(learning_rate\)"):
        train(
            "toy-entrance",
            output=tmp_path / "run",
            resume=True,
            learning_rate=0.5,
            **{**SETTINGS, **wishes},
        )
    wishes["steps"] = 4
    second = train(
        "toy-entrance", output=tmp_path / "run", resume=True, **{**SETTINGS, **wishes}
    )
    assert second.before.episodes == first.before.episodes
    assert [row["step"] for row in second.steps] == [1, 2, 3, 4]
    assert [row["reward"] for row in second.steps][:2] == [
        row["reward"] for row in first.steps
    ]


def test_a_wrong_setting_is_named() -> None:
    with pytest.raises(UsageError, match=r"stepz.*the settings are env"):
        train("toy-entrance", stepz=3)
    with pytest.raises(UsageError, match="at least 2"):
        train("toy-entrance", group_size=1)
    with pytest.raises(UsageError, match="micro_batch 5 does not divide 32"):
        train("toy-entrance", micro_batch=5)


def test_a_log_survives_a_torn_last_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    assert read_log(path) == []
    path.write_text('{"step": 1}\n{"st')
    assert read_log(path) == [{"step": 1}]


def test_libraries_stay_quiet_no_longer_than_the_run() -> None:
    from transformers.utils import logging as theirs

    from envhub_trainers.models import quiet_library

    before = theirs.get_verbosity()
    with quiet_library():
        assert theirs.get_verbosity() == logging.ERROR
    assert theirs.get_verbosity() == before


def test_progress_is_a_line_at_each_tenth_where_there_is_no_terminal() -> None:
    from io import StringIO

    from rich.console import Console

    from envhub_trainers.progress import Screen

    out = StringIO()
    with Screen(Console(file=out, width=80)).phase("training", 30) as advance:
        for done in [*range(31), 30]:
            advance(done, f"at {done}")
    lines = out.getvalue().splitlines()
    assert lines[0] == "training: 1/30 at 1"
    assert lines[-1] == "training: 30/30 at 30"
    assert len(lines) == 11
