"""The record of an episode: it survives a file, and a wrong one is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envhub.trajectory import (
    Context,
    InvalidTrajectory,
    Response,
    Trajectory,
    TrajectoryStep,
    problems,
    read,
    write,
)

STEP = TrajectoryStep(
    context=Context(ids=(1, 2, 3), kinds=(("harness", 1), ("environment", 2))),
    response=Response(
        ids=(4, 5), logprobs=(-0.5, 0.0), text="hi", finish_reason="stop"
    ),
    observation="It is «open».",
    reward=0.25,
    components={"progress": 0.25},
    tool_results=({"name": "open", "text": "ok", "ok": True, "id": ""},),
    notes=("repaired",),
)
LAST = replace(STEP, reward=1.0, terminated=True)
WHOLE = Trajectory(
    env="toy",
    task_id="toy-train-00001",
    seed=7,
    messages=({"role": "user", "content": "Begin."},),
    steps=(STEP, LAST),
    reward=1.25,
    success=True,
    terminated=True,
    stop_reason="done",
)


def test_a_record_survives_a_file_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "records.jsonl"
    void = replace(
        WHOLE, reward=None, valid=False, success=False, error="SandboxLost: x"
    )
    assert write(path, [WHOLE, void]) == 2
    assert list(read(path)) == [WHOLE, void]
    assert write(path, [WHOLE], append=True) == 1
    assert len(list(read(path))) == 3
    assert (WHOLE.turns, WHOLE.sampled_tokens) == (2, 4)


def test_a_field_of_a_later_version_is_left_out() -> None:
    row = json.loads(json.dumps(WHOLE.to_dict() | {"colour": "red"}))
    row["steps"][0]["weather"] = "fine"
    assert Trajectory.from_dict(row) == WHOLE


def changed(path: str, value: Any) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(json.dumps(WHOLE.to_dict()))
    place: Any = row
    *way, last = path.split(".")
    for name in way:
        place = place[int(name)] if name.isdigit() else place[name]
    place[last] = value
    return row


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("schema", 99, "schema is 99; this version reads 1"),
        ("steps", "none", "steps is not a list"),
        ("steps", ["x"], "step 0: is str, not an object"),
        ("steps.0.context.kinds", [["weather", 3]], "context kinds are"),
        ("steps.0.context.kinds", [["harness", 2]], "do not add up"),
        ("steps.0.response.logprobs", [-1.0], "2 ids but 1 logprobs"),
        ("steps.0.response.logprobs", [-1.0, 0.3], "at most 0"),
        ("steps.0.response.finish_reason", "tired", "is none of"),
        ("steps.0.reward", float("inf"), "reward is inf"),
        ("steps.0.terminated", True, "before the last"),
        ("truncated", True, "terminated and truncated"),
        ("reward", None, "valid, and yet it has no reward"),
        ("reward", float("nan"), "reward is nan"),
        ("reward", 3.0, "is not the sum"),
        ("valid", False, "not valid, and yet its reward is 1.25"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, message: str) -> None:
    assert any(message in text for text in problems(changed(path, value)))


def test_a_record_needs_its_names() -> None:
    assert problems({"schema": 1}) == [
        "env is missing",
        "task_id is missing",
        "seed is missing",
    ]
    assert problems([]) == ["a trajectory is an object, not list"]
    assert problems(WHOLE.to_dict()) == []


def test_a_bad_line_is_found_by_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    write(path, [WHOLE])
    path.write_text(path.read_text() + "\n{torn")
    lines = read(path)
    next(lines)
    with pytest.raises(InvalidTrajectory, match=r"records\.jsonl:3: "):
        next(lines)


def test_a_wrong_record_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with pytest.raises(InvalidTrajectory, match="toy-train-00001: reward 3"):
        write(path, [WHOLE, replace(WHOLE, reward=3.0)])
    assert list(read(path)) == [WHOLE]
