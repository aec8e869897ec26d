"""The warm process: imports, builds the service, and forks children on request.

Messages to the host are one kind byte, a length and JSON; a child's message carries
the child's socket and the descriptor by which it is ended and its end is noticed. A
byte from the host asks for one more child; the end of the stream ends the template.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import linecache
import os
import select
import signal
import site
import socket
import struct
import sys
import traceback
import types
from collections.abc import Collection, Sequence
from typing import Protocol

from envhub_sandbox.guest import libc
from envhub_sandbox.guest.boot import Boot
from envhub_sandbox.guest.cgroups import Slot, Slots
from envhub_sandbox.guest.commands import Launcher
from envhub_sandbox.guest.supervisor import Place, Supervisor, describe
from envhub_sandbox.wire import Channel

__all__ = ["CHILD", "FAILED", "HEADER", "READY", "Regime", "Template", "fail", "say"]

HEADER = struct.Struct("<cI")
READY, FAILED, CHILD = b"R", b"F", b"C"
_MOST_AT_ONCE = 64


class Regime(Protocol):
    """One mechanism of isolation, as seen by the guard, the template and a child.

    Attributes:
        whole_tree: Whether the kernel ends a child's whole tree with its first process.
        template_flags: Namespaces of the template.
        child_flags: Namespaces of a child.
        slots: Memory cgroups, once in the template and where there are any.
    """

    whole_tree: bool
    template_flags: int
    child_flags: int
    slots: Slots | None

    def prepare(self) -> None:
        """In the guard, before the template is cloned."""

    def enter_template(self) -> list[str]:
        """In the template, before anything is imported; what `sys.path` gains."""
        ...

    def facts(self) -> tuple[list[str], list[str]]:
        """In the template: what is isolated, and what is not."""
        ...

    def enter_child(self, number: int) -> tuple[Launcher, Place]:
        """In a child, before it serves."""
        ...

    def sweep(self, pid: int, living: Collection[int]) -> None:
        """In the template, after a child has ended; others are living."""

    def clean(self) -> None:
        """In the guard, after the template has ended."""


def say(
    control: socket.socket, kind: bytes, value: object, fds: Sequence[int] = ()
) -> None:
    """Send one message to the host."""
    data = json.dumps(value).encode()
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
    control.sendmsg([HEADER.pack(kind, len(data)) + data], rights if fds else [])


def fail(control: socket.socket, error: BaseException, *, environment: bool) -> None:
    """Tell the host why there will be no template, and whose fault it is."""
    story = "".join(traceback.format_exception(error))
    text = f"{type(error).__name__}: {error}"
    value = {"environment": environment, "message": text, "traceback": story}
    with contextlib.suppress(OSError):
        say(control, FAILED, value)


class Template:
    """Forks children while the host asks for them."""

    def __init__(self, control: socket.socket, boot: Boot, regime: Regime) -> None:
        self._control = control
        self._boot = boot
        self._regime = regime
        self._service: object = None
        self._count = 0
        self._private: tuple[int, ...] = ()
        # Of each child: the end of a pipe whose closing says that all of it is gone.
        self._living: dict[int, int] = {}

    def load(self, path: Sequence[str]) -> None:
        """Import what is to be warm and build the service."""
        sys.path += [*path, *self._boot.path]
        importlib.invalidate_caches()
        site.setquit()
        site.setcopyright()
        site.sethelper()
        for name in self._boot.preload:
            importlib.import_module(name)
        if self._boot.service is not None:
            name, _, factory = self._boot.service.partition(":")
            make = getattr(self._module(name), factory)
            self._service = make(**self._boot.config)

    def _module(self, name: str) -> object:
        """The module of the service: run from its text, or imported."""
        if self._boot.source is None:
            return importlib.import_module(name)
        module = sys.modules[name] = types.ModuleType(name)
        text, place = self._boot.source, f"<{name}>"
        linecache.cache[place] = len(text), None, text.splitlines(True), place
        exec(compile(text, place, "exec"), vars(module))
        return module

    def serve(self) -> None:
        """Fork on request, collect the dead; returns when the host is gone."""
        bell, ringer = os.pipe()
        os.set_blocking(bell, False)
        os.set_blocking(ringer, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ringer, warn_on_full_buffer=False)
        self._private = (bell, ringer)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(bell, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == bell:
                    os.read(bell, 4096)
                    self._reap()
                elif not self._obey():
                    return

    def _obey(self) -> bool:
        """Do what the host asks; False when it is gone."""
        asked = self._control.recv(_MOST_AT_ONCE)
        for _ in asked:
            self._fork()
        return bool(asked)

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                if pid in self._living:
                    self._bury(pid)

    def _bury(self, pid: int) -> None:
        sign = self._living.pop(pid)
        self._regime.sweep(pid, self._living)
        if self._regime.slots is not None:
            self._regime.slots.release(pid)
        if sign >= 0:
            os.close(sign)

    def _fork(self) -> None:
        self._count += 1
        slots = self._regime.slots
        slot = None if slots is None else slots.take()
        ours, theirs = socket.socketpair()
        pid, pidfd = libc.clone(self._regime.child_flags)
        if pid == 0:
            ours.close()
            self._become_child(theirs.detach(), slot)
        if slots is not None and slot is not None:
            slots.assign(pid, slot)
        handed = [ours.fileno(), pidfd]
        sign = -1
        if not self._regime.whole_tree:
            gone, sign = os.pipe()
            handed.append(gone)
        self._living[pid] = sign
        say(self._control, CHILD, pid, handed)
        ours.close()
        theirs.close()
        for fd in handed[1:]:
            os.close(fd)

    def _become_child(self, fd: int, slot: Slot | None) -> None:
        """In the child: never returns."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            self._control.close()
            for private in (*self._private, *self._living.values()):
                if private >= 0:
                    os.close(private)
            os.dup2(0, 2)
            self._supervise(Channel(fd), slot)
        finally:
            os._exit(0)

    def _supervise(self, channel: Channel, slot: Slot | None) -> None:
        try:
            launcher, place = self._regime.enter_child(self._count)
            supervisor = Supervisor(
                channel,
                self._boot.limits,
                launcher,
                place,
                service=self._service,
                slot=slot,
            )
        except BaseException as error:  # noqa: BLE001 - the host must hear of any
            channel.send({"error": describe(error)})
            return
        gc.enable()  # what the template built is frozen; what a service makes is not
        channel.send({"value": "ready"})
        supervisor.serve()
