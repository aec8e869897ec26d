"""Removing a folder that an agent has filled: however deep, whatever its modes."""

from __future__ import annotations

import contextlib
import os

__all__ = ["remove_tree"]


def remove_tree(path: str) -> None:
    """Remove a folder and all below it; changes the working folder to the root.

    Steps into one folder at a time, so that neither the length of a path nor a depth
    of calls is a limit. Nothing may be writing there any more.
    """
    below: list[str] = []
    with contextlib.suppress(OSError):
        os.chdir(path)
        while True:
            name = _empty_here()
            if name is not None:
                os.chmod(name, 0o700)
                os.chdir(name)
                below.append(name)
            elif below:
                os.chdir("..")
                os.rmdir(below.pop())
            else:
                break
    os.chdir("/")
    with contextlib.suppress(OSError):
        os.rmdir(path)


def _empty_here() -> str | None:
    """Remove files of the working folder; the name of a folder in it, if any."""
    os.chmod(".", 0o700)
    with os.scandir(".") as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                return entry.name
            os.unlink(entry.name)
    return None
