"""What is asked for, and how it is seen from outside whether it was done.

A job is a question with an answer, or a chore with checks. A check looks at the files
as they are when the agent is gone, through a `View`; it knows nothing of how they came
to be so, and believes nothing that the agent says or leaves behind.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol, TypeAlias

__all__ = [
    "Archive",
    "Check",
    "Folder",
    "Gone",
    "Holds",
    "Job",
    "PointsTo",
    "Runs",
    "View",
]

_LARGEST_MEMBER = 2**20


class View(Protocol):
    """Files as they are now; paths are relative to the tree's root."""

    def kind(self, path: str) -> str:
        """``"file"``, ``"folder"``, ``"link"``, ``"other"``, or ``""`` for nothing."""
        ...

    def mode(self, path: str) -> int:
        """Permissions of what is there."""
        ...

    def read(self, path: str) -> bytes | None:
        """Content of a regular file; None where there is none."""
        ...

    def target(self, path: str) -> str:
        """Where a link points to."""
        ...


@dataclass(frozen=True, slots=True)
class Holds:
    """A file has this content; blanks at the end of lines and of the file are free."""

    path: str
    content: bytes
    exact: bool = False

    def passes(self, view: View) -> bool:
        """Whether it is so."""
        found = view.read(self.path) if view.kind(self.path) == "file" else None
        if found is None:
            return False
        if self.exact:
            return found == self.content
        return _trimmed(found) == _trimmed(self.content)


@dataclass(frozen=True, slots=True)
class Gone:
    """Nothing is at this path."""

    path: str

    def passes(self, view: View) -> bool:
        """Whether it is so."""
        return view.kind(self.path) == ""


@dataclass(frozen=True, slots=True)
class Runs:
    """A file is there and has these permissions."""

    path: str
    mode: int

    def passes(self, view: View) -> bool:
        """Whether it is so."""
        return view.kind(self.path) == "file" and view.mode(self.path) == self.mode


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder is at this path."""

    path: str

    def passes(self, view: View) -> bool:
        """Whether it is so."""
        return view.kind(self.path) == "folder"


@dataclass(frozen=True, slots=True)
class PointsTo:
    """A symbolic link at this path leads to another one, however it is written."""

    path: str
    target: str

    def passes(self, view: View) -> bool:
        """Whether it is so."""
        if view.kind(self.path) != "link":
            return False
        written = view.target(self.path).rstrip("/")
        here = PurePosixPath(self.path).parent
        return _resolved(here / written) == PurePosixPath(self.target)


@dataclass(frozen=True, slots=True)
class Archive:
    """A gzipped tar file holds exactly these regular files, by name without folders."""

    path: str
    members: Mapping[str, bytes]

    def passes(self, view: View) -> bool:
        """Whether it is so."""
        packed = view.read(self.path) if view.kind(self.path) == "file" else None
        if packed is None or packed[:2] != b"\x1f\x8b":
            return False
        try:
            return _members(packed, most=len(self.members)) == dict(self.members)
        except (tarfile.TarError, EOFError, OSError, ValueError):
            return False


Check: TypeAlias = Holds | Gone | Runs | Folder | PointsTo | Archive


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to find out or to do.

    Attributes:
        request: What the agent reads.
        script: What the oracle types; for a question its output is the answer.
        answer: Right answer of a question; None for a chore.
        checks: What must be so in the end, and is not so at the beginning.
        free: Paths of the tree that may change or go; all others are to be kept.
    """

    request: str
    script: str
    answer: int | str | None = None
    checks: tuple[Check, ...] = ()
    free: frozenset[str] = frozenset()


def _trimmed(content: bytes) -> list[bytes]:
    return [line.rstrip() for line in content.rstrip().split(b"\n")]


def _resolved(path: PurePosixPath) -> PurePosixPath:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts)


def _members(packed: bytes, *, most: int) -> dict[str, bytes]:
    """Regular files of an archive by bare name, read up to a bound."""
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r|gz") as tar:
        for member in tar:
            if member.isdir():
                continue
            content = tar.extractfile(member) if member.isreg() else None
            if content is None or member.size > _LARGEST_MEMBER or len(found) >= most:
                message = f"{member.name!r} is not expected"
                raise ValueError(message)
            found[PurePosixPath(member.name).name] = content.read()
    return found
