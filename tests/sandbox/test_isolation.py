"""What an agent cannot reach. The namespace provider isolates all of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from envhub.sandbox import Sandbox, SandboxProvider, TemplateSpec


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a trainer has about it."""
    monkeypatch.setenv("HF_TOKEN", "aaa-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "bbb-secret")


def test_T028_the_trainers_environment_and_files_are_not_inherited(
    provider: SandboxProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text("machine hub password ccc-secret")
    held = os.open(tmp_path / ".netrc", os.O_RDONLY)
    os.set_inheritable(held, True)
    try:
        spec = TemplateSpec(spares=1)
        with provider.template(spec) as template, template.take() as sandbox:
            seen = _everything(sandbox, tmp_path)
    finally:
        os.close(held)
    assert "secret" not in seen
    assert "pytest" not in seen


def _everything(sandbox: Sandbox, home: Path) -> str:
    python = sandbox.python(
        "import os\n"
        "print(dict(os.environ))\n"
        "for path in ('/proc/self/environ', '/proc/1/environ', '/proc/self/cmdline',\n"
        f"    '/proc/%d/cmdline' % os.getppid(), '{home}/.netrc',\n"
        "    os.path.expanduser('~/.netrc')):\n"
        "    try: print(open(path).read())\n"
        "    except OSError as error: print(type(error).__name__)\n"
        "print('fds', sorted(map(int, os.listdir('/proc/self/fd'))))\n"
    )
    assert python.ok, python.stderr
    fds = eval(python.stdout.rpartition("fds ")[2])
    # The standard ones, the listing's own, and three that the interpreter lives by.
    assert fds[:3] == [0, 1, 2] and len(fds) <= 7
    command = sandbox.exec(
        "env; cat /proc/self/environ /proc/1/environ /proc/$PPID/environ; "
        f"cat {home}/.netrc ~/.netrc; echo; ls /proc/self/fd"
    )
    assert command.stdout.split()[-4:] == ["0", "1", "2", "3"]
    return python.stdout + command.stdout


def test_T028_a_hosted_service_sees_none_of_it_either(counter: Sandbox) -> None:
    assert "secret" not in str(counter.call("variables"))


@pytest.mark.parametrize(
    "command",
    [
        "unshare -Ur true",
        "mount -t tmpfs x /mnt",
        "umount /proc",
        "cat /proc/1/mem /proc/1/maps",
        "ls -l /proc/1/fd/",
        "python3 -c 'import ctypes; exit(ctypes.CDLL(None).ptrace(16, 1, 0, 0))'",
        "echo x > /proc/sys/kernel/hostname",
        "hostname other",
        "chroot / true",
        "nsenter -t 1 -m true",
    ],
)
def test_ways_out_are_closed(sandbox: Sandbox, command: str) -> None:
    assert not sandbox.exec(command).ok


def test_the_supervisor_cannot_be_ended(sandbox: Sandbox) -> None:
    sandbox.exec("kill -9 $PPID; kill -STOP $PPID; kill -9 1")
    sandbox.python("import os; os.kill(os.getppid(), 9)")
    assert sandbox.exec("echo alive").stdout == "alive\n"


def test_there_are_no_capabilities_and_a_filter(sandbox: Sandbox) -> None:
    status = sandbox.exec("cat /proc/self/status").stdout
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    sets = ["CapInh", "CapPrm", "CapEff", "CapAmb"]
    if sandbox.isolation.provider == "namespace" or os.getuid() == 0:
        sets.append("CapBnd")  # otherwise no_new_privs alone keeps it from mattering
    for name in sets:
        assert int(lines[name], 16) == 0
    assert (lines["NoNewPrivs"], lines["Seccomp"]) == ("1", "2")


def test_there_is_no_network_but_loopback(sandbox: Sandbox) -> None:
    done = sandbox.python(
        "import socket\n"
        "try: socket.create_connection(('1.1.1.1', 53), 2)\n"
        "except OSError as error: print('none', error)"
    )
    assert done.stdout.startswith("none")


def test_loopback_works_and_is_the_sandboxes_own(isolated: Sandbox) -> None:
    server = "python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &"
    isolated.shell(f"echo hello > x; {server} sleep 1")
    fetch = (
        "import urllib.request as u;"
        "print(u.urlopen('http://127.0.0.1:8123/x').read().decode())"
    )
    assert isolated.exec(["python3", "-c", fetch]).stdout.strip() == "hello"


def test_nothing_of_the_host_is_in_view(isolated: Sandbox) -> None:
    top = isolated.exec("ls /").stdout.split()
    assert not {"home", "mnt", "boot", "srv", "sys", "var/log"} & set(top)
    assert isolated.exec("ls -A /work /tmp /dev/shm").stdout.split(":\n")[-1] == ""
    for path in (str(Path(__file__).parent), "/etc/shadow", "/etc/ssh", "/sys/kernel"):
        assert not isolated.exec(f"ls {path}").ok
    assert isolated.exec("ps -e -o comm=; true").stdout.split()[1:] == ["bash", "ps"]
    assert isolated.exec("hostname; whoami").stdout.split() == ["sandbox", "agent"]


def test_siblings_share_nothing_writable(
    namespace_provider: SandboxProvider,
) -> None:
    template = namespace_provider.template(TemplateSpec(spares=1))
    with template, template.take() as first, template.take() as second:
        places = first.exec(
            "find / -writable -not -path '/proc*' -not -path '/usr/*' "
            "-not -path '/root/*' 2>/dev/null; find /usr /root -maxdepth 4 "
            "-type d -writable 2>/dev/null"
        )
        own = ("/work", "/tmp", "/run", "/dev", "/var/tmp")
        for place in places.stdout.split():
            assert place.startswith(own), place
        first.exec("touch /work/mark /tmp/mark /dev/shm/mark /run/mark")
        assert second.exec("find /work /tmp /run /dev -name mark").stdout == ""


def test_isolation_is_said_aloud(provider: SandboxProvider, sandbox: Sandbox) -> None:
    found = sandbox.isolation
    assert found.available and found.gives and found.lacks
    assert found == provider.isolation() or sandbox.isolation.provider != provider.name
    if found.provider == "process":
        assert any("network" in lack for lack in found.lacks)


def test_the_supervisors_limits_and_priority_are_out_of_reach(sandbox: Sandbox) -> None:
    done = sandbox.python(
        "import os, resource\n"
        "for kind in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):\n"
        "    try: resource.prlimit(os.getppid(), kind, (0, 0))\n"
        "    except PermissionError: print('refused')\n"
        "try: os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0))\n"
        "except PermissionError: print('refused')\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); os.nice(1)\n"
    )
    assert done.stdout.split()[:3] == ["refused"] * 3
    assert sandbox.shell("echo alive").stdout == "alive\n"


def test_where_no_process_can_be_started_the_agent_is_told(isolated: Sandbox) -> None:
    done = isolated.python(
        "import os, time\n"
        "try:\n"
        "    while True:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "except OSError: print('full')\n"
    )
    assert done.stdout == "full\n"
    done = isolated.shell("echo alive")
    assert done.exit_code == 126
    assert done.limit == "processes"
    assert "no process can be started" in done.stderr
