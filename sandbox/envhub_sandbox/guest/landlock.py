"""Landlock: which files a process and its children may use, enforced by the kernel.

What is not named cannot be opened, whoever owns it. Newer kernels add more: no TCP
(version 4), no ioctl on devices (5), no signals and abstract sockets out of the domain
(6). `version` says what this kernel has.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

from envhub_sandbox.guest import libc

__all__ = ["SCOPES_FROM", "TCP_FROM", "restrict_files", "restrict_scope", "version"]

TCP_FROM, SCOPES_FROM = 4, 6
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_TCP = _SCOPES = 3  # bind and connect; abstract sockets and signals


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Version of the kernel's interface; 0 where there is none."""
    try:
        return libc.call("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def _known(level: int) -> int:
    """Every kind of file access that this kernel can restrict."""
    kinds = (1 << 13) - 1
    for since, kind in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        kinds |= kind if level >= since else 0
    return kinds


def restrict_files(
    level: int, readable: Iterable[str], writable: Iterable[str]
) -> None:
    """Allow these paths, and what lies below them, alone; and no TCP."""
    known = _known(level)
    ruleset = _create(known, _TCP if level >= TCP_FROM else 0, 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ & known)
        for path in writable:
            _allow(ruleset, path, known)
        _enforce(ruleset)
    finally:
        os.close(ruleset)


def restrict_scope(level: int) -> None:
    """Keep signals, and connections to abstract sockets, among those that follow."""
    if level >= SCOPES_FROM:
        ruleset = _create(0, 0, _SCOPES)
        try:
            _enforce(ruleset)
        finally:
            os.close(ruleset)


def _create(files: int, network: int, scoped: int) -> int:
    ruleset = _Ruleset(files, network, scoped)
    # Older kernels refuse a structure with fields that they do not know.
    size = 24 if scoped else 16 if network else 8
    return libc.call("landlock_create_ruleset", ctypes.byref(ruleset), size, 0)


def _allow(ruleset: int, path: str, kinds: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            kinds &= _OF_FILES
        rule = _Rule(kinds, fd)
        libc.call("landlock_add_rule", ruleset, 1, ctypes.byref(rule), 0)
    finally:
        os.close(fd)


def _enforce(ruleset: int) -> None:
    libc.no_new_privileges()
    libc.call("landlock_restrict_self", ruleset, 0)
