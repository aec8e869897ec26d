"""What a module calls public is what it has, in order, and documented."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.tree import modules

MODULES = sorted(name for name in modules() if not name.endswith("__main__"))


def load(name: str) -> ModuleType:
    """The module, or a skip that names the extra which is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing.startswith("envhub"):
            raise
        pytest.skip(f"{name} needs {missing}")


def by_kind(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by the alphabet, as ruff has it."""
    kinds = (name.isupper(), name[:1].isupper(), True)
    return kinds.index(True), name


@pytest.mark.parametrize("name", MODULES)
def test_all_is_sorted_and_real(name: str) -> None:
    """`__all__` exists, in order, without repeats or ghosts."""
    module = load(name)
    public = getattr(module, "__all__", None)
    assert public is not None, f"{name} does not say what is public"
    assert list(public) == sorted(set(public), key=by_kind)
    assert [entry for entry in public if not hasattr(module, entry)] == []


@pytest.mark.parametrize("name", MODULES)
def test_what_is_public_is_documented(name: str) -> None:
    """Every public function and class says what it is for."""
    module = load(name)
    public = [getattr(module, entry) for entry in getattr(module, "__all__", ())]
    silent = [
        item.__qualname__
        for item in public
        if (inspect.isclass(item) or inspect.isfunction(item))
        and not inspect.getdoc(item)
    ]
    assert silent == []


@pytest.mark.parametrize(("name", "file"), sorted(modules().items()))
def test_a_module_opens_by_saying_what_it_knows(name: str, file: Path) -> None:
    """The first line of every module is a sentence for its reader."""
    opening = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert opening, f"{name} has no docstring"
