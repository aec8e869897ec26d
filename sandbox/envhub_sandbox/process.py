"""The `process` provider: confinement for places where namespaces are forbidden."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from envhub.sandbox import TemplateSpec
from envhub_sandbox import plan
from envhub_sandbox.provider import WarmProvider

__all__ = ["ALLOW_UNISOLATED", "ProcessProvider"]

ALLOW_UNISOLATED = "ENVHUB_ALLOW_UNISOLATED"


class ProcessProvider(WarmProvider):
    """Landlock, seccomp, rlimits and a private folder; says what that leaves open."""

    name = "process"
    elsewhere = "neither landlock nor seccomp; use Docker"
    advice = (
        f"It needs Linux 5.13 or newer with landlock, or seccomp; {ALLOW_UNISOLATED}=1 "
        "runs an agent's code without either, with all that the user may do"
    )

    def confinement(self, spec: TemplateSpec) -> dict[str, Any]:
        """See `WarmProvider`."""
        packages, path, readable = plan.confinement(spec)
        return {
            "path": path,
            "view": None,
            "private": os.path.realpath(tempfile.gettempdir()),
            "packages": packages,
            "readable": readable,
            "environment": plan.agent_environment("/work", "/tmp", []),
            "unconfined": os.environ.get(ALLOW_UNISOLATED) == "1",
        }
