"""The registry: from a name to an environment.

A registry knows specs that were registered at run time and those that plug-ins bring.
One default instance serves the module-level functions of `envhub`; tests make others.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumSpec

from envhub.env import Environment
from envhub.errors import (
    BrokenPlugin,
    EnvhubError,
    EnvironmentFault,
    InvalidId,
    RegistrationConflict,
    UnknownEnvironment,
    UsageError,
)
from envhub.ids import EnvId, is_path, is_url, nearest
from envhub.plugins import ENVIRONMENTS, Plugin, plugins
from envhub.spec import EnvSpec

__all__ = ["Listing", "Registry", "default_registry"]


@dataclass(frozen=True, slots=True)
class Listing:
    """One row of `Registry.list`: an environment, or a plug-in that does not load.

    Attributes:
        id: Its id.
        spec: Its spec, or None when the plug-in is broken.
        error: What is wrong with the plug-in; empty when nothing is.
    """

    id: str
    spec: EnvSpec | None
    error: str = ""


class Registry:
    """Specs by id.

    Args:
        discover: Where plug-ins come from; tests pass their own.
    """

    def __init__(
        self, discover: Callable[[], Iterable[Plugin]] = lambda: plugins(ENVIRONMENTS)
    ) -> None:
        self._discover = discover
        self._lock = threading.RLock()
        self._specs: dict[EnvId, EnvSpec] = {}
        self._plugins: dict[EnvId, Plugin] | None = None
        self._misnamed: dict[str, str] = {}

    def register(
        self,
        spec: EnvSpec | str,
        entry_point: str | Callable[..., Any] | None = None,
        *,
        override: bool = False,
        **fields: Any,
    ) -> EnvSpec:
        """Make an environment known.

        Args:
            spec: A spec, or an id to make one of with `entry_point` and `fields`.
            entry_point: The class, a callable, or ``"module:attribute"``.
            override: Replace what the id names now.
            fields: Further fields of `EnvSpec`.

        Raises:
            RegistrationConflict: The id names something else already.
        """
        if isinstance(spec, str):
            if entry_point is None:
                raise UsageError(f"register({spec!r}): give an entry_point, too")
            spec = EnvSpec(id=spec, entry_point=entry_point, **fields)
        with self._lock:
            known = self._known(spec.env_id)
            if known is not None and known != spec and not override:
                raise RegistrationConflict(
                    f"{spec.id!r} is taken by {known.entry_point}; choose another id, "
                    "or pass override=True"
                )
            self._specs[spec.env_id] = spec
        _tell_gymnasium(self, spec.gymnasium_id, spec.id)
        return spec

    def spec(self, id: str) -> EnvSpec:
        """The spec behind an id, a path to a Python file, or a folder with one.

        Raises:
            InvalidId: The id does not follow the grammar.
            UnknownEnvironment: Nothing has this name; the nearest names are told.
            BrokenPlugin: The plug-in that brings it does not load.
        """
        if not isinstance(id, str):
            EnvId.parse(id)  # tells the rule
        if is_url(id):
            raise UsageError(
                f"{id}: environments behind a server need the client, which this "
                "version does not have yet; use the environment's name"
            )
        if is_path(id):
            return _spec_of_file(id)
        wanted = EnvId.parse(id)
        found = self._known(wanted.bare)
        if found is None:
            raise UnknownEnvironment(self._unknown(wanted))
        wrong = wanted.version and wanted.version != found.version
        if wrong or wanted.major not in (None, found.major):
            raise UnknownEnvironment(
                f"{id} is not installed; {found.id} is here in version {found.version}"
            )
        return found

    def list(self) -> list[Listing]:
        """Everything known, sorted by id; broken plug-ins with their error."""
        rows: list[Listing] = []
        for identity in sorted(self._names()):
            try:
                rows.append(Listing(str(identity), self._known(identity)))
            except EnvhubError as error:
                rows.append(Listing(str(identity), None, str(error)))
        misnamed = (Listing(name, None, why) for name, why in self._misnamed.items())
        return [*rows, *misnamed]

    def make(self, id: str | EnvSpec, **kwargs: Any) -> Environment:
        """Make an environment.

        Args:
            id: An id, a path, or a spec.
            kwargs: Arguments of the environment; containers are copied, so that later
                changes on either side stay there.

        Raises:
            UsageError: The environment does not take these arguments.
        """
        spec = id if isinstance(id, EnvSpec) else self.spec(id)
        arguments = _copied({**spec.kwargs, **kwargs})
        create = spec.load()
        try:
            env = create(**arguments)
        except TypeError as error:
            if _from_inside(error):
                raise
            raise UsageError(f"{spec.id}: {error}") from error
        if not isinstance(env, Environment):
            raise EnvironmentFault(
                f"{spec.id}: {spec.entry_point} made a {type(env).__name__}, which is "
                "no envhub.Environment"
            )
        env.identify(f"{spec.id}@{spec.version}", arguments)
        env.spec = self._gymnasium_spec(spec, kwargs)
        return env

    def _gymnasium_spec(self, spec: EnvSpec, kwargs: Mapping[str, Any]) -> Any:
        """Gymnasium's own spec; one outside its registry for what has no name there."""
        with self._lock:
            named = self._specs.get(spec.env_id) == spec
        known = gymnasium.registry.get(spec.gymnasium_id) if named else None
        if known is None:

            def create(**arguments: Any) -> Environment:
                return self.make(spec, **arguments)

            known = GymnasiumSpec(id=spec.gymnasium_id, entry_point=create)
        return replace(known, kwargs=dict(kwargs))

    def _names(self) -> set[EnvId]:
        with self._lock:
            if self._plugins is None:
                self._plugins = {}
                for plugin in self._discover():
                    try:
                        self._plugins[EnvId.parse(plugin.name).bare] = plugin
                    except InvalidId as error:
                        self._misnamed[plugin.name] = str(error)
            return {*self._specs, *self._plugins}

    def _known(self, identity: EnvId) -> EnvSpec | None:
        self._names()
        with self._lock:
            if identity in self._specs:
                return self._specs[identity]
            plugin = (self._plugins or {}).get(identity)
            if plugin is None:
                return None
            spec = plugin.load()
            if not isinstance(spec, EnvSpec):
                raise BrokenPlugin(
                    f"plug-in {plugin.name!r} ({plugin.target}) is a "
                    f"{type(spec).__name__}; it must be an envhub.EnvSpec"
                )
            if spec.env_id != identity:
                spec = replace(spec, id=str(identity))
            self._specs[identity] = spec
            return spec

    def _unknown(self, wanted: EnvId) -> str:
        known = sorted(map(str, self._names()))
        close = nearest(str(wanted.bare), known)
        hint = f"did you mean {', '.join(close)}? " if close else ""
        return (
            f"there is no environment {str(wanted)!r}; {hint}"
            f"`envhub list` shows all {len(known)}"
        )


def default_registry() -> Registry:
    """The registry behind `envhub.make`; one a process."""
    return _DEFAULT


def announce(registry: Registry) -> None:
    """Tell Gymnasium the names of all plug-ins, without importing their code.

    A plug-in's entry point may carry its major version (``webshop-v2``); without one
    it is 1.
    """
    for plugin in registry._discover():
        try:
            identity = EnvId.parse(plugin.name)
        except EnvhubError:
            continue
        major = 1 if identity.major is None else identity.major
        owner = identity.owner or "envhub"
        _tell_gymnasium(
            registry, f"{owner}/{identity.name}-v{major}", str(identity.bare)
        )


def _tell_gymnasium(registry: Registry, gymnasium_id: str, id: str) -> None:
    if gymnasium_id not in gymnasium.registry:

        def create(**kwargs: Any) -> Environment:
            return registry.make(id, **kwargs)

        gymnasium.register(gymnasium_id, entry_point=create)


def _copied(value: Any) -> Any:
    """A copy of the containers; whatever else is in them stays the same object."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set) and type(value) in (list, tuple, set):
        return type(value)(_copied(item) for item in value)
    return value


def _from_inside(error: TypeError) -> bool:
    """Whether a TypeError comes from inside the called code, not from the call."""
    trace = error.__traceback__
    return bool(trace and trace.tb_next and trace.tb_next.tb_next)


def _spec_of_file(name: str) -> EnvSpec:
    try:
        path = Path(name).expanduser()
        file = path / "__init__.py" if path.is_dir() else path
        found = file.is_file()
    except (OSError, RuntimeError) as error:  # too long; no such user
        raise UnknownEnvironment(f"{name:.100}: {error!s:.200}") from None
    if not found:
        raise UnknownEnvironment(f"{path}: there is no such file")
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    alias = f"envhub_file_{digest}"
    module = sys.modules.get(alias) or _import_file(alias, file)
    specs = [x for x in vars(module).values() if isinstance(x, EnvSpec)]
    classes = [
        x
        for x in vars(module).values()
        if isinstance(x, type)
        and issubclass(x, Environment)
        and x.__module__ == module.__name__
    ]
    if len(specs) == 1:
        return specs[0]
    if len(classes) == 1:
        stem = path.stem if path.stem != "__init__" else path.parent.name
        return EnvSpec(id=stem, entry_point=classes[0])
    raise UsageError(
        f"{file}: found {len(specs)} specs and {len(classes)} environments; keep one, "
        "or name one spec"
    )


def _import_file(name: str, file: Path) -> Any:
    found = importlib.util.spec_from_file_location(name, file)
    if found is None or found.loader is None:
        raise UsageError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise EnvironmentFault(f"{file} does not import: {error!r}") from error
    return module


_DEFAULT = Registry()
