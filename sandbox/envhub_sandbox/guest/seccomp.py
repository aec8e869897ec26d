"""The system-call filter: a small assembler for classic BPF, and its one program.

The program allows what it does not name. What it names:

    another architecture's call          the process is killed
    a call of `syscalls.REFUSED`         EPERM
    clone with any namespace flag        EPERM
    clone3 (its flags cannot be read)    ENOSYS, so that libc falls back to clone
    ioctl TIOCSTI, TIOCLINUX             EPERM (typing into another's terminal)
    personality other than query, Linux  EPERM
    socket of a family not allowed       EAFNOSUPPORT
    socketpair not of AF_UNIX            EAFNOSUPPORT
    scheduling another process           EPERM
    setting another process's limits     EPERM: they end it as a signal would
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

from envhub_sandbox.guest import libc
from envhub_sandbox.guest.syscalls import AUDIT_ARCH, CALLS, REFUSED, X32_BIT

__all__ = [
    "AF_INET",
    "AF_INET6",
    "AF_NETLINK",
    "AF_UNIX",
    "assemble",
    "install",
    "works",
]

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

_LOAD, _EQUAL, _ANY_BIT, _GREATER_OR_EQUAL, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCH = 0, 4
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag, time namespace included
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

_SCHEDULING = (
    "sched_setaffinity",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
)
_SUPERVISOR = 1

Line = tuple[int, int, int, int]


def _argument(index: int) -> int:
    return 16 + 8 * index  # the low half, on the little-endian machines we know


def _load(offset: int) -> Line:
    return _LOAD, 0, 0, offset


def _fail(code: int) -> Line:
    return _RETURN, 0, 0, _ERRNO | code


def _allow() -> Line:
    return _RETURN, 0, 0, _ALLOW


def _when(number: int, body: list[Line]) -> list[Line]:
    """Run `body`, which must return, for this call alone; keeps the number loaded."""
    return [(_EQUAL, 0, len(body), number), *body]


def _only(argument: int, values: Iterable[int], code: int) -> list[Line]:
    """Allow when the argument is one of these values, else fail."""
    lines = [_load(_argument(argument))]
    for value in values:
        lines += [(_EQUAL, 0, 1, value), _allow()]
    return [*lines, _fail(code)]


def _except(argument: int, values: Iterable[int], code: int) -> list[Line]:
    """Fail when the argument is one of these values, else allow."""
    lines = [_load(_argument(argument))]
    for value in values:
        lines += [(_EQUAL, 0, 1, value), _fail(code)]
    return [*lines, _allow()]


def _limits(others: bool) -> list[Line]:
    """Set limits of itself, or of others but the supervisor; read those of all."""
    chosen = (_EQUAL, 1, 0, _SUPERVISOR) if others else (_EQUAL, 0, 1, 0)
    new = _argument(2)  # a pointer, of which either half may be zero
    return [
        _load(_argument(0)),
        chosen,
        _allow(),
        _load(new),
        (_EQUAL, 0, 2, 0),
        _load(new + 4),
        (_EQUAL, 1, 0, 0),
        _fail(errno.EPERM),
        _allow(),
    ]


def _own_priority() -> list[Line]:
    """Only the priority of a process, which is this one."""
    which = [_load(_argument(0)), (_EQUAL, 1, 0, 0), _fail(errno.EPERM)]
    return which + _only(1, (0,), errno.EPERM)


def _judged(
    numbers: dict[str, int], families: tuple[int, ...], *, others: bool
) -> list[Line]:
    no_namespaces = [
        _load(_argument(0)),
        (_ANY_BIT, 0, 1, _NAMESPACES),
        _fail(errno.EPERM),
        _allow(),
    ]
    lines = _when(numbers["clone"], no_namespaces)
    lines += _when(numbers["clone3"], [_fail(errno.ENOSYS)])
    typing = _except(1, (_TIOCSTI, _TIOCLINUX), errno.EPERM)
    lines += _when(numbers["ioctl"], typing)
    linux = _only(0, (0, 0xFFFFFFFF), errno.EPERM)
    lines += _when(numbers["personality"], linux)
    lines += _when(numbers["prlimit64"], _limits(others))
    lines += _when(numbers["setpriority"], _own_priority())
    for name in _SCHEDULING:
        lines += _when(numbers[name], _only(0, (0,), errno.EPERM))
    lines += _when(numbers["socket"], _only(0, families, errno.EAFNOSUPPORT))
    pairs = _only(0, (AF_UNIX,), errno.EAFNOSUPPORT)
    return lines + _when(numbers["socketpair"], pairs)


def assemble(machine: str, families: tuple[int, ...], *, others: bool = False) -> bytes:
    """The program for a machine, which allows sockets of these families.

    Args:
        machine: As `os.uname` names it.
        families: Numbers of socket families.
        others: Whether limits of other processes may be set, the first one's excepted:
            in a process namespace, where they are the sandbox's own.

    Raises:
        OSError: The machine's call numbers are not known.
    """
    if machine not in CALLS:
        message = f"no system-call table for {machine}"
        raise OSError(errno.ENOSYS, message)
    numbers = CALLS[machine]
    lines: list[Line] = [
        _load(_ARCH),
        (_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        _load(_NUMBER),
    ]
    if machine == "x86_64":
        lines += [(_GREATER_OR_EQUAL, 0, 1, X32_BIT), _fail(errno.ENOSYS)]
    for name in REFUSED:
        if name in numbers:
            lines += _when(numbers[name], [_fail(errno.EPERM)])
    lines += [*_judged(numbers, families, others=others), _allow()]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def works(program: bytes) -> bool:
    """Whether this process may install the program; tried in another one."""
    if not program:
        return False
    pid = os.fork()
    if pid == 0:
        try:
            install(program)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def install(program: bytes) -> None:
    """Put the filter on this process and all it starts. Sets no_new_privs first."""
    libc.no_new_privileges()
    libc.load_filter(_Program(len(program) // 8, program))
