"""Learning curves, as PNG for anywhere and as SVG that takes a page's own colours."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from envhub_trainers.extras import need

__all__ = ["curves_png", "curves_svg"]

_INK = "#123456"
_PAPER_INK = "#24292f"
_LINES = (("reward", "Reward", "#2f6fde"), ("success", "Success rate", "#2a9d5c"))
_WINDOW = 5


def curves_png(path: Path, rows: Sequence[Mapping[str, Any]], title: str) -> None:
    """Draw the curves of a run into a file."""
    figure = _figure(rows, title, _PAPER_INK)
    figure.savefig(path, dpi=150, facecolor="white")


def curves_svg(rows: Sequence[Mapping[str, Any]]) -> str:
    """The curves as SVG markup that inherits the text colour around it."""
    buffer = io.StringIO()
    figure = _figure(rows, "", _INK)
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(_INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # The page decides how wide it is.
    return re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1).replace(
        ' height="', ' data-height="', 1
    )


def _figure(rows: Sequence[Mapping[str, Any]], title: str, ink: str) -> Any:
    # Not pyplot: no global state, and no window is ever opened.
    figure = need("matplotlib.figure").Figure(figsize=(8.2, 3.4), layout="constrained")
    for axes, (name, label, colour) in zip(figure.subplots(1, 2), _LINES, strict=True):
        points = [(r["step"], r[name]) for r in rows if r.get(name) is not None]
        steps, values = [p[0] for p in points], [p[1] for p in points]
        axes.plot(steps, values, ".", color=colour, alpha=0.35)
        axes.plot(steps, _smooth(values), color=colour, linewidth=2)
        axes.set_title(label, color=ink, fontsize=11)
        axes.set_xlabel("step", color=ink)
        axes.tick_params(colors=ink)
        axes.grid(visible=True, color=ink, alpha=0.15)
        for side, spine in axes.spines.items():
            spine.set_color(ink)
            spine.set_visible(side in ("left", "bottom"))
        if name == "success":
            axes.set_ylim(-0.03, 1.03)
    if title:
        figure.suptitle(title, color=ink, fontsize=12)
    return figure


def _smooth(values: Sequence[float]) -> list[float]:
    """Mean of the last few values."""
    parts = [values[max(0, n - _WINDOW + 1) : n + 1] for n in range(len(values))]
    return [sum(part) / len(part) for part in parts]
