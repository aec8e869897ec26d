"""Inside the agent's interpreter: running cells, one after the other.

All that happens here is in the agent's hands: it may close descriptors, replace
modules, end the process. Nothing outside relies on any of it. A cell's answer is a
fixed number of bytes that repeats a nonce; whatever else arrives, or does not, makes
the supervisor end this process and start another.

    __main__      one module, so that pickle, recursion and comprehensions work
    last line     an expression's value is printed, as in a notebook
    traceback     shows source lines, which are kept in `linecache`
    exit(), fork  end the cell, not the interpreter; a fork's child ends with its cell
    stdio         made anew before each cell, so that no cell can lose it for the next
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import struct
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any, cast

__all__ = ["ANSWER", "NONCE", "REQUEST", "Cells"]

NONCE = 16
REQUEST = struct.Struct(f"<{NONCE}sI")
ANSWER = struct.Struct(f"<{NONCE}siB")
_LARGEST_CODE = 255


class Cells:
    """The interpreter's own state; held in locals wherever it can be."""

    def __init__(self, channel: int, stdout: int, stderr: int) -> None:
        self._channel = channel
        self._streams = stdout, stderr
        self._pid = os.getpid()
        self._count = 0
        self._module = types.ModuleType("__main__")
        self._module.__dict__["__builtins__"] = __builtins__
        sys.modules["__main__"] = self._module

    def serve(self) -> None:
        """Run cells until the supervisor is gone or the channel is broken."""
        getpid, leave = os.getpid, os._exit
        read, write = os.read, os.write
        unpack, pack = REQUEST.unpack, ANSWER.pack
        run, restore = self._run, self._restore_streams
        while True:
            head = _read_exactly(read, self._channel, REQUEST.size)
            nonce, length = unpack(head)
            source = _read_exactly(read, self._channel, length)
            restore()
            code, hungry = run(source.decode("utf-8", "surrogatepass"))
            if getpid() != self._pid:
                leave(code & _LARGEST_CODE)
            write(self._channel, pack(nonce, code, hungry))

    def _restore_streams(self) -> None:
        for number, hidden in zip((1, 2), self._streams, strict=True):
            os.dup2(hidden, number)
        null = os.open(os.devnull, os.O_RDONLY)
        if null != 0:
            os.dup2(null, 0)
            os.close(null)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            stream = _text(number, "w" if number else "r")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)

    def _run(self, source: str) -> tuple[int, bool]:
        """Exit code, and whether memory ran out."""
        self._count += 1
        name = f"<cell {self._count}>"
        lines = source.splitlines(keepends=True)
        linecache.cache[name] = (len(source), None, lines, name)
        try:
            self._execute(source, name)
        except SystemExit as leaving:
            return _exit_code(leaving.code), False
        except BaseException as error:  # noqa: BLE001 - the agent may raise anything
            _show(error)
            return 1, isinstance(error, MemoryError)
        finally:
            _flush()
        return 0, False

    def _execute(self, source: str, name: str) -> None:
        tree = compile(source, name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        parsed = cast("ast.Module", tree)
        last: ast.expr | None = None
        if parsed.body and isinstance(final := parsed.body[-1], ast.Expr):
            parsed.body.pop()
            last = final.value
        space = self._module.__dict__
        exec(compile(parsed, name, "exec", dont_inherit=True), space)
        if last is not None:
            code = compile(ast.Expression(last), name, "eval", dont_inherit=True)
            sys.displayhook(eval(code, space))


def _read_exactly(read: Callable[[int, int], bytes], fd: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = read(fd, min(size - len(data), 2**20))
        if not chunk:
            os._exit(0)
        data += chunk
    return data


def _text(fd: int, mode: str) -> io.TextIOWrapper:
    raw = io.FileIO(fd, mode, closefd=False)
    if mode == "r":
        return io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8")
    # Nothing is held back, for a time limit would lose it; and a lone surrogate must
    # not end the agent's program.
    return io.TextIOWrapper(
        cast("io.BufferedWriter", raw),
        encoding="utf-8",
        errors="backslashreplace",
        write_through=True,
    )


def _exit_code(code: Any) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & _LARGEST_CODE
    _say(f"{code}\n")
    return 1


def _show(
    error: BaseException,
    describe: Callable[..., list[str]] = traceback.format_exception,
) -> None:
    frames = error.__traceback__
    for _ in range(2):  # this module's own
        frames = frames.tb_next if frames is not None else None
    try:
        text = "".join(describe(type(error), error, frames))
    except BaseException as failure:  # noqa: BLE001 - memory or stack may be short
        text = f"{type(error).__name__} (no traceback: {type(failure).__name__})\n"
    _say(text)


def _say(text: str) -> None:
    _flush()
    data = text.encode("utf-8", "backslashreplace")
    while data:
        try:
            data = data[os.write(2, data) :]
        except OSError:
            return


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # closed, or replaced by anything
            stream.flush()
