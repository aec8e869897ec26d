"""What came of a training run, as a value, as JSON and as one page of HTML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from envhub.evaluate import Comparison, Evaluation, compare
from envhub.stats import Interval, bootstrap_mean
from envhub.trajectory import Trajectory
from envhub_trainers.extras import need
from envhub_trainers.plots import curves_png, curves_svg
from envhub_trainers.settings import Settings

__all__ = ["Report", "write_report"]

_SAMPLES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A finished run.

    Attributes:
        settings: What it was made of.
        model: Facts about the model.
        before: Evaluation of the model as it came.
        after: Evaluation of the trained model, on the same starts.
        comparison: The two, pair by pair.
        success_change: Bootstrap interval of the change of the success rate.
        steps: One row for each optimizer step.
        seconds: Wall seconds by phase.
        folder: Where everything was written.
    """

    settings: Settings
    model: Mapping[str, Any]
    before: Evaluation
    after: Evaluation
    comparison: Comparison
    success_change: Interval
    steps: Sequence[Mapping[str, Any]]
    seconds: Mapping[str, float]
    folder: Path
    versions: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, before: Evaluation, after: Evaluation, **facts: Any) -> Report:
        """A report with its comparison computed."""
        return cls(
            before=before,
            after=after,
            comparison=compare(before, after),
            success_change=_success_change(before, after),
            **facts,
        )

    @property
    def learned(self) -> bool:
        """Whether the interval of the success rate's change lies above 0."""
        return self.success_change.low > 0

    @property
    def page(self) -> Path:
        """The page."""
        return self.folder / "report.html"

    def summary(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "settings": self.settings.to_dict(),
            "model": dict(self.model),
            "before": self.before.summary(),
            "after": self.after.summary(),
            "comparison": asdict(self.comparison),
            "success_change": list(self.success_change),
            "learned": self.learned,
            "seconds": dict(self.seconds),
            "versions": dict(self.versions),
        }

    def headline(self) -> str:
        """The result in one sentence."""
        change, low, high = self._change()
        return (
            f"Held-out success {self.comparison.before:.0%} -> "
            f"{self.comparison.after:.0%} over {self.comparison.pairs} paired episodes "
            f"(change {change:+.0f} points, {self.comparison.confidence:.0%} interval "
            f"{low:+.0f} to {high:+.0f}; McNemar p = {self.comparison.p_value:.2g})"
        )

    def _change(self) -> tuple[float, float, float]:
        change = self.comparison.after - self.comparison.before
        return (
            100 * change,
            100 * self.success_change.low,
            100 * self.success_change.high,
        )


def write_report(report: Report) -> None:
    """Write ``report.json``, ``report.html``, ``curves.png`` and ``curves.svg``."""
    folder = report.folder
    text = json.dumps(_finite(report.summary()), indent=2, default=str)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    settings = report.settings
    curves_png(
        folder / "curves.png", report.steps, f"{settings.model} on {settings.env}"
    )
    svg = curves_svg(report.steps)
    (folder / "curves.svg").write_text(svg, encoding="utf-8")
    report.page.write_text(_page(report, svg), encoding="utf-8")


def _page(report: Report, svg: str) -> str:
    jinja2 = need("jinja2")
    source = files("envhub_trainers") / "templates" / "report.html.j2"
    # What a model or an environment wrote is text on this page, never markup.
    environment = jinja2.Environment(autoescape=True, trim_blocks=True)
    template = environment.from_string(source.read_text(encoding="utf-8"))
    return str(
        template.render(
            report=report,
            settings=_flat(report.settings.to_dict()),
            svg=svg,
            samples=_samples(report.before, report.after),
        )
    )


def _samples(
    before: Evaluation, after: Evaluation
) -> list[tuple[Trajectory, Trajectory]]:
    """The same starts before and after; first those that training has changed."""
    first = {(t.task_id, t.seed): t for t in before.episodes if t.valid}
    pairs = [
        (first[key], t)
        for t in after.episodes
        if t.valid and (key := (t.task_id, t.seed)) in first
    ]
    pairs.sort(key=lambda pair: pair[0].success - pair[1].success)
    # One that did not get better belongs to an honest choice.
    worst = [pair for pair in pairs[_SAMPLES - 1 :] if not pair[1].success][-1:]
    return pairs[: _SAMPLES - len(worst)] + worst


def _success_change(before: Evaluation, after: Evaluation) -> Interval:
    first = {(t.task_id, t.seed): t.success for t in before.episodes if t.valid}
    changes = [
        float(t.success) - float(first[key])
        for t in after.episodes
        if t.valid and (key := (t.task_id, t.seed)) in first
    ]
    return bootstrap_mean(changes)


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _finite(value: Any) -> Any:
    """JSON has no NaN: what is not known is null."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
