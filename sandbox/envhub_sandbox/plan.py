"""What of the host a sandbox sees, worked out from a template's spec.

Pure planning: paths in, paths out. `envhub_sandbox.guest.view` does the mounting.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
from collections.abc import Iterable
from typing import Any

from envhub.errors import UsageError
from envhub.sandbox import TemplateSpec
from envhub_sandbox.guest.view import is_closed
from envhub_sandbox.packages import locate

__all__ = [
    "PACKAGES",
    "agent_environment",
    "caller_path",
    "confinement",
    "python",
    "service_source",
    "view",
]

PACKAGES = "/opt/packages"
_ALIASES = "/opt/again"
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_COVERED_BY_CHILD = ("/work", "/tmp", "/run")
_OWN = ("/proc", "/dev", "/etc", "/opt")
_READABLE_ETC = (
    "alternatives",
    "group",
    "hosts",
    "ld.so.cache",
    "localtime",
    "nsswitch.conf",
    "passwd",
)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def python() -> str:
    """The interpreter behind a virtual environment's."""
    return str(getattr(sys, "_base_executable", "") or sys.executable)


def agent_environment(home: str, temporary: str, path: list[str]) -> dict[str, str]:
    """Every variable that a template, and what runs in its sandboxes, has at first."""
    folders = [os.path.dirname(python()), "/usr/local/bin", "/usr/bin", "/bin"]
    variables = {
        "PATH": ":".join(dict.fromkeys(folders)),
        "HOME": home,
        "USER": "agent",
        "LOGNAME": "agent",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "TMPDIR": temporary,
        "PYTHONHASHSEED": "0",
        **dict.fromkeys(_THREADS, "1"),
    }
    if path:
        variables["PYTHONPATH"] = ":".join(path)
    return variables


def caller_path() -> list[str]:
    """The caller's `sys.path`, without what every interpreter has."""
    stdlib = os.path.dirname(os.__file__)
    own = {stdlib, os.path.join(stdlib, "lib-dynload")}
    entries = [os.path.abspath(entry or os.getcwd()) for entry in sys.path]
    usable = [
        entry
        for entry in dict.fromkeys(entries)
        if entry not in own and entry != "/" and os.path.exists(entry)
    ]
    return [entry for entry in usable if not _below(entry, _OWN)]


def view(spec: TemplateSpec) -> tuple[dict[str, Any], list[str]]:
    """The view of a namespace template, and what follows the library on `sys.path`.

    Raises:
        UsageError: A package is not to be found.
    """
    links, binds = _system()
    if spec.trusted:
        path, again = _bind_path(caller_path(), binds)
        hidden: list[str] = []
    else:
        again, hidden = [], _site_folders()
        files = locate(spec.packages)
        binds += [(source, f"{PACKAGES}/{place}") for source, place in files]
        path = [PACKAGES] if files else []
    plan = {"links": links, "binds": binds, "hidden": hidden, "again": again}
    return plan, path


def confinement(
    spec: TemplateSpec,
) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Of a process template: packages, entries of `sys.path`, and what can be read.

    Raises:
        UsageError: A package is not to be found.
    """
    _, binds = _system()
    readable = [source for source, _ in binds]
    readable += [f"/etc/{name}" for name in _READABLE_ETC]
    if spec.trusted:
        path = caller_path()
        return [], path, readable + [os.path.realpath(entry) for entry in path]
    packages = locate(spec.packages)
    return packages, [], readable + [source for source, _ in packages]


def service_source(spec: TemplateSpec) -> str | None:
    """Source of the module that an untrusted sandbox's service is in; else None.

    It is sent as text and runs by itself: its package, which may know tasks and gold,
    is neither imported nor visible, and the template stays small. A module of one of
    the spec's own `packages` is visible anyway, and imported as usual.

    Raises:
        UsageError: The module has no source.
    """
    if spec.service is None or spec.trusted:
        return None
    name = spec.service.partition(":")[0]
    packages = spec.packages
    if any(name == part or name.startswith(f"{part}.") for part in packages):
        return None
    try:
        found = importlib.util.find_spec(name)
    except ImportError:
        found = None
    source = getattr(found.loader, "get_source", None) if found else None
    text: str | None = source(name) if source else None
    if text is None:
        message = f"the service {spec.service!r} is in no module with Python source"
        raise UsageError(message)
    return text


def _system() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    links: list[tuple[str, str]] = []
    binds = [("/usr", "/usr")]
    for place in _SYSTEM:
        if os.path.islink(place):
            links.append((place, os.readlink(place)))
        elif os.path.isdir(place):
            binds.append((place, place))
    for prefix in dict.fromkeys((sys.base_prefix, sys.base_exec_prefix)):
        _add(prefix, binds)
    return links, binds


def _add(path: str, binds: list[tuple[str, str]]) -> None:
    """Bind a path unless something that is bound holds it, open to all."""
    bound = _below(path, [place for _, place in binds])
    if not bound or is_closed(path):
        binds.append((os.path.realpath(path), path))


def _bind_path(
    path: list[str], binds: list[tuple[str, str]]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Bind the caller's path.

    Returns:
        The path inside, where an entry that is itself a private place of the child
        has another name; and what a child must mount again over its private places.
    """
    again: list[tuple[str, str]] = []
    renamed: dict[str, str] = {}
    for entry in sorted(path):  # a folder comes before what it holds
        alias = f"{_ALIASES}/{len(again) + len(renamed)}"
        before = len(binds)
        if entry in _COVERED_BY_CHILD:
            renamed[entry] = alias
            binds.append((os.path.realpath(entry), alias))
            continue
        _add(entry, binds)
        if len(binds) > before and _below(entry, _COVERED_BY_CHILD):
            binds.append((os.path.realpath(entry), alias))
            again.append((alias, entry))
    return [renamed.get(entry, entry) for entry in path], again


def _below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _site_folders() -> list[str]:
    """Where packages lie below the folders that are bound as a whole."""
    patterns = [
        f"{prefix}/{library}/python3*/{kind}-packages"
        for prefix in {"/usr", "/usr/local", sys.base_prefix, sys.base_exec_prefix}
        for library in ("lib", "lib64")
        for kind in ("site", "dist")
    ]
    patterns.append("/usr/lib/python3/dist-packages")
    found = {path for pattern in patterns for path in glob.glob(pattern)}
    return sorted(path for path in found if not os.path.islink(path))
