"""Finds what the training side brings, through the entry-point group `envhub.trainers`.

    train      trains a model; behind `envhub train`
    demo       the tuned demonstration; behind `envhub demo`
    evaluate   plays episodes with a model; behind `envhub run --policy model:...`

The core imports nothing of it, so that a bare installation has every command and says
what to type where something is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from envhub.errors import BrokenPlugin, MissingExtra, UsageError
from envhub.plugins import TRAINERS, Plugin, plugins

__all__ = ["INSTALL", "trainer"]

INSTALL = 'pip install "envhub-gym[train]"'


def trainer(name: str) -> Callable[..., Any]:
    """What the training side brings under this name.

    Raises:
        UsageError: No plug-in has the name.
        MissingExtra: It needs a package that is not installed; carries the command.
        BrokenPlugin: It does not load for another reason.
    """
    known = {plugin.name: plugin for plugin in plugins(TRAINERS)}
    if name in known:
        return _loaded(known[name])
    raise UsageError(
        f"no plug-in of the group {TRAINERS} is called {name}; there are: "
        f"{', '.join(known) or 'none'}. Type:  {INSTALL}"
    )


def _loaded(plugin: Plugin) -> Callable[..., Any]:
    try:
        found: Callable[..., Any] = plugin.load()
    except BrokenPlugin as error:
        for cause in _causes(error):
            if isinstance(cause, MissingExtra):
                raise cause from None
            if isinstance(cause, ModuleNotFoundError) and not _ours(cause):
                raise MissingExtra(
                    f"{cause.name} is needed and not installed. Type:  {INSTALL}"
                ) from error
        raise
    return found


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause = error.__cause__
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _ours(error: ModuleNotFoundError) -> bool:
    return (error.name or "envhub").startswith("envhub")
