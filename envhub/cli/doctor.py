"""`envhub doctor`: what this machine offers, and what to type for the rest."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.text import Text

import envhub
from envhub.cli import screen
from envhub.cli.options import AsJson, Example
from envhub.cli.status import Status
from envhub.plugins import TRAINERS, plugins
from envhub.registry import default_registry

if TYPE_CHECKING:
    from envhub.sandbox import Isolation

__all__ = ["EXAMPLES", "Need", "doctor", "needs"]

EXAMPLES = (
    Example("envhub doctor", "isolation, extras, and commands that install them"),
    Example("envhub doctor --json", "the same for a program"),
)

DISTRIBUTION = "envhub-gym"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_INNER = re.compile(rf"{DISTRIBUTION}\[(?P<extras>[^\]]+)\]")
_LEAST = re.compile(r">=\s*(?P<least>\d+(?:\.\d+)*)")
_EXTRA = re.compile(r"extra\s*==\s*['\"](?P<extra>[^'\"]+)['\"]")
_NUMBERS = re.compile(r"\d+")


class Need(NamedTuple):
    """A package that an extra asks for.

    Attributes:
        name: Its name.
        least: The smallest version that will do; empty for any.
        found: The version that is installed, or None.
    """

    name: str
    least: str
    found: str | None

    @property
    def met(self) -> bool:
        """Whether it is there, and new enough."""
        return self.found is not None and _numbers(self.found) >= _numbers(self.least)


def doctor(as_json: AsJson = False) -> Status:
    """Show what this machine offers to envhub.

    Which sandboxes work here and what each isolates; which optional parts
    are installed, and the command that installs the others. Exits with 1
    when no sandbox works, so that nothing of an agent could be run.
    """
    from envhub.sandboxes import default_sandboxes

    isolations = default_sandboxes().isolations()
    extras = {name: list(needs(name)) for name in _extras()}
    if as_json:
        screen.print_json(
            {
                **_machine(),
                "sandboxes": [_plain(isolation) for isolation in isolations],
                "extras": {
                    n: [need._asdict() for need in x] for n, x in extras.items()
                },
            }
        )
    else:
        _show_machine()
        _show_sandboxes(isolations)
        _show_extras(extras)
    return Status.OK if any(x.available for x in isolations) else Status.NO


def needs(extra: str) -> Iterator[Need]:
    """What an extra asks for, those of the extras inside it included."""
    for requirement in importlib.metadata.requires(DISTRIBUTION) or ():
        marker = _EXTRA.search(requirement)
        if marker is None or marker["extra"] != extra:
            continue
        if inner := _INNER.match(requirement):
            for name in inner["extras"].split(","):
                yield from needs(name.strip())
            continue
        found = _NAME.match(requirement)
        least = _LEAST.search(requirement.partition(";")[0])
        if found:
            name = found[0]
            yield Need(name, least["least"] if least else "", _version(name))


def _extras() -> list[str]:
    """The extras of the distribution, but for the one that is all of them."""
    names = importlib.metadata.metadata(DISTRIBUTION).get_all("Provides-Extra") or []
    return [name for name in names if name != "all"]


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, without zeros at the end: 2.0 is 2."""
    release = re.match(r"[\d.]*", version)
    numbers = [
        int(number) for number in _NUMBERS.findall(release[0] if release else "")
    ]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _machine() -> dict[str, Any]:
    broken = [row.id for row in default_registry().list() if row.error]
    return {
        "envhub": envhub.__version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(terse=True),
        "cpus": os.cpu_count(),
        "environments": len(default_registry().list()),
        "broken": broken,
        "trainers": [plugin.name for plugin in plugins(TRAINERS)],
    }


def _plain(isolation: Isolation) -> dict[str, Any]:
    return {
        "provider": isolation.provider,
        "available": isolation.available,
        "gives": list(isolation.gives),
        "lacks": list(isolation.lacks),
        "reason": isolation.reason,
    }


def _show_machine() -> None:
    facts = _machine()
    broken = f", broken: {', '.join(facts['broken'])}" if facts["broken"] else ""
    rows = {
        "envhub": facts["envhub"],
        "Python": f"{facts['python']} ({facts['executable']})",
        "system": f"{facts['platform']}, {facts['cpus']} CPUs",
        "environments": f"{facts['environments']}{broken}",
    }
    grid = screen.grid()
    for name, value in rows.items():
        grid.add_row(Text(name, style="bold"), value)
    screen.show(grid)


def _show_sandboxes(isolations: Sequence[Isolation]) -> None:
    screen.heading("Sandboxes: where what an agent writes is run")
    grid = screen.grid(columns=3)
    for isolation in isolations:
        works = isolation.available
        mark = Text("yes" if works else "no", style="green" if works else "red")
        told = [f"isolates {', '.join(isolation.gives)}" if works else isolation.reason]
        if works and isolation.lacks:
            told.append(f"does not isolate: {'; '.join(isolation.lacks)}")
        grid.add_row(Text(isolation.provider, "bold"), mark, "\n".join(told))
    screen.show(grid)


def _show_extras(extras: Mapping[str, Sequence[Need]]) -> None:
    screen.heading("Extras")
    grid = screen.grid(columns=3)
    for name, wanted in extras.items():
        lacking = [need for need in wanted if not need.met]
        mark = Text("no", "yellow") if lacking else Text("yes", "green")
        told = Text(", ".join(_there(wanted, extras)))
        for need in lacking:
            told.append(", " if told.plain else "")
            told.append(_lack(need), style="yellow")
        if lacking:
            told.append(f'\nType:  pip install "{DISTRIBUTION}[{name}]"', style="cyan")
        grid.add_row(Text(name, "bold"), mark, told)
    screen.show(grid)


def _there(wanted: Sequence[Need], extras: Mapping[str, Sequence[Need]]) -> list[str]:
    """What is installed; an extra that is whole inside this one goes by its name."""
    inner = {
        name: set(part) for name, part in extras.items() if set(part) < set(wanted)
    }
    covered = set[Need]().union(*inner.values())
    own = [f"{n.name} {n.found}" for n in wanted if n.met and n not in covered]
    return [*own, *(f"all of {n}" for n, x in inner.items() if all(y.met for y in x))]


def _lack(need: Need) -> str:
    if need.found is None:
        return f"{need.name} is missing"
    return f"{need.name} {need.found} is older than {need.least}"
