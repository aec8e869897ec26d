"""One command, run to its end with all that it started."""

from __future__ import annotations

import pytest

from envhub.sandbox import Sandbox


def test_a_string_goes_to_bash_and_a_list_does_not(sandbox: Sandbox) -> None:
    assert sandbox.exec("echo $((6*7))").stdout == "42\n"
    assert sandbox.exec(["echo", "$((6*7))"]).stdout == "$((6*7))\n"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("exit 7", 7),
        ("kill -9 $$", 137),
        ("kill -TERM $$", 143),
        ("nosuchcmd", 127),
        (["nosuchcmd"], 127),
        (["/etc/passwd"], 126),
        ("true", 0),
    ],
)
def test_the_status_is_the_real_one(
    sandbox: Sandbox, command: str | list[str], code: int
) -> None:
    done = sandbox.exec(command)
    assert done.exit_code == code
    assert done.ok == (code == 0)


def test_a_program_that_cannot_be_started_is_named(sandbox: Sandbox) -> None:
    assert "nosuchcmd" in sandbox.exec(["nosuchcmd"]).stderr
    assert "/nowhere" in sandbox.exec("pwd", cwd="/nowhere").stderr


def test_stdout_and_stderr_are_kept_apart(sandbox: Sandbox) -> None:
    done = sandbox.exec("echo out; echo err >&2")
    assert (done.stdout, done.stderr) == ("out\n", "err\n")


@pytest.mark.parametrize("size", [0, 5, 3_000_000])
def test_standard_input_is_given_whole(sandbox: Sandbox, size: int) -> None:
    assert sandbox.exec("wc -c", stdin=b"x" * size).stdout.strip() == str(size)


def test_without_standard_input_there_is_nothing_to_wait_for(sandbox: Sandbox) -> None:
    assert sandbox.exec("cat", timeout=5).ok


def test_variables_and_folder_are_of_one_command(sandbox: Sandbox) -> None:
    done = sandbox.exec('echo "$A"; pwd', env={"A": "é\n"}, cwd="/usr")
    assert done.stdout == "é\n\n/usr\n"
    assert sandbox.exec("echo [$A]").stdout == "[]\n"


def test_a_command_of_300_kilobytes_runs(sandbox: Sandbox) -> None:
    assert sandbox.exec(f"echo {'y' * 300_000} | wc -c").stdout == "300001\n"


def test_what_was_printed_before_the_time_limit_is_kept(sandbox: Sandbox) -> None:
    done = sandbox.exec("printf begun; printf worse >&2; sleep 60", timeout=0.5)
    assert (done.stdout, done.stderr) == ("begun", "worse")
    assert done.timed_out and done.exit_code is None and done.limit == "wall"
    assert 0.5 <= done.duration < 3


DAEMON = """
python3 -c '
import os
os.fork() or (os.setsid(), os.fork())
open("up", "w").close()
os.execlp("sleep", "sleep", "615")' &
until [ -e up ]; do sleep 0.02; done
echo started
"""


@pytest.mark.parametrize(
    "command",
    [
        "sleep 611 & echo started",
        "setsid sleep 612 & echo started; sleep 0.1",
        "(setsid sleep 613 &) ; echo started; sleep 0.1",
        "sleep 614 & kill -STOP $!; echo started",
        DAEMON,
    ],
)
def test_nothing_of_a_command_outlives_it(sandbox: Sandbox, command: str) -> None:
    done = sandbox.exec(command, timeout=20)
    assert "started" in done.stdout and not done.timed_out
    assert "61" not in sandbox.exec("pgrep -af 'sleep.61[1-6]' | grep -v pgrep").stdout


def test_sessions_live_on_while_commands_come_and_go(sandbox: Sandbox) -> None:
    sandbox.shell("V=5; sleep 300 &")
    sandbox.python("v = 6")
    sandbox.exec("sleep 200 & sleep 100", timeout=0.3)
    assert sandbox.shell("echo $V; jobs").stdout.splitlines()[0] == "5"
    assert "sleep 300" in sandbox.shell("jobs").stdout
    assert sandbox.python("v").stdout == "6\n"


def test_endless_output_is_bounded_and_counted(sandbox: Sandbox) -> None:
    done = sandbox.exec("yes", timeout=0.5)
    assert done.truncated and done.omitted > 1_000_000
    assert f"[... {done.omitted:,} bytes left out ...]" in done.stdout
    assert len(done.stdout) < 17_000


def test_the_cpu_limit_is_named(isolated: Sandbox) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 2))\n"
        "while True: pass"
    )
    done = isolated.exec(["python3", "-c", code], timeout=20)
    assert (done.exit_code, done.limit) == (152, "cpu")


def test_the_disk_limit_is_named_and_holds(isolated: Sandbox) -> None:
    for place in ("/work", "/tmp", "/dev/shm"):
        isolated.exec(f"head -c 40000000 /dev/zero > {place}/filler")
    done = isolated.exec("head -c 40000000 /dev/zero > /work/more")
    assert not done.ok
    assert done.limit == "disk"
    used = isolated.exec("du -cb /work /tmp /dev/shm | tail -1").stdout.split()[0]
    assert int(used) <= 64 * 2**20 + 4096


def test_the_process_limit_is_named_and_holds(isolated: Sandbox) -> None:
    code = (
        "import os, time\n"
        "for _ in range(500):\n"
        "    if not os.fork():\n"
        "        time.sleep(100)"
    )
    done = isolated.exec(["python3", "-c", code])
    assert (done.exit_code, done.limit) == (1, "processes")
    assert isolated.exec("ps -e -o comm=; true").stdout.split()[1:] == ["bash", "ps"]


def test_a_fork_bomb_ends_with_its_command(isolated: Sandbox) -> None:
    done = isolated.exec(":(){ :|:& };: ; sleep 5", timeout=1)
    assert done.timed_out and done.duration < 6
    assert isolated.exec("echo alive").stdout == "alive\n"
