"""The layers of the core and the wall between what plugs in."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import REPOSITORY, source_files, tracked_files

LONGEST_MODULE = 400


def test_imports_follow_the_layers(repository: Path) -> None:
    """The contracts in pyproject.toml hold."""
    finished = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout


@pytest.mark.parametrize("file", source_files(), ids=lambda file: file.stem)
def test_a_module_holds_one_concept(file: Path) -> None:
    """A module past four hundred lines is two."""
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_no_tracked_file_names_the_place_where_it_was_written() -> None:
    """Paths are the reader's own, or relative."""
    here = re.compile(re.escape(str(REPOSITORY).encode()) + rb"(?![\w-])")
    guilty = [str(f) for f in tracked_files() if here.search(f.read_bytes())]
    assert guilty == []
