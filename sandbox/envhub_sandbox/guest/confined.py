"""The `process` regime."""

from __future__ import annotations

from envhub_sandbox.guest.boot import Boot
from envhub_sandbox.guest.cgroups import Slots
from envhub_sandbox.guest.commands import Launcher
from envhub_sandbox.guest.supervisor import Place

__all__ = ["Confined"]


class Confined:
    """See `zygote.Regime`."""

    def __init__(self, boot: Boot) -> None:
        self._boot = boot
        self.template_flags = 0
        self.child_flags = 0
        self.slots: Slots | None = None

    def prepare(self) -> None:
        """See `Regime`."""

    def enter_template(self) -> None:
        """See `Regime`."""

    def facts(self) -> tuple[list[str], list[str]]:
        """See `Regime`."""
        return [], []

    def enter_child(self, number: int) -> tuple[Launcher, Place]:
        """See `Regime`."""
        raise NotImplementedError

    def sweep(self, pid: int) -> None:
        """See `Regime`."""

    def clean(self) -> None:
        """See `Regime`."""
