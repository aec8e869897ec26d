"""Discovery of environments, sandboxes and trainers through entry points.

Names are read at the first look-up; code is imported when it is asked for. A plug-in
that fails to import is one named error and hides nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from envhub.errors import BrokenPlugin

__all__ = ["ENVIRONMENTS", "SANDBOXES", "TRAINERS", "Plugin", "plugins"]

ENVIRONMENTS = "envhub.environments"
SANDBOXES = "envhub.sandboxes"
TRAINERS = "envhub.trainers"


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point, and the distribution that brought it.

    Attributes:
        name: Name of the entry point.
        target: ``"module:attribute"``.
        distribution: Name of the distribution, for messages.
    """

    name: str
    target: str
    distribution: str
    entry_point: EntryPoint

    def load(self) -> Any:
        """The object behind it.

        Raises:
            BrokenPlugin: Importing it failed, for whatever reason.
        """
        try:
            return self.entry_point.load()
        except Exception as error:
            raise BrokenPlugin(
                f"plug-in {self.name!r} ({self.target}, from {self.distribution}) "
                f"does not load: {type(error).__name__}: {error}"
            ) from error


def plugins(group: str) -> list[Plugin]:
    """The plug-ins of a group, sorted by name; of a clash, the first found."""
    found: dict[str, Plugin] = {}
    for point in entry_points(group=group):
        distribution = point.dist.name if point.dist else "an unknown distribution"
        plugin = Plugin(point.name, point.value, distribution, point)
        found.setdefault(point.name, plugin)
    return sorted(found.values(), key=lambda plugin: plugin.name)
