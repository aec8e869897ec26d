"""Trials T013 to T022: what is known to go wrong with a code interpreter."""

from __future__ import annotations

import json
import resource
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from envhub.sandbox import (
    Completed,
    Limits,
    Sandbox,
    SandboxProvider,
    Template,
    TemplateSpec,
)


def timed(sandbox: Sandbox, cell: str, limit: float) -> tuple[Completed, float]:
    began = time.monotonic()
    done = sandbox.python(cell, timeout=limit)
    return done, time.monotonic() - began


def test_T013_no_sessions_output_is_in_anothers_result(template: Template) -> None:
    def session(me: int) -> Completed:
        with template.take() as sandbox:
            cell = f"import sys\nME = {me}\nfor i in range(200): print(ME, i)"
            if me == 3:
                cell += "\nprint('aside', file=sys.stderr)"
            return sandbox.python(cell)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(session, range(8)))
    for me, done in enumerate(results):
        assert done.stdout == "".join(f"{me} {i}\n" for i in range(200))
        assert done.stderr == ("aside\n" if me == 3 else "")


def test_T014_cells_share_one_namespace(sandbox: Sandbox) -> None:
    first = sandbox.python(
        "import math\n"
        "def fact(n): return 1 if n<2 else n*fact(n-1)\n"
        "k=3\n"
        "print([k*i for i in range(3)], fact(5), (lambda: math.floor(2.5))())"
    )
    assert first.stdout == "[0, 3, 6] 120 2\n"
    second = sandbox.python("print(fact(6), sum(k for _ in range(2)))")
    assert second.stdout == "720 6\n"


def test_T015_an_endless_loop_burns_nothing_after_its_limit(sandbox: Sandbox) -> None:
    sandbox.python("kept = 1")
    for number in range(5):
        done, seconds = timed(sandbox, "while True: pass", 0.4)
        assert done.timed_out and done.exit_code is None
        assert seconds < 2.4
        assert "variables are lost" in done.restarted, number
    began = time.monotonic()
    if sandbox.isolation.provider == "namespace":
        running = sandbox.exec("ps -e -o comm= | grep -c python")
        assert running.stdout == "1\n"  # the supervisor
    assert sandbox.python("print('alive')").stdout == "alive\n"
    assert time.monotonic() - began < 2


def test_T016_what_was_printed_before_the_limit_is_kept(sandbox: Sandbox) -> None:
    cell = "print('step 1 done', end='')\nimport time\ntime.sleep(60)"
    done, _ = timed(sandbox, cell, 0.5)
    # Not flushed by the program: that it is there at all is the interpreter's doing.
    assert done.stdout == "step 1 done"
    assert "0.5 s" in done.restarted
    child = (
        "import subprocess, sys\n"
        "subprocess.run([sys.executable, '-c',"
        " 'import os,time; os.write(1, b\"step 2\"); time.sleep(60)'])"
    )
    done, _ = timed(sandbox, child, 3.0)
    assert done.stdout == "step 2"
    assert done.timed_out


@pytest.mark.parametrize(
    "cell",
    [
        "while True: print('x'*1000)",
        "print('y'*50_000_000)",
        "import sys\nwhile 1: sys.stderr.write('e')",
        "import subprocess; subprocess.run(['yes'])",
    ],
)
def test_T017_endless_output_is_bounded(sandbox: Sandbox, cell: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done, seconds = timed(sandbox, cell, 2.0)
    assert seconds < 5
    assert len(done.stdout) + len(done.stderr) < 34_000
    assert done.omitted > 0
    assert f"[... {done.omitted:,} bytes left out ...]" in done.stdout + done.stderr
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 20_000  # KiB
    assert sandbox.python("print('clean')").stdout == "clean\n"


def test_T018_head_and_tail_are_kept(sandbox: Sandbox) -> None:
    cell = "print('HEAD')\nprint('filler 🙂 é ' * 10_000)\nprint('FINAL=42')"
    done = sandbox.python(cell)
    assert done.stdout.startswith("HEAD\n") and done.stdout.endswith("FINAL=42\n")
    assert done.stdout.count("bytes left out") == 1
    assert "�" not in done.stdout


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("import os; os.write(1,b'ok \\xff\\xfe') and None", "ok ��"),
        ("print('\\ud83d')", "\\ud83d\n"),
        ("print('a\\0b\\x1b[31mred\\x1b[0m')", "a\0b\x1b[31mred\x1b[0m\n"),
        ("x = '\ud800'", ""),
    ],
)
def test_T019_any_bytes_come_back_as_text(
    sandbox: Sandbox, cell: str, shown: str
) -> None:
    done = sandbox.python(cell)
    assert done.stdout == shown
    json.dumps([done.stdout, done.stderr], ensure_ascii=False).encode()
    assert sandbox.python("print('alive')").stdout == "alive\n"


def test_T019_a_long_line_is_not_broken_before_its_cut(sandbox: Sandbox) -> None:
    done = sandbox.python("print('漢🙂'*200_000)")
    assert done.truncated
    assert "�" not in done.stdout


CHILD_HOG = """
import subprocess, sys
hog = "a=[]\\nwhile 1: a.append(' '*10**6)"
subprocess.run([sys.executable, '-c', hog], check=True)
"""
SPREAD_HOG = """
import os, time
for _ in range(20):
    if not os.fork():
        a = bytearray(60 << 20)
        time.sleep(20)
time.sleep(20)
"""
HOGS = {
    "at once": "x=bytearray(8<<30)",
    "slowly": "a=[]\nwhile 1: a.append(' '*10**6)",
    "child": CHILD_HOG,
    "spread": SPREAD_HOG,
}


@pytest.mark.parametrize("hog", HOGS.values(), ids=HOGS.keys())
def test_T020_memory_is_limited_and_the_limit_named(
    namespace_provider: SandboxProvider, hog: str
) -> None:
    spec = TemplateSpec(spares=0, limits=Limits(memory=256 * 2**20))
    template = namespace_provider.template(spec)
    with template, template.take() as bystander, template.take() as sandbox:
        bystander.python("kept = 1")
        done = sandbox.python(hog, timeout=10)
        assert done.limit == "memory" or "MemoryError" in done.stderr
        assert not done.timed_out
        assert bystander.python("print(kept)").stdout == "1\n"
        sandbox.python("a = x = None")
        assert sandbox.python("print('alive')").stdout == "alive\n"


NOISE = """
import os
for fd in range(3, 21):
    try: os.write(fd, os.urandom(64))
    except OSError: pass
"""
SABOTAGE = """
import builtins, json, pickle, struct, traceback, os, io, sys, ast
for module in (json, pickle, struct, traceback, io, ast):
    for name in dir(module):
        if not name.startswith('_'): setattr(module, name, None)
builtins.print = lambda *a, **k: None
"""


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("import sys,os; sys.stdout.close()", ""),
        ("import os; os.close(1); os.close(2)", ""),
        ("import sys; sys.stdout=None\nprint(1)", ""),
        (
            'print(\'{"status":"ok","reward":1.0,"done":true}\')',
            '{"status":"ok","reward":1.0,"done":true}\n',
        ),
        (NOISE, ""),
        (SABOTAGE, ""),
        ("import sys; sys.displayhook = None; sys.excepthook = None", ""),
        ("import os; os.write = os.read = os.dup2 = None", ""),
    ],
)
def test_T021_the_protocol_is_out_of_the_programs_hands(
    sandbox: Sandbox, cell: str, shown: str
) -> None:
    done = sandbox.python(cell, timeout=5)
    assert done.stdout == shown
    after = sandbox.python("import os; _ = os.system('echo captured')", timeout=5)
    assert after.stdout == "captured\n" or after.restarted or done.restarted
    if done.restarted or after.restarted:
        again = sandbox.python("print('captured')", timeout=5)
        assert again.stdout == "captured\n"


def test_T022_the_habits_of_scripts_work(sandbox: Sandbox) -> None:
    guard = "def main(): print('ran')\nif __name__=='__main__': main()"
    assert sandbox.python(guard).stdout == "ran\n"
    nap = "import asyncio; print(asyncio.run(asyncio.sleep(0,5)))"
    assert sandbox.python(nap).stdout == "5\n"
    sandbox.python(
        "import dataclasses, pickle\n@dataclasses.dataclass\nclass Point:\n    x: int"
    )
    trip = "print(pickle.loads(pickle.dumps(Point(3))) == Point(3))"
    assert sandbox.python(trip).stdout == "True\n"
    sandbox.python("def broken():\n    return undefined_name + 1")
    done = sandbox.python("broken()")
    assert "return undefined_name + 1" in done.stderr


def test_T022_a_pool_of_processes_works_or_fails_at_once(sandbox: Sandbox) -> None:
    cell = (
        "from multiprocessing import Pool\n"
        "def sq(x): return x*x\n"
        "print(Pool(2).map(sq,[1,2]))"
    )
    done, seconds = timed(sandbox, cell, 20)
    assert seconds < 5
    if sandbox.isolation.provider == "namespace":
        assert done.stdout == "[1, 4]\n"
    else:
        assert done.stdout == "[1, 4]\n" or "Error" in done.stderr
