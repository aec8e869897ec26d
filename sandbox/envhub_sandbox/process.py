"""The `process` provider: confinement for places where namespaces are forbidden."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
import tempfile
from typing import Any

from envhub.errors import EnvhubError, SandboxUnavailable
from envhub.sandbox import Isolation, SandboxProvider, TemplateSpec
from envhub_sandbox import plan
from envhub_sandbox.launch import Launched, launch
from envhub_sandbox.template import WarmTemplate

__all__ = ["ALLOW_UNISOLATED", "ProcessProvider"]

ALLOW_UNISOLATED = "ENVHUB_ALLOW_UNISOLATED"


class ProcessProvider(SandboxProvider):
    """Landlock, seccomp, rlimits and a private folder; says what that leaves open."""

    name = "process"

    def __init__(self) -> None:
        self._known: Isolation | None = None

    def isolation(self) -> Isolation:
        """See `SandboxProvider`."""
        if self._known is None:
            self._known = self._probe()
        return self._known

    def _probe(self) -> Isolation:
        if sys.platform != "linux":
            reason = f"{sys.platform} has neither landlock nor seccomp; use Docker"
            return Isolation(provider=self.name, available=False, reason=reason)
        try:
            with _start(TemplateSpec(spares=1)) as template, template.take():
                return template.isolation
        except EnvhubError as error:
            reason = (
                f"{error}. It needs Linux 5.13 or newer with landlock, or seccomp; "
                f"{ALLOW_UNISOLATED}=1 runs an agent's code without either, with all "
                f"that the user may do"
            )
            return Isolation(provider=self.name, available=False, reason=reason)

    def template(self, spec: TemplateSpec) -> WarmTemplate:
        """See `SandboxProvider`."""
        found = self.isolation()
        if not found.available:
            message = f"the process sandbox is not available here: {found.reason}"
            raise SandboxUnavailable(message)
        return _start(spec)


def _start(spec: TemplateSpec) -> WarmTemplate:
    boot = _boot(spec)
    isolation = Isolation(provider=ProcessProvider.name, available=True)
    return WarmTemplate(spec, isolation, functools.partial(_launch, boot))


def _launch(boot: dict[str, Any]) -> Launched:
    return launch(boot["python"], boot)


def _boot(spec: TemplateSpec) -> dict[str, Any]:
    packages, path, readable = plan.confinement(spec)
    return {
        "provider": ProcessProvider.name,
        "python": plan.python(),
        "path": path,
        "preload": list(spec.preload),
        "service": spec.service,
        "source": plan.service_source(spec),
        "config": dict(spec.config),
        "limits": dataclasses.asdict(spec.limits),
        "view": None,
        "private": os.path.realpath(tempfile.gettempdir()),
        "packages": packages,
        "readable": readable,
        "environment": plan.agent_environment("/work", "/tmp", []),
        "unconfined": os.environ.get(ALLOW_UNISOLATED) == "1",
    }
