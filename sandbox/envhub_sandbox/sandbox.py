"""The host's side of one sandbox: requests, answers, deadlines, the end.

Every limit inside the sandbox is enforced there; the host only waits a little longer
than that, and ends the tree when even then nothing comes.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from envhub.errors import (
    Closed,
    DeadlineExceeded,
    LifecycleError,
    SandboxLost,
    UsageError,
)
from envhub.sandbox import Call, Completed, Isolation, Sandbox, TemplateSpec
from envhub_sandbox.answers import (
    completed,
    is_answer,
    raise_for_call,
    raise_for_request,
)
from envhub_sandbox.launch import Body
from envhub_sandbox.wire import Handle, WireError

__all__ = ["WarmSandbox"]

_GRACE = 15.0  # beyond a limit that the sandbox enforces itself
_END_LIMIT = 10.0


class _Home(Protocol):
    """What a sandbox needs of its template."""

    @property
    def spec(self) -> TemplateSpec: ...

    @property
    def isolation(self) -> Isolation: ...

    def take_body(self) -> Body: ...

    def count(self, **changes: int) -> None: ...


class WarmSandbox(Sandbox):
    """See `envhub.sandbox.Sandbox`."""

    def __init__(self, template: _Home, body: Body) -> None:
        self._template = template
        self._limits = template.spec.limits
        self._owner = os.getpid()
        self._body: Body | None = None
        self._pending: _WarmCall | None = None
        self._closed = False
        self._lost = ""
        self._leaving: weakref.finalize[..., Any] | None = None
        self._adopt(body)

    def _adopt(self, body: Body) -> None:
        self._body = body
        self._lost = ""
        self._ender = weakref.finalize(
            self, _end, body, self._template.count, self._owner
        )

    @property
    def isolation(self) -> Isolation:
        """See `Sandbox`."""
        return self._template.isolation

    @property
    def alive(self) -> bool:
        """See `Sandbox`."""
        body = self._body
        return body is not None and not _has_ended(body.process, 0)

    def exec(
        self,
        command: str | Sequence[str],
        *,
        stdin: str | bytes = b"",
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Completed:
        """See `Sandbox`."""
        request = {
            "do": "exec",
            "command": command if isinstance(command, str) else list(command),
            "stdin": stdin.encode() if isinstance(stdin, str) else bytes(stdin),
            "cwd": cwd,
            "env": dict(env or {}),
        }
        return self._run(request, timeout)

    def python(self, code: str, *, timeout: float | None = None) -> Completed:
        """See `Sandbox`."""
        return self._run({"do": "python", "code": code}, timeout)

    def shell(self, command: str, *, timeout: float | None = None) -> Completed:
        """See `Sandbox`."""
        return self._run({"do": "shell", "command": command}, timeout)

    def _run(self, request: dict[str, Any], timeout: float | None) -> Completed:
        limit = self._limits.wall if timeout is None else timeout
        values = self._ask({**request, "timeout": limit}, limit + _GRACE)
        return completed(values)

    def read(self, path: str, *, limit: int = 2**20) -> bytes:
        """See `Sandbox`."""
        request = {"do": "read", "path": path, "limit": limit}
        data: bytes = self._ask(request, _GRACE)
        return data

    def write(self, path: str, data: str | bytes, *, mode: int = 0o644) -> None:
        """See `Sandbox`."""
        content = data.encode() if isinstance(data, str) else bytes(data)
        request = {"do": "write", "path": path, "data": content, "mode": mode}
        self._ask(request, _GRACE)

    def start(
        self, method: str, /, *args: Any, timeout: float | None = None, **kwargs: Any
    ) -> Call:
        """See `Sandbox`."""
        self._check_method(method)
        body = self._usable()
        began = time.monotonic()
        request = {"do": "call", "method": method, "args": args, "kwargs": kwargs}
        self._send(body, request)
        limit = self._limits.wall if timeout is None else timeout
        self._pending = _WarmCall(self, body, method, began, limit)
        return self._pending

    def _check_method(self, method: str) -> None:
        if self._template.spec.service is None:
            message = f"{method!r} cannot be called: the template hosts no service"
            raise UsageError(message)
        if method.startswith("_"):
            message = f"{method!r} cannot be called: it is not a public method"
            raise UsageError(message)

    def _ask(self, request: dict[str, Any], patience: float) -> Any:
        body = self._usable()
        self._send(body, request)
        try:
            answer = self.receive(body, time.monotonic() + patience)
        except TimeoutError:
            message = f"the sandbox did not answer within {patience:g} s and was ended"
            raise self.lose(body, message) from None
        if "error" in answer:
            raise_for_request(answer["error"])
        return answer["value"]

    def _usable(self) -> Body:
        if os.getpid() != self._owner:
            message = f"this sandbox belongs to process {self._owner}"
            raise LifecycleError(message)
        if self._closed or self._body is None:
            message = "the sandbox has been closed"
            raise Closed(message)
        if self._lost:
            message = f"{self._lost}; `reset` makes a fresh one"
            raise SandboxLost(message)
        if self._pending is not None:
            message = (
                f"the call of {self._pending.method!r} is still on its way: ask for "
                f"its result first"
            )
            raise LifecycleError(message)
        return self._body

    def _send(self, body: Body, request: dict[str, Any]) -> None:
        try:
            body.channel.send(request)
        except WireError as error:
            message = f"an argument {error}"
            raise UsageError(message) from None
        except OSError:
            raise self.lose(body, _GONE) from None

    def receive(self, body: Body, deadline: float) -> dict[str, Any]:
        """One answer of a body, which is given up when it is gone.

        Raises:
            TimeoutError: The deadline passed.
            SandboxLost: The body is gone, or talks nonsense.
        """
        try:
            answer = body.channel.receive(deadline)
        except TimeoutError:
            raise
        except (EOFError, OSError):
            raise self.lose(body, _GONE) from None
        except WireError as error:
            raise self.lose(body, f"the sandbox sent {error}") from None
        if not is_answer(answer):
            raise self.lose(body, "the sandbox sent something that is no answer")
        whole: dict[str, Any] = answer
        return whole

    def lose(self, body: Body, message: str) -> SandboxLost:
        """Give a body up; the error to raise."""
        if self._closed or body is not self._body:
            return SandboxLost("the sandbox was closed or reset during the call")
        if not self._lost:
            self._template.count(lost=1)
        self._lost = message
        self._pending = None
        self._ender()
        return SandboxLost(message)

    def settle(self, call: _WarmCall) -> None:
        """The answer of a call has been collected."""
        if self._pending is call:
            self._pending = None

    def reset(self) -> None:
        """See `Sandbox`."""
        if self._closed:
            message = "the sandbox has been closed"
            raise Closed(message)
        if self._body is not None:
            _kill(self._body, self._owner)
        self._pending = None
        fresh = self._template.take_body()
        # The old tree has been killed; the kernel takes it apart while the next episode
        # runs. By the next reset that has long been done: one at most is on its way.
        self._wait_for_leaving()
        self._leaving = self._ender
        self._adopt(fresh)

    def close(self) -> None:
        """See `Sandbox`."""
        self._closed = True
        self._pending = None
        self._ender()
        self._wait_for_leaving()
        self._body = None

    def _wait_for_leaving(self) -> None:
        if self._leaving is not None:
            self._leaving()
            self._leaving = None


class _WarmCall(Call):
    """See `envhub.sandbox.Call`."""

    def __init__(
        self, sandbox: WarmSandbox, body: Body, method: str, began: float, limit: float
    ) -> None:
        self._sandbox = sandbox
        self._body = body
        self._began = began
        self._limit = limit
        self._answer: dict[str, Any] | None = None
        self.method = method

    def fileno(self) -> int:
        """See `Call`."""
        return self._body.channel.fileno()

    def result(self, timeout: float | None = None) -> Any:
        """See `Call`."""
        limit = self._limit if timeout is None else timeout
        if self._answer is None:
            try:
                self._answer = self._sandbox.receive(self._body, self._began + limit)
            except TimeoutError:
                message = (
                    f"{self.method} did not answer within {limit:g} s; the sandbox's "
                    f"process tree was ended"
                )
                self._sandbox.lose(self._body, message)
                raise DeadlineExceeded(message) from None
            self._sandbox.settle(self)
        if "error" in self._answer:
            raise_for_call(self.method, self._answer["error"])
        return self._answer["value"]


_GONE = "the process tree behind the sandbox has ended"


def _kill(body: Body, owner: int) -> None:
    if os.getpid() == owner:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(body.process.fileno(), signal.SIGKILL)


def _has_ended(handle: Handle, patience: float) -> bool:
    poll = select.poll()
    poll.register(handle.fileno(), select.POLLIN)
    return bool(poll.poll(patience * 1000))


def _end(body: Body, count: Any, owner: int) -> None:
    """End a body's process tree and wait until the kernel has taken it apart."""
    _kill(body, owner)
    if os.getpid() == owner:
        _has_ended(body.gone, _END_LIMIT)
        count(ended=1, live=-1)
