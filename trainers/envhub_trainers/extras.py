"""Heavy packages are imported where they are used; a missing one says what to type."""

from __future__ import annotations

import importlib
from typing import Any

from envhub.errors import MissingExtra

__all__ = ["need"]

_COMMANDS = {
    "train": 'pip install "envhub-gym[train]"',
    "vllm": 'pip install "envhub-gym[vllm]"',
}


def need(module: str, *, extra: str = "train") -> Any:
    """Import a module of an optional extra.

    Raises:
        MissingExtra: It is not installed; the message carries the command. A failure
            *inside* an installed package is raised as it is.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        root = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != root:
            raise
        message = (
            f"{root} is needed here and is not installed. Type:  {_COMMANDS[extra]}"
        )
        raise MissingExtra(message) from error
