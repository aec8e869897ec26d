"""The `namespace` regime: what isolates a child, put together in order."""

from __future__ import annotations

import os
from collections.abc import Collection

from envhub_sandbox.guest import libc
from envhub_sandbox.guest.boot import Boot
from envhub_sandbox.guest.cgroups import Folder, Slots, make_folder
from envhub_sandbox.guest.commands import Launcher
from envhub_sandbox.guest.limits import apply
from envhub_sandbox.guest.namespaces import (
    NOBODY,
    become_nobody,
    child_flags,
    enter_child,
    enter_template,
    make_identity,
    privileged,
    template_flags,
)
from envhub_sandbox.guest.seccomp import (
    AF_INET,
    AF_INET6,
    AF_NETLINK,
    AF_UNIX,
    assemble,
    install,
)
from envhub_sandbox.guest.supervisor import Place

__all__ = ["Namespaced"]

_FAMILIES = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)


class Namespaced:
    """See `zygote.Regime`."""

    whole_tree = True

    def __init__(self, boot: Boot) -> None:
        if boot.view is None:
            message = "a namespace template needs a file view"
            raise ValueError(message)
        self._boot = boot
        self._view = boot.view
        self._folder: Folder | None = None
        self._folder_fd = -1
        self._user = os.getuid(), os.getgid()
        self._identity = -1
        self._filter = b""
        self.template_flags = 0
        self.child_flags = 0
        self.slots: Slots | None = None

    def prepare(self) -> None:
        """See `Regime`."""
        if os.getuid() == 0 and not privileged():
            become_nobody()
        self._user = os.getuid(), os.getgid()
        self._filter = assemble(os.uname().machine, _FAMILIES, others=True)
        if os.getuid() == 0:
            self._identity = make_identity(self._view)
        self._folder = make_folder(os.getuid() or NOBODY)
        self.template_flags = template_flags()
        self.child_flags = child_flags()

    def enter_template(self) -> list[str]:
        """See `Regime`."""
        if self._folder is not None:
            self._folder_fd = self._folder.open()
        enter_template(self._view, *self._user, self._identity)
        self._user = os.getuid(), os.getgid()
        if self._folder is not None:
            memory = self._boot.limits.memory
            self.slots = Slots(self._folder_fd, self._folder.version, memory)
        return []

    def facts(self) -> tuple[list[str], list[str]]:
        """See `Regime`."""
        kinds = "user, pid, mount, net, ipc and uts"
        if self.child_flags & libc.NEWCGROUP:
            kinds = kinds.replace("ipc and uts", "ipc, uts and cgroup")
        memory = "cgroup" if self.slots is not None else "measuring"
        gives = [
            f"{kinds} namespaces of its own",
            "a read-only root without homes, sources and other packages",
            "a private, size-limited memory file system",
            "no network but its own loopback",
            "no capabilities, no_new_privs",
            "a seccomp filter",
            f"memory limit by {memory}",
            "limits of processes, files and CPU time",
        ]
        lacks = ["a kernel of its own: a kernel bug reaches the host"]
        if self.slots is None:
            lacks.append("a memory cgroup: a burst may exceed the limit for a moment")
        return gives, lacks

    def enter_child(self, number: int) -> tuple[Launcher, Place]:
        """See `Regime`."""
        boot = self._boot
        if self._folder_fd >= 0:
            os.close(self._folder_fd)
        enter_child(*self._user, boot.limits, self._view)
        libc.close_on_exec(3)
        apply(boot.limits, boot.limits.processes)
        os.chdir("/work")
        os.environ.clear()
        os.environ.update(boot.environment)
        launcher = Launcher(boot.environment, "/work", boot.limits)
        libc.set_dumpable(False)
        install(self._filter)
        return launcher, Place("/work", "/tmp", "/work")

    def sweep(self, pid: int, living: Collection[int]) -> None:
        """Nothing is left: the kernel has ended the whole pid namespace."""

    def clean(self) -> None:
        """See `Regime`."""
        if self._folder is not None:
            self._folder.remove()
