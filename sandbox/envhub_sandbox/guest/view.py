"""The file view of a namespace template: a small read-only root of its own.

    /usr /bin /lib ...     the host's, read-only
    Python's prefix        the host's, read-only, at its own path
    named packages         the host's, read-only, together in one folder
    /etc                   generated: users, hosts, loader cache; nothing of the host's
    /dev                   null zero full random urandom
    /proc                  of this pid namespace; each child mounts its own over it
    /run /work /tmp        empty, where a child mounts its private memory

What is not listed does not exist: no home, no source tree, no other site-packages.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat

from envhub_sandbox.guest import libc
from envhub_sandbox.guest.boot import View

__all__ = ["AGENT_GID", "AGENT_UID", "NOEXEC", "NOSUID_NODEV", "build", "is_closed"]

AGENT_UID = AGENT_GID = 1000
NOSUID_NODEV, NOEXEC = 2 | 4, 8
_BIND, _REC, _PRIVATE, _RDONLY, _REMOUNT, _DETACH = 0x1000, 0x4000, 0x40000, 1, 32, 2
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_ATTR_IDMAP = 0x100000
_AT_RECURSIVE, _AT_EMPTY_PATH, _AT_FDCWD = 0x8000, 0x1000, -100
_OPEN_TREE_CLONE, _MOVE_FROM_DESCRIPTOR = 1, 4
_DEVICES = ("null", "zero", "full", "random", "urandom")
_OLD = "/.old"
_EMPTY = "/run"

_ETC = {
    "passwd": (
        "root:x:0:0:root:/:/usr/sbin/nologin\n"
        f"agent:x:{AGENT_UID}:{AGENT_GID}:agent:/work:/bin/bash\n"
        "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"
    ),
    "group": f"root:x:0:\nagent:x:{AGENT_GID}:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\nservices: files\n",
    "hostname": "sandbox\n",
    "resolv.conf": "",
}
_ETC_COPIED = ("ld.so.cache", "ld.so.conf", "localtime", "services", "protocols")


def is_closed(path: str) -> bool:
    """Whether only its owner can use a file or folder."""
    mode = os.stat(path).st_mode
    needed = 0o005 if stat.S_ISDIR(mode) else 0o004
    return mode & needed != needed


def build(view: View, identity: int) -> None:
    """Make the view and step into it; the old root is out of reach afterwards.

    Args:
        view: What it holds.
        identity: A user namespace through which root's files look like the
            template's own, for those that only root can use; or -1.
    """
    libc.mount(None, "/", None, _REC | _PRIVATE)
    # Pivoting first brings whatever lies below the mount point back into sight,
    # under the old root, so that nothing there is lost to the binds.
    libc.mount("tmpfs", "/tmp", "tmpfs", NOSUID_NODEV, "size=16m,mode=755")
    os.chdir("/tmp")
    os.mkdir(_OLD[1:])
    libc.pivot_root(".", _OLD[1:])
    os.chdir("/")
    _make_folders()
    for place, target in view.links:
        os.symlink(target, place)
    for source, place in view.binds:
        _bind(source, place, identity)
    for place in view.hidden:
        if os.path.isdir(place):
            libc.mount(_EMPTY, place, None, _BIND)
            _restrict(place)
    libc.mount("proc", "/proc", "proc", NOSUID_NODEV | NOEXEC)
    _make_etc()
    libc.umount(_OLD, _DETACH)
    os.rmdir(_OLD)
    libc.mount(None, "/", None, _REMOUNT | _RDONLY | NOSUID_NODEV)


def _make_folders() -> None:
    for path in ("/proc", "/run", "/work", "/tmp", "/etc", "/var", "/dev", "/dev/shm"):
        os.mkdir(path)
    os.symlink("/tmp", "/var/tmp")
    for name in _DEVICES:
        place = f"/dev/{name}"
        _make_file(place)
        libc.mount(_OLD + place, place, None, _BIND)
    os.symlink("/proc/self/fd", "/dev/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")


def _make_file(path: str, data: bytes = b"") -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)


def _bind(source: str, place: str, identity: int) -> None:
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if os.path.isdir(_OLD + source):
        os.makedirs(place, exist_ok=True)
    elif not os.path.exists(place):
        _make_file(place)
    if identity >= 0 and is_closed(_OLD + source):
        _bind_as_own(_OLD + source, place, identity)
    else:
        libc.mount(_OLD + source, place, None, _BIND | _REC)
    _restrict(place)


def _bind_as_own(source: str, place: str, identity: int) -> None:
    """Bind with root's files owned by the template's user."""
    flags = _OPEN_TREE_CLONE | _AT_RECURSIVE | os.O_CLOEXEC
    tree = libc.call("open_tree", _AT_FDCWD, os.fsencode(source), flags)
    try:
        _set_attributes(tree, "", _MountAttributes(_ATTR_IDMAP, 0, 0, identity))
        target = os.fsencode(place)
        libc.call("move_mount", tree, b"", _AT_FDCWD, target, _MOVE_FROM_DESCRIPTOR)
    finally:
        os.close(tree)


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    )


def _restrict(place: str) -> None:
    """Read-only with all that is mounted below; never takes a restriction away."""
    flags = _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV
    _set_attributes(_AT_FDCWD, place, _MountAttributes(flags, 0, 0, 0))


def _set_attributes(folder: int, path: str, attributes: _MountAttributes) -> None:
    size = ctypes.sizeof(attributes)
    flags = _AT_RECURSIVE | (0 if path else _AT_EMPTY_PATH)
    reference = ctypes.byref(attributes)
    libc.call("mount_setattr", folder, os.fsencode(path), flags, reference, size)


def _make_etc() -> None:
    for name, text in _ETC.items():
        _make_file(f"/etc/{name}", text.encode())
    for name in _ETC_COPIED:
        with contextlib.suppress(OSError):
            _copy(f"{_OLD}/etc/{name}", f"/etc/{name}")
    os.symlink("/proc/self/mounts", "/etc/mtab")
    os.symlink("../usr/lib/os-release", "/etc/os-release")
    with contextlib.suppress(OSError):
        _copy_links(f"{_OLD}/etc/alternatives", "/etc/alternatives")


def _copy(source: str, place: str) -> None:
    """Copy a file of /etc; a link into /usr is resolved inside the new view."""
    path = source
    while os.path.islink(path):
        target = os.readlink(path)
        path = os.path.join(os.path.dirname(path), target)
        path = _OLD + target if target.startswith("/") else path
    with open(path, "rb") as stream:
        _make_file(place, stream.read())


def _copy_links(source: str, place: str) -> None:
    os.mkdir(place)
    for entry in os.scandir(source):
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), f"{place}/{entry.name}")
