"""What an exit status means, and whose fault an error is."""

from __future__ import annotations

import os
import traceback
from enum import IntEnum

from envhub.errors import EnvironmentFault, InfrastructureError, PolicyError, UsageError

__all__ = ["Status", "debugging", "explain"]


class Status(IntEnum):
    """Exit statuses of every command."""

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Status:
        """A status with what it means to a caller."""
        member = int.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    OK = 0, "It ran, and the answer is yes."
    NO = 1, "It ran, and the answer is no: a check failed, or a wish was not met."
    USAGE = 2, "The command line or the input is wrong; the message says what to type."
    ENVIRONMENT = 3, "The environment's own code failed."
    INFRASTRUCTURE = 4, "The platform failed: a sandbox, a worker, a deadline."
    BUG = 70, "A bug in envhub; the traceback is for its authors."
    INTERRUPTED = 130, "Ended by Ctrl-C; what was finished is kept."
    NO_READER = 141, "Whoever read the output went away, as `head` does."


def debugging() -> bool:
    """Whether `ENVHUB_DEBUG` asks for tracebacks."""
    return os.environ.get("ENVHUB_DEBUG", "") not in ("", "0")


def explain(error: Exception) -> tuple[Status, str]:
    """The status and the message of what a command raised.

    An exception that envhub does not raise on purpose is a bug: its message is empty,
    and it is shown with its traceback.
    """
    if isinstance(error, UsageError):
        return Status.USAGE, str(error)
    if isinstance(error, EnvironmentFault | PolicyError):
        return Status.ENVIRONMENT, f"the environment failed: {_told(error)}"
    if isinstance(error, InfrastructureError):
        return Status.INFRASTRUCTURE, f"the platform failed: {_told(error)}"
    if isinstance(error, OSError) and error.filename is not None:
        return Status.USAGE, f"{error.filename}: {error.strerror}"
    return Status.BUG, ""


def _told(error: BaseException) -> str:
    """The message, and where in the author's code it arose, as far as it is known.

    What came from another process carries its traceback in the message.
    """
    message, _, elsewhere = str(error).partition("\nTraceback (most recent call last)")
    cause = error.__cause__
    frames = traceback.extract_tb(cause.__traceback__) if cause is not None else []
    known = [frame for frame in frames if not frame.filename.startswith("<")]
    if known:
        last = known[-1]
        message += f"\n  at {last.filename}:{last.lineno} in {last.name}"
    if known or elsewhere:
        message += "\n  ENVHUB_DEBUG=1 shows the whole traceback"
    return message
