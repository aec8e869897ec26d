"""What an import costs, in a fresh interpreter that nothing has warmed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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
PLUGINS = ("envhub_",)
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


@pytest.mark.parametrize("module", sorted(modules()))
def test_a_module_can_be_imported_first(module: str, tmp_path: Path) -> None:
    """No module depends on another having been imported before it."""
    if module.endswith("__main__"):
        pytest.skip("running it is what importing it does")
    heavy = loaded_after(f"import {module}", tmp_path).intersection(HEAVY)
    assert not heavy or module.startswith("envhub_trainers"), heavy
