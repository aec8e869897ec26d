"""An evaluation and a comparison, as a person or a program reads them."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.text import Text

from envhub.cli import screen
from envhub.cli.screen import number

if TYPE_CHECKING:
    from envhub.evaluate import Comparison, Evaluation
    from envhub.stats import Interval

__all__ = ["show"]


def show(
    found: Evaluation,
    earlier: Evaluation | None,
    facts: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    """Show an evaluation.

    Args:
        found: The evaluation.
        earlier: What to compare it with.
        facts: What else there is to say about the run, as JSON values.
        as_json: For programs.
    """
    from envhub.evaluate import compare

    comparison = compare(earlier, found) if earlier and found.valid else None
    if as_json:
        compared = asdict(comparison) if comparison else None
        screen.print_json({**found.summary(), **facts, "comparison": compared})
        return
    _show_evaluation(found, facts)
    if earlier and comparison:
        _show_comparison(earlier, found, comparison)
    if facts["out"]:
        count = len(found.episodes)
        screen.err().print(
            Text(f"{count} episodes were written to {facts['out']}.", "dim")
        )


def _show_evaluation(found: Evaluation, facts: dict[str, Any]) -> None:
    valid = len(found.valid)
    head = Text(found.env, style="bold cyan").append(
        f" {facts['version']} · {found.policy} · {facts['split']} tasks · "
        f"seed {facts['seed']}",
        "default not bold",
    )
    rows = {
        "episodes": _count(found, facts),
        "solved": f"{percent(found.success_rate)}  ({found.solved} of {valid})"
        + _interval(found.success_interval, percent, found.confidence),
        "return": number(found.mean_return)
        + _interval(found.return_interval, number, found.confidence),
        "turns": number(found.mean_turns, digits=1),
        "ended": _counts(found.stop_reasons) or "–",
        "failures": _counts(found.failures) or "none",
        "step": _seconds(found.seconds_per_step),
        "time": _seconds(facts["seconds"]),
    }
    grid = screen.grid()
    for name, value in rows.items():
        style = "red" if name == "failures" and found.failures else ""
        grid.add_row(Text(name, style="bold"), Text(value, style=style))
    screen.show(head)
    screen.show(grid)


def _show_comparison(before: Evaluation, after: Evaluation, found: Comparison) -> None:
    change = _interval(found.return_interval, _signed, found.confidence)
    rows = {
        "pairs": f"{found.pairs} episodes that both played; {found.left_out} left out",
        "solved": f"{percent(found.before)} before, {percent(found.after)} now",
        "changed": f"{found.gained} gained, {found.lost} lost; "
        f"{_p_value(found.p_value)} (McNemar, exact)",
        "return": f"{_signed(found.return_change)}{change}",
    }
    grid = screen.grid()
    for name, value in rows.items():
        grid.add_row(Text(name, style="bold"), value)
    screen.heading(f"Against {before.policy or 'the earlier file'}")
    screen.show(grid)


def percent(share: float) -> str:
    """A share of all, as people say it."""
    return "–" if math.isnan(share) else f"{number(100 * share, digits=1)} %"


def _count(found: Evaluation, facts: dict[str, Any]) -> str:
    jobs = f", {facts['jobs']} at once" if facts["jobs"] > 1 else ""
    text = f"{len(found.episodes)}{jobs}"
    if len(found.episodes) < facts["asked"]:
        text = f"{len(found.episodes)} of {facts['asked']}{jobs}: stopped early"
    return text + (f", {found.retried} tried twice" if found.retried else "")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _interval(interval: Interval, shown: Any, confidence: float) -> str:
    if math.isnan(interval.low):
        return ""
    return (
        f"  {number(100 * confidence, digits=1)} % interval: "
        f"{shown(interval.low)} to {shown(interval.high)}"
    )


def _p_value(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {number(value)}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{number(value)}"


def _seconds(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{number(1000 * value, digits=1)} ms" if value < 1 else f"{value:.1f} s"
