"""The `namespace` provider: Linux namespaces, without a daemon and without root."""

from __future__ import annotations

from typing import Any

from envhub.sandbox import TemplateSpec
from envhub_sandbox import plan
from envhub_sandbox.provider import WarmProvider

__all__ = ["NamespaceProvider"]


class NamespaceProvider(WarmProvider):
    """Namespaces, a read-only view, seccomp, limits; `isolation` says it in words."""

    name = "namespace"
    elsewhere = "no namespaces"
    advice = (
        "It needs Linux 5.12 or newer with user namespaces allowed to this user; a "
        "container's seccomp profile or AppArmor may forbid them"
    )

    def confinement(self, spec: TemplateSpec) -> dict[str, Any]:
        """See `WarmProvider`."""
        view, path = plan.view(spec)
        agent_path = [] if spec.trusted else path
        return {
            "path": path,
            "view": view,
            "private": "",
            "packages": [],
            "readable": [],
            "environment": plan.agent_environment("/work", "/tmp", agent_path),
            "unconfined": False,
        }
