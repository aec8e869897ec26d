"""The first process of a template: keeps the user's rights and watches over the end.

    host ── starts ──▶ guard ── clones ──▶ template ── clones ──▶ child, child, ...

The template gives up every right before it runs anything; what needs rights, such as
removing a cgroup, stays here. The guard ends the template when the host is gone, even
when it hangs in an import, and clears what outlives processes. When the guard itself
is killed the kernel ends the template, and with it every child.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import traceback

from envhub_sandbox.guest import libc
from envhub_sandbox.guest.boot import Boot
from envhub_sandbox.guest.confined import Confined
from envhub_sandbox.guest.namespaced import Namespaced
from envhub_sandbox.guest.zygote import READY, Regime, Template, fail, say

__all__ = ["LENGTH", "main"]

LENGTH = struct.Struct("<I")


def main(fd: int) -> None:
    """Run a template for the host at the other end of this socket."""
    control = socket.socket(fileno=fd)
    (size,) = LENGTH.unpack(_receive(control, LENGTH.size))
    boot = Boot(json.loads(_receive(control, size)))
    del sys.path[0]  # where these modules are; all that is needed is loaded
    kind = Namespaced if boot.provider == "namespace" else Confined
    regime: Regime = kind(boot)
    try:
        regime.prepare()
        pid, pidfd = libc.clone(regime.template_flags)
    except OSError as error:
        fail(control, error, environment=False)
        regime.clean()
        return
    if pid == 0:
        _run_template(control, boot, regime)
    try:
        _watch(control, pidfd)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        regime.clean()


def _receive(control: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = control.recv(size - len(data))
        if not chunk:
            raise SystemExit
        data += chunk
    return data


def _watch(control: socket.socket, template: int) -> None:
    """Wait until the host or the template is gone."""
    poll = select.poll()
    poll.register(control, 0)
    poll.register(template, select.POLLIN)
    # A process that the host forked may hold the socket open after the host's end.
    try:
        poll.register(os.pidfd_open(os.getppid()), select.POLLIN)
    except ProcessLookupError:
        return
    poll.poll()


def _run_template(control: socket.socket, boot: Boot, regime: Regime) -> None:
    """In the template: never returns."""
    try:
        path = regime.enter_template()
        libc.die_with_parent()
    except BaseException as error:  # noqa: BLE001 - the host must hear of any
        fail(control, error, environment=False)
        os._exit(1)
    template = Template(control, boot, regime)
    try:
        template.load(path)
    except BaseException as error:  # noqa: BLE001 - the author's code may raise any
        fail(control, error, environment=True)
        os._exit(1)
    gc.collect()
    gc.freeze()
    gc.disable()
    gives, lacks = regime.facts()
    say(control, READY, {"gives": gives, "lacks": lacks})
    try:
        template.serve()
    except BaseException:  # noqa: BLE001 - the host quotes it as the last words
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
