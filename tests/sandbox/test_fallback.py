"""What happens where a kernel or a container forbids what a provider needs."""

from __future__ import annotations

import errno
import os
import struct
import subprocess
import sys

import pytest

from envhub_sandbox.guest import seccomp
from envhub_sandbox.guest.syscalls import CALLS

PROGRAM = """
import sys
from envhub_sandbox.guest import seccomp
from envhub_sandbox import NamespaceProvider, ProcessProvider, default_provider
from envhub.errors import SandboxUnavailable
from envhub.sandbox import TemplateSpec

seccomp.install(bytes.fromhex(sys.argv[1]))
try:
    provider = default_provider()
except SandboxUnavailable as error:
    print("none:", error)
    raise SystemExit
print(provider.name)
print(*provider.isolation().lacks, sep="; ")
with provider.template(TemplateSpec(spares=1)) as template:
    with template.take() as sandbox:
        print(sandbox.exec("echo worked").stdout)
        print(sandbox.python("6*7").stdout)
try:
    NamespaceProvider().template(TemplateSpec())
except SandboxUnavailable as error:
    print("refused:", error)
"""
PRCTL = {"x86_64": 157, "aarch64": 167}


def lines(*filters: tuple[int, int, int, int]) -> bytes:
    return b"".join(struct.pack("=HBBI", *line) for line in filters)


def no_landlock_and_filters() -> bytes:
    """A kernel without landlock, under something that refuses further filters."""
    refuse = 0x00050000
    machine = os.uname().machine
    return lines(
        (0x20, 0, 0, 0),
        (0x15, 0, 1, 444),
        (0x06, 0, 0, refuse | errno.ENOSYS),
        (0x15, 0, 1, CALLS[machine]["unshare"]),
        (0x06, 0, 0, refuse | errno.EPERM),
        (0x15, 0, 3, PRCTL[machine]),
        (0x20, 0, 0, 16),
        (0x15, 0, 1, 22),
        (0x06, 0, 0, refuse | errno.EINVAL),
        (0x20, 0, 0, 0),
        (0x15, 0, 3, CALLS[machine]["clone"]),
        (0x20, 0, 0, 16),
        (0x45, 0, 1, 0x7E020000),
        (0x06, 0, 0, refuse | errno.EPERM),
        (0x06, 0, 0, 0x7FFF0000),
    )


def under(program: bytes, **variables: str) -> str:
    """Output of the trial program below a filter, as in a container."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, program.hex()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("process_provider")
def test_where_namespaces_are_forbidden_processes_are_confined() -> None:
    machine = os.uname().machine
    shown = under(seccomp.assemble(machine, (1, 2, 10, 16)))
    assert shown.startswith("process\n")
    assert "worked\n\n42\n" in shown
    assert "refused: the namespace sandbox is not available here" in shown


def test_where_nothing_works_an_agents_code_is_refused() -> None:
    shown = under(no_landlock_and_filters())
    assert shown.startswith("none: no sandbox works on this machine.")
    assert "ENVHUB_ALLOW_UNISOLATED=1" in shown
    assert "neither landlock nor seccomp works here" in shown


def test_a_user_may_insist_and_is_told_what_that_means() -> None:
    shown = under(no_landlock_and_filters(), ENVHUB_ALLOW_UNISOLATED="1")
    assert shown.startswith("process\n")
    assert "every file that the user can read can be read" in shown
    assert "every system call, and the network, can be used" in shown
    assert "worked\n\n42\n" in shown
