"""What an import costs, in a fresh interpreter that nothing has warmed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.architecture import import_each
from tests.architecture.tree import modules

HEAVY = (
    "datasets",
    "docker",
    "fastapi",
    "jinja2",
    "matplotlib",
    "pandas",
    "peft",
    "playwright",
    "ray",
    "sqlite_utils",
    "tokenizers",
    "torch",
    "transformers",
    "trl",
    "uvicorn",
    "vllm",
)
PLUGINS = "envhub_"
TRAINERS = "envhub_trainers"
IMPORTABLE = sorted(name for name in modules() if not name.endswith("__main__"))
LIST_MODULES = "import sys; print('\\n'.join(sys.modules))"


def loaded_after(statement: str, folder: Path) -> set[str]:
    """Names of the modules in a new interpreter once it has run `statement`."""
    finished = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{LIST_MODULES}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return set(finished.stdout.split())


def test_importing_envhub_loads_nothing_heavy(tmp_path: Path) -> None:
    """Training and serving libraries wait until they are used."""
    assert not loaded_after("import envhub", tmp_path).intersection(HEAVY)


def test_importing_envhub_loads_no_plugin(tmp_path: Path) -> None:
    """Environments, sandboxes and trainers are found when asked for."""
    loaded = loaded_after("import envhub", tmp_path)
    assert not [name for name in loaded if name.startswith(PLUGINS)]


def test_importing_envhub_starts_nothing(tmp_path: Path) -> None:
    """No thread and no child process comes with an import."""
    statement = (
        "import threading, envhub, multiprocessing\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
        "assert not multiprocessing.active_children()"
    )
    loaded_after(statement, tmp_path)


def imported_each(names: list[str], *preloaded: str) -> dict[str, dict[str, Any]]:
    """What importing each module first of all brought in, or how it failed."""
    command = [sys.executable, import_each.__file__, *names, "--with", *preloaded]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)  # type: ignore[no-any-return]  # see import_each


def test_any_module_can_be_imported_first_and_brings_nothing_heavy() -> None:
    """No module waits for another, and optional libraries wait until they are used."""
    names = [name for name in IMPORTABLE if not name.startswith(TRAINERS)]
    found = imported_each(names)
    assert {n: f["error"] for n, f in found.items() if "error" in f} == {}
    heavy = {n: set(f["loaded"]).intersection(HEAVY) for n, f in found.items()}
    assert {n: loaded for n, loaded in heavy.items() if loaded} == {}


def test_any_module_of_the_trainers_can_be_imported_first() -> None:
    """With the extra installed; torch is theirs to import."""
    for library in ("torch", "transformers"):
        pytest.importorskip(library, reason="needs envhub-gym[train]")
    names = [name for name in IMPORTABLE if name.startswith(TRAINERS)]
    found = imported_each(names, "torch", "transformers")
    assert {n: f["error"] for n, f in found.items() if "error" in f} == {}
