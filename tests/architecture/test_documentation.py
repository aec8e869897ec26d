"""The pages are true: what they show runs, and what can be typed is on them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import run_page
from tests.architecture.tree import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
RUNNING = [
    page
    for page in PAGES
    if any(block.runs for block in run_page.blocks(page.read_text(encoding="utf-8")))
]
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#)(?P<target>[^)#]+)[^)]*\)")


def name_of(page: Path) -> str:
    """How a page is called in a test's id."""
    return str(page.relative_to(REPOSITORY))


@pytest.mark.parametrize("page", RUNNING, ids=name_of)
def test_what_a_page_shows_runs(page: Path, tmp_path: Path) -> None:
    """Its code and commands work, in order, in an empty folder."""
    finished = subprocess.run(
        [sys.executable, Path(run_page.__file__), page],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """A relative link names a file that exists."""
    text = page.read_text(encoding="utf-8")
    targets = [match["target"] for match in LINK.finditer(text)]
    assert [name for name in targets if not (page.parent / name).exists()] == []


def test_every_make_command_has_a_line_in_the_readme() -> None:
    """What `make help` lists, the README lists too, and nothing else."""
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    shown = set(re.findall(r"`make ([a-z]+)`", readme))
    assert shown == listed


def test_no_page_tells_a_reader_to_install_the_unrelated_package() -> None:
    """On the index, plain `envhub` is somebody else's project."""
    wrong = re.compile(r"pip install [^\n`]*\benvhub(?![-\w/])")
    assert [
        name_of(page) for page in PAGES if wrong.search(page.read_text("utf-8"))
    ] == []
