"""Templates and sandboxes from their start to their end, and what is left: nothing."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest

from envhub.errors import Closed, LifecycleError, SandboxLost
from envhub.sandbox import Sandbox, SandboxProvider, Template, TemplateSpec
from envhub_sandbox.template import WarmTemplate


def eventually(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def descendants(pid: int) -> set[int]:
    """Processes below one, as the host sees them."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parent = int(stat.rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(entry.name))
    found: set[int] = set()
    ahead = [pid]
    while ahead:
        ahead = [child for parent in ahead for child in parents.get(parent, [])]
        found.update(ahead)
    return found


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def cgroup_folders(pid: int) -> list[Path]:
    return [
        path
        for base in ("/sys/fs/cgroup", "/sys/fs/cgroup/memory")
        for path in Path(base).glob(f"**/envhub-{pid}")
    ]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files of these tests go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_300_sandboxes_leave_nothing(provider: SandboxProvider, places: Path) -> None:
    gc.collect()
    before = descriptors(), threading.active_count(), descendants(os.getpid())
    with provider.template(TemplateSpec(spares=2)) as made:
        template = cast("WarmTemplate", made)
        guard = template.pid
        for number in range(300):
            with template.take() as sandbox:
                if number % 50 == 0:
                    assert sandbox.exec("(setsid sleep 900 &); echo ok").ok
        stats = template.stats()
        assert (stats.taken, stats.ended, stats.live) == (300, 300, 0)
        assert stats.lost == 0
        # Guard and template, the spares, and what is being collected just now.
        assert eventually(lambda: len(descendants(guard)) <= 4)
    assert eventually(lambda: descendants(os.getpid()) <= before[2])
    assert descriptors() == before[0]
    assert threading.active_count() == before[1]
    assert list(places.iterdir()) == []
    assert cgroup_folders(guard) == []


def test_dropped_sandboxes_end_by_themselves(template: Template) -> None:
    before = template.stats().live
    taken = [template.take() for _ in range(3)]
    assert template.stats().live == before + 3
    del taken
    gc.collect()
    assert template.stats().live == before


HOST = """
    import sys, time
    from envhub_sandbox import {provider}
    from envhub.sandbox import TemplateSpec

    template = {provider}().template(TemplateSpec(spares=2))
    sandbox = template.take()
    sandbox.exec("true")
    sandbox.shell("sleep 12345 &")
    sandbox.python("import subprocess; subprocess.Popen(['setsid', 'sleep', '12345'])")
    print(template.pid, flush=True)
    if sys.argv[1] == "call":
        sandbox.exec("(setsid sleep 12345 &) ; sleep 12345", timeout=60)
    time.sleep(60)
"""


@pytest.mark.parametrize("doing", ["nothing", "call"])
def test_a_killed_host_leaves_nothing(
    provider: SandboxProvider, places: Path, doing: str
) -> None:
    program = textwrap.dedent(HOST).format(provider=type(provider).__name__)
    with subprocess.Popen(
        [sys.executable, "-c", program, doing],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as host:
        assert host.stdout is not None
        guard = int(host.stdout.readline())
        time.sleep(0.3)
        below = descendants(guard) | {guard}
        assert len(below) > 4
        host.kill()
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))
    assert list(places.iterdir()) == []
    assert cgroup_folders(guard) == []


def test_a_killed_template_is_restarted_and_counted(provider: SandboxProvider) -> None:
    with provider.template(TemplateSpec(spares=1)) as made:
        template = cast("WarmTemplate", made)
        with template.take() as sandbox:
            below = descendants(template.pid)
            os.kill(template.pid, signal.SIGKILL)
            assert eventually(lambda: not sandbox.alive)
            with pytest.raises(SandboxLost):
                sandbox.exec("true")
            assert eventually(lambda: not below & descendants(1))
            sandbox.reset()
            assert sandbox.exec("echo back").stdout == "back\n"
            assert template.stats().restarts == 1
            assert template.take().exec("echo too").stdout == "too\n"


def test_what_a_killed_guard_left_is_swept_at_the_next_start(
    provider: SandboxProvider, places: Path
) -> None:
    with provider.template(TemplateSpec(spares=1)) as made:
        template = cast("WarmTemplate", made)
        with template.take() as sandbox:
            sandbox.exec("mkdir -p a/b; chmod 0 a; ln -s / way; echo x > $TMPDIR/y")
        killed = template.pid
        os.kill(killed, signal.SIGKILL)
        time.sleep(0.2)
        assert template.take().exec("echo back").stdout == "back\n"
        assert not [path for path in places.iterdir() if f"-{killed}-" in path.name]
    assert list(places.iterdir()) == []
    assert cgroup_folders(killed) == []


def test_a_template_ended_from_inside_is_restarted(provider: SandboxProvider) -> None:
    with provider.template(TemplateSpec(spares=1)) as made:
        template = cast("WarmTemplate", made)
        (inner, *_) = [
            int(pid)
            for pid in Path(f"/proc/{template.pid}/task/{template.pid}/children")
            .read_text()
            .split()
        ]
        os.kill(inner, signal.SIGKILL)
        status = Path(f"/proc/{template.pid}/status")
        assert eventually(lambda: "zombie" in status.read_text())
        assert template.take().exec("echo back").stdout == "back\n"
        assert template.stats().restarts == 1


def test_a_template_that_cannot_be_restarted_is_a_lost_sandbox(
    provider: SandboxProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "vanishing_service.py"
    module.write_text("def make():\n    return object()\n")
    monkeypatch.syspath_prepend(tmp_path)
    spec = TemplateSpec(service="vanishing_service:make", trusted=True, spares=0)
    with provider.template(spec) as made:
        template = cast("WarmTemplate", made)
        module.write_text("raise SystemExit('vanished')\n")
        os.kill(template.pid, signal.SIGKILL)
        time.sleep(0.1)
        with pytest.raises(SandboxLost, match="vanished"):
            template.take()
        module.write_text("def make():\n    return object()\n")
        assert template.take().alive


def test_bursts_from_many_threads_are_served(template: Template) -> None:
    def one(number: int) -> str:
        with template.take() as sandbox:
            return sandbox.exec(f"echo {number}").stdout

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(one, range(36))) == [f"{n}\n" for n in range(36)]


def test_a_spare_is_handed_over_at_once(template: Template) -> None:
    seconds: list[float] = []
    for _ in range(20):
        assert eventually(lambda: template.stats().spare >= 1)
        began = time.perf_counter()
        sandbox = template.take()
        seconds.append(time.perf_counter() - began)
        sandbox.close()
    assert sorted(seconds)[10] < 0.02


def test_close_is_idempotent_and_final(provider: SandboxProvider) -> None:
    template = provider.template(TemplateSpec(spares=1))
    sandbox = template.take()
    template.close()
    template.close()
    with pytest.raises(Closed):
        template.take()
    with pytest.raises((SandboxLost, Closed)):
        sandbox.exec("true")
    sandbox.close()
    sandbox.close()
    assert not sandbox.alive
    with pytest.raises(Closed):
        sandbox.reset()


def test_closing_a_template_wakes_who_waits_for_a_sandbox(
    provider: SandboxProvider,
) -> None:
    made = provider.template(TemplateSpec(spares=0))
    template = cast("WarmTemplate", made)
    children = f"/proc/{template.pid}/task/{template.pid}/children"
    inner = int(Path(children).read_text().split()[0])
    os.kill(inner, signal.SIGSTOP)
    threading.Timer(0.3, template.close).start()
    began = time.monotonic()
    with pytest.raises(Closed):
        template.take()
    assert time.monotonic() - began < 5


def _use(sandbox: Sandbox, template: Template, answers: object) -> None:
    found: list[str] = []
    for use in (template.take, lambda: sandbox.exec("true")):
        try:
            use()
            found.append("worked")
        except LifecycleError as error:
            found.append(str(error))
    cast("multiprocessing.SimpleQueue[list[str]]", answers).put(found)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_use_in_a_forked_process_is_refused_and_harmless(template: Template) -> None:
    context = multiprocessing.get_context("fork")
    with template.take() as sandbox:
        answers = context.SimpleQueue()
        forked = context.Process(target=_use, args=(sandbox, template, answers))
        forked.start()
        found = answers.get()
        forked.join()
        answers.close()
        assert all("belongs to process" in words for words in found)
        assert sandbox.exec("echo mine").stdout == "mine\n"
