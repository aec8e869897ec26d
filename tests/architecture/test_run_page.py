"""The runner of pages: what it saves, runs and leaves alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.architecture import run_page


def page(folder: Path, text: str) -> Path:
    """A page with this text."""
    file = folder / "page.md"
    file.write_text(text, encoding="utf-8")
    return file


def test_names_live_on_down_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later block may use what an earlier one defined."""
    monkeypatch.chdir(tmp_path)
    text = "```python\nx = 2\n```\nprose\n```python\nassert x == 2\n```\n"
    run_page.run(page(tmp_path, text))


def test_a_block_with_a_title_becomes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved under its title, folders included, and not run."""
    monkeypatch.chdir(tmp_path)
    run_page.run(page(tmp_path, '```python title="a/b.py"\nraise OSError\n```\n'))
    assert (tmp_path / "a" / "b.py").read_text() == "raise OSError\n"


def test_a_failing_block_fails_at_its_line_of_the_page(tmp_path: Path) -> None:
    """The traceback leads to the page, not to a string."""
    file = page(tmp_path, "one\n\n```python\nraise KeyError('x')\n```\n")
    with pytest.raises(KeyError) as caught:
        run_page.run(file)
    assert caught.traceback[-1].lineno == 3  # counted from zero


def test_a_failing_command_fails_the_page(tmp_path: Path) -> None:
    """A command's exit status counts."""
    with pytest.raises(subprocess.CalledProcessError):
        run_page.run(page(tmp_path, "```console\n$ python -c 'exit(3)'\n```\n"))


def test_an_excused_block_is_left_alone(tmp_path: Path) -> None:
    """What cannot run here says so, with a reason."""
    excuse = "<!-- not run: needs a GPU -->\n"
    run_page.run(page(tmp_path, f"{excuse}```python\nraise OSError\n```\n"))


def test_other_commands_are_for_reading(tmp_path: Path) -> None:
    """A page may show `make` without the tests starting themselves again."""
    run_page.run(page(tmp_path, "```console\n$ make test\nall passed\n```\n"))
