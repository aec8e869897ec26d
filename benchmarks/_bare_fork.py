"""The bare mechanism under a namespace sandbox, without any protocol: a yardstick.

A warm process clones children into fresh user, pid, mount, ipc, uts, net and cgroup
namespaces. Each child maps its user, mounts a tmpfs on ``/tmp``, ``/work``-like and
``/dev/shm`` places, mounts a fresh ``/proc``, brings the loopback up, drops every
capability, installs a seccomp filter and sends one byte. Then it is killed and reaped,
and the next one starts. What a provider takes beyond this is its own doing.

    python -m benchmarks._bare_fork [children] [module ...]
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import importlib
import json
import os
import signal
import socket
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

__all__ = ["measure"]

_FLAGS = 0x7E020000  # NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET | NEWNS
_CLONE, _CAPSET = {"x86_64": (56, 126), "aarch64": (220, 91)}.get(
    os.uname().machine, (0, 0)
)
_NOSUID_NODEV = 2 | 4
_libc = ctypes.CDLL(None, use_errno=True)
_under_gil = ctypes.PyDLL(None, use_errno=True)


def measure(n: int, preload: Sequence[str] = ()) -> list[float]:
    """Seconds of each of `n` rounds of kill + reap + clone + ready byte.

    Raises:
        RuntimeError: The namespaces are not to be had on this machine.
    """
    done = subprocess.run(
        [sys.executable, __file__, str(n), *preload],
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or "the bare mechanism does not work")
    return [float(second) for second in json.loads(done.stdout)]


def _check(result: int, what: str) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def _mount(kind: str, target: str, flags: int, data: str | None = None) -> None:
    source, options = kind.encode(), data.encode() if data else None
    _check(_libc.mount(source, target.encode(), source, flags, options), target)


def _become_unprivileged() -> None:
    """As root: a mount namespace of its own, then nobody, as the provider does."""
    if os.geteuid() == 0:
        _check(_libc.unshare(0x20000), "unshare")
        _check(_libc.mount(None, b"/", None, 0x44000, None), "private root")
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    _libc.prctl(4, 1, 0, 0, 0)


def _filter() -> bytes:
    """A filter of the provider's size: 70 comparisons, then allow."""
    program = [(0x20, 0, 0, 0)]
    program += [(0x15, 0, 0, 1000 + number) for number in range(70)]
    program += [(0x06, 0, 0, 0x7FFF0000)]
    return b"".join(struct.pack("HBBI", *line) for line in program)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def _enter(uid: int, gid: int, program: bytes) -> None:
    """What a child of the provider must do, in the fewest system calls."""
    for name, text in (
        ("setgroups", b"deny"),
        ("uid_map", b"1000 %d 1" % uid),
        ("gid_map", b"1000 %d 1" % gid),
    ):
        descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY)
        os.write(descriptor, text)
        os.close(descriptor)
    _mount("tmpfs", "/mnt", _NOSUID_NODEV, "size=64m,mode=755")
    for folder, target in (("tmp", b"/tmp"), ("work", b"/srv"), ("shm", b"/dev/shm")):
        Path(f"/mnt/{folder}").mkdir()
        _check(
            _libc.mount(f"/mnt/{folder}".encode(), target, None, 0x1000, None), folder
        )
    _mount("proc", "/proc", 2 | 4 | 8)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, 0x8914, struct.pack("16sH14x", b"lo", 1))
    for capability in range(41):
        _libc.prctl(24, capability, 0, 0, 0)
    header, empty = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _check(_libc.syscall(_CAPSET, header, empty), "capset")
    _check(_libc.prctl(38, 1, 0, 0, 0), "no_new_privs")
    loaded = _Program(len(program) // 8, program)
    _check(_libc.prctl(22, 2, ctypes.byref(loaded), 0, 0), "seccomp")


def _clone() -> int:
    ctypes.pythonapi.PyOS_BeforeFork()
    flags = ctypes.c_ulong(_FLAGS | signal.SIGCHLD)
    pid = int(_under_gil.syscall(_CLONE, flags, None, None, None, None))
    code = ctypes.get_errno()
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(code, f"clone: {os.strerror(code)}")
    return pid


def _spawn(program: bytes) -> tuple[int, socket.socket]:
    mine, theirs = socket.socketpair()
    uid, gid = os.getuid(), os.getgid()
    pid = _clone()
    if pid == 0:
        try:
            _enter(uid, gid, program)
            theirs.send(b"+")
            theirs.recv(1)
        except OSError as error:
            theirs.send(str(error).encode())
        os._exit(0)
    theirs.close()
    answer = mine.recv(200)
    if answer != b"+":
        raise RuntimeError(answer.decode())
    return pid, mine


def _rounds(n: int, program: bytes) -> list[float]:
    pid, channel = _spawn(program)
    seconds: list[float] = []
    for _ in range(n):
        start = time.perf_counter()
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        channel.close()
        pid, channel = _spawn(program)
        seconds.append(time.perf_counter() - start)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return seconds


def _main(arguments: Sequence[str]) -> None:
    count = int(arguments[0]) if arguments else 100
    for module in arguments[1:]:
        importlib.import_module(module)
    _become_unprivileged()
    gc.collect()
    gc.freeze()
    seconds = _rounds(count, _filter())
    sys.stdout.write(json.dumps(seconds) + "\n")
    sys.stderr.write(f"p50 {statistics.median(seconds) * 1e3:.2f} ms\n")


if __name__ == "__main__":
    _main(sys.argv[1:])
