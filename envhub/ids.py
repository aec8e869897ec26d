"""What an environment may be called, and how a name given by a person is read.

    webshop                 a built-in or locally registered environment
    alice/orders            an environment of an owner
    alice/orders@1.2.0      exactly this version
    webshop-v1              any version 1.x, Gymnasium's way to write it
    ./orders, orders.py     a folder or file with an environment in it
    http://host:8000/sql    an environment behind a server

Owner and name are ASCII letters, digits, ``-``, ``_`` and ``.``, at most 64 characters,
and begin and end with a letter or digit. Letter case and the difference between ``-``,
``_`` and ``.`` do not matter: ``My_Env`` and ``my-env`` are one name.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from envhub.errors import InvalidId

__all__ = ["EnvId", "is_path", "is_url", "nearest"]

_PART = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?", re.ASCII)
_RELEASE = re.compile(r"(?:\d+!)?\d+(?:\.\d+)*[a-z0-9.+-]*", re.ASCII)
_MAJOR = re.compile(r"(?P<name>.+)-v(?P<major>\d{1,9})", re.ASCII)
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{stem}{digit}" for stem in ("com", "lpt") for digit in range(10)}
)
_RULE = (
    "an id is NAME, OWNER/NAME or OWNER/NAME@VERSION; owner and name are ASCII "
    "letters, digits, '-', '_' or '.', at most 64 characters, with a letter or digit "
    "at both ends; a version looks like 1.2.0"
)


@dataclass(frozen=True, slots=True, order=True)
class EnvId:
    """A validated id. Equal ids name the same environment.

    Attributes:
        name: Normalised name, such as ``"webshop"``.
        owner: Normalised owner, or empty for built-in and local environments.
        version: Exact version asked for, or empty for the newest.
        major: Major version asked for with ``-vN``, or None.
    """

    name: str
    owner: str = ""
    version: str = ""
    major: int | None = None

    @classmethod
    def parse(cls, text: str) -> EnvId:
        """Read an id as a person writes it.

        Raises:
            InvalidId: It does not follow the grammar; the message tells the rule.
        """
        if not isinstance(text, str):
            raise InvalidId(_refusal(repr(text), "it is no text"))
        path, at, version = text.partition("@")
        if (at and not _RELEASE.fullmatch(version)) or ".." in version:
            raise InvalidId(_refusal(text, f"{version!r} is not a version"))
        owner, slash, name = path.rpartition("/")
        major: int | None = None
        if found := _MAJOR.fullmatch(name):
            name, major = found["name"], int(found["major"])
        if slash and not owner:
            raise InvalidId(_refusal(text, "the owner before '/' is missing"))
        return cls(
            name=_part(name, text),
            owner=_part(owner, text) if owner else "",
            version=version,
            major=major,
        )

    @property
    def bare(self) -> EnvId:
        """The same id without a version."""
        return replace(self, version="", major=None)

    def __str__(self) -> str:
        owner = f"{self.owner}/" if self.owner else ""
        major = "" if self.major is None else f"-v{self.major}"
        version = f"@{self.version}" if self.version else ""
        return f"{owner}{self.name}{major}{version}"


def is_url(text: str) -> bool:
    """Whether the text names an environment behind a server."""
    return text.startswith(("http://", "https://", "unix://"))


def is_path(text: str) -> bool:
    """Whether the text names a file or folder rather than an id."""
    return text.startswith(("./", "../", "/", "~")) or text.endswith(".py")


def nearest(wanted: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The known names that look most like the wanted one, best first."""
    return difflib.get_close_matches(wanted, sorted(known), n=most, cutoff=0.5)


def _part(text: str, whole: str) -> str:
    normal = re.sub(r"[-_.]+", "-", text).lower()
    if text != text.strip("-_.") or not _PART.fullmatch(normal) or len(text) > 64:
        raise InvalidId(_refusal(whole, f"{text!r} is not a name"))
    if normal in _DEVICES:
        raise InvalidId(_refusal(whole, f"{text!r} is reserved by an operating system"))
    return normal


def _refusal(text: str, found: str) -> str:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return f"{shown!r} is not an environment id: {found}; {_RULE}"
