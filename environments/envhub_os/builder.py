"""Lays a tree of files out; hosted in the sandbox, and knowing no task and no answer.

Standard library only. It runs before the agent's first command, in a home in which
nothing has happened yet.
"""

from __future__ import annotations

import os

__all__ = ["Builder"]


class Builder:
    """Writes files for the agent to find."""

    def build(
        self,
        name: str,
        folders: list[str],
        files: list[tuple[str, bytes, int, int]],
        time: int,
    ) -> None:
        """Lay a tree out in the home folder.

        Args:
            name: Name of its root.
            folders: Every folder below the root, those above before those below.
            files: Path, content, permissions and time of every file.
            time: Time of the folders, in seconds since 1970.
        """
        root = f"{os.environ['HOME']}/{name}"
        places = [root, *(f"{root}/{folder}" for folder in folders)]
        os.umask(0o022)
        for place in places:
            os.mkdir(place)  # noqa: PTH102  # a reset makes dozens
        for path, content, mode, changed in files:
            descriptor = os.open(f"{root}/{path}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            os.write(descriptor, content)
            os.fchmod(descriptor, mode)
            os.utime(descriptor, (changed, changed))
            os.close(descriptor)
        for (
            place
        ) in places:  # after the files, as writing one changes its folder's time
            os.utime(place, (time, time))
