"""What the providers share: probing the machine, and starting a warm template."""

from __future__ import annotations

import dataclasses
import functools
import sys
from abc import abstractmethod
from typing import Any, ClassVar

from envhub.errors import EnvhubError, SandboxUnavailable
from envhub.sandbox import Isolation, SandboxProvider, TemplateSpec
from envhub_sandbox import plan
from envhub_sandbox.launch import launch
from envhub_sandbox.template import WarmTemplate

__all__ = ["WarmProvider"]


class WarmProvider(SandboxProvider):
    """A provider whose sandboxes are children of a warm template on Linux.

    Attributes:
        elsewhere: What another system lacks.
        advice: What would make it available on this machine.
    """

    elsewhere: ClassVar[str]
    advice: ClassVar[str]

    def __init__(self) -> None:
        self._known: Isolation | None = None

    def isolation(self) -> Isolation:
        """See `SandboxProvider`."""
        if self._known is None:
            self._known = self._probe()
        return self._known

    def template(self, spec: TemplateSpec) -> WarmTemplate:
        """See `SandboxProvider`."""
        found = self.isolation()
        if not found.available:
            message = f"the {self.name} sandbox is not available here: {found.reason}"
            raise SandboxUnavailable(message)
        return self._start(spec)

    @abstractmethod
    def confinement(self, spec: TemplateSpec) -> dict[str, Any]:
        """What the template is told of its isolation; see `guest.boot.Boot`."""

    def _probe(self) -> Isolation:
        """Make a sandbox: nothing less tells whether one can be made."""
        if sys.platform != "linux":
            reason = f"{sys.platform} has {self.elsewhere}"
            return Isolation(provider=self.name, available=False, reason=reason)
        try:
            with self._start(TemplateSpec(spares=1)) as template, template.take():
                return template.isolation
        except EnvhubError as error:
            reason = f"{error}. {self.advice}"
            return Isolation(provider=self.name, available=False, reason=reason)

    def _start(self, spec: TemplateSpec) -> WarmTemplate:
        boot = {
            "provider": self.name,
            "python": plan.python(),
            "preload": list(spec.preload),
            "service": spec.service,
            "source": plan.service_source(spec),
            "config": dict(spec.config),
            "limits": dataclasses.asdict(spec.limits),
            **self.confinement(spec),
        }
        isolation = Isolation(provider=self.name, available=True)
        start = functools.partial(launch, boot["python"], boot)
        return WarmTemplate(spec, isolation, start)
