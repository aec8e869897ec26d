"""Reading and writing files of a sandbox, with the sandbox's own rights.

This runs inside the sandbox, so a path or a link reaches no further than the agent
itself does.
"""

from __future__ import annotations

import os
import stat

__all__ = ["read", "write"]


def read(path: str, limit: int) -> bytes:
    """Bytes of a regular file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (NotADirectoryError, IsADirectoryError, OSError) as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise _missing(path) from None
        raise
    with open(fd, "rb") as stream:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise _missing(path)
        data = stream.read(limit + 1)
    if len(data) > limit:
        message = f"{path} is larger than the limit of {limit} bytes"
        raise ValueError(message)
    return data


def write(path: str, data: bytes, mode: int) -> None:
    """Write a file and the folders on its way."""
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK
    fd = os.open(path, flags, mode)
    with open(fd, "wb") as stream:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            message = f"{path} is not a regular file"
            raise PermissionError(message)
        os.fchmod(fd, mode)
        stream.write(data)


def _missing(path: str) -> FileNotFoundError:
    message = f"there is no regular file {path} in the sandbox"
    return FileNotFoundError(message)
