"""Trials T023 to T026: what is known to go wrong with a persistent shell."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import envhub_sandbox.guest.shell
from envhub.sandbox import Completed, Sandbox


def timed(sandbox: Sandbox, command: str, limit: float = 20) -> tuple[Completed, float]:
    began = time.monotonic()
    done = sandbox.shell(command, timeout=limit)
    return done, time.monotonic() - began


def test_T023_ending_the_shell_is_answered_with_its_status(sandbox: Sandbox) -> None:
    sandbox.shell("cd /tmp; export V=9")
    for command, code in [
        ("exit 7", 7),
        ("set -e; false", 1),
        ("exec true", 0),
        ("kill -9 $$", 137),
        ("return 3", 3),
    ]:
        done, seconds = timed(sandbox, command)
        assert (done.exit_code, done.timed_out) == (code, False)
        assert seconds < 3
        after, seconds = timed(sandbox, "echo $V $PWD")
        assert after.stdout == "9 /tmp\n"
        assert seconds < 3


@pytest.mark.parametrize(
    "command",
    [
        "bash -c 'sleep 501 | cat'",
        "trap '' TERM; sleep 502",
        "setsid sleep 503",
        'python3 -c "import os,time; os.fork() or os.setsid(); time.sleep(504)"',
    ],
)
def test_T024_the_whole_tree_ends_at_the_limit(sandbox: Sandbox, command: str) -> None:
    # The process provider sees what runs elsewhere, such as the other one's test.
    mark = "50" if sandbox.isolation.provider == "namespace" else "5000"
    done, seconds = timed(sandbox, command.replace("50", mark), 0.7)
    assert done.timed_out
    assert seconds < 4
    listing = f"ps -e -o args= | grep -E '[^0-9]{mark}[1-4]' | grep -v grep"
    left = sandbox.exec(listing).stdout
    assert left == ""


LONG = "x" * 200_000


@pytest.mark.parametrize(
    ("command", "stdout"),
    [
        ("printf abc", "abc"),
        ("PS1='$ '", ""),
        ("trap 'echo bye' EXIT", ""),
        ("awk 'BEGIN{print \"}\"}'", "}\n"),
        ("for i in 1 2; do echo \"$i\"; done | sed 's/[{}]//g'", "1\n2\n"),
        (f"echo {LONG} | wc -c", "200001\n"),
        (f"v={LONG}; echo ${{#v}}", "200000\n"),
        ("echo '{ ( [ \" ' \"'\"", "{ ( [ \"  '\n"),
    ],
)
def test_T025_output_and_status_are_exact(
    sandbox: Sandbox, command: str, stdout: str
) -> None:
    done = sandbox.shell(command)
    assert (done.stdout, done.stderr, done.exit_code) == (stdout, "", 0)
    assert (sandbox.shell("printf abc").stdout, done.restarted) == ("abc", "")


def test_T025_the_products_own_source_can_be_printed(sandbox: Sandbox) -> None:
    source = Path(envhub_sandbox.guest.shell.__file__).read_text()
    sandbox.write("source.py", source)
    assert sandbox.shell("cat source.py").stdout == source


def test_T025_tracing_and_exit_traps_do_not_disturb(sandbox: Sandbox) -> None:
    sandbox.shell("set -x; trap 'echo bye' EXIT")
    done = sandbox.shell("printf abc; false")
    assert (done.stdout, done.exit_code) == ("abc", 1)
    assert (sandbox.shell("exit 2").stdout) == "bye\n"


def test_T026_no_status_is_lost_and_stderr_is_shown(sandbox: Sandbox) -> None:
    assert sandbox.shell("false").exit_code == 1
    assert sandbox.shell("nosuchcmd").exit_code == 127
    assert sandbox.shell("sh -c 'kill -9 $$'").exit_code == 137
    late = sandbox.shell("sleep 60", timeout=0.3)
    assert late.timed_out and late.exit_code is None and not late.ok
    python = sandbox.shell("python3 -c \"import sys; sys.exit('boom')\"")
    assert python.exit_code == 1 and "boom" in python.stderr
    listing = sandbox.shell("ls /nope | cat")
    assert listing.exit_code == 0 and "/nope" in listing.stderr
