"""`envhub run`: plays many episodes with a policy and says how good it is."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envhub.cli import progress, results
from envhub.cli.options import (
    AsJson,
    Env,
    Example,
    Level,
    Settings,
    arguments,
    writable,
)
from envhub.cli.plan import MODEL, Plan
from envhub.cli.status import Status
from envhub.errors import EnvhubError, UsageError
from envhub.policies import POLICIES

if TYPE_CHECKING:
    from envhub.evaluate import Evaluation
    from envhub.trajectory import Trajectory

__all__ = ["EXAMPLES", "run"]

EXAMPLES = (
    Example(
        "envhub run household --policy oracle", "the ceiling: every task is solved"
    ),
    Example("envhub run webshop --episodes 50 --jobs 2 --out floor.jsonl", "the floor"),
    Example(
        "envhub run sql --policy oracle --at-least 1.0 --json",
        "for a build: status 1 below",
    ),
    Example(
        "envhub run household --policy model:runs/one --compare floor.jsonl",
        "a trained model against an earlier file",
        "needs a trained model",
    ),
)

_MOST_JOBS = 8


def complete_policy(incomplete: str) -> list[str]:
    """Policies that begin like this."""
    return [name for name in (*POLICIES, MODEL) if name.startswith(incomplete)]


def run(
    env: Env,
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="random, oracle, noop, or model:PATH_OR_ID.",
            autocompletion=complete_policy,
        ),
    ] = "random",
    episodes: Annotated[
        int, typer.Option("--episodes", "-n", min=1, metavar="N", help="How many.")
    ] = 20,
    split: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Where tasks come from; by default test, if there is one.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="Chooses the tasks and all chance.")
    ] = 0,
    level: Level = None,
    settings: Settings = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="Episodes at once; one for each CPU.",
        ),
    ] = None,
    in_process: Annotated[
        bool,
        typer.Option("--in-process", help="One after the other, here: to debug."),
    ] = False,
    temperature: Annotated[
        float, typer.Option(min=0, metavar="X", help="Of a model's sampling.")
    ] = 1.0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every episode to a new file (JSON Lines)."
        ),
    ] = None,
    compare: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Compare with the episodes of an earlier file."
        ),
    ] = None,
    at_least: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="RATE",
            help="Exit with 1 if fewer are solved, such as 0.9.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> Status:
    """Play episodes with a policy and say how good it is.

    The same seed plays the same episodes, whatever the policy, so that two
    runs can be compared pair by pair. An episode that the platform lost is
    tried once more, then left out of every mean, and counted.
    """
    earlier = _earlier(compare) if compare is not None else None
    plan = Plan.make(
        env,
        policy,
        kwargs=arguments(settings, level),
        episodes=episodes,
        split=split,
        seed=seed,
        jobs=jobs or _cpus(),
        in_process=in_process,
        temperature=temperature,
    )
    if out is not None:
        writable(out, empty=True)
    finished = _play(plan, out)
    if finished.error is not None and not finished.episodes:
        raise finished.error
    found = finished.evaluation(plan)
    extra = {**plan.summary(), "seconds": finished.seconds, "out": out and str(out)}
    results.show(found, earlier, extra, as_json=as_json)
    if finished.error is not None:
        raise finished.error
    if finished.interrupted:
        return Status.INTERRUPTED
    # Written so that a rate without evidence, NaN, is not enough.
    enough = at_least is None or found.success_rate >= at_least
    return Status.OK if enough else Status.NO


@dataclass(slots=True)
class _Finished:
    """What was played, and what ended it early, if anything did."""

    episodes: list[Trajectory] = field(default_factory=list["Trajectory"])
    seconds: float = 0.0
    error: EnvhubError | None = None
    interrupted: bool = False

    def evaluation(self, plan: Plan) -> Evaluation:
        from envhub.evaluate import Evaluation

        return Evaluation(
            env=plan.spec.id, policy=plan.policy, episodes=tuple(self.episodes)
        )


def _play(plan: Plan, out: Path | None) -> _Finished:
    """Play with progress on standard error; what is finished is kept, come what may."""
    from envhub import trajectory

    finished = _Finished()
    started = time.perf_counter()
    with progress.bar(f"{plan.spec.id} · {plan.policy}", len(plan.starts)) as bar:

        def keep(record: Trajectory) -> None:
            if out is not None:
                trajectory.write(out, [record], append=True)
            finished.episodes.append(record)
            solved = sum(episode.success for episode in finished.episodes)
            bar(len(finished.episodes), f"{solved} solved")

        try:
            plan.play(keep, lambda what, share: bar(0, f"{what} {share:.0%}"))
        except UsageError:
            raise
        except EnvhubError as error:
            finished.error = error
        except KeyboardInterrupt:
            finished.interrupted = True
    finished.seconds = time.perf_counter() - started
    return finished


def _earlier(file: Path) -> Evaluation:
    """The episodes of an earlier file."""
    from envhub import trajectory
    from envhub.evaluate import Evaluation

    try:
        episodes = tuple(trajectory.read(file))
    except trajectory.InvalidTrajectory as error:
        raise UsageError(f"not a file that --out wrote: {error}") from error
    if not episodes:
        raise UsageError(f"{file} holds no episode; write one with --out")
    return Evaluation(env=episodes[0].env, policy=episodes[0].engine, episodes=episodes)


def _cpus() -> int:
    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:
        usable = os.cpu_count() or 1
    return min(usable, _MOST_JOBS)
