"""The supervisor's side of the agent's persistent Python interpreter.

The interpreter is forked from the warm supervisor at the first cell, so that preloaded
modules are there at once. It is ended, with all it started, when a cell reaches a
limit, and replaced when it ends or answers nonsense; the agent is told each time.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Collection

from envhub_sandbox.guest import libc, tree
from envhub_sandbox.guest.attend import Attendant
from envhub_sandbox.guest.cells import ANSWER, NONCE, REQUEST, Cells
from envhub_sandbox.guest.commands import Launcher, Outcome
from envhub_sandbox.guest.limits import limit_cpu, put_first_in_line
from envhub_sandbox.guest.output import Pipe
from envhub_sandbox.wire import Handle

__all__ = ["Interpreter"]

_LOST = "A new Python interpreter was started: variables are lost, files are kept."
_LARGEST_HIDDEN = 240


class _Process:
    """One interpreter process as the supervisor sees it."""

    def __init__(self, launcher: Launcher) -> None:
        limit = launcher.limits.output
        self.out, self.err = Pipe(limit), Pipe(limit)
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            _become_interpreter(launcher, theirs.fileno(), self.out, self.err)
        theirs.close()
        self.channel = Handle(ours.detach())
        self.ended = Handle(os.pidfd_open(self.pid))
        self.out.writer.close()
        self.err.writer.close()

    def send(self, nonce: bytes, source: str) -> None:
        data = source.encode("utf-8", "surrogatepass")
        data = REQUEST.pack(nonce, len(data)) + data
        with contextlib.suppress(OSError):  # it has ended: its exit will tell
            view = memoryview(data)
            while view:
                view = view[os.write(self.channel.fileno(), view) :]

    def answer(self, nonce: bytes) -> tuple[int, bool] | None:
        """Exit code and whether memory ran out; None when it is not an answer."""
        try:
            data = os.read(self.channel.fileno(), ANSWER.size + 1)
        except OSError:
            return None
        if len(data) != ANSWER.size:
            return None
        echoed, code, hungry = ANSWER.unpack(data)
        return (code, bool(hungry)) if echoed == nonce else None


class Interpreter:
    """At most one interpreter process at a time."""

    def __init__(self, launcher: Launcher, attendant: Attendant) -> None:
        self._launcher = launcher
        self._attendant = attendant
        self._process: _Process | None = None

    @property
    def pid(self) -> int | None:
        """The process whose tree stays after a call, if there is one."""
        return None if self._process is None else self._process.pid

    def run(self, source: str, timeout: float, keep: Collection[int]) -> Outcome:
        """Run a cell; `keep` names the other processes that stay."""
        began = time.monotonic()
        watch = self._attendant.watch
        watch.begin()
        try:
            process = self._process = self._process or _Process(self._launcher)
        except OSError as error:
            return Outcome.refused(error, began)
        captures = [process.out.capture, process.err.capture]
        for capture in captures:
            capture.start()
        nonce = os.urandom(NONCE)
        process.send(nonce, source)
        ends = [process.channel.fileno(), process.ended.fileno()]
        limit = self._attendant.wait(captures, ends, began + timeout)
        answer = None if limit else process.answer(nonce)
        restarted = ""
        if answer is None:
            self._process = None
            # When it is ending by itself, its own status is the one to report.
            code = _own_end(process) if limit is None else tree.end(process.pid)
            limit = limit or watch.reached(code)
            restarted = f"{_reason(limit, code, timeout)} {_LOST}"
            tree.end_strays(keep)
        else:
            code, hungry = answer
            limit = "memory" if hungry else watch.reached(code)
            tree.end_strays({*keep, process.pid})
        for capture in captures:
            capture.drain()
        return Outcome(code, captures, limit, began, restarted)


def _own_end(process: _Process, patience: float = 0.2) -> int:
    """Status of a process that has ended, or is given a moment to do so."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        pid, status = os.waitpid(process.pid, os.WNOHANG)
        if pid:
            return tree.exit_code(status)
        time.sleep(0.002)
    return tree.end(process.pid)


def _reason(limit: str | None, code: int, timeout: float) -> str:
    if limit == "wall":
        return f"The cell was ended at its time limit of {timeout:g} s."
    if limit is not None:
        return f"The cell was ended at its {limit} limit."
    return f"The Python interpreter ended (exit status {code})."


def _become_interpreter(launcher: Launcher, channel: int, out: Pipe, err: Pipe) -> None:
    """In the new process: never returns."""
    try:
        libc.set_dumpable(True)
        os.setsid()
        put_first_in_line()
        limit_cpu(launcher.limits)
        if launcher.confine is not None:
            launcher.confine()
        hidden = _hide(channel, out.writer.fileno(), err.writer.fileno())
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(launcher.environment)
        os.chdir(launcher.home)
        sys.argv = [""]
        sys.path.insert(0, "")
        gc.enable()
        Cells(*hidden).serve()
    finally:
        os._exit(70)


def _hide(*descriptors: int) -> tuple[int, int, int]:
    """Move these to high numbers and close all others but the standard ones."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    first = min(most, _LARGEST_HIDDEN) - len(descriptors)
    moved = [
        fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, first + index)
        for index, fd in enumerate(descriptors)
    ]
    libc.close_range(3, first - 1)
    libc.close_range(moved[-1] + 1, 2**32 - 1)
    return moved[0], moved[1], moved[2]
