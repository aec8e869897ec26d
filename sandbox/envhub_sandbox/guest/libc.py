"""System calls that the standard library does not wrap.

Knows numbers and structures; leaves meaning to its callers. Every failure is an
`OSError` that names the call.
"""

from __future__ import annotations

import ctypes
import os
import signal

__all__ = [
    "NEWCGROUP",
    "NEWIPC",
    "NEWNET",
    "NEWNS",
    "NEWPID",
    "NEWUSER",
    "NEWUTS",
    "bring_loopback_up",
    "call",
    "clone",
    "close_on_exec",
    "close_range",
    "die_with_parent",
    "drop_bounding_set",
    "drop_capabilities",
    "load_filter",
    "mount",
    "no_new_privileges",
    "pivot_root",
    "set_dumpable",
    "set_hostname",
    "set_name",
    "set_subreaper",
    "umount",
    "unshare",
]

NEWNS = 0x00020000
NEWCGROUP = 0x02000000
NEWUTS = 0x04000000
NEWIPC = 0x08000000
NEWUSER = 0x10000000
NEWPID = 0x20000000
NEWNET = 0x40000000

_CLONE_PIDFD = 0x1000
_NUMBERS = {
    "x86_64": {"clone": 56, "capset": 126, "pivot_root": 155},
    "aarch64": {"clone": 220, "capset": 91, "pivot_root": 41},
}.get(os.uname().machine, {})
_NUMBERS |= {
    "close_range": 436,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "mount_setattr": 442,
    "open_tree": 428,
    "move_mount": 429,
}
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 40

_libc = ctypes.CDLL(None, use_errno=True)
# A fork must keep the interpreter's lock, which CDLL gives up during a call.
_under_lock = ctypes.PyDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def call(name: str, *arguments: object) -> int:
    """A raw system call by name."""
    return _check(int(_libc.syscall(_number(name), *arguments)), name)


def _number(name: str) -> int:
    if name not in _NUMBERS:
        message = f"{name} has no known number on {os.uname().machine}"
        raise OSError(38, message)
    return _NUMBERS[name]


def clone(flags: int) -> tuple[int, int]:
    """Fork into new namespaces: (0, -1) in the child, (pid, pidfd) in the parent.

    Runs Python's own fork hooks, as `os.fork` does.
    """
    number, pidfd = _number("clone"), ctypes.c_int(-1)
    word = ctypes.c_ulong(flags | _CLONE_PIDFD | signal.SIGCHLD)
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(_under_lock.syscall(number, word, None, ctypes.byref(pidfd), None, None))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0, -1
    code = ctypes.get_errno()
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(code, f"clone: {os.strerror(code)}")
    return pid, pidfd.value


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    _check(_libc.unshare(flags), "unshare")


def _path(value: str | None) -> bytes | None:
    return None if value is None else os.fsencode(value)


def mount(
    source: str | None,
    target: str,
    kind: str | None,
    flags: int,
    data: str | None = None,
) -> None:
    """Mount; the error names the target."""
    word = ctypes.c_ulong(flags)
    result = _libc.mount(_path(source), _path(target), _path(kind), word, _path(data))
    _check(result, f"mount {target}")


def umount(target: str, flags: int = 0) -> None:
    """Unmount."""
    _check(_libc.umount2(_path(target), flags), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root and put the old root at `old`."""
    call("pivot_root", _path(new), _path(old))


def _prctl(what: str, option: int, value: int) -> None:
    word = ctypes.c_ulong(value)
    zero = ctypes.c_ulong(0)
    _check(_libc.prctl(option, word, zero, zero, zero), what)


def die_with_parent() -> None:
    """Be killed when the thread that forked this process ends."""
    _prctl("PR_SET_PDEATHSIG", 1, signal.SIGKILL)


def set_dumpable(yes: bool) -> None:
    """Whether processes of the same user may look into this one."""
    _prctl("PR_SET_DUMPABLE", 4, int(yes))


def set_subreaper() -> None:
    """Become the parent of every orphan among the descendants."""
    _prctl("PR_SET_CHILD_SUBREAPER", 36, 1)


def no_new_privileges() -> None:
    """Set-user-id files give nothing from here on, to this process or its children."""
    _prctl("PR_SET_NO_NEW_PRIVS", 38, 1)


def load_filter(program: ctypes.Structure) -> None:
    """Install a seccomp filter (a `sock_fprog`) on this process."""
    pr_set_seccomp, mode_filter = 22, ctypes.c_ulong(2)
    result = _libc.prctl(pr_set_seccomp, mode_filter, ctypes.byref(program), 0, 0)
    _check(result, "PR_SET_SECCOMP")


def set_name(name: str) -> None:
    """The name that process listings show."""
    _libc.prctl(15, os.fsencode(name)[:15] + b"\0", 0, 0, 0)


def drop_bounding_set() -> None:
    """No program that is started will have a capability; needs one of them itself."""
    prctl = _libc.prctl
    for capability in range(_LAST_CAPABILITY + 1):
        prctl(24, capability, 0, 0, 0)


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    drop_bounding_set()
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    call("capset", header, (ctypes.c_uint32 * 6)())


def set_hostname(name: str) -> None:
    """Name of the machine in this uts namespace."""
    text = os.fsencode(name)
    _check(_libc.sethostname(text, len(text)), "sethostname")


def close_range(first: int, last: int) -> None:
    """Close the descriptors from `first` up to and including `last`."""
    try:
        call("close_range", first, ctypes.c_uint(last), 0)
    except OSError:
        os.closerange(first, min(last, 2**16) + 1)


def close_on_exec(first: int) -> None:
    """Let no descriptor from `first` on reach a program that is started."""
    cloexec, last = 4, 2**32 - 1
    call("close_range", first, ctypes.c_uint(last), cloexec)


class _InterfaceRequest(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char * 16),
        ("flags", ctypes.c_short),
        ("rest", ctypes.c_char * 22),
    )


def bring_loopback_up() -> None:
    """Bring `lo` up in this network namespace."""
    af_inet, sock_dgram, siocsifflags, iff_up = 2, 2, 0x8914, 1
    fd = _check(_libc.socket(af_inet, sock_dgram, 0), "socket")
    request = _InterfaceRequest(b"lo", iff_up)
    try:
        _check(_libc.ioctl(fd, siocsifflags, ctypes.byref(request)), "loopback")
    finally:
        os.close(fd)
