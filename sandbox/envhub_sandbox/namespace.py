"""The `namespace` provider: Linux namespaces, without a daemon and without root."""

from __future__ import annotations

import dataclasses
import functools
import sys
from typing import Any

from envhub.errors import EnvhubError, SandboxUnavailable
from envhub.sandbox import Isolation, SandboxProvider, TemplateSpec
from envhub_sandbox import plan
from envhub_sandbox.launch import Launched, launch
from envhub_sandbox.template import WarmTemplate

__all__ = ["NamespaceProvider"]


class NamespaceProvider(SandboxProvider):
    """Namespaces, a read-only view, seccomp, limits; `isolation` says it in words."""

    name = "namespace"

    def __init__(self) -> None:
        self._known: Isolation | None = None

    def isolation(self) -> Isolation:
        """See `SandboxProvider`."""
        if self._known is None:
            self._known = self._probe()
        return self._known

    def _probe(self) -> Isolation:
        """Make a sandbox: nothing less tells whether one can be made."""
        if sys.platform != "linux":
            reason = f"{sys.platform} has no namespaces"
            return Isolation(provider=self.name, available=False, reason=reason)
        try:
            with _start(TemplateSpec(spares=1)) as template, template.take():
                return template.isolation
        except EnvhubError as error:
            reason = (
                f"{error}. It needs Linux 5.12 or newer with user namespaces allowed "
                f"to this user; a container's seccomp profile or AppArmor may forbid "
                f"them"
            )
            return Isolation(provider=self.name, available=False, reason=reason)

    def template(self, spec: TemplateSpec) -> WarmTemplate:
        """See `SandboxProvider`."""
        found = self.isolation()
        if not found.available:
            message = f"the namespace sandbox is not available here: {found.reason}"
            raise SandboxUnavailable(message)
        return _start(spec)


def _start(spec: TemplateSpec) -> WarmTemplate:
    boot = _boot(spec)
    isolation = Isolation(provider=NamespaceProvider.name, available=True)
    return WarmTemplate(spec, isolation, functools.partial(_launch, boot))


def _launch(boot: dict[str, Any]) -> Launched:
    return launch(boot["python"], boot)


def _boot(spec: TemplateSpec) -> dict[str, Any]:
    view, path = plan.view(spec)
    agent_path = [] if spec.trusted else path
    return {
        "provider": NamespaceProvider.name,
        "python": plan.python(),
        "path": path,
        "preload": list(spec.preload),
        "service": spec.service,
        "source": plan.service_source(spec),
        "config": dict(spec.config),
        "limits": dataclasses.asdict(spec.limits),
        "view": view,
        "private": "",
        "packages": [],
        "readable": [],
        "environment": plan.agent_environment("/work", "/tmp", agent_path),
        "unconfined": False,
    }
