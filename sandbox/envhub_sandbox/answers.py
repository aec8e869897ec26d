"""What an answer of a sandbox, or an error inside it, becomes outside of it.

An answer comes from a process that hosts others' code, so its form is checked.
"""

from __future__ import annotations

import builtins
from typing import Any, NoReturn, cast

from envhub import errors
from envhub.sandbox import Completed

__all__ = ["completed", "is_answer", "raise_for_call", "raise_for_request"]

_FILE_ERRORS = (
    "FileNotFoundError",
    "PermissionError",
    "IsADirectoryError",
    "FileExistsError",
    "OSError",
    "ValueError",
)


_ERROR_FIELDS = {
    "kinds": list,
    "wire": str | None,
    "errno": int | None,
    "message": str,
    "traceback": str,
}


def is_answer(answer: Any) -> bool:
    """Whether this has the form of an answer."""
    if not isinstance(answer, dict):
        return False
    fields = cast("dict[str, Any]", answer)
    if "error" not in fields:
        return "value" in fields
    error = fields["error"]
    return isinstance(error, dict) and all(
        name in error and isinstance(error[name], kind)
        for name, kind in _ERROR_FIELDS.items()
    )


def completed(values: Any) -> Completed:
    """What came of a command.

    Raises:
        SandboxLost: It does not have that form.
    """
    try:
        return Completed(**values)
    except TypeError as error:
        message = f"the sandbox sent something that is no outcome: {error}"
        raise errors.SandboxLost(message) from None


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
