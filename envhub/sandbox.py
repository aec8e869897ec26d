"""The sandbox contract: where what the agent writes is run.

A *provider* knows one mechanism of isolation. It makes *templates*: a template pays
the costly part once (imports, a loaded service) in a process of its own and hands out
*sandboxes*, copy-on-write children of that process. Everything the agent does happens
inside a sandbox; the gold answer and the grader never enter one.

    provider ── template(spec) ──▶ Template ── take() ──▶ Sandbox ── exec / python /
       │                             │  ▲                    │       shell / call /
       └─ isolation()                │  └── reset(): end the └────── read / write
          what it gives and          │      whole tree, take another
          what it does not           └─ keeps `spares` children forked ahead of need

Providers live in other packages and come in through the entry-point group
``envhub.sandboxes``; this module holds values and abstract classes only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

__all__ = [
    "Call",
    "Completed",
    "Isolation",
    "Limits",
    "Sandbox",
    "SandboxProvider",
    "Template",
    "TemplateSpec",
    "TemplateStats",
]

LimitName = Literal["wall", "cpu", "memory", "processes", "open_files", "disk"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one sandbox may use. Every limit that is reached is named to the agent.

    Attributes:
        wall: Seconds one call may take unless the call says otherwise.
        cpu: CPU seconds one process may use.
        memory: Bytes of memory of the whole process tree.
        processes: Processes and threads alive at once.
        open_files: Descriptors open at once in one process.
        disk: Bytes in all writable places together.
        output: Bytes of each output stream kept of one call: half from the head,
            half from the tail.
    """

    wall: float = 30.0
    cpu: float = 60.0
    memory: int = 512 * 2**20
    processes: int = 64
    open_files: int = 256
    disk: int = 64 * 2**20
    output: int = 16 * 2**10


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """What came of one call into a sandbox.

    Attributes:
        exit_code: Status of the process (128 + signal when a signal ended it, as a
            shell reports it), or None when it was ended at its time limit.
        stdout: Decoded as UTF-8 with replacement; cut in the middle at
            `Limits.output`, between characters, with one mark that says how many bytes
            are missing. NUL and terminal sequences are kept as they were written.
        stderr: Likewise.
        omitted: Bytes left out of stdout and stderr together.
        timed_out: Whether the call was ended at its time limit. Partial output is
            kept.
        limit: The limit that ended or hindered the call, if one did. Disk and
            processes are named when they are used up at the end of a failed call.
        restarted: A sentence for the agent when the session behind the call had to
            be started anew, so that its state is lost; empty otherwise.
        duration: Wall seconds.
    """

    exit_code: int | None
    stdout: str = ""
    stderr: str = ""
    omitted: int = 0
    timed_out: bool = False
    limit: LimitName | None = None
    restarted: str = ""
    duration: float = 0.0

    @property
    def truncated(self) -> bool:
        """Whether any output was left out."""
        return self.omitted > 0

    @property
    def ok(self) -> bool:
        """Whether it ran to its end with status 0."""
        return self.exit_code == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """What a provider isolates on this machine, and what it does not.

    Attributes:
        provider: Name of the provider.
        available: Whether it works here.
        gives: Mechanisms in force, such as ``"pid namespace"``.
        lacks: What is not isolated, in words for a person.
        reason: Why it is not available, and what would change that.
    """

    provider: str
    available: bool
    gives: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSpec:
    """What a template pays for once, and what its children may see and use.

    Attributes:
        preload: Modules imported before the first fork.
        packages: Importable packages that the agent's Python may use; nothing else
            of the caller's site-packages is visible to it.
        service: ``"module:factory"`` of an object hosted in every sandbox. The
            factory is called once, in the template; its public methods answer
            `Sandbox.call` in each child on that child's own copy. Unless `trusted`,
            the module is run by itself from its source, its package unseen: it
            imports nothing but the standard library and `packages`.
        config: Keyword arguments of the factory; JSON values only.
        trusted: Whether the service is the environment's own code, which may read
            the caller's Python path. Such a sandbox runs nothing of an agent.
        spares: Children kept forked ahead of need.
        limits: Limits of each child.
    """

    preload: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    service: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    trusted: bool = False
    spares: int = 2
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateStats:
    """Counters of one template since it started.

    Attributes:
        forked: Children made.
        taken: Children handed out.
        warm_hits: Of those, how many had been forked ahead of need.
        ended: Children handed out that have ended.
        lost: Children that ended without being asked to, or at a deadline.
        restarts: Times the template process ended and was started anew.
        live: Children handed out and not ended.
        spare: Children waiting to be handed out.
    """

    forked: int = 0
    taken: int = 0
    warm_hits: int = 0
    ended: int = 0
    lost: int = 0
    restarts: int = 0
    live: int = 0
    spare: int = 0


class Call(ABC):
    """An answer on its way from a hosted service: wait for many with a selector."""

    @abstractmethod
    def fileno(self) -> int:
        """Descriptor that becomes readable when the answer (or its loss) is there."""

    @abstractmethod
    def result(self, timeout: float | None = None) -> Any:
        """The answer, as JSON values.

        Raises:
            DeadlineExceeded: Nothing came within `timeout` seconds of the call's
                start; the sandbox's process tree has been ended.
            SandboxLost: The process behind it ended.
            EnvironmentFault: The hosted method raised; carries its traceback.
        """


class Sandbox(ABC):
    """One isolated place with its own processes, files and network.

    A sandbox is used by one thread at a time. `close` is idempotent and may be called
    from any thread; it ends the whole process tree.
    """

    @property
    @abstractmethod
    def isolation(self) -> Isolation:
        """What this sandbox is isolated from."""

    @property
    @abstractmethod
    def alive(self) -> bool:
        """Whether the process tree behind it is there; asked without a round trip."""

    @abstractmethod
    def exec(
        self,
        command: str | Sequence[str],
        *,
        stdin: str | bytes = b"",
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Completed:
        """Run a command (a string goes to ``bash -c``) and end its whole tree after.

        `cwd` is relative to the home. Standard input is empty unless given. A program
        that cannot be started gives 127 (there is none) or 126, as in a shell.
        """

    @abstractmethod
    def python(self, code: str, *, timeout: float | None = None) -> Completed:
        """Run a cell in the sandbox's persistent Python interpreter.

        The value of a last expression is printed, as in a notebook. An uncaught
        exception gives exit code 1 and its traceback on stderr. `exit` ends the cell,
        not the interpreter. At the time limit the interpreter is ended with all it
        started: variables are lost, files are kept, and `Completed.restarted` says so.
        """

    @abstractmethod
    def shell(self, command: str, *, timeout: float | None = None) -> Completed:
        """Run a command in the sandbox's persistent bash session.

        When the session ends (``exit``, a signal, a limit) the next command gets a new
        one in the same folder with the same exported variables, and
        `Completed.restarted` says so. A background job lives as long as it stays a
        child of the session; what detaches itself ends with the command. The same
        holds for children of the Python interpreter.
        """

    @abstractmethod
    def start(
        self, method: str, /, *args: Any, timeout: float | None = None, **kwargs: Any
    ) -> Call:
        """Begin a call of a public method of the hosted service."""

    def call(
        self, method: str, /, *args: Any, timeout: float | None = None, **kwargs: Any
    ) -> Any:
        """Call a public method of the hosted service and wait for its answer."""
        return self.start(method, *args, timeout=timeout, **kwargs).result()

    @abstractmethod
    def read(self, path: str, *, limit: int = 2**20) -> bytes:
        """Bytes of a regular file of the sandbox, at most `limit`.

        Paths are relative to the home; ``/work`` and ``/tmp`` name the home and the
        temporary folder under every provider.

        Raises:
            FileNotFoundError: There is no such regular file.
            ValueError: The file is larger than `limit`.
        """

    @abstractmethod
    def write(self, path: str, data: str | bytes, *, mode: int = 0o644) -> None:
        """Write a file, making its folders; paths outside writable places fail."""

    @abstractmethod
    def reset(self) -> None:
        """End the whole process tree and become a fresh child of the template."""

    @abstractmethod
    def close(self) -> None:
        """End the whole process tree; idempotent."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class Template(ABC):
    """A warm process of which every sandbox is a copy-on-write child. Thread-safe."""

    @property
    @abstractmethod
    def spec(self) -> TemplateSpec:
        """What it was made from."""

    @abstractmethod
    def take(self) -> Sandbox:
        """A fresh sandbox: a spare forked ahead of need, or a new child.

        Raises:
            SandboxLost: The template process is gone and could not be restarted.
        """

    @abstractmethod
    def stats(self) -> TemplateStats:
        """Counters since the start."""

    @abstractmethod
    def close(self) -> None:
        """End the template and every child of it; idempotent."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class SandboxProvider(ABC):
    """One mechanism of isolation."""

    name: str

    @abstractmethod
    def isolation(self) -> Isolation:
        """Probe this machine (the answer is kept) and say what it gives here."""

    @abstractmethod
    def template(self, spec: TemplateSpec) -> Template:
        """Start a template.

        Raises:
            SandboxUnavailable: The mechanism does not work on this machine.
            EnvironmentFault: `preload` or `service` failed to import or to build.
        """
