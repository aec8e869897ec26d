"""Starting a template's process, and talking to it.

The process gets a clean environment, no descriptor but its socket and an errors file,
and a command line that says nothing of the host.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from envhub.errors import EnvironmentFault, SandboxUnavailable, UsageError
from envhub_sandbox.guest.guard import LENGTH
from envhub_sandbox.guest.zygote import CHILD, FAILED, HEADER
from envhub_sandbox.wire import Channel, Handle

__all__ = ["Body", "Launched", "launch"]

START_LIMIT = 300.0
_STOP_LIMIT = 10.0
_BOOTSTRAP = (
    "import os,sys;n=int.from_bytes(os.read({fd},4),'little');"
    "sys.path.insert(0,os.read({fd},n).decode());"
    "from envhub_sandbox.guest.guard import main;main({fd})"
)


@dataclass(eq=False, slots=True)
class Body:
    """A child of a template, as the host holds it.

    Attributes:
        channel: Requests and answers.
        process: Its first process, to be ended by.
        gone: Becomes readable when the whole tree has ended.
    """

    channel: Channel
    process: Handle
    gone: Handle

    def greet(self, deadline: float) -> None:
        """Wait until it is ready.

        Raises:
            SandboxUnavailable: It could not enter its isolation.
            EOFError: It is gone.
            TimeoutError: It did not become ready.
        """
        hello: Any = self.channel.receive(deadline)
        if "error" in hello:
            message = f"a sandbox could not be set up: {hello['error']['message']}"
            raise SandboxUnavailable(message)


class Launched:
    """A running template process. Not thread-safe; `stop` may come at any time."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        errors: IO[bytes],
    ) -> None:
        self._process = process
        self._control = control
        self._errors = errors
        self.gives: tuple[str, ...] = ()
        self.lacks: tuple[str, ...] = ()

    @property
    def pid(self) -> int:
        """Process id of the guard."""
        return self._process.pid

    def wait_until_ready(self, deadline: float) -> None:
        """Wait for the template to be warm.

        Raises:
            EnvironmentFault: The author's code did not import, build or finish.
            SandboxUnavailable: The isolation could not be entered.
        """
        try:
            kind, value, _ = self._receive(deadline)
        except TimeoutError:
            message = f"a template was not ready after {START_LIMIT:g} s"
            raise EnvironmentFault(message) from None
        except EOFError:
            message = f"a template ended while it started: {self.last_words()}"
            raise EnvironmentFault(message) from None
        if kind == FAILED:
            raise _failure(value)
        self.gives, self.lacks = tuple(value["gives"]), tuple(value["lacks"])

    def ask(self, count: int) -> None:
        """Ask for children.

        Raises:
            OSError: The template is gone.
        """
        self._control.sendall(b"+" * count)

    def child(self, deadline: float) -> Body:
        """The next child; a deadline in the past takes only what has come.

        Raises:
            TimeoutError: None came in time.
            EOFError: The template is gone.
        """
        kind, _, fds = self._receive(deadline)
        if kind != CHILD:
            raise EOFError
        process = Handle(fds[1])
        gone = Handle(fds[2]) if len(fds) > 2 else process
        return Body(Channel(fds[0]), process, gone)

    def _receive(self, deadline: float) -> tuple[bytes, Any, list[int]]:
        head, fds = self._read_head(deadline)
        kind, length = HEADER.unpack(head)
        data = b""
        while len(data) < length:
            try:
                chunk = self._control.recv(length - len(data))
            except BlockingIOError:
                self._wait(deadline)
                continue
            if not chunk:
                raise EOFError
            data += chunk
        return kind, json.loads(data), fds

    def _read_head(self, deadline: float) -> tuple[bytes, list[int]]:
        while True:
            try:
                head, fds, _, _ = socket.recv_fds(
                    self._control, HEADER.size, 3, socket.MSG_CMSG_CLOEXEC
                )
            except BlockingIOError:
                self._wait(deadline)
                continue
            except OSError:
                raise EOFError from None
            if len(head) < HEADER.size:
                raise EOFError
            return head, list(fds)

    def _wait(self, deadline: float) -> None:
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000 + 1):
            raise TimeoutError

    def last_words(self) -> str:
        """What the process wrote to its standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        text = ""
        if not self._errors.closed:
            self._errors.seek(0)
            text = self._errors.read()[-4000:].decode("utf-8", "replace").strip()
        return text or f"exit status {self._process.returncode}"

    def hang_up(self) -> None:
        """Tell it to end; wakes whoever waits for it."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        """End it with all its children, and wait for that; idempotent."""
        self.hang_up()
        try:
            self._process.wait(_STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._control.close()
        self._errors.close()


def launch(python: str, boot: Mapping[str, Any]) -> Launched:
    """Start a template process; it is not ready yet."""
    data = _boot_data(boot)
    ours, theirs = socket.socketpair()
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by Launched.stop
    with theirs:
        fd = theirs.fileno()
        script = _BOOTSTRAP.format(fd=fd)
        process = subprocess.Popen(
            [python, "-s", "-P", "-S", "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**boot["environment"], "PYTHONPATH": ""},
            cwd="/",
            pass_fds=[fd],
            start_new_session=True,
        )
    launched = Launched(process, ours, errors)
    root = os.fsencode(Path(__file__).parent.parent)
    with contextlib.suppress(BrokenPipeError):  # it has ended: its last words will tell
        ours.sendall(LENGTH.pack(len(root)) + root + LENGTH.pack(len(data)) + data)
    ours.setblocking(False)
    return launched


def _boot_data(boot: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(boot).encode()
    except (TypeError, ValueError) as error:
        message = f"the config of a template holds JSON values only: {error}"
        raise UsageError(message) from None


def _failure(value: dict[str, Any]) -> Exception:
    if value["environment"]:
        message = f"a template could not be built: {value['message']}"
        return EnvironmentFault(f"{message}\n{value['traceback']}")
    return SandboxUnavailable(value["message"])
