"""The shell environment's tasks and checks, on descriptions alone; no sandbox."""

from __future__ import annotations

import functools
import io
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from envhub import Task
from envhub_os import catalogue
from envhub_os.agentbench import shortened
from envhub_os.builder import Builder
from envhub_os.env import same_answer
from envhub_os.jobs import Archive, Folder, Gone, Holds, Job, PointsTo, Runs
from envhub_os.tree import NOW, File, Tree


@functools.cache
def every_task() -> list[Task]:
    """All tasks, made when the first test asks for them."""
    return list(catalogue.tasks())


class Described:
    """A `View` of a tree that was never unpacked, with links added."""

    def __init__(self, tree: Tree, links: dict[str, str] | None = None) -> None:
        self._tree = tree
        self._folders = tree.folders()
        self._links = links or {}

    def kind(self, path: str) -> str:
        if path in self._links:
            return "link"
        if path in self._tree.files:
            return "file"
        return "folder" if path in self._folders else ""

    def mode(self, path: str) -> int:
        return self._tree.files[path].mode

    def read(self, path: str) -> bytes | None:
        file = self._tree.files.get(path)
        return None if file is None else file.content

    def target(self, path: str) -> str:
        return self._links[path]


def job_of(task: Task) -> Job:
    """What a task asks for."""
    job: Job = task["job"]
    return job


def test_there_are_many_tasks_of_every_level_and_kind() -> None:
    """Both splits hold every kind of every level."""
    assert catalogue.tasks().splits == {"train": 1200, "test": 200}
    for split in ("train", "test"):
        kinds = Counter(task["kind"] for task in every_task() if task.split == split)
        assert len(kinds) == sum(map(len, catalogue.LEVELS))
        assert min(kinds.values()) >= 4


def test_no_two_tasks_are_the_same() -> None:
    """Requests may repeat; a request together with its files does not."""
    seen = Counter(
        hash((job_of(task).request, *task["tree"].files.values()))
        for task in every_task()
    )
    assert max(seen.values()) == 1


def test_a_task_is_a_function_of_its_place() -> None:
    """Made again, it is the same to the last byte."""
    for task in every_task()[::60]:
        again = catalogue.make(task.split, task.index, task.level)
        assert again["job"] == task["job"]
        assert again["tree"].laid_out() == task["tree"].laid_out()


def test_nothing_is_done_at_the_beginning() -> None:
    """No check passes before the agent has come, so doing nothing earns nothing."""
    for task in every_task():
        view = Described(task["tree"])
        passed = [check for check in job_of(task).checks if check.passes(view)]
        assert passed == [], task.id


def test_a_job_asks_for_something_and_frees_files_that_are_there() -> None:
    """Questions free nothing; chores free what they change."""
    for task in every_task():
        job = job_of(task)
        assert (job.answer is None) == bool(job.checks), task.id
        assert job.free <= set(task["tree"].files), task.id
        assert job.answer is None or not job.free, task.id


def test_a_request_does_not_hold_its_answer() -> None:
    """An answer is found in the files, not in the question."""
    for task in every_task():
        job = job_of(task)
        if isinstance(job.answer, str) and len(job.answer) > 4:
            told = job.request.replace("GET", "").split()
            assert job.answer not in told, (task.id, job.request)


def test_a_tree_is_laid_out_with_its_times_and_permissions(tmp_path: Path) -> None:
    """What lies there shows no trace of when or by whom it was made."""
    tree = Tree("mill", {"a/b c.txt": File(b"x", 0o640, NOW - 5)}, empty=("reports",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path))
        Builder().build(tree.name, *tree.laid_out())
    places = ["mill", *(f"mill/{path}" for path in ("a", "a/b c.txt", "reports"))]
    stats = {place: (tmp_path / place).stat() for place in places}
    found = {at: (stat.st_mode & 0o777, stat.st_mtime) for at, stat in stats.items()}
    assert found == {
        "mill": (0o755, NOW),
        "mill/a": (0o755, NOW),
        "mill/a/b c.txt": (0o640, NOW - 5),
        "mill/reports": (0o755, NOW),
    }
    assert (tmp_path / "mill/a/b c.txt").read_bytes() == b"x"


def test_files_of_a_company_were_changed_at_different_times() -> None:
    """Newest and oldest are always one file."""
    for task in every_task():
        if task["kind"] == "newest":
            times = [file.changed for file in task["tree"].files.values()]
            assert len(set(times)) == len(times)


@pytest.mark.parametrize(
    ("given", "gold", "same"),
    [
        ("7", 7, True),
        ("7 files", 7, True),
        ("0644", 644, True),
        ("7 or 8", 7, False),
        ("", 7, False),
        ("docs/team/x y.txt", "docs/team/x y.txt", True),
        ("`./docs/a.txt`", "docs/a.txt", True),
        ("~/mill/docs/a.txt", "docs/a.txt", True),
        ("/work/mill/docs/a.txt", "docs/a.txt", True),
        ("mill/docs/a.txt", "docs/a.txt", True),
        ("windmill/docs/a.txt", "docs/a.txt", False),
        ("a.txt", "docs/a.txt", False),
        ("/cart", "/cart", True),
        ("cart", "/cart", False),
    ],
)
def test_answers_are_numbers_and_texts(given: str, gold: Any, same: bool) -> None:
    """Paths may be written from any folder; numbers may stand in a sentence."""
    assert same_answer(given, gold, "mill") is same


def gzipped(members: dict[str, bytes], *, link: str = "") -> bytes:
    """A gzipped tar file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        if link:
            entry = tarfile.TarInfo(link)
            entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(entry)
    return packed.getvalue()


ARCHIVES = {
    "as it should be": (gzipped({"a.log": b"1", "b.log": b"2"}), True),
    "in a folder": (gzipped({"logs/b.log": b"2", "logs/a.log": b"1"}), True),
    "one missing": (gzipped({"a.log": b"1"}), False),
    "one more": (gzipped({"a.log": b"1", "b.log": b"2", "c.log": b""}), False),
    "another content": (gzipped({"a.log": b"1", "b.log": b"x"}), False),
    "a link": (gzipped({"a.log": b"1"}, link="b.log"), False),
    "cut off": (gzipped({"a.log": b"1", "b.log": b"2"})[:-20], False),
    "too large": (gzipped({"a.log": bytes(2**22), "b.log": b"2"}), False),
    "no archive": (b"\x1f\x8b nonsense", False),
    "empty": (b"", False),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_holds_exactly_what_it_should(name: str) -> None:
    """Folders inside are free; missing, further, linked and broken members are not."""
    packed, passes = ARCHIVES[name]
    check = Archive("x.tar.gz", {"a.log": b"1", "b.log": b"2"})
    view = Described(Tree("mill", {"x.tar.gz": File(packed)}))
    assert check.passes(view) is passes


def test_checks_tell_kinds_of_files_apart() -> None:
    """A folder is no file, a link leads where it leads, blanks at ends are free."""
    tree = Tree("mill", {"a/f": File(b"1 \n2\n\n", 0o600)}, empty=("b",))
    view = Described(tree, {"now": "./a/", "up": "../up", "deep": "a/../b"})
    assert Holds("a/f", b"1\n2").passes(view)
    assert not Holds("a/f", b"1\n2", exact=True).passes(view)
    assert not Holds("a", b"").passes(view)
    assert not Holds("none", b"").passes(view)
    assert Gone("none").passes(view)
    assert not Gone("now").passes(view)
    assert Runs("a/f", 0o600).passes(view)
    assert not Runs("a/f", 0o644).passes(view)
    assert Folder("b").passes(view)
    assert not Folder("a/f").passes(view)
    assert PointsTo("now", "a").passes(view)
    assert PointsTo("deep", "b").passes(view)
    assert not PointsTo("up", "up").passes(view)
    assert not PointsTo("a/f", "a/f").passes(view)


def test_agentbench_cuts_after_eight_hundred_characters() -> None:
    """800 are kept; of 801, the first 780 and a mark of 43."""
    assert shortened("x" * 800) == "x" * 800
    assert len(shortened("x" * 801)) == 823
    assert shortened("x" * 801).startswith("x" * 780 + "\n[")


def test_companies_are_small() -> None:
    """A reset unpacks some forty files and less than a hundred kilobytes."""
    for task in every_task()[::100]:
        assert 35 <= len(task["tree"].files) <= 55
        contents = [file.content for file in task["tree"].files.values()]
        assert sum(map(len, contents)) < 100_000
