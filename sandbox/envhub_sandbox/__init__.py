"""Sandbox providers for Linux: `namespace` and `process`.

Names are imported when they are used: the guest modules of this package are loaded
into every template, where the host's side must not come along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from envhub_sandbox.namespace import NamespaceProvider
    from envhub_sandbox.process import ProcessProvider
    from envhub_sandbox.select import default_provider

__all__ = ["NamespaceProvider", "ProcessProvider", "default_provider"]

_HOMES = {
    "NamespaceProvider": "envhub_sandbox.namespace",
    "ProcessProvider": "envhub_sandbox.process",
    "default_provider": "envhub_sandbox.select",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
