"""The package is light, and says what is public."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import envhub_trainers

MODULES = sorted(m.name for m in pkgutil.iter_modules(envhub_trainers.__path__))


def test_importing_every_module_loads_no_heavy_package() -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {MODULES!r}: importlib.import_module('envhub_trainers.' + name)\n"
        "heavy = {'torch', 'trl', 'transformers', 'vllm', 'datasets', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_every_module_says_what_is_public() -> None:
    for name in MODULES:
        module = importlib.import_module(f"envhub_trainers.{name}")
        assert module.__doc__
        assert sorted(module.__all__) == module.__all__
        assert all(hasattr(module, public) for public in module.__all__)


def test_the_core_finds_what_this_package_offers() -> None:
    from envhub.plugins import TRAINERS, plugins

    offered = {plugin.name: plugin for plugin in plugins(TRAINERS)}
    assert {"train", "demo", "evaluate"} <= set(offered)
    assert callable(offered["demo"].load())
