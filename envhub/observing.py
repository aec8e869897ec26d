"""What came of a call into a sandbox, as an agent reads it.

The streams come first, as they are; then one bracketed sentence for each thing that an
agent could not know otherwise: a status, a limit with its number, a lost session. What
was left out of a stream is marked within it already, where it is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from envhub.sandbox import Completed, Limits

__all__ = ["SILENT", "describe_completed"]

SILENT = "(no output)"
"""Stands for the streams when both are empty, so that silence is not an empty turn."""


def describe_completed(
    done: Completed, *, limits: Limits, timeout: float | None = None
) -> str:
    """The observation of one call.

    Args:
        done: What came of the call.
        limits: Limits of the sandbox, named when one was reached.
        timeout: Seconds the call was given; the wall limit by default.
    """
    streams = [text.rstrip("\n") for text in (done.stdout, done.stderr)]
    shown = "\n".join(filter(None, streams)) or SILENT
    seconds = limits.wall if timeout is None else timeout
    return "\n".join([shown, *(f"[{note}]" for note in _notes(done, limits, seconds))])


def _notes(done: Completed, limits: Limits, seconds: float) -> Iterator[str]:
    if done.timed_out or done.limit == "wall":
        yield f"time limit: ended after {seconds:g} seconds"
    if done.limit is not None and done.limit != "wall":
        yield _LIMITS[done.limit].format(
            cpu=f"{limits.cpu:g}",
            memory=_mebibytes(limits.memory),
            processes=limits.processes,
            open_files=limits.open_files,
            disk=_mebibytes(limits.disk),
        )
    if done.exit_code:
        yield f"exit code {done.exit_code}"
    if done.restarted:
        yield done.restarted


_LIMITS = {
    "cpu": "CPU limit: a process was ended after {cpu} seconds of computing",
    "memory": "memory limit: no more than {memory} can be used",
    "processes": "process limit: no more than {processes} can run at once",
    "open_files": "file limit: no more than {open_files} can be open at once",
    "disk": "disk limit: no more than {disk} can be written",
}


def _mebibytes(count: int) -> str:
    return f"{count / 2**20:g} MiB"
