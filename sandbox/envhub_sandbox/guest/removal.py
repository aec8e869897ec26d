"""Removing a folder that an agent has filled: however deep, whatever its modes.

An escaped process may be writing there still, so no link is followed, and the way back
up must lead to where the way down came from.
"""

from __future__ import annotations

import contextlib
import os
import stat

__all__ = ["remove_tree", "sweep"]

Place = tuple[int, int]


def remove_tree(path: str) -> None:
    """Remove a folder and all below it; changes the working folder to the root.

    Steps into one folder at a time, so that neither the length of a path nor a depth
    of calls is a limit. Stops at anything that is not as expected.
    """
    with contextlib.suppress(OSError):
        _enter(path)
        _empty()
    os.chdir("/")
    with contextlib.suppress(OSError):
        os.rmdir(path)


def sweep(base: str, prefix: str) -> None:
    """Remove this user's folders named after a process that is gone."""
    for name in os.listdir(base):
        pid = name.removeprefix(prefix).partition("-")[0]
        if name.startswith(prefix) and pid.isdigit():
            path = f"{base}/{name}"
            with contextlib.suppress(OSError):
                if _is_own_folder(path) and not os.path.exists(f"/proc/{pid}"):
                    remove_tree(path)


def _is_own_folder(path: str) -> bool:
    found = os.lstat(path)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def _empty() -> None:
    """Empty the working folder."""
    way: list[tuple[str, Place]] = []
    while True:
        name = _remove_files()
        if name is not None:
            way.append((name, _here()))
            _enter(name)
        elif way:
            name, parent = way.pop()
            os.chdir("..")
            if _here() != parent:
                return
            os.rmdir(name)
        else:
            return


def _remove_files() -> str | None:
    """Remove files of the working folder; the name of a folder in it, if any."""
    with os.scandir(".") as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                return entry.name
            os.unlink(entry.name)
    return None


def _enter(name: str) -> None:
    """Step into a folder and make it one's own; never through a link."""
    fd = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.chmod(f"/proc/self/fd/{fd}", 0o700)
        os.fchdir(fd)
    finally:
        os.close(fd)


def _here() -> Place:
    found = os.stat(".")
    return found.st_dev, found.st_ino
