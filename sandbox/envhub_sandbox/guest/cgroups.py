"""A memory cgroup for each child, where the user may make one.

The guard, which still has the user's rights, makes one folder per template and hands
it to the template; the template keeps a row of slots in it and gives each child one
that is free, so that a child costs no folder. A child enters its slot when it first
runs something of the agent's. The guard removes the folder when the template has
ended, and those of templates whose guard was killed.

Knows version 1 (a memory hierarchy) and version 2 (the unified one).
"""

from __future__ import annotations

import contextlib
import os
import time

__all__ = ["Folder", "Slot", "Slots", "make_folder"]

_PREFIX = "envhub-"


class Folder:
    """The folder of one template."""

    def __init__(self, path: str, version: int) -> None:
        self.path = path
        self.version = version

    def open(self) -> int:
        """A descriptor that outlives the file view."""
        return os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)

    def remove(self) -> None:
        """Remove it with its slots, waiting a little for the dying."""
        deadline = time.monotonic() + 2.0
        while not _remove(self.path) and time.monotonic() < deadline:
            time.sleep(0.01)


def _remove(path: str) -> bool:
    try:
        for entry in os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                os.rmdir(entry.path)
        os.rmdir(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def make_folder(uid: int) -> Folder | None:
    """A folder for a template of this user, or None where none may be made."""
    for base, version in _bases():
        _sweep(base)
        path = f"{base}/{_PREFIX}{os.getpid()}"
        with contextlib.suppress(OSError):
            os.mkdir(path)
            try:
                return _delegate(path, version, uid)
            except OSError:
                _remove(path)
    return None


def _delegate(path: str, version: int, uid: int) -> Folder:
    if version == 2:
        with open(f"{path}/cgroup.subtree_control", "w", encoding="ascii") as stream:
            stream.write("+memory")
        os.chown(f"{path}/cgroup.subtree_control", uid, -1)
    os.chown(path, uid, -1)
    os.chown(f"{path}/cgroup.procs", uid, -1)
    return Folder(path, version)


def _bases() -> list[tuple[str, int]]:
    """Folders under which one may be made, with their version."""
    bases: list[tuple[str, int]] = []
    with open("/proc/self/cgroup", encoding="utf-8") as stream:
        for line in stream:
            number, controllers, path = line.rstrip("\n").split(":", 2)
            if "memory" in controllers.split(","):
                bases.append((_join("/sys/fs/cgroup/memory", path), 1))
            elif number == "0" and path != "/":
                # A group with processes may not have groups with limits below it,
                # so that ours becomes a sibling.
                bases.append((_join("/sys/fs/cgroup", os.path.dirname(path)), 2))
    return [base for base in bases if os.access(base[0], os.W_OK)]


def _join(mount: str, path: str) -> str:
    return mount + (path if path != "/" else "")


def _sweep(base: str) -> None:
    """Remove folders whose guard is gone."""
    for name in os.listdir(base):
        if name.startswith(_PREFIX):
            pid = name.removeprefix(_PREFIX)
            if not os.path.exists(f"/proc/{pid}"):
                _remove(f"{base}/{name}")


class Slot:
    """One child's cgroup. Opened by the template at the fork, used by the child."""

    def __init__(self, parent: int, name: str, version: int, memory: int) -> None:
        self._parent = parent
        self._name = name
        self._events_name = "memory.events" if version == 2 else "memory.oom_control"
        self._procs = self._events = -1
        self._entered = False
        os.mkdir(name, dir_fd=parent)
        limit = "memory.max" if version == 2 else "memory.limit_in_bytes"
        self._write(limit, str(memory))
        swap = "memory.swap.max" if version == 2 else "memory.memsw.limit_in_bytes"
        with contextlib.suppress(OSError):
            self._write(swap, "0" if version == 2 else str(memory))

    def open(self) -> None:
        """Before a fork: what the child needs, which has no way to the files."""
        self._procs = self._open("cgroup.procs", os.O_WRONLY)
        self._events = self._open(self._events_name, os.O_RDONLY)

    def close(self) -> None:
        """After the fork, in the template."""
        os.close(self._procs)
        os.close(self._events)

    def enter(self) -> None:
        """Move this process into the group; once."""
        if not self._entered:
            os.write(self._procs, b"0")
            self._entered = True

    def kills(self) -> int:
        """How many processes the kernel has ended here for want of memory."""
        for line in os.pread(self._events, 4096, 0).splitlines():
            name, _, value = line.partition(b" ")
            if name == b"oom_kill":
                return int(value)
        return 0

    def _open(self, name: str, flags: int) -> int:
        return os.open(f"{self._name}/{name}", flags, dir_fd=self._parent)

    def _write(self, name: str, text: str) -> None:
        fd = self._open(name, os.O_WRONLY)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


class Slots:
    """The template's row of slots."""

    def __init__(self, folder: int, version: int, memory: int) -> None:
        self._folder = folder
        self._version = version
        self._memory = memory
        self._free: list[Slot] = []
        self._used: dict[int, Slot] = {}
        self._count = 0

    def take(self) -> Slot:
        """A free slot, or a new one, opened for a child to inherit."""
        slot = self._free.pop() if self._free else self._make()
        slot.open()
        return slot

    def _make(self) -> Slot:
        self._count += 1
        return Slot(self._folder, str(self._count), self._version, self._memory)

    def assign(self, pid: int, slot: Slot) -> None:
        """Remember whose it is; the template's own descriptors are done with."""
        slot.close()
        self._used[pid] = slot

    def release(self, pid: int) -> None:
        """The child has ended, and with it everything in its slot."""
        if pid in self._used:
            self._free.append(self._used.pop(pid))
