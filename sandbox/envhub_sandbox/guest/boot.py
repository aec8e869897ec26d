"""What the host tells a template at its start, as values.

Plain classes instead of dataclasses: these modules are paid for at every fork.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Boot", "Limits", "View"]


class Limits:
    """`envhub.sandbox.Limits`, as it came over the wire."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.wall = float(values["wall"])
        self.cpu = float(values["cpu"])
        self.memory = int(values["memory"])
        self.processes = int(values["processes"])
        self.open_files = int(values["open_files"])
        self.disk = int(values["disk"])
        self.output = int(values["output"])


class View:
    """The file view of a namespace template, in host paths that hold no symlink.

    Attributes:
        links: (place, target) of symbolic links, such as ``/bin``.
        binds: (source on the host, place in the view), read-only, in mounting order.
        hidden: Folders inside binds that must look empty.
        again: Places of binds that a child's private mounts cover, and that it must
            therefore mount again from their alias.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.links = [(str(at), str(to)) for at, to in values["links"]]
        self.binds = [(str(source), str(at)) for source, at in values["binds"]]
        self.hidden = [str(path) for path in values["hidden"]]
        self.again = [(str(alias), str(at)) for alias, at in values["again"]]


class Boot:
    """Everything a template needs to know.

    Attributes:
        provider: ``"namespace"`` or ``"process"``.
        python: The interpreter, as a path inside the sandbox.
        path: Folders that follow the standard library on `sys.path`.
        preload: Modules to import.
        service: ``"module:factory"``, or None.
        source: Text of the service's module where it is not to be imported, or None.
        config: Keyword arguments of the factory.
        view: The file view, for a namespace template.
        private: Where a process template makes the folder of its private places.
        packages: (source, place below a folder of `sys.path`), for a process template.
        readable: What a process template's children may read.
        environment: Variables of everything the agent runs.
        unconfined: Whether a process template may go without landlock and seccomp.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.provider = str(values["provider"])
        self.python = str(values["python"])
        self.path = [str(entry) for entry in values["path"]]
        self.preload = [str(name) for name in values["preload"]]
        self.service = None if values["service"] is None else str(values["service"])
        self.source: str | None = values.get("source")
        self.config: dict[str, Any] = values["config"]
        self.limits = Limits(values["limits"])
        self.view = View(values["view"]) if values["view"] else None
        self.private = str(values["private"])
        self.packages = [(str(source), str(at)) for source, at in values["packages"]]
        self.readable = [str(path) for path in values["readable"]]
        self.environment: dict[str, str] = values["environment"]
        self.unconfined = bool(values["unconfined"])
