"""What an error inside a sandbox becomes outside of it."""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

from envhub import errors

__all__ = ["raise_for_call", "raise_for_request"]

_FILE_ERRORS = (
    "FileNotFoundError",
    "PermissionError",
    "IsADirectoryError",
    "FileExistsError",
    "OSError",
    "ValueError",
)


def raise_for_call(method: str, error: dict[str, Any]) -> NoReturn:
    """Raise for a method of the hosted service.

    An error of envhub's own stays what it is; anything else is a fault of the
    environment's code.
    """
    known = _known(error)
    if known is not None:
        raise known
    message = f"{method} raised {error['kinds'][0]}: {error['message']}"
    raise errors.EnvironmentFault(f"{message}\n{error['traceback']}")


def raise_for_request(error: dict[str, Any]) -> NoReturn:
    """Raise for a request that the sandbox answers itself."""
    known = _known(error)
    if known is not None:
        raise known
    for kind in error["kinds"]:
        if kind in _FILE_ERRORS:
            raise _file_error(kind, error)
    message = f"the sandbox's supervisor failed: {error['message']}"
    raise errors.SandboxLost(f"{message}\n{error['traceback']}")


def _known(error: dict[str, Any]) -> errors.EnvhubError | None:
    """The error of envhub's that this is, or that it says it is."""
    for name in (error["wire"], *error["kinds"]):
        if name in errors.__all__:
            kind: type[errors.EnvhubError] = getattr(errors, name)
            return kind(error["message"])
    return None


def _file_error(kind: str, error: dict[str, Any]) -> Exception:
    raised: type[Exception] = getattr(builtins, kind)
    made = raised(error["message"])
    if isinstance(made, OSError):
        made.errno = error["errno"]
    return made
