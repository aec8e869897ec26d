"""The system-call filter, run by a small interpreter of classic BPF."""

from __future__ import annotations

import errno
import os
import struct

import pytest

from envhub_sandbox.guest.seccomp import (
    AF_INET,
    AF_NETLINK,
    AF_UNIX,
    assemble,
    works,
)
from envhub_sandbox.guest.syscalls import AUDIT_ARCH, CALLS, REFUSED

ALLOWED, KILLED = "allowed", "killed"
VERDICTS = {0x7FFF0000: ALLOWED, 0x80000000: KILLED}
NEWUSER, NEWNET, NEWTIME, VFORK_AND_VM = 0x10000000, 0x40000000, 0x80, 0x4100
FAMILIES = (AF_UNIX, AF_INET)


def verdict(program: bytes, arch: int, number: int, *arguments: int) -> str | int:
    """What the kernel would do: allow, kill, or fail with an error number."""
    padded = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    lines = list(struct.iter_unpack("=HBBI", program))
    position = accumulator = 0
    while True:
        code, if_true, if_false, value = lines[position]
        position += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x06:
            return VERDICTS.get(value) or value & 0xFFFF
        else:
            holds = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            position += if_true if holds else if_false


@pytest.fixture(params=sorted(CALLS))
def machine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def ask(machine: str, name: str, *arguments: int) -> str | int:
    program = assemble(machine, FAMILIES)
    return verdict(program, AUDIT_ARCH[machine], CALLS[machine][name], *arguments)


def test_every_refused_call_is_refused(machine: str) -> None:
    for name in REFUSED:
        if name in CALLS[machine]:
            assert ask(machine, name) == errno.EPERM, name


def test_other_calls_are_allowed(machine: str) -> None:
    named = set(CALLS[machine].values())
    program = assemble(machine, FAMILIES)
    for number in set(range(480)) - named:
        assert verdict(program, AUDIT_ARCH[machine], number) == ALLOWED


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (17,), ALLOWED),
        ("clone", (VFORK_AND_VM | 17,), ALLOWED),
        ("clone", (NEWUSER | 17,), errno.EPERM),
        ("clone", (NEWNET | 17,), errno.EPERM),
        ("clone", (NEWTIME,), errno.EPERM),
        ("clone3", (), errno.ENOSYS),
        ("ioctl", (0, 0x5412), errno.EPERM),
        ("ioctl", (0, 0x541C), errno.EPERM),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("personality", (0xFFFFFFFF,), ALLOWED),
        ("personality", (0x0040000,), errno.EPERM),
        ("socket", (AF_UNIX,), ALLOWED),
        ("socket", (AF_INET,), ALLOWED),
        ("socket", (AF_NETLINK,), errno.EAFNOSUPPORT),
        ("socket", (40,), errno.EAFNOSUPPORT),
        ("socketpair", (AF_UNIX,), ALLOWED),
        ("socketpair", (AF_INET,), errno.EAFNOSUPPORT),
        ("prlimit64", (0, 7, 0x1000), ALLOWED),
        ("prlimit64", (1, 7, 0), ALLOWED),
        ("prlimit64", (1, 7, 0x1000), errno.EPERM),
        ("prlimit64", (1, 7, 0x1_0000_0000), errno.EPERM),
        ("prlimit64", (4321, 0, 0x1000), errno.EPERM),
        ("setpriority", (0, 0, 5), ALLOWED),
        ("setpriority", (0, 4321, 5), errno.EPERM),
        ("setpriority", (2, 0, 5), errno.EPERM),
        ("sched_setscheduler", (0, 5), ALLOWED),
        ("sched_setscheduler", (4321, 5), errno.EPERM),
    ],
)
def test_some_calls_are_judged_by_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], expected: str | int
) -> None:
    assert ask(machine, name, *arguments) == expected


def test_limits_of_others_but_the_first_may_be_set_where_they_are_its_own(
    machine: str,
) -> None:
    program = assemble(machine, FAMILIES, others=True)
    call = AUDIT_ARCH[machine], CALLS[machine]["prlimit64"]
    assert verdict(program, *call, 4321, 0, 0x1000) == ALLOWED
    assert verdict(program, *call, 1, 0, 0x1000) == errno.EPERM
    assert verdict(program, *call, 1, 0, 0) == ALLOWED


def test_another_architectures_call_kills(machine: str) -> None:
    assert verdict(assemble(machine, ()), 0x40000003, 1) == KILLED


def test_calls_of_the_x32_kind_are_unknown() -> None:
    program = assemble("x86_64", ())
    number = 0x40000000 | 101
    assert verdict(program, AUDIT_ARCH["x86_64"], number) == errno.ENOSYS


def test_an_unknown_machine_is_refused() -> None:
    with pytest.raises(OSError, match="vax"):
        assemble("vax", ())


def test_the_kernel_accepts_the_program() -> None:
    assert works(assemble(os.uname().machine, FAMILIES))
    assert not works(b"")
    assert not works(b"\xff" * 8)
