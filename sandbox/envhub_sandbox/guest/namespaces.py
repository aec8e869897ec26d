"""Entering namespaces: the template's once, and each child's.

    guard (the user's rights, the host's files)
      └─ template: pid, mount, net, ipc, uts namespaces; when the user is root it
         drops to nobody, otherwise it has a user namespace of its own
           └─ child: a user namespace in which nothing outside is mapped, and every
              other namespace anew; PID 1, so that its end is the end of its tree

Every child is unprivileged outside its own user namespace, whoever the user is.
"""

from __future__ import annotations

import os
import signal

from envhub_sandbox.guest import libc
from envhub_sandbox.guest.boot import Limits, View
from envhub_sandbox.guest.view import (
    AGENT_GID,
    AGENT_UID,
    NOEXEC,
    NOSUID_NODEV,
    build,
    is_closed,
)

__all__ = [
    "NOBODY",
    "become_nobody",
    "child_flags",
    "enter_child",
    "enter_template",
    "make_identity",
    "privileged",
    "template_flags",
]

NOBODY = 65534
_BIND, _REC = 0x1000, 0x4000
_INODES = 65536
_CHILD_FLAGS = (
    libc.NEWUSER | libc.NEWPID | libc.NEWNS | libc.NEWNET | libc.NEWIPC | libc.NEWUTS
)
_TEMPLATE_FLAGS = _CHILD_FLAGS & ~libc.NEWUSER
_CAP_SYS_ADMIN = 1 << 21


def privileged() -> bool:
    """Whether this process may make namespaces without a user namespace."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("CapEff:"):
                return bool(int(line.split()[1], 16) & _CAP_SYS_ADMIN)
    return False


def child_flags() -> int:
    """Flags of a child's clone: a cgroup namespace only where the kernel has them."""
    has_cgroup = os.path.exists("/proc/self/ns/cgroup")
    return _CHILD_FLAGS | (libc.NEWCGROUP if has_cgroup else 0)


def template_flags() -> int:
    """Flags of the template's clone, from the guard."""
    return _TEMPLATE_FLAGS if privileged() else _CHILD_FLAGS


def make_identity(view: View) -> int:
    """A user namespace that maps root to nobody, where a bind needs it; or -1.

    In the guard. A checkout below root's home is root's alone, and the template is not
    root; through this mapping its mount, and nothing else, shows root's files as
    nobody's.
    """
    if not any(is_closed(source) for source, _ in view.binds):
        return -1
    pid, pidfd = libc.clone(libc.NEWUSER)
    if pid == 0:
        signal.pause()
        os._exit(0)
    try:
        for name in ("uid_map", "gid_map"):
            with open(f"/proc/{pid}/{name}", "w", encoding="ascii") as stream:
                stream.write(f"0 {NOBODY} 1")
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(pidfd)


def enter_template(view: View, uid: int, gid: int, identity: int) -> None:
    """Build the view and give up every right; `uid` and `gid` are the guard's.

    A guard with uid 0 is privileged: one without rights has become nobody before.
    """
    if uid != 0:
        _map(uid, gid, uid, gid)
    libc.set_hostname("sandbox")
    libc.bring_loopback_up()
    build(view, identity)
    if identity >= 0:
        os.close(identity)
    if uid == 0:
        become_nobody()
    libc.no_new_privileges()


def become_nobody() -> None:
    """Give up root's user and groups."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    # The change of user hid /proc/self/uid_map from the children to come.
    libc.set_dumpable(True)


def enter_child(uid: int, gid: int, limits: Limits, view: View) -> None:
    """From just after the clone to a place without rights; seccomp is left to do."""
    _map(AGENT_UID, AGENT_GID, uid, gid)
    options = f"size={limits.disk},nr_inodes={_INODES},mode=755"
    libc.mount("tmpfs", "/run", "tmpfs", NOSUID_NODEV, options)
    for name, place in (("work", "/work"), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        os.mkdir(f"/run/{name}")
        libc.mount(f"/run/{name}", place, None, _BIND)
    libc.mount("proc", "/proc", "proc", NOSUID_NODEV | NOEXEC)
    for alias, place in view.again:
        os.makedirs(place, exist_ok=True)
        libc.mount(alias, place, None, _BIND | _REC)
    libc.bring_loopback_up()
    libc.drop_capabilities()


def _map(inner_uid: int, inner_gid: int, uid: int, gid: int) -> None:
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{inner_uid} {uid} 1"),
        ("gid_map", f"{inner_gid} {gid} 1"),
    ):
        fd = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)
