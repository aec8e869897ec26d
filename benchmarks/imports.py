"""What `import envhub` costs over `import gymnasium`, in time and in installed bytes.

Both imports are timed inside fresh interpreters, turn and turn about, so that a busy
machine slows them alike. Sizes leave compiled files out, since pip makes those.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rich.console import Console
from rich.table import Table

__all__ = ["Report", "import_seconds", "main", "measure", "tree"]

REPOSITORY = Path(__file__).resolve().parent.parent
DISTRIBUTION = "envhub-gym"
BASELINE = "gymnasium"
TIMER = (
    "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
)


@dataclass(frozen=True, kw_only=True)
class Report:
    """Seconds are medians; bytes are sums of file sizes."""

    rounds: int
    gymnasium_seconds: float
    envhub_seconds: float
    distribution_bytes: int
    dependencies_bytes: int
    dependencies: tuple[str, ...]

    @property
    def ratio(self) -> float:
        """How many times as long as the baseline."""
        return self.envhub_seconds / self.gymnasium_seconds

    @property
    def extra_seconds(self) -> float:
        """What envhub adds to the baseline."""
        return self.envhub_seconds - self.gymnasium_seconds


def measure(rounds: int) -> Report:
    """Time the imports and weigh the distribution."""
    times = import_seconds((BASELINE, "envhub"), rounds)
    beyond = sorted(tree(DISTRIBUTION) - tree(BASELINE) - {DISTRIBUTION})
    return Report(
        rounds=rounds,
        gymnasium_seconds=statistics.median(times[BASELINE]),
        envhub_seconds=statistics.median(times["envhub"]),
        distribution_bytes=_wheel_bytes(),
        dependencies_bytes=sum(_installed_bytes(name) for name in beyond),
        dependencies=tuple(beyond),
    )


def import_seconds(modules: Iterable[str], rounds: int) -> dict[str, list[float]]:
    """Seconds of each import, `rounds` times each, in fresh interpreters by turns."""
    names = tuple(modules)
    times: dict[str, list[float]] = {name: [] for name in names}
    for name in names:  # once without counting: reads the files into memory
        _time_import(name)
    for _ in range(rounds):
        for name in names:
            times[name].append(_time_import(name))
    return times


def tree(distribution: str) -> set[str]:
    """Names of a distribution and of everything that it needs without extras."""
    found: set[str] = set()
    waiting = [distribution]
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found:
            found.add(name)
            waiting.extend(_needs(name))
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.imports")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=15, help="imports of each kind")
    options = parser.parse_args(arguments)
    report = measure(options.rounds)
    if options.json:
        extra = {"ratio": report.ratio, "extra_seconds": report.extra_seconds}
        print(json.dumps(asdict(report) | extra, indent=2))
    else:
        Console().print(_table(report))


def _time_import(module: str) -> float:
    finished = subprocess.run(
        [sys.executable, "-c", TIMER.format(module)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(finished.stdout)


def _needs(distribution: str) -> list[str]:
    wanted = [Requirement(line) for line in metadata.requires(distribution) or ()]
    return [
        need.name
        for need in wanted
        if need.marker is None or need.marker.evaluate({"extra": ""})
    ]


def _installed_bytes(distribution: str) -> int:
    files = metadata.distribution(distribution).files or ()
    return _bytes(Path(str(file.locate())) for file in files)


def _wheel_bytes() -> int:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as folder:
        wheels, target = Path(folder, "wheels"), Path(folder, "installed")
        build = ["wheel", "--no-deps", "--wheel-dir", str(wheels), str(REPOSITORY)]
        subprocess.run([*pip, *build], check=True)
        wheel = next(wheels.glob("*.whl"))
        install = ["install", "--no-deps", "--no-compile", "--target", str(target)]
        subprocess.run([*pip, *install, str(wheel)], check=True)
        return _bytes(target.rglob("*"))


def _bytes(files: Iterable[Path]) -> int:
    return sum(
        file.stat().st_size
        for file in files
        if file.suffix != ".pyc" and file.is_file()
    )


def _table(report: Report) -> Table:
    table = Table(title=f"import envhub, median of {report.rounds} fresh interpreters")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("against gymnasium", justify="right")
    table.add_row("import gymnasium", f"{report.gymnasium_seconds:.3f} s", "1.00 x")
    table.add_row(
        "import envhub",
        f"{report.envhub_seconds:.3f} s",
        f"{report.ratio:.2f} x  ({report.extra_seconds:+.3f} s)",
    )
    table.add_row("installed, itself", _megabytes(report.distribution_bytes), "")
    table.add_row(
        f"installed, {len(report.dependencies)} dependencies beyond gymnasium's",
        _megabytes(report.dependencies_bytes),
        ", ".join(report.dependencies),
    )
    return table


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


if __name__ == "__main__":
    main()
