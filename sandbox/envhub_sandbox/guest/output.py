"""Bounded capture of a stream: its head and its tail, and a count of the rest.

What is kept never exceeds the limit, however much is written. The text is UTF-8 with
replacement; a character that was split between two reads is whole again, and the cut
falls between characters. NUL bytes and terminal sequences are kept as they came: what
the program wrote is what is shown.
"""

from __future__ import annotations

import os

from envhub_sandbox.wire import Handle

__all__ = ["Capture", "Pipe", "anonymous_file"]

_CHUNK = 2**16
_LONGEST = 4  # bytes of the longest UTF-8 character


class Capture:
    """Reads one pipe."""

    __slots__ = ("_half", "_head", "_reader", "_tail", "_total")

    def __init__(self, reader: Handle, limit: int) -> None:
        os.set_blocking(reader.fileno(), False)
        self._reader = reader
        self._half = max(limit // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    @property
    def fd(self) -> int:
        """The descriptor that is read."""
        return self._reader.fileno()

    def start(self) -> None:
        """Forget what was kept; what comes next belongs to another call."""
        self._head.clear()
        self._tail.clear()
        self._total = 0

    def read(self) -> bool:
        """Take what one read gives; False at the end of the stream."""
        try:
            chunk = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return True
        self._keep(chunk)
        return bool(chunk)

    def drain(self) -> None:
        """Take what is in the pipe now, and no more than a pipe holds."""
        for _ in range(16):
            before = self._total
            if not self.read() or self._total == before:
                return

    def _keep(self, chunk: bytes) -> None:
        self._total += len(chunk)
        room = self._half - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk[-self._half :]
        if len(self._tail) > 4 * self._half:
            del self._tail[: -self._half]

    def text(self) -> tuple[str, int]:
        """What was kept, and how many bytes were left out."""
        head, tail = bytes(self._head), bytes(self._tail[-self._half :])
        omitted = self._total - len(head) - len(tail)
        if omitted <= 0:
            return (head + tail).decode("utf-8", "replace"), 0
        head, tail = _whole_end(head), _whole_start(tail)
        omitted = self._total - len(head) - len(tail)
        mark = f"\n[... {omitted:,} bytes left out ...]\n"
        kept = head.decode("utf-8", "replace"), tail.decode("utf-8", "replace")
        return mark.join(kept), omitted


class Pipe:
    """A pipe of which the reading end is captured."""

    __slots__ = ("capture", "writer")

    def __init__(self, limit: int) -> None:
        reader, writer = os.pipe()
        self.capture = Capture(Handle(reader), limit)
        self.writer = Handle(writer)


def anonymous_file(data: bytes) -> Handle:
    """A nameless file that holds these bytes, to be read from its start."""
    if not data:
        return Handle(os.open("/dev/null", os.O_RDONLY))
    handle = Handle(os.memfd_create("input"))
    with open(os.dup(handle.fileno()), "wb") as stream:
        stream.write(data)
    os.lseek(handle.fileno(), 0, os.SEEK_SET)
    return handle


def _whole_end(data: bytes) -> bytes:
    """Without the beginning of a character at the end."""
    for length in range(1, min(_LONGEST, len(data)) + 1):
        byte = data[-length]
        if byte & 0xC0 != 0x80:  # not a continuation: a character starts here
            return data if length >= _length(byte) else data[:-length]
    return data


def _whole_start(data: bytes) -> bytes:
    """Without the end of a character at the start."""
    for index in range(min(_LONGEST - 1, len(data))):
        if data[index] & 0xC0 != 0x80:
            return data[index:]
    return data[_LONGEST - 1 :]


def _length(first: int) -> int:
    """Bytes of the character that starts with this byte."""
    if first >= 0xF0:
        return 4
    if first >= 0xE0:
        return 3
    return 2 if first >= 0xC0 else 1
