"""Looking at the files of a sandbox from outside, when the agent is done.

Every look is a program of the system, named by its absolute path and run with an
environment of its own beside the agent's shell: aliases, functions, a changed PATH and
files that claim a success have no part in it. What is found is compared on the host.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Collection, Iterator, Mapping

from envhub.errors import InfrastructureError
from envhub.sandbox import Sandbox
from envhub_os.tree import File, Tree

__all__ = ["Outside"]

_AT_ONCE = 40  # paths of one look: what it prints stays below the output limit
_LARGEST = 2**20
_SECONDS = 20.0
_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
_CLEAN = {"LC_ALL": "C", "BASH_ENV": "", "LD_PRELOAD": ""}


class Outside:
    """A `View` of a sandbox.

    Args:
        box: The sandbox.
        folder: Folder that all other paths are relative to.
        paths: All paths that will be asked for.
    """

    def __init__(self, box: Sandbox, folder: str, paths: Collection[str]) -> None:
        self._box = box
        self._folder = folder
        self._modes = {
            path: int(mode, 16)
            for mode, path in self._lines(["/usr/bin/stat", "-c", "%f %n", "--"], paths)
        }

    def kind(self, path: str) -> str:
        """What is there; see `View`."""
        mode = self._modes.get(path)
        return "" if mode is None else _KINDS.get(stat.S_IFMT(mode), "other")

    def mode(self, path: str) -> int:
        """Permissions of what is there."""
        return stat.S_IMODE(self._modes.get(path, 0))

    def read(self, path: str) -> bytes | None:
        """Content of a regular file that is not larger than a mebibyte."""
        try:
            return self._box.read(f"{self._folder}/{path}", limit=_LARGEST)
        except InfrastructureError:
            raise
        except (OSError, ValueError):  # not there, not readable, too large
            return None

    def target(self, path: str) -> str:
        """Where a link points to."""
        done = self._look(["/usr/bin/readlink", "--", path])
        return done.removesuffix("\n")

    def kept(self, tree: Tree, free: Collection[str]) -> float:
        """Share of a tree's files that are as they were, the free ones left out."""
        files = {path: file for path, file in tree.files.items() if path not in free}
        regular = [path for path in files if self._as_before(path, files)]
        command = ["/usr/bin/b2sum", "--length=128", "--"]
        found = {path: digest for digest, path in self._lines(command, regular)}
        same = [found.get(path) == _digest(file) for path, file in files.items()]
        return sum(same) / len(same)

    def _as_before(self, path: str, files: Mapping[str, File]) -> bool:
        return self.kind(path) == "file" and self.mode(path) == files[path].mode

    def _lines(
        self, command: list[str], paths: Collection[str]
    ) -> Iterator[tuple[str, str]]:
        """First word and rest of the lines that a program prints about paths."""
        every = sorted(paths)
        for start in range(0, len(every), _AT_ONCE):
            told = self._look([*command, *every[start : start + _AT_ONCE]])
            for line in told.splitlines():
                word, _, path = line.partition(" ")
                yield word, path.lstrip()

    def _look(self, command: list[str]) -> str:
        done = self._box.exec(command, cwd=self._folder, env=_CLEAN, timeout=_SECONDS)
        return done.stdout


def _digest(file: File) -> str:
    return hashlib.blake2b(file.content, digest_size=16).hexdigest()
