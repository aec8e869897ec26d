"""`envhub list`: what is installed, and what is broken."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from envhub.cli import screen
from envhub.cli.options import AsJson, Example
from envhub.cli.status import Status
from envhub.errors import EnvhubError
from envhub.ids import EnvId
from envhub.plugins import ENVIRONMENTS, plugins
from envhub.registry import Listing, default_registry

__all__ = ["EXAMPLES", "list_environments"]

EXAMPLES = (
    Example("envhub list", "every environment that can be made by name"),
    Example("envhub list --json", "the same for a program"),
)


def list_environments(as_json: AsJson = False) -> Status:
    """List the environments that are installed.

    A plug-in that does not load is listed, too, with what is wrong with it.
    """
    rows = [_row(listing) for listing in default_registry().list()]
    origins = _origins()
    for row in rows:
        row["from"] = origins.get(row["id"], "")
    if as_json:
        screen.print_json(rows)
    else:
        _show(rows)
    return Status.OK


def _row(listing: Listing) -> dict[str, Any]:
    spec = listing.spec
    return {
        "id": listing.id,
        "version": spec.version if spec else None,
        "levels": spec.levels if spec else None,
        "summary": spec.summary if spec else None,
        "placement": spec.placement if spec else None,
        "extras": list(spec.extras) if spec else [],
        "error": listing.error or None,
    }


def _origins() -> dict[str, str]:
    """The distribution that brought each id."""
    found: dict[str, str] = {}
    for plugin in plugins(ENVIRONMENTS):
        try:
            found[str(EnvId.parse(plugin.name).bare)] = plugin.distribution
        except EnvhubError:  # listed by the name that it has
            found[plugin.name] = plugin.distribution
    return found


def _show(rows: list[dict[str, Any]]) -> None:
    if not rows:
        screen.out().print("No environment is installed.")
        return
    shown = screen.table(
        "NAME", "VERSION", "LEVELS", "FROM", "SUMMARY", right=["LEVELS"]
    )
    for row in rows:
        name = Text(row["id"], style="cyan" if row["error"] is None else "red")
        facts = (
            row["version"] or "broken",
            str(row["levels"] or "–"),
            row["from"] or "–",
        )
        text = screen.visible(row["summary"] or row["error"] or "")
        shown.add_row(name, *facts, Text(text, style="red" if row["error"] else ""))
    screen.show(shown)
