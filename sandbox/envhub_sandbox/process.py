"""The `process` provider."""

from __future__ import annotations

from envhub.errors import SandboxUnavailable
from envhub.sandbox import Isolation, SandboxProvider, Template, TemplateSpec

__all__ = ["ProcessProvider"]


class ProcessProvider(SandboxProvider):
    """Not there yet."""

    name = "process"

    def isolation(self) -> Isolation:
        """See `SandboxProvider`."""
        return Isolation(provider=self.name, available=False, reason="not built yet")

    def template(self, spec: TemplateSpec) -> Template:
        """See `SandboxProvider`."""
        raise SandboxUnavailable(self.isolation().reason)
