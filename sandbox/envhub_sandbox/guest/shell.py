"""The agent's persistent bash session.

The end of a command is never looked for in its output: the session reports status and
state on a descriptor of its own, so output is exactly what the command wrote. A small
loop in bash waits for a go, sources the command from a nameless file, and reports:

    supervisor ── go: last status ──▶ loop ── . /dev/fd/N ──▶ the command
        ▲                              │
        └── status, flags, exported variables, NUL ◀──┘

When the session itself ends (``exit``, ``exec``, ``set -e``, a signal), its status is
the command's. The next command gets a new session in the same folder with the same
exported variables, as they were after the last command that left the session alive;
the agent is told. A command that reaches a limit takes the session's whole tree along.

A background job lives on as long as it stays a child of the session (``cmd &``); what
it prints later is shown with the next command.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection

from envhub_sandbox.guest import tree
from envhub_sandbox.guest.attend import Attendant
from envhub_sandbox.guest.commands import BASH, Launcher, Outcome
from envhub_sandbox.guest.output import Pipe
from envhub_sandbox.wire import Handle

__all__ = ["Shell"]

_FDS_FROM = 240
_LONGEST_REPORT = 2**20
_LOST = (
    "A new shell session was started in the same folder with the exported variables: "
    "other variables, functions, options and background jobs are lost."
)

# `source` is called with tracing off, and the command's own first words turn it on
# again, so that a trace shows the command's lines only.
_LOOP = r"""
__envhub_again() { return "$1"; }
shopt -s expand_aliases
while IFS=' ' builtin read -r -u {go} __envhub_status; do
  case $- in *e*) ;; *) __envhub_again "$__envhub_status" ;; esac
  builtin source /dev/fd/{script}
  {
    __envhub_status=$?
    case $- in *x*) __envhub_status="$__envhub_status x"; builtin set +x ;; esac
    builtin printf '%s\n' "$__envhub_status"
    builtin declare -px
    builtin printf '\0'
  } >&{report} 2>/dev/null
done
"""


class _Session:
    """One bash process."""

    def __init__(self, launcher: Launcher) -> None:
        limit = launcher.limits.output
        self.out, self.err = Pipe(limit), Pipe(limit)
        go_read, go = os.pipe()
        report, report_write = os.pipe()
        self.go, self.report = Handle(go), Handle(report)
        theirs = Handle(go_read), Handle(report_write)
        self.script = Handle(os.memfd_create("script"))
        os.set_blocking(report, False)
        first = min(_FDS_FROM, launcher.limits.open_files - 4)
        numbers = {"go": first, "report": first + 1, "script": first + 2}
        loop = _LOOP
        for name, number in numbers.items():
            loop = loop.replace(f"{{{name}}}", str(number))
        with Handle(os.open("/dev/null", os.O_RDONLY)) as null:
            descriptors = {
                0: null.fileno(),
                1: self.out.writer.fileno(),
                2: self.err.writer.fileno(),
                numbers["go"]: go_read,
                numbers["report"]: report_write,
                numbers["script"]: self.script.fileno(),
            }
            self.pid = launcher.start(
                [BASH, "--noprofile", "--norc", "-c", loop, "bash"], descriptors
            )
        for handle in (*theirs, self.out.writer, self.err.writer):
            handle.close()
        self.ended = Handle(os.pidfd_open(self.pid))
        self.tracing = False
        self._report = b""

    def begin(self, command: bytes, status: int) -> None:
        """Have the session run this."""
        fd = self.script.fileno()
        os.ftruncate(fd, 0)
        os.pwrite(fd, (b"set -x; " if self.tracing else b"") + command + b"\n", 0)
        self._report = b""
        with contextlib.suppress(BrokenPipeError):  # it has ended: its exit will tell
            os.write(self.go.fileno(), b"%d\n" % status)

    def read_report(self) -> tuple[int, bytes] | None:
        """Status and state once they are complete."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.report.fileno(), 2**16):
                self._report += chunk
                if len(self._report) > _LONGEST_REPORT:
                    break
        if not self._report.endswith(b"\0"):
            return None
        line, _, state = self._report[:-1].partition(b"\n")
        status, _, flags = line.partition(b" ")
        self.tracing = flags == b"x"
        return (int(status), state) if status.isdigit() else None

    @property
    def garbled(self) -> bool:
        """Whether what was reported cannot become a report any more."""
        whole = self._report.endswith(b"\0")
        return whole or len(self._report) > _LONGEST_REPORT


class Shell:
    """At most one session at a time, and the state that outlives it."""

    def __init__(self, launcher: Launcher, attendant: Attendant) -> None:
        self._launcher = launcher
        self._attendant = attendant
        self._session: _Session | None = None
        self._state = b""
        self._status = 0

    @property
    def pid(self) -> int | None:
        """The process whose tree stays after a call, if there is one."""
        return None if self._session is None else self._session.pid

    def run(self, command: str, timeout: float, keep: Collection[int]) -> Outcome:
        """Run a command; `keep` names the other processes that stay."""
        began = time.monotonic()
        self._attendant.watch.begin()
        try:
            session = self._session = self._session or self._revive()
        except OSError as error:
            return Outcome.refused(error, began)
        captures = [session.out.capture, session.err.capture]
        for capture in captures:
            capture.start()
        data = command.encode("utf-8", "surrogatepass").replace(b"\0", b"")
        session.begin(data, self._status)
        limit, report = self._await(session, began + timeout)
        restarted = ""
        if report is None:
            self._session, self._status = None, 0
            code = tree.end(session.pid)
            limit = limit or self._attendant.watch.reached(code)
            restarted = f"{_reason(limit, code, timeout)} {_LOST}"
            tree.end_strays(keep)
        else:
            self._status, self._state = report
            code = self._status
            limit = self._attendant.watch.reached(code)
            tree.end_strays({*keep, session.pid})
        for capture in captures:
            capture.drain()
        return Outcome(code, captures, limit, began, restarted)

    def _await(
        self, session: _Session, deadline: float
    ) -> tuple[str | None, tuple[int, bytes] | None]:
        captures = [session.out.capture, session.err.capture]
        ends = [session.report.fileno(), session.ended.fileno()]
        while True:
            limit = self._attendant.wait(captures, ends, deadline)
            report = None if limit else session.read_report()
            if limit or report or session.garbled or _has_ended(session.pid):
                return limit, report

    def _revive(self) -> _Session:
        """A session in the state that the last one left."""
        session = _Session(self._launcher)
        if self._state:
            session.begin(self._state + b'\nbuiltin cd -- "$PWD"', 0)
            limit, report = self._await(session, time.monotonic() + 5.0)
            if limit or report is None:
                tree.end(session.pid)
                self._state = b""
                return _Session(self._launcher)
            session.out.capture.drain()
            session.err.capture.drain()
        return session


def _has_ended(pid: int) -> bool:
    """Whether it is a zombie; its status stays to be collected."""
    how = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, pid, how) is not None


def _reason(limit: str | None, code: int, timeout: float) -> str:
    if limit == "wall":
        return f"The command was ended at its time limit of {timeout:g} s."
    if limit is not None:
        return f"The command was ended at its {limit} limit."
    return f"The shell session ended (exit status {code})."
