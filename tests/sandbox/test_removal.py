"""Removing what an agent has made of a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub_sandbox.guest.removal import remove_tree, sweep


@pytest.fixture(autouse=True)
def place() -> Iterator[None]:
    """Removal changes the working folder: it is meant for single processes."""
    before = Path.cwd()
    yield
    os.chdir(before)


def test_a_path_longer_than_any_call_takes_is_removed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    os.chdir(top)
    for _ in range(sys.getrecursionlimit() + 200):
        Path("deeper").mkdir()
        os.chdir("deeper")
    Path("file").touch()
    remove_tree(str(top))
    assert list(tmp_path.iterdir()) == []


def test_closed_folders_and_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    top = tmp_path / "top"
    (top / "closed").mkdir(parents=True)
    (top / "closed" / "file").touch()
    (top / "way").symlink_to(kept)
    (top / "closed").chmod(0)
    remove_tree(str(top))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").exists()


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "top").symlink_to(tmp_path / "kept")
    remove_tree(str(tmp_path / "top"))
    assert (tmp_path / "kept" / "file").exists()


def test_only_folders_of_processes_that_are_gone_are_swept(tmp_path: Path) -> None:
    for name in ("envhub-4194305-aa", f"envhub-{os.getpid()}-aa", "envhub-x", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "envhub-4194306-bb").symlink_to(tmp_path / "other")
    sweep(str(tmp_path), "envhub-")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {
        f"envhub-{os.getpid()}-aa",
        "envhub-x",
        "other",
        "envhub-4194306-bb",
    }
