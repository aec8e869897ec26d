"""Running one command to its end, with all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from envhub_sandbox.guest import tree
from envhub_sandbox.guest.attend import Attendant
from envhub_sandbox.guest.boot import Limits
from envhub_sandbox.guest.limits import limit_cpu
from envhub_sandbox.guest.output import Capture, Pipe, anonymous_file
from envhub_sandbox.wire import Handle

__all__ = ["BASH", "Launcher", "Outcome", "run"]

BASH = "/bin/bash"
_LONGEST_ARGUMENT = 100_000  # the kernel refuses an argument of 128 KiB
_SCRIPT = 9


class Outcome:
    """`envhub.sandbox.Completed`, on its way to the host."""

    def __init__(
        self,
        code: int | None,
        captures: Sequence[Capture],
        limit: str | None,
        began: float,
        restarted: str = "",
    ) -> None:
        texts = [capture.text() for capture in captures]
        self.values: dict[str, Any] = {
            "exit_code": None if limit == "wall" else code,
            "stdout": texts[0][0] if texts else "",
            "stderr": texts[1][0] if texts else "",
            "omitted": sum(omitted for _, omitted in texts),
            "timed_out": limit == "wall",
            "limit": limit,
            "restarted": restarted,
            "duration": time.monotonic() - began,
        }

    @classmethod
    def refused(cls, error: OSError, began: float) -> Outcome:
        """Nothing was run, as no process can be started: what a shell returns."""
        outcome = cls(126, [], "processes", began)
        outcome.values["stderr"] = f"envhub: no process can be started: {error}\n"
        return outcome


class Launcher:
    """Starts a program as the agent's: its environment, limits and confinement.

    `confine`, if given, is run in the new process before the program; without it the
    program is spawned without copying the supervisor's memory map.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        home: str,
        limits: Limits,
        confine: Callable[[], None] | None = None,
    ) -> None:
        self.environment = dict(environment)
        self.home = home
        self.limits = limits
        self.confine = confine
        try:
            # Later the supervisor's own files in /proc are closed to it, too.
            self._line = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        except OSError:
            self._line = -1

    def start(
        self,
        arguments: Sequence[str],
        descriptors: Mapping[int, int],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> int:
        """Start a program whose descriptors are these alone; its process id.

        Args:
            arguments: Program, looked up on PATH, and its arguments.
            descriptors: Number in the program -> descriptor here.
            env: Beyond the environment of every command.
            cwd: Relative to the home.

        Raises:
            OSError: There is no such program or folder.
        """
        environment = {**self.environment, **(env or {})}
        os.chdir(os.path.join(self.home, cwd or ""))
        try:
            with self._first_in_line():
                pid = self._start(arguments, descriptors, environment)
        finally:
            os.chdir(self.home)
        if self.confine is None:
            limit_cpu(self.limits, pid)
        return pid

    def _start(
        self,
        arguments: Sequence[str],
        descriptors: Mapping[int, int],
        environment: Mapping[str, str],
    ) -> int:
        if self.confine is not None:
            return self._fork(arguments, descriptors, environment, self.confine)
        return os.posix_spawnp(
            arguments[0],
            [_bytes(argument) for argument in arguments],
            {_bytes(name): _bytes(value) for name, value in environment.items()},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, ours, theirs)
                for theirs, ours in descriptors.items()
            ],
            setsid=True,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT],
        )

    def _fork(
        self,
        arguments: Sequence[str],
        descriptors: Mapping[int, int],
        environment: Mapping[str, str],
        confine: Callable[[], None],
    ) -> int:
        program = _find(arguments[0], environment.get("PATH", os.defpath))
        pid = os.fork()
        if pid:
            return pid
        try:
            os.setsid()
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            for theirs, ours in descriptors.items():
                os.dup2(ours, theirs)
            limit_cpu(self.limits)  # what is confined limits nobody but itself
            confine()
            words = [_bytes(argument) for argument in arguments]
            os.execve(program, words, environment)
        finally:
            os._exit(126)

    @contextlib.contextmanager
    def _first_in_line(self) -> Iterator[None]:
        """What is spawned inside inherits the first place when memory is short."""
        with contextlib.suppress(OSError):
            os.write(self._line, b"1000")
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.write(self._line, b"0")


def _find(program: str, path: str) -> str:
    if "/" in program:
        return program
    for folder in path.split(os.pathsep):
        candidate = os.path.join(folder, program)
        if os.access(candidate, os.X_OK):
            return candidate
    message = "No such file or directory"
    raise FileNotFoundError(2, message, program)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def run(
    request: Mapping[str, Any],
    launcher: Launcher,
    attendant: Attendant,
    keep: Collection[int],
) -> Outcome:
    """Run the command of a request; nothing of it is left but the processes to keep."""
    began = time.monotonic()
    attendant.watch.begin()
    pipes = Pipe(launcher.limits.output), Pipe(launcher.limits.output)
    captures = [pipe.capture for pipe in pipes]
    try:
        pid = _start(request, launcher, pipes)
    except (OSError, ValueError) as error:
        return _refused(request, error, captures, began)
    with contextlib.closing(Handle(os.pidfd_open(pid))) as ended:
        deadline = began + request["timeout"]
        limit = attendant.wait(captures, [ended.fileno()], deadline)
    code = tree.end(pid) if limit else _status(pid)
    limit = limit or attendant.watch.reached(code)
    tree.end_strays(keep)
    for capture in captures:
        capture.drain()
    return Outcome(code, captures, limit, began)


def _start(
    request: Mapping[str, Any], launcher: Launcher, pipes: tuple[Pipe, Pipe]
) -> int:
    stdin = anonymous_file(request["stdin"])
    arguments, script = _arguments(request["command"])
    descriptors = {0: stdin, 1: pipes[0].writer, 2: pipes[1].writer}
    if script is not None:
        descriptors[_SCRIPT] = script
    numbers = {theirs: ours.fileno() for theirs, ours in descriptors.items()}
    try:
        return launcher.start(
            arguments, numbers, env=request["env"], cwd=request["cwd"]
        )
    finally:
        for handle in descriptors.values():
            handle.close()


def _arguments(command: str | list[str]) -> tuple[list[str], Handle | None]:
    """Program and arguments; a script too long for an argument comes as a file."""
    if not isinstance(command, str):
        return command, None
    if len(command) < _LONGEST_ARGUMENT // 4:
        return [BASH, "-c", command], None
    script = anonymous_file(command.encode("utf-8", "surrogatepass"))
    return [BASH, f"/dev/fd/{_SCRIPT}"], script


def _refused(
    request: Mapping[str, Any],
    error: OSError | ValueError,
    captures: list[Capture],
    began: float,
) -> Outcome:
    """The program could not be started: what a shell says and returns."""
    command = request["command"]
    name = error.filename if isinstance(error, OSError) and error.filename else command
    text = error.strerror if isinstance(error, OSError) else str(error)
    code = 127 if isinstance(error, FileNotFoundError) else 126
    outcome = Outcome(code, captures, None, began)
    outcome.values["stderr"] = f"envhub: {name}: {text}\n"
    return outcome


def _status(pid: int) -> int:
    return tree.exit_code(os.waitpid(pid, 0)[1])
