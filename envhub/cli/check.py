"""`envhub check`: the public conformance suite, as a table that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live
from rich.text import Text

from envhub.cli import screen
from envhub.cli.options import AsJson, Env, Example, Settings, arguments
from envhub.cli.status import Status

if TYPE_CHECKING:
    from envhub.testing import Report, Result

__all__ = ["EXAMPLES", "check"]

_MOST_SHOWN = 2000

EXAMPLES = (
    Example("envhub check household --quick", "fewer episodes: some seconds"),
    Example(
        "envhub check ./lock.py", "an environment that you are writing", "needs lock.py"
    ),
    Example("envhub check sql --quick --json", "for a program, such as a build"),
)


def check(
    env: Env,
    quick: Annotated[
        bool, typer.Option("--quick", help="Play fewer episodes and shorter loops.")
    ] = False,
    settings: Settings = None,
    as_json: AsJson = False,
) -> Status:
    """Check that an environment keeps the contract.

    Same seed, same bytes, in any process; the oracle reaches the maximum and
    silence does not; rewards are finite and in range; any text is survived;
    nothing is left behind. Exits with 1 when a check fails.
    """
    from envhub import testing

    kwargs = arguments(settings)
    if as_json:
        report = testing.check(env, quick=quick, **kwargs)
        screen.print_json(report.as_json())
    else:
        report = _watched(env, quick=quick, kwargs=kwargs)
    return Status.OK if report.ok else Status.NO


def _watched(env: str, *, quick: bool, kwargs: dict[str, Any]) -> Report:
    """Run the suite; each result is shown as it comes."""
    from envhub import testing

    console = screen.out()
    count = 0
    # Without a refreshing thread: the suite counts the threads of this process.
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def show(result: Result) -> None:
            nonlocal count
            count += 1
            console.print(_line(result))
            live.update(Text(f"… {count} done", style="dim"), refresh=True)

        if console.is_terminal:
            live.update(Text("… the first check is running", style="dim"), refresh=True)
        report = testing.check(env, quick=quick, on_result=show, **kwargs)
        live.update("")
    failed = sum(not result.passed for result in report.results)
    seconds = sum(result.seconds for result in report.results)
    word, style = (
        ("keeps", "bold green") if report.ok else ("does not keep", "bold red")
    )
    line = Text(f"\n{report.subject} {word} the contract", style=style)
    rest = f": {len(report.results) - failed} of {len(report.results)} checks held, in "
    console.print(line.append(f"{rest}{seconds:.1f} s", "default not bold"))
    return report


def _line(result: Result) -> Text:
    mark, style = ("ok  ", "green") if result.passed else ("FAIL", "bold red")
    name = result.name.replace("_", " ")
    line = Text(f"{mark}  ", style=style).append(name, "default not bold")
    line.append(f"  {result.seconds:.2f} s", "dim")
    if not result.passed:
        message = screen.visible(result.message.strip())[:_MOST_SHOWN]
        indented = "\n".join(f"      {row}" for row in message.splitlines())
        line.append(f"\n{indented}", "red not bold")
    return line
