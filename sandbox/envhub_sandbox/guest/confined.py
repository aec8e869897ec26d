"""The `process` regime: confinement without namespaces.

    guard (the user's rights)            adopts and ends whatever a template leaves
      └─ template                        adopts and ends whatever a child leaves
           └─ child                      landlock, seccomp, rlimits, a private folder
                └─ what the agent runs   a second landlock: no signals out of it

For places where namespaces are forbidden, such as inside an unprivileged container.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection

from envhub_sandbox.guest import landlock, libc, limits, seccomp, tree
from envhub_sandbox.guest.boot import Boot
from envhub_sandbox.guest.cgroups import Folder, Slots, make_folder
from envhub_sandbox.guest.commands import Launcher
from envhub_sandbox.guest.namespaces import NOBODY, become_nobody
from envhub_sandbox.guest.removal import remove_tree, sweep
from envhub_sandbox.guest.supervisor import Place

__all__ = ["Confined"]

_PROC = "/proc"
_PREFIX = "envhub-"


class Confined:
    """See `zygote.Regime`."""

    whole_tree = False

    def __init__(self, boot: Boot) -> None:
        self._boot = boot
        self._private = ""
        self._folder: Folder | None = None
        self._folder_fd = -1
        self._level = 0
        self._filter = b""
        self._closed = ""
        self._path: list[str] = []
        self.template_flags = 0
        self.child_flags = 0
        self.slots: Slots | None = None

    def prepare(self) -> None:
        """See `Regime`."""
        libc.set_subreaper()
        self._level = landlock.version()
        with contextlib.suppress(OSError):
            # Sockets reach other processes of the machine, so there are none.
            self._filter = seccomp.assemble(os.uname().machine, ())
        if not seccomp.works(self._filter):
            self._filter = b""
        if not self._level and not self._filter and not self._boot.unconfined:
            message = "neither landlock nor seccomp works here"
            raise PermissionError(message)
        self._closed = self._find_closed() if os.getuid() == 0 else ""
        drops = os.getuid() == 0 and not self._closed
        self._folder = make_folder(NOBODY if drops else os.getuid())
        self._make_private(NOBODY if drops else -1)
        self._make_packages()

    def _make_private(self, owner: int) -> None:
        """A folder that stays the guard's, with one in it that is the template's."""
        sweep(self._boot.private, _PREFIX)
        name = f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
        self._private = f"{self._boot.private}/{name}"
        os.mkdir(self._private, 0o711)
        os.mkdir(self._places(), 0o700)
        os.chown(self._places(), owner, owner)

    def _places(self) -> str:
        return f"{self._private}/places"

    def _find_closed(self) -> str:
        """Something needed that only root can reach, so that root it must be."""
        places = [self._boot.private, *self._boot.path]
        needed = [self._boot.python, *map(os.path.realpath, places)]
        return next((path for path in needed if not _reachable(path)), "")

    def _make_packages(self) -> None:
        """A folder of links, in place of the mounts that would need a namespace."""
        for source, place in self._boot.packages:
            link = f"{self._private}/packages/{place}"
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(source, link)
        if self._boot.packages:
            self._path = [f"{self._private}/packages"]

    def enter_template(self) -> list[str]:
        """See `Regime`."""
        libc.set_subreaper()
        if self._folder is not None:
            self._folder_fd = self._folder.open()
        if os.getuid() == 0 and not self._closed:
            libc.drop_bounding_set()
            become_nobody()
        libc.drop_capabilities()
        libc.no_new_privileges()
        if self._folder is not None:
            memory = self._boot.limits.memory
            self.slots = Slots(self._folder_fd, self._folder.version, memory)
        return self._path

    def facts(self) -> tuple[list[str], list[str]]:
        """See `Regime`."""
        gives = ["a private folder", "limits of open files, file size and CPU time"]
        lacks = [
            "a network of its own: sockets are refused instead",
            "a process list of its own: names of the host's processes can be seen",
            "a limit of all files together",
            "POSIX semaphores: multiprocessing pools are refused",
            "other packages in Python's own prefix can be read",
        ]
        if self._level:
            gives.append(f"landlock, version {self._level}")
        else:
            lacks.append("landlock: every file that the user can read can be read")
        if self._level < landlock.SCOPES_FROM:
            lacks.append("signals: other processes of the user can be ended")
        if self._filter:
            gives.append("a seccomp filter, no sockets")
        else:
            lacks.append("seccomp: every system call, and the network, can be used")
        if self._closed:
            lacks.append(
                f"a user of its own: root without capabilities, because only root can "
                f"reach {self._closed}; processes are counted, not limited"
            )
        memory = "cgroup" if self.slots is not None else "measuring"
        gives.append(f"memory limit by {memory}")
        return gives, lacks

    def enter_child(self, number: int) -> tuple[Launcher, Place]:
        """See `Regime`."""
        libc.die_with_parent()
        libc.set_subreaper()
        libc.close_on_exec(3)
        if self._folder_fd >= 0:
            os.close(self._folder_fd)
        boot, place = self._boot, self._make_place(number)
        environment = {**boot.environment, "HOME": place.home}
        environment |= {"TMPDIR": place.temporary, "PWD": place.home}
        if self._path:
            environment["PYTHONPATH"] = self._path[0]
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(place.home)
        limits.apply(boot.limits, _processes_of(os.getuid()) + boot.limits.processes)
        launcher = Launcher(environment, place.home, boot.limits, self._confine_run)
        self._confine(place)
        # Not to be looked into by the agent, which is of the same user.
        libc.set_dumpable(False)
        return launcher, place

    def _make_place(self, number: int) -> Place:
        root = f"{self._places()}/{os.getpid()}"
        place = Place(f"{root}/work", f"{root}/tmp", None)
        for path in (root, place.home, place.temporary):
            os.mkdir(path, 0o700)
        return place

    def _confine(self, place: Place) -> None:
        if self._level:
            readable = [*self._boot.readable, *self._path, _PROC]
            writable = [os.path.dirname(place.home), *_DEVICES]
            landlock.restrict_files(self._level, readable, writable)
        if self._filter:
            seccomp.install(self._filter)

    def _confine_run(self) -> None:
        """In what the agent runs, just before it does."""
        libc.die_with_parent()
        landlock.restrict_scope(self._level)

    def sweep(self, pid: int, living: Collection[int]) -> None:
        """See `Regime`."""
        tree.end_strays(living)
        remove_tree(f"{self._places()}/{pid}")

    def clean(self) -> None:
        """See `Regime`."""
        tree.end_strays()
        if self._private:
            remove_tree(self._private)
        if self._folder is not None:
            self._folder.remove()


_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def _reachable(path: str) -> bool:
    """Whether any user may use this program or folder."""
    real = os.path.realpath(path)
    if os.stat(real).st_mode & 0o005 != 0o005:
        return False
    while real != "/":
        real = os.path.dirname(real)
        if not os.stat(real).st_mode & 0o001:
            return False
    return True


def _processes_of(uid: int) -> int:
    """Processes and threads of a user, which are counted together."""
    count = 0
    for name in os.listdir(_PROC):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"{_PROC}/{name}").st_uid == uid:
                    count += len(os.listdir(f"{_PROC}/{name}/task"))
    return count
