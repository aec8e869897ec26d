"""A tree of files as a value: what lies where, with which permissions and times.

Paths are relative to the tree's root, with ``/`` between names. Folders that hold
something need no mention. Everything about a tree follows from its description, times
included, so that ``ls -l`` shows the same wherever it is unpacked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["NOW", "File", "Laid", "Tree"]

Laid: TypeAlias = tuple[str, bytes, int, int]

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
        inside = [*self.files, *(f"{folder}/" for folder in self.empty)]
        return {
            path[:end]
            for path in inside
            for end, letter in enumerate(path)
            if letter == "/"
        }

    def laid_out(self) -> tuple[list[str], list[Laid], int]:
        """The tree as JSON values: folders, files, and the time of the folders.

        A file is its path, content, permissions and time.
        """
        files = [
            (path, file.content, file.mode, file.changed)
            for path, file in sorted(self.files.items())
        ]
        return sorted(self.folders()), files, NOW
