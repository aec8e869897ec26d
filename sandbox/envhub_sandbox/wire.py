"""Frames between host and sandbox: a length, then JSON.

JSON is what both sides may read without trusting the other. Bytes travel as a tagged
object, so that a dict of the user's that looks like a tag is escaped; tuples become
lists and keys of dicts become strings. NaN, infinities and integers of any size pass.

Used on both sides, so it is standard library only.
"""

from __future__ import annotations

import base64
import json
import os
import select
import struct
import sys
import time
from typing import Any, Self, cast

__all__ = ["MAX_FRAME", "Channel", "Handle", "WireError", "decode", "encode"]

MAX_FRAME = 64 * 2**20
_LENGTH = struct.Struct("<I")
_BYTES, _DICT, _INT = "$bytes", "$dict", "$int"
_INT_BITS = 4096  # below the digits that int() and str() refuse by default


class WireError(ValueError):
    """A value that has no JSON form, or bytes that are no frame."""


def encode(value: object) -> bytes:
    """JSON bytes of a value.

    Raises:
        WireError: It holds something that JSON has no form for.
    """
    try:
        text = json.dumps(value, separators=(",", ":"))
        plain = '"$' not in text
    except (TypeError, ValueError, RecursionError):
        plain, text = False, ""
    if not plain:
        text = _encode_tagged(value)
    return text.encode("ascii")


def _encode_tagged(value: object) -> str:
    try:
        return json.dumps(_tagged(value), separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        message = f"cannot be sent as JSON: {error}"
        raise WireError(message) from None


def _tagged(value: object) -> object:
    if isinstance(value, bytes | bytearray | memoryview):
        return {_BYTES: base64.b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        return _tagged_dict(cast("dict[object, object]", value))
    if isinstance(value, list | tuple):
        return [_tagged(item) for item in cast("list[object]", value)]
    if isinstance(value, int) and value.bit_length() > _INT_BITS:
        return {_INT: hex(value)}
    return value


def _tagged_dict(value: dict[object, object]) -> object:
    if any(isinstance(key, str) and key.startswith("$") for key in value):
        return {_DICT: [[key, _tagged(item)] for key, item in value.items()]}
    return {key: _tagged(item) for key, item in value.items()}


def decode(data: bytes) -> Any:
    """The value behind JSON bytes.

    Raises:
        WireError: They are no JSON.
    """
    try:
        if b'"$' in data:
            return json.loads(data, object_hook=_untagged)
        return json.loads(data)
    except (ValueError, RecursionError, TypeError) as error:
        message = f"not a frame: {error}"
        raise WireError(message) from None


def _untagged(value: dict[str, Any]) -> Any:
    if len(value) != 1:
        return value
    (key, item), *_ = value.items()
    if key == _BYTES:
        return base64.b64decode(item)
    if key == _DICT:
        return {str(name): entry for name, entry in item}
    if key == _INT:
        return int(item, 16)
    return value


class Handle:
    """A descriptor that closes once, at the latest when nobody refers to it."""

    __slots__ = ("_fd",)

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        """The descriptor, or -1 when it has been closed."""
        return self._fd

    def close(self) -> None:
        """Close; idempotent."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __del__(self, is_finalizing: Any = sys.is_finalizing) -> None:
        if self._fd >= 0 and not is_finalizing():
            self.close()


class Channel(Handle):
    """Frames over one end of a stream socket pair."""

    __slots__ = ("_buffer",)

    def __init__(self, fd: int) -> None:
        super().__init__(fd)
        os.set_blocking(fd, False)
        self._buffer = bytearray()

    def send(self, value: object) -> None:
        """Write one frame.

        Raises:
            WireError: The value has no JSON form, or is too large.
            OSError: The other end is gone.
        """
        data = encode(value)
        if len(data) > MAX_FRAME:
            message = f"{len(data)} bytes are more than a frame holds ({MAX_FRAME})"
            raise WireError(message)
        self._write(_LENGTH.pack(len(data)) + data)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._fd, view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, None)

    def receive(self, deadline: float | None = None) -> Any:
        """The next frame.

        Args:
            deadline: A `time.monotonic` moment.

        Raises:
            TimeoutError: The deadline passed.
            EOFError: The other end is gone.
            WireError: What came is no frame.
        """
        while (data := self._frame()) is None:
            self._fill(deadline)
        return decode(data)

    def _frame(self) -> bytes | None:
        if len(self._buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._buffer)
        if length > MAX_FRAME:
            message = f"a frame of {length} bytes was announced"
            raise WireError(message)
        end = _LENGTH.size + length
        if len(self._buffer) < end:
            return None
        data = bytes(self._buffer[_LENGTH.size : end])
        del self._buffer[:end]
        return data

    def _fill(self, deadline: float | None) -> None:
        try:
            data = os.read(self._fd, 2**18)
        except BlockingIOError:
            self._wait(select.POLLIN, deadline)
            return
        except ConnectionResetError:
            data = b""
        if not data:
            raise EOFError
        self._buffer += data

    def _wait(self, event: int, deadline: float | None) -> None:
        poll = select.poll()
        poll.register(self._fd, event)
        if deadline is None:
            poll.poll()
            return
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000 + 1):
            raise TimeoutError
