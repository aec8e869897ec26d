"""The first process of a sandbox: answers the host, one request at a time.

It is a copy of the warm template and hosts its service. It holds the one connection to
the host, cannot be looked into by the agent's processes, and ends when the host is
gone; with it ends everything in the sandbox.
"""

from __future__ import annotations

import os
import traceback
from typing import Any

from envhub_sandbox.guest import files
from envhub_sandbox.guest.attend import Attendant
from envhub_sandbox.guest.boot import Limits
from envhub_sandbox.guest.cgroups import Slot
from envhub_sandbox.guest.commands import Launcher, run
from envhub_sandbox.guest.interpreter import Interpreter
from envhub_sandbox.guest.limits import Watch
from envhub_sandbox.guest.shell import Shell
from envhub_sandbox.wire import Channel, WireError

__all__ = ["Place", "Supervisor"]


class Place:
    """Where a child's writable folders are.

    Attributes:
        home: What ``/work`` names.
        temporary: What ``/tmp`` names.
        disk: A folder whose file system is the child's own, or None.
    """

    def __init__(self, home: str, temporary: str, disk: str | None) -> None:
        self.home = home
        self.temporary = temporary
        self.disk = disk

    def resolve(self, path: str) -> str:
        """The real path: relative to the home, `/work` and `/tmp` being its names."""
        path = os.path.join("/work", path)
        for name, real in (("/work", self.home), ("/tmp", self.temporary)):
            if path == name or path.startswith(f"{name}/"):
                return real + path[len(name) :]
        return path


class Supervisor:
    """Serves one sandbox until the host goes away."""

    def __init__(
        self,
        channel: Channel,
        limits: Limits,
        launcher: Launcher,
        place: Place,
        *,
        service: object = None,
        slot: Slot | None = None,
    ) -> None:
        self._channel = channel
        self._place = place
        self._launcher = launcher
        self._service = service
        # Without a user namespace, processes of a user are counted all together.
        watch = Watch(limits, slot, place.disk, counts=place.disk is None)
        self._attendant = Attendant(channel.fileno(), watch)
        self._interpreter = Interpreter(launcher, self._attendant)
        self._shell = Shell(launcher, self._attendant)

    def serve(self) -> None:
        """Answer requests; returns when the host is gone."""
        while True:
            try:
                self._send(self._answer(self._channel.receive()))
            except (EOFError, OSError):
                return

    def _send(self, answer: dict[str, Any]) -> None:
        try:
            self._channel.send(answer)
        except WireError as error:
            self._channel.send({"error": describe(error)})

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request, be it an error."""
        try:
            value = getattr(self, f"_do_{request['do']}")(request)
            return {"value": value}
        except BaseException as error:  # noqa: BLE001 - a service may raise anything
            return {"error": describe(error)}

    def _keep(self) -> set[int]:
        roots = (self._interpreter.pid, self._shell.pid)
        return {pid for pid in roots if pid is not None}

    def _do_call(self, request: dict[str, Any]) -> Any:
        method = getattr(self._service, request["method"], None)
        if not callable(method):
            return _no_such_method(self._service, request["method"])
        return method(*request["args"], **request["kwargs"])

    def _do_exec(self, request: dict[str, Any]) -> dict[str, Any]:
        return run(request, self._launcher, self._attendant, self._keep()).values

    def _do_python(self, request: dict[str, Any]) -> dict[str, Any]:
        keep = self._keep()
        return self._interpreter.run(request["code"], request["timeout"], keep).values

    def _do_shell(self, request: dict[str, Any]) -> dict[str, Any]:
        keep = self._keep()
        return self._shell.run(request["command"], request["timeout"], keep).values

    def _do_read(self, request: dict[str, Any]) -> bytes:
        return files.read(self._place.resolve(request["path"]), request["limit"])

    def _do_write(self, request: dict[str, Any]) -> None:
        path = self._place.resolve(request["path"])
        files.write(path, request["data"], request["mode"])


class UsageError(ValueError):
    """The host raises its own class of this name."""


def _no_such_method(service: object, name: str) -> Any:
    kind = type(service)
    known = sorted(
        entry
        for entry in dir(kind)
        if not entry.startswith("_") and callable(getattr(kind, entry, None))
    )
    message = f"{kind.__name__} has no method {name!r}; it has {', '.join(known)}"
    raise UsageError(message)


def describe(error: BaseException) -> dict[str, Any]:
    """An exception, for the host to raise as its own."""
    try:
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
            frames = frames.tb_next
        lines = traceback.format_exception(type(error), error, frames)
        message, story = str(error), "".join(lines)
    except Exception as failure:  # noqa: BLE001 - a broken __str__ must not hide it
        message = story = f"{type(error).__name__}, whose text raised {failure!r}"
    wire = getattr(error, "envhub_wire", None)
    return {
        "kinds": [kind.__name__ for kind in type(error).__mro__],
        "wire": wire if isinstance(wire, str) else None,
        "errno": error.errno if isinstance(error, OSError) else None,
        "message": message,
        "traceback": story,
    }
