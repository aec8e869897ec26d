"""`envhub list` and `envhub info`: what is there, and what is broken."""

from __future__ import annotations

import json
import sys
import types
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import envhub
from envhub.cli import listing
from envhub.cli.status import Status
from envhub.plugins import ENVIRONMENTS, Plugin
from envhub.registry import Registry
from tests.envhub.cli.conftest import Type


def plugin(name: str, target: str) -> Plugin:
    return Plugin(name, target, "acme-pack", EntryPoint(name, target, ENVIRONMENTS))


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plug-ins: one that loads, one that does not, and one that may not be named so."""
    module = types.ModuleType("acme_pack")
    module.__dict__["spec"] = envhub.EnvSpec(
        id="acme/crates",
        entry_point="acme_pack:Crates",
        version="2.1.0",
        summary="Push crates.",
        levels=3,
    )
    monkeypatch.setitem(sys.modules, "acme_pack", module)
    found = [
        plugin("acme/crates", "acme_pack:spec"),
        plugin("acme/ruin", "acme_ruin:spec"),
        plugin("con", "acme_pack:spec"),
    ]
    registry = Registry(lambda: found)
    monkeypatch.setattr(listing, "default_registry", lambda: registry)
    monkeypatch.setattr(listing, "plugins", lambda group: found)


@pytest.mark.usefixtures("pack")
def test_list_shows_what_loads_and_what_is_broken(type_in: Type) -> None:
    found = type_in("list")
    assert found.status == Status.OK
    rows = {line.split()[0]: line for line in found.out.splitlines()}
    for word in ("2.1.0", "3", "acme-pack", "Push crates."):
        assert word in rows["acme/crates"]
    for word in ("broken", "acme-pack", "does not load", "ModuleNotFoundError"):
        assert word in rows["acme/ruin"]
    for word in ("broken", "acme-pack", "reserved by an operating system"):
        assert word in rows["con"]


@pytest.mark.usefixtures("pack")
def test_list_is_json_for_programs(type_in: Type) -> None:
    crates, ruin, _ = json.loads(type_in("list", "--json").out)
    assert crates == {
        "id": "acme/crates",
        "version": "2.1.0",
        "levels": 3,
        "summary": "Push crates.",
        "placement": "own_process",
        "extras": [],
        "error": None,
        "from": "acme-pack",
    }
    assert (ruin["version"], ruin["from"]) == (None, "acme-pack")
    assert "acme_ruin" in ruin["error"]


def test_list_says_when_nothing_is_installed(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "default_registry", lambda: Registry(list))
    assert type_in("list").out == "No environment is installed.\n"
    assert type_in("list", "--json").out == "[]\n"


def test_info_tells_what_an_agent_and_a_person_need(type_in: Type) -> None:
    found = type_in("info", "toy-lock")
    assert found.status == Status.OK
    for words in (
        "toy-lock 1.0.0",
        "A door with a code.",
        "A door with a code that a note in the room tells.",
        "40 train, 10 test",
        "at most 6",
        "look()",
        "enter(code)",
        "Enter a code.",
        "Open the door.",
        "A first observation (lock-train-",
        "door with a lock of",
        "sandbox here",
        "envhub play toy-lock",
    ):
        assert words in found.out


def test_info_is_json_for_programs_with_the_schemas_of_the_tools(type_in: Type) -> None:
    found = json.loads(
        type_in("info", "toy-lock", "--set", "max_turns=3", "--json").out
    )
    assert found["max_turns"] == 3
    assert found["splits"] == {"train": 40, "test": 10}
    look, enter = found["tools"]
    assert look["function"]["name"] == "look"
    assert enter["function"]["parameters"]["required"] == ["code"]
    assert found["example"]["observation"].endswith("digits.")
    assert {"provider", "gives", "lacks", "reason"} == found["isolation"].keys()


def test_info_quotes_the_first_part_of_the_readme(type_in: Type) -> None:
    import envhub_household

    readme = Path(envhub_household.__file__).with_name("README.md").read_text("utf-8")
    found = json.loads(type_in("info", "household", "--json").out)
    assert found["about"]
    assert found["about"] in readme
    assert "## " not in found["about"]


def test_info_of_an_environment_that_fails_shows_the_rest(type_in: Type) -> None:
    found = type_in("info", "moody", "--set", "mode=fault")
    assert found.status == Status.ENVIRONMENT
    assert "open(key)" in found.out
    assert "A first observation" not in found.out
    assert "KeyError: 'no such shelf'" in found.err
    assert "conftest.py" in found.err


def test_info_of_a_file_names_it(type_in: Type, tmp_path: Path) -> None:
    toy = Path(sys.modules["envhub_toy_lock"].__file__ or "")
    text = toy.read_text("utf-8").partition("spec = envhub.EnvSpec")[0]
    (tmp_path / "door.py").write_text(text, "utf-8")
    found = type_in("info", "./door.py")
    assert found.status == Status.OK
    assert "made by       ./door.py" in found.out
    assert "Play it:  envhub play ./door.py" in found.out


def test_what_an_environment_says_cannot_steer_the_terminal(type_in: Type) -> None:
    found = type_in("info", "moody")
    assert "\x1b" not in found.out
    assert "A box ␛[31mred␛[0m [bold]and[/bold] shut :smile:." in found.out
