"""Choosing a sandbox provider, and sharing warm templates within a process.

Two environments with the same needs are children of the same template. Templates are
started at first use and ended when the process ends.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Iterable

from envhub.errors import BrokenPlugin, SandboxLost, SandboxUnavailable, UsageError
from envhub.plugins import SANDBOXES, Plugin, plugins
from envhub.sandbox import Isolation, Sandbox, SandboxProvider, Template, TemplateSpec

__all__ = ["EpisodeSandbox", "Sandboxes", "default_sandboxes"]

PREFERRED = ("namespace", "process")


class Sandboxes:
    """Providers by name, and the templates they have started for this process.

    Args:
        discover: Where providers come from; tests pass their own.
    """

    def __init__(
        self, discover: Callable[[], Iterable[Plugin]] = lambda: plugins(SANDBOXES)
    ) -> None:
        self._discover = discover
        self._lock = threading.RLock()
        self._providers: dict[str, SandboxProvider] | None = None
        self._templates: dict[tuple[str, str], Template] = {}
        self._owner = os.getpid()

    def provider(self, name: str | None = None) -> SandboxProvider:
        """A provider by name; by default the strongest that works on this machine.

        Raises:
            UsageError: There is no provider of this name.
            SandboxUnavailable: It, or every one, does not work here; says why.
        """
        known = self._known()
        if name is not None and name not in known:
            raise UsageError(
                f"there is no sandbox provider {name!r}; known are {', '.join(known)}"
            )
        candidates = [name] if name else [n for n in PREFERRED if n in known]
        found = [known[candidate].isolation() for candidate in candidates]
        for isolation in found:
            if isolation.available:
                return known[isolation.provider]
        reasons = (
            "; ".join(f"{x.provider}: {x.reason}" for x in found) or "none is there"
        )
        raise SandboxUnavailable(f"no sandbox works on this machine: {reasons}")

    def isolations(self) -> list[Isolation]:
        """What every provider gives on this machine."""
        return [provider.isolation() for provider in self._known().values()]

    def take(self, spec: TemplateSpec, *, provider: str | None = None) -> Sandbox:
        """A fresh sandbox of the shared template of this spec."""
        return self.template(spec, provider=provider).take()

    def template(self, spec: TemplateSpec, *, provider: str | None = None) -> Template:
        """The shared template of this spec, started if need be."""
        chosen = self.provider(provider)
        key = (chosen.name, repr(spec))
        with self._lock:
            self._leave_parents_behind()
            if key not in self._templates:
                self._templates[key] = chosen.template(spec)
            return self._templates[key]

    def templates(self) -> list[Template]:
        """The templates started so far, oldest first."""
        with self._lock:
            return list(self._templates.values())

    def close(self) -> None:
        """End every template; idempotent."""
        with self._lock:
            templates, self._templates = self._templates, {}
        if self._owner == os.getpid():
            for template in templates.values():
                template.close()

    def _known(self) -> dict[str, SandboxProvider]:
        with self._lock:
            if self._providers is None:
                self._providers = {p.name: _loaded(p) for p in self._discover()}
            return self._providers

    def _leave_parents_behind(self) -> None:
        """After a fork, templates belong to the parent; start our own."""
        if self._owner != os.getpid():
            self._owner, self._templates = os.getpid(), {}


class EpisodeSandbox:
    """The sandbox of an environment, renewed for every episode.

    Args:
        spec: What its template is made from.
        provider: Name of the provider; the strongest that works here by default.
        sandboxes: Where templates are shared.
    """

    def __init__(
        self,
        spec: TemplateSpec,
        *,
        provider: str | None = None,
        sandboxes: Sandboxes | None = None,
    ) -> None:
        self._spec = spec
        self._provider = provider
        self._sandboxes = sandboxes or default_sandboxes()
        self._sandbox: Sandbox | None = None
        self._touched = False
        self._closed = False

    def use(self) -> Sandbox:
        """The sandbox of this episode; taken when it is first asked for.

        Raises:
            SandboxLost: It was closed, by another thread it may be.
        """
        if self._closed:
            raise SandboxLost("the environment, and its sandbox with it, was closed")
        if self._sandbox is None:
            self._sandbox = self._sandboxes.take(self._spec, provider=self._provider)
        self._touched = True
        return self._sandbox

    def renew(self) -> None:
        """End everything that runs in it; the next `use` finds nothing of it.

        Nothing is done where nothing has happened. Call it when an episode begins, and
        when it ends, so that nothing of the agent runs on.
        """
        if self._sandbox is not None and not self._sandbox.alive:
            self._drop()
        if self._sandbox is not None and self._touched:
            self._sandbox.reset()
        self._touched = False

    def close(self) -> None:
        """End it for good; idempotent, from any thread."""
        self._closed = True
        self._drop()

    def _drop(self) -> None:
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()


class _Broken(SandboxProvider):
    """Stands where a provider's plug-in does not load, and hides no other."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self._reason = reason

    def isolation(self) -> Isolation:
        return Isolation(provider=self.name, available=False, reason=self._reason)

    def template(self, spec: TemplateSpec) -> Template:
        raise SandboxUnavailable(self._reason)


def _loaded(plugin: Plugin) -> SandboxProvider:
    try:
        made: SandboxProvider = plugin.load()()
    except BrokenPlugin as error:
        return _Broken(plugin.name, str(error))
    return made


def default_sandboxes() -> Sandboxes:
    """The instance that environments share; one a process."""
    return _DEFAULT


_DEFAULT = Sandboxes()
atexit.register(_DEFAULT.close)
