"""What an environment is called and how it is made, known without importing it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

from envhub.errors import EnvironmentFault, UsageError
from envhub.ids import EnvId

__all__ = ["EnvSpec", "Placement"]

Placement = Literal["in_process", "own_process"]
"""Where a pool runs an environment's own code: beside the pool, for environments that
run what the agent writes in a sandbox of theirs; or in a process of its own, forked
from a warm template, for all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvSpec:
    """A named way to make an environment. Specs are values: frozen and comparable.

    Attributes:
        id: ``"name"`` or ``"owner/name"``.
        entry_point: ``"module:attribute"`` of the environment class, or the class or
            a callable itself.
        version: Version of the environment: the same version gives the same bytes.
        summary: One line for people.
        kwargs: Arguments of the entry point, which `make` may override.
        placement: Where a pool runs it.
        levels: Number of difficulty levels.
        extras: Optional extras of the distribution that it needs.
    """

    id: str
    entry_point: str | Callable[..., Any]
    version: str = "1.0.0"
    summary: str = ""
    kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    placement: Placement = "own_process"
    levels: int = 1
    extras: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        parsed = EnvId.parse(self.id)
        if parsed.version:
            raise UsageError(
                f"a spec's id has no '@': give version={parsed.version!r} beside "
                f"id={str(parsed.bare)!r}"
            )
        if parsed.major is not None and self.version == "1.0.0":
            object.__setattr__(self, "version", f"{parsed.major}.0.0")
        object.__setattr__(self, "id", str(parsed.bare))
        object.__setattr__(self, "kwargs", MappingProxyType(dict(self.kwargs)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view cannot be pickled or copied; what it shows can.
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return partial(type(self), **values | {"kwargs": dict(self.kwargs)}), ()

    @property
    def env_id(self) -> EnvId:
        """The id, parsed."""
        return EnvId.parse(self.id)

    @property
    def gymnasium_id(self) -> str:
        """The id under which `gymnasium.make` knows it: ``envhub/webshop-v1``."""
        identity = self.env_id
        return f"{identity.owner or 'envhub'}/{identity.name}-v{self.major}"

    @property
    def major(self) -> int:
        """The first number of the version."""
        head = self.version.rpartition("!")[2].split(".")[0]
        return int(head) if head.isdigit() else 0

    @property
    def importable(self) -> str:
        """``"module:attribute"`` by which another process can find the entry point.

        Empty when there is none: a class of ``__main__``, of a function or of a class,
        or of a file that was named by its path.
        """
        if isinstance(self.entry_point, str):
            return self.entry_point
        module = getattr(self.entry_point, "__module__", "")
        name = getattr(self.entry_point, "__qualname__", "")
        found = getattr(sys.modules.get(module), name, None)
        lone = module == "__main__" or module.startswith("envhub_file_")
        if lone or found is not self.entry_point:
            return ""
        return f"{module}:{name}"

    def load(self) -> Callable[..., Any]:
        """The environment class or callable.

        Raises:
            EnvironmentFault: The module fails to import, or lacks the attribute.
        """
        if not isinstance(self.entry_point, str):
            return self.entry_point
        module_name, _, attribute = self.entry_point.partition(":")
        try:
            found: Any = importlib.import_module(module_name)
            for part in attribute.split("."):
                found = getattr(found, part)
        except Exception as error:
            message = f"{self.id}: cannot load {self.entry_point}: {error!r}"
            raise EnvironmentFault(message) from error
        return found  # type: ignore[no-any-return]  # callers call it
