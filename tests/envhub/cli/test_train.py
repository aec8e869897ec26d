"""`envhub train` and `envhub demo`: what is handed to the training side."""

from __future__ import annotations

import json
import sys
import types
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from envhub.cli import trainers
from envhub.cli.status import Status
from envhub.plugins import TRAINERS, Plugin
from tests.envhub.cli.conftest import Type


class Report:
    """What a trainer gives back."""

    def summary(self) -> dict[str, Any]:
        return {"learned": True}


@pytest.fixture
def calls(
    monkeypatch: pytest.MonkeyPatch,
) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """A training side that writes down what it is asked for."""
    found: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def take(*args: Any, **options: Any) -> Report:
        found.append((args, options))
        return Report()

    module = types.ModuleType("acme_trainer")
    module.__dict__["take"] = take
    monkeypatch.setitem(sys.modules, "acme_trainer", module)
    offer(monkeypatch, train="acme_trainer:take", demo="acme_trainer:take")
    return found


def offer(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    """Let these be the plug-ins of the training side."""
    found = [
        Plugin(name, target, "acme", EntryPoint(name, target, TRAINERS))
        for name, target in targets.items()
    ]
    monkeypatch.setattr(trainers, "plugins", lambda group: found)


def test_only_what_was_said_is_handed_on(type_in: Type, calls: list[Any]) -> None:
    assert type_in("train", "toy-lock").status == Status.OK
    assert calls == [(("toy-lock",), {})]


def test_every_option_reaches_the_trainer(type_in: Type, calls: list[Any]) -> None:
    found = type_in(
        *("train", "toy-lock", "--model", "tiny", "--steps", "3", "--out", "runs/x"),
        *("--resume", "--groups", "2", "--group-size", "4", "--learning-rate", "1e-4"),
        *("--temperature", "0.7", "--turn-tokens", "32", "--max-turns", "5"),
        *("--lora", "8", "--test-episodes", "9", "--seed", "1", "--vllm"),
        *("--level", "2", "--set", "max_fruitless=3", "--json"),
        *("--with", "train_split=train", "--with", 'trainer={"beta": 0.1}'),
    )
    assert json.loads(found.out) == {"learned": True}
    ((args, options),) = calls
    assert args == ("toy-lock",)
    assert options == {
        "model": "tiny",
        "steps": 3,
        "output": Path("runs/x"),
        "resume": True,
        "groups": 2,
        "group_size": 4,
        "learning_rate": 1e-4,
        "temperature": 0.7,
        "turn_tokens": 32,
        "max_turns": 5,
        "lora": 8,
        "test_episodes": 9,
        "seed": 1,
        "vllm": True,
        "env_kwargs": {"max_fruitless": 3, "level": 2},
        "train_split": "train",
        "trainer": {"beta": 0.1},
    }


def test_the_options_are_those_that_the_real_trainer_knows() -> None:
    settings = pytest.importorskip("envhub_trainers.settings").Settings
    from inspect import signature

    from envhub.cli.train import train

    known = {*settings.__dataclass_fields__, "output", "resume"}
    ours = {"out": "output", "level": "", "settings": "", "extra": "", "as_json": ""}
    names = {ours.get(name, name) for name in signature(train).parameters} - {""}
    assert names <= known


def test_the_demonstration_is_the_training_sides(
    type_in: Type, calls: list[Any]
) -> None:
    assert type_in("demo").out == ""
    words = ("--model", "tiny", "--out", "runs/d", "--resume", "--json")
    assert json.loads(type_in("demo", *words).out) == {"learned": True}
    said = {"model": "tiny", "output": Path("runs/d"), "resume": True}
    assert calls == [((), {}), ((), said)]


@pytest.mark.parametrize("words", [("train", "toy-lock"), ("demo",)])
def test_without_a_training_side_the_command_to_type_is_told(
    type_in: Type, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    offer(monkeypatch)
    found = type_in(*words)
    assert found.status == Status.USAGE
    assert 'pip install "envhub-gym[train]"' in found.err
    assert "there are: none" in found.err


def test_a_package_that_is_missing_is_named_with_the_command(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, train="no_such_package.train:train")
    found = type_in("train", "toy-lock")
    assert found.status == Status.USAGE
    assert "no_such_package is needed and not installed" in found.err
    assert 'pip install "envhub-gym[train]"' in found.err


def test_a_missing_extra_speaks_for_itself(
    type_in: Type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "from envhub.errors import MissingExtra\nraise MissingExtra('Type:  this')\n"
    (tmp_path / "acme_needy.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, train="acme_needy:train")
    found = type_in("train", "toy-lock")
    assert (found.status, found.err) == (Status.USAGE, "Error: Type:  this\n")


def test_a_training_side_that_is_broken_is_no_mistake_of_the_user(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, train="envhub.errors:nothing_of_this_name")
    found = type_in("train", "toy-lock")
    assert found.status == Status.ENVIRONMENT
    assert "does not load" in found.err
