"""The provider to use when nobody has asked for one."""

from __future__ import annotations

from envhub.errors import SandboxUnavailable
from envhub.sandbox import SandboxProvider
from envhub_sandbox.namespace import NamespaceProvider
from envhub_sandbox.process import ProcessProvider

__all__ = ["default_provider"]


def default_provider() -> SandboxProvider:
    """`namespace` where it works, else `process`.

    Raises:
        SandboxUnavailable: Neither works here.
    """
    providers = (NamespaceProvider(), ProcessProvider())
    for provider in providers:
        if provider.isolation().available:
            return provider
    reasons = "; ".join(
        f"{provider.name}: {provider.isolation().reason}" for provider in providers
    )
    message = f"no sandbox works on this machine. {reasons}"
    raise SandboxUnavailable(message)
