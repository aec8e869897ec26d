"""Which files make up the packages that an agent's Python may use.

Knows the caller's import system and distribution metadata; imports nothing of what it
finds. A package brings everything that its distribution installed beside it (metadata,
bundled libraries), and not its requirements: those are named by themselves. A dotted
name brings that submodule alone, under parents that are empty.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec, all_suffixes
from pathlib import Path

from envhub.errors import UsageError

__all__ = ["locate"]


def locate(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of a file or folder, without links, and its place below `sys.path`.

    Raises:
        UsageError: A name cannot be imported here.
    """
    found: dict[str, str] = {}
    for name in names:
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names:
            for source, place in _locate_one(name, _spec(name, top)):
                found[place] = str(source.resolve())
    return [(source, place) for place, source in found.items()]


def _spec(name: str, top: str) -> ModuleSpec:
    spec = importlib.util.find_spec(top)
    if spec is None:
        message = (
            f"the package {name!r} asked for in a template cannot be imported here; "
            f"install it or take it out of `packages`"
        )
        raise UsageError(message)
    return spec


def _locate_one(name: str, spec: ModuleSpec) -> list[tuple[Path, str]]:
    if "." in name:
        return [_submodule(name, spec)]
    installed = _distribution_files(name)
    return installed or _module_files(name, spec)


def _module_files(name: str, spec: ModuleSpec) -> list[tuple[Path, str]]:
    if spec.submodule_search_locations:
        return [(Path(next(iter(spec.submodule_search_locations))), name)]
    if not spec.origin:
        return []
    origin = Path(spec.origin)
    return [(origin, origin.name)]


def _submodule(name: str, spec: ModuleSpec) -> tuple[Path, str]:
    _, *inner = name.split(".")
    relative = Path(*inner)
    for folder in spec.submodule_search_locations or ():
        for suffix in ("", *all_suffixes()):
            path = Path(folder) / f"{relative}{suffix}"
            if path.exists():
                return path, f"{name.replace('.', '/')}{suffix}"
    message = f"there is no module {name!r} in {spec.origin}; it is named in `packages`"
    raise UsageError(message)


def _distribution_files(name: str) -> list[tuple[Path, str]]:
    distribution = _distribution(name)
    if distribution is None or distribution.files is None:
        return []
    tops = {file.parts[0] for file in distribution.files if len(file.parts) > 0}
    tops -= {"..", "__pycache__"}
    if name not in tops and not any(top.startswith(f"{name}.") for top in tops):
        return []  # an editable install: its files are elsewhere
    root = Path(str(distribution.locate_file("")))
    return [(root / top, top) for top in sorted(tops) if (root / top).exists()]


def _distribution(name: str) -> importlib.metadata.Distribution | None:
    owners = importlib.metadata.packages_distributions().get(name, ())
    for owner in owners:
        return importlib.metadata.distribution(owner)
    return None
