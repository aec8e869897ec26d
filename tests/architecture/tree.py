"""The source tree as the architecture tests see it."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

__all__ = ["REPOSITORY", "modules", "source_files", "tracked_files"]

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = (
    REPOSITORY,
    REPOSITORY / "sandbox",
    REPOSITORY / "trainers",
    REPOSITORY / "environments",
)


@cache
def source_files() -> tuple[Path, ...]:
    """Every Python file that is installed with the distribution."""
    packages = [
        package
        for root in SOURCE_ROOTS
        for package in sorted(root.glob("envhub*"))
        if package.is_dir()
    ]
    return tuple(file for package in packages for file in sorted(package.rglob("*.py")))


@cache
def modules() -> dict[str, Path]:
    """Import name of every installed module, with its file."""
    return {_import_name(file): file for file in source_files()}


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that git knows; only a checkout can tell."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True
    )
    names = listing.stdout.decode().split("\0")
    return tuple(REPOSITORY / name for name in names if (REPOSITORY / name).is_file())


def _import_name(file: Path) -> str:
    root = max(
        (root for root in SOURCE_ROOTS if file.is_relative_to(root)),
        key=lambda root: len(root.parts),
    )
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
