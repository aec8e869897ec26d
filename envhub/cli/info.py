"""`envhub info`: what an environment is, before anything is played."""

from __future__ import annotations

import inspect
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rich.text import Text

from envhub.cli import screen
from envhub.cli.calling import signature
from envhub.cli.options import AsJson, Env, Example, Settings, opened
from envhub.cli.status import Status, explain
from envhub.errors import EnvironmentFault, InfrastructureError, SandboxUnavailable
from envhub.ids import is_path
from envhub.policies import possible_actions

if TYPE_CHECKING:
    from envhub.env import Environment
    from envhub.spec import EnvSpec

__all__ = ["EXAMPLES", "facts", "show_info"]

EXAMPLES = (
    Example(
        "envhub info webshop", "tools, tasks, instructions and a first observation"
    ),
    Example(
        "envhub info sql --json", "the same for a program, with the tools' schemas"
    ),
)

_MOST_LINES = 30
_PLACEMENTS = {
    "in_process": "beside the pool; what an agent writes runs in a sandbox",
    "own_process": "one process for each episode",
}


def show_info(env: Env, settings: Settings = None, as_json: AsJson = False) -> Status:
    """Show what an environment is.

    Its tasks and tools, what an agent is told, what its author says about
    it, an example of a first observation, and what isolates the code of an
    agent on this machine.
    """
    with opened(env, settings) as made:
        found = facts(made, env)
        status, problem = _example(made, found)
    if as_json:
        screen.print_json(found)
    else:
        _show(found)
    if problem:
        screen.complain(problem)
    return status


def facts(env: Environment, name: str) -> dict[str, Any]:
    """What can be told without playing, as JSON values."""
    from envhub.registry import default_registry

    spec = default_registry().spec(name)
    return {
        "asked": name,
        "id": spec.id,
        "version": spec.version,
        "summary": spec.summary,
        "about": _about(env, spec),
        "entry_point": name if is_path(name) else spec.importable,
        "placement": spec.placement,
        "extras": list(spec.extras),
        "splits": env.tasks.splits,
        "levels": env.tasks.levels,
        "max_turns": env.max_turns,
        "reward_range": list(env.reward_range),
        "formats": list(env.formats),
        "tools": env.tool_schemas(),
        "instructions": env.instructions,
        "isolation": _isolation(),
        "example": None,
    }


def _example(env: Environment, found: dict[str, Any]) -> tuple[Status, str]:
    """Add the first observation of an episode; a failure is told, not raised."""
    try:
        observation, info = env.reset(seed=0)
    except (EnvironmentFault, InfrastructureError) as error:
        return explain(error)
    first = info["messages"][0]
    found["instructions"] = first["content"] if first["role"] == "system" else ""
    found["example"] = {
        "task_id": info["task_id"],
        "seed": info["seed"],
        "observation": observation,
        "possible_actions": possible_actions(info),
    }
    return Status.OK, ""


def _about(env: Environment, spec: EnvSpec) -> str:
    """The first part of the package's README, or else the class's docstring."""
    package = spec.importable.partition(":")[0].partition(".")[0]
    try:
        text = (files(package) / "README.md").read_text(encoding="utf-8")
    except (ImportError, OSError, TypeError, ValueError):  # TypeError: a file
        return (inspect.getdoc(type(env)) or "").partition("\n\nArgs:")[0]
    lines = text.partition("\n## ")[0].strip().splitlines()
    body = lines[1:] if lines and lines[0].startswith("# ") else lines
    return "\n".join(body[:_MOST_LINES]).strip()


def _isolation() -> dict[str, Any]:
    """The sandbox that environments get on this machine."""
    from envhub.sandboxes import default_sandboxes

    try:
        isolation = default_sandboxes().provider().isolation()
    except SandboxUnavailable as error:
        return {"provider": None, "gives": [], "lacks": [], "reason": str(error)}
    return {
        "provider": isolation.provider,
        "gives": list(isolation.gives),
        "lacks": list(isolation.lacks),
        "reason": isolation.reason,
    }


def _show(found: dict[str, Any]) -> None:
    console = screen.out()
    head = Text(found["id"], style="bold cyan").append(f" {found['version']}", "cyan")
    console.print(head.append(f"  {found['summary']}", "default not bold"))
    if found["about"]:
        console.print()
        screen.show_markdown(found["about"])
    console.print()
    _show_table(found)
    _show_tools(found["tools"])
    if found["instructions"]:
        _section("What an agent is told", found["instructions"])
    if example := found["example"]:
        title = f"A first observation ({example['task_id']}, seed {example['seed']})"
        _section(title, example["observation"])
        if example["possible_actions"]:
            _section("Possible actions", ", ".join(example["possible_actions"]))
    console.print(Text(f"\nPlay it:  envhub play {found['asked']}", style="dim"))


def _show_table(found: dict[str, Any]) -> None:
    low, high = found["reward_range"]
    isolation = found["isolation"]
    rows = {
        "tasks": ", ".join(
            f"{count} {name}" for name, count in found["splits"].items()
        ),
        "levels": str(found["levels"]),
        "turns": f"at most {found['max_turns']}",
        "outcome": f"from {low:g} to {high:g}",
        "formats": ", ".join(found["formats"]),
        "in a pool": _PLACEMENTS[found["placement"]],
        "sandbox here": isolation["provider"] or isolation["reason"],
        "it isolates": ", ".join(isolation["gives"]) or "nothing",
        "it does not": "; ".join(isolation["lacks"]) or "–",
        "extras": ", ".join(found["extras"]),
        "made by": found["entry_point"],
    }
    grid = screen.grid()
    for name, value in rows.items():
        if value:
            grid.add_row(Text(name, style="bold"), Text(screen.visible(value)))
    screen.show(grid)


def _show_tools(tools: list[dict[str, Any]]) -> None:
    if not tools:
        return
    grid = screen.grid()
    for tool in tools:
        description = tool["function"]["description"]
        grid.add_row(
            Text(signature(tool), style="cyan"), Text(screen.visible(description))
        )
    screen.heading("Tools")
    screen.show(grid)


def _section(title: str, text: str) -> None:
    screen.heading(title)
    screen.say(text)
