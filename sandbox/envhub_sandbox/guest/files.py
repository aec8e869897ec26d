"""Reading and writing files of a sandbox, with the sandbox's own rights.

This runs inside the sandbox, so a path or a link reaches no further than the agent
itself does.
"""

from __future__ import annotations

import os
import stat

from envhub_sandbox.wire import Handle

__all__ = ["read", "write"]


def read(path: str, limit: int) -> bytes:
    """Bytes of a regular file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path) from None
    with Handle(fd):
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise _missing(path)
        data = _read_up_to(fd, limit + 1)
    if len(data) > limit:
        message = f"{path} is larger than the limit of {limit} bytes"
        raise ValueError(message)
    return data


def _read_up_to(fd: int, most: int) -> bytes:
    data = b""
    while len(data) < most and (chunk := os.read(fd, most - len(data))):
        data += chunk
    return data


def write(path: str, data: bytes, mode: int) -> None:
    """Write a file and the folders on its way."""
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK
    fd = os.open(path, flags, mode)
    with Handle(fd):
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            message = f"{path} is not a regular file"
            raise PermissionError(message)
        os.fchmod(fd, mode)
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]


def _missing(path: str) -> FileNotFoundError:
    message = f"there is no regular file {path} in the sandbox"
    return FileNotFoundError(message)
