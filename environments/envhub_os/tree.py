"""A tree of files as a value: what lies where, with which permissions and times.

Paths are relative to the tree's root, with ``/`` between names. Folders that hold
something need no mention. Everything about a tree follows from its description, times
included, so that ``ls -l`` shows the same wherever it is unpacked.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

__all__ = ["NOW", "File", "Tree"]

NOW = 1_710_093_600
"""The moment at which a tree was last touched: 10 March 2024, 18:00 UTC."""


@dataclass(frozen=True, slots=True)
class File:
    """A regular file.

    Attributes:
        content: Its bytes.
        mode: Its permissions.
        changed: Time of its last change, in seconds since 1970.
    """

    content: bytes
    mode: int = 0o644
    changed: int = NOW

    @property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode()

    @property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.splitlines()


@dataclass(frozen=True, slots=True)
class Tree:
    """Files by path.

    Attributes:
        name: Name of the folder in which the files lie.
        files: The files.
        empty: Folders that hold nothing.
    """

    name: str
    files: Mapping[str, File] = field(default_factory=dict[str, File])
    empty: tuple[str, ...] = ()

    @property
    def root(self) -> str:
        """The folder as an agent types it; it lies in the agent's home."""
        return f"~/{self.name}"

    def with_files(self, files: Mapping[str, File]) -> Tree:
        """This tree with further files, or others in their place."""
        return Tree(self.name, {**self.files, **files}, self.empty)

    def within(self, folder: str, ending: str = "") -> dict[str, File]:
        """Files at any depth of a folder (``""`` is the root) with a given ending."""
        start = f"{folder}/" if folder else ""
        return {
            path: file
            for path, file in self.files.items()
            if path.startswith(start) and path.endswith(ending)
        }

    def folders(self) -> set[str]:
        """All folders below the root."""
        inside = [*self.files, *(f"{folder}/x" for folder in self.empty)]
        above = (PurePosixPath(path).parents for path in inside)
        return {str(folder) for folders in above for folder in folders} - {"."}

    def packed(self) -> bytes:
        """The tree as a tar archive, to be unpacked in the agent's home."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path in sorted(self.files):
                file = self.files[path]
                entry = tarfile.TarInfo(f"{self.name}/{path}")
                entry.mode, entry.mtime = file.mode, file.changed
                entry.size = len(file.content)
                tar.addfile(entry, io.BytesIO(file.content))
            # After their files, as unpacking a file changes the time of its folder.
            for folder in ["", *sorted(self.folders())]:
                entry = tarfile.TarInfo(f"{self.name}/{folder}".rstrip("/"))
                entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, NOW
                tar.addfile(entry)
        return packed.getvalue()
