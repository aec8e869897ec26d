"""The record of one episode: complete, exact to the token, and versioned.

A trajectory is a list of steps. Each step says what the policy newly read (its
*context*: the first prompt, later the observation in its frame), what it sampled (its
*response*, ids as sampled), and what the environment answered. What the model saw at
step n, under the append-only rule, is every context and response up to n in a row:

    step 0   context: prompt         response   observation, reward
    step 1   context: observation 0  response   observation, reward
    ...

Token fields are empty when an agent was not driven by token ids; text fields are
always there. Files are JSON Lines, one trajectory a line, each with its schema number.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from envhub.errors import UsageError

__all__ = [
    "SCHEMA",
    "Context",
    "InvalidTrajectory",
    "Response",
    "Trajectory",
    "TrajectoryStep",
    "problems",
    "read",
    "write",
]

SCHEMA = 1
"""Number of the file format. A reader refuses a number it does not know."""

ContextRule: TypeAlias = str
_KINDS = ("environment", "harness")
_FINISHES = ("stop", "length", "overflow", "tool_calls", "")


class InvalidTrajectory(UsageError):
    """A record does not follow the format; the message names line and field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the policy newly read before it spoke.

    Attributes:
        ids: Token ids.
        kinds: Who made them, as runs: ``("harness", 5)`` are five tokens of the chat
            template, ``("environment", 30)`` thirty of the environment.
    """

    ids: tuple[int, ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What the policy sampled.

    Attributes:
        ids: As sampled; the token that ended the turn is the last, if it ended itself.
        logprobs: Of each id, under the distribution it was drawn from, or empty.
        text: The ids as text, without the tokens that structure a chat.
        finish_reason: ``stop``, or ``length`` when a limit cut the turn.
        tool_calls: Calls that a server had parsed, in OpenAI's form.
    """

    ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    text: str = ""
    finish_reason: str = ""
    tool_calls: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryStep:
    """One turn.

    Attributes:
        context: What the policy newly read.
        response: What it sampled.
        observation: What the environment answered.
        reward: Of this turn; None when the environment or the platform failed.
        components: What the reward is made of.
        tool_results: What each call gave.
        notes: What the parser noted.
        terminated: Whether the environment ended here.
        truncated: Whether a limit ended it here.
        policy_version: Updates that the sampling policy had seen.
        seconds_engine: Wall seconds in which the batch of this turn was sampled.
        seconds_environment: Wall seconds in which its batch was stepped.
    """

    context: Context = Context()
    response: Response = Response()
    observation: str = ""
    reward: float | None = 0.0
    components: Mapping[str, float] = field(default_factory=dict[str, float])
    tool_results: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    terminated: bool = False
    truncated: bool = False
    policy_version: int = 0
    seconds_engine: float = 0.0
    seconds_environment: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One episode.

    Attributes:
        env: Environment id.
        task_id: Task.
        seed: Seed of the episode.
        split: Split of the task.
        group: Names the group of episodes that share a beginning, or empty.
        messages: The chat that the episode began with.
        tools: Tool schemas offered.
        steps: Turns, in order.
        reward: Sum of the steps' rewards; None when the episode is not valid.
        success: Whether the environment says that the task was solved.
        valid: False when the environment or the platform failed: such an episode is
            no evidence about the policy and is never trained on.
        terminated: Whether the environment ended the episode.
        truncated: Whether a limit did.
        stop_reason: Why it ended.
        error: What failed, when it is not valid.
        attempts: Fresh instances it took.
        engine: What sampled it.
        env_digest: Identity of the environment.
        context_rule: How the model's context follows from the steps.
        seconds: Wall seconds from reset to end.
        schema: Number of the format.
    """

    env: str
    task_id: str
    seed: int
    split: str = ""
    group: str = ""
    messages: tuple[Mapping[str, Any], ...] = ()
    tools: tuple[Mapping[str, Any], ...] = ()
    steps: tuple[TrajectoryStep, ...] = ()
    reward: float | None = None
    success: bool = False
    valid: bool = True
    terminated: bool = False
    truncated: bool = False
    stop_reason: str = ""
    error: str = ""
    attempts: int = 1
    engine: str = ""
    env_digest: str = ""
    context_rule: ContextRule = "append"
    seconds: float = 0.0
    schema: int = SCHEMA

    @property
    def turns(self) -> int:
        """Turns taken."""
        return len(self.steps)

    @property
    def sampled_tokens(self) -> int:
        """Tokens that the policy sampled."""
        return sum(len(step.response.ids) for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Trajectory:
        """From JSON values.

        Raises:
            InvalidTrajectory: It does not follow the format.
        """
        found = problems(row)
        if found:
            raise InvalidTrajectory("; ".join(found))
        known = _known(cls, row)
        known["steps"] = tuple(_step(step) for step in known.get("steps", ()))
        for name in ("messages", "tools"):
            known[name] = tuple(known.get(name, ()))
        return cls(**known)


def write(
    path: str | Path, trajectories: Iterable[Trajectory], *, append: bool = False
) -> int:
    """Write trajectories as JSON Lines; how many were written.

    Raises:
        InvalidTrajectory: One does not follow the format. Those before it are written.
    """
    count = 0
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("a" if append else "w", encoding="utf-8") as file:
        for trajectory in trajectories:
            row = trajectory.to_dict()
            found = problems(row)
            if found:
                raise InvalidTrajectory(f"{trajectory.task_id}: {'; '.join(found)}")
            line = json.dumps(row, ensure_ascii=False, allow_nan=False)
            file.write(line + "\n")
            count += 1
    return count


def read(path: str | Path) -> Iterator[Trajectory]:
    """Read a file of trajectories, one at a time.

    Raises:
        InvalidTrajectory: A line does not follow the format; names file and line.
    """
    with Path(path).open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield Trajectory.from_dict(json.loads(line))
            except ValueError as error:
                raise InvalidTrajectory(f"{path}:{number}: {error}") from error


def problems(row: Any) -> list[str]:
    """What is wrong with a trajectory given as JSON values; empty when nothing is."""
    if not isinstance(row, Mapping):
        return [f"a trajectory is an object, not {type(row).__name__}"]
    if row.get("schema") != SCHEMA:
        return [f"schema is {row.get('schema')!r}; this version reads {SCHEMA}"]
    found = [
        f"{name} is missing" for name in ("env", "task_id", "seed") if name not in row
    ]
    steps = row.get("steps", ())
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        return [*found, "steps is not a list"]
    for number, step in enumerate(steps):
        found += [f"step {number}: {text}" for text in _step_problems(step)]
    return found or [*_end_problems(row, steps)]


def _step_problems(step: Any) -> Iterator[str]:
    if not isinstance(step, Mapping):
        yield f"is {type(step).__name__}, not an object"
        return
    context, response = step.get("context", {}), step.get("response", {})
    kinds = context.get("kinds", ())
    if any(kind not in _KINDS for kind, _ in kinds):
        yield f"context kinds are {_KINDS}"
    if sum(count for _, count in kinds) != len(context.get("ids", ())):
        yield "context kinds do not add up to its ids"
    logprobs = response.get("logprobs", ())
    if logprobs and len(logprobs) != len(response.get("ids", ())):
        yield f"{len(response.get('ids', ()))} ids but {len(logprobs)} logprobs"
    if not all(map(math.isfinite, logprobs)) or any(p > 1e-6 for p in logprobs):
        yield "a logprob is not a finite number of at most 0"
    if response.get("finish_reason", "") not in _FINISHES:
        yield f"finish_reason {response['finish_reason']!r} is none of {_FINISHES}"
    reward = step.get("reward", 0.0)
    if reward is not None and not math.isfinite(reward):
        yield f"reward is {reward}"


def _end_problems(row: Mapping[str, Any], steps: Sequence[Any]) -> Iterator[str]:
    reward, valid = row.get("reward"), row.get("valid", True)
    if not valid:
        if reward is not None:
            yield f"not valid, and yet its reward is {reward}"
        return
    if reward is None:
        yield "valid, and yet it has no reward"
    elif not math.isfinite(reward):
        yield f"reward is {reward}"
    elif not math.isclose(
        reward, sum(step.get("reward", 0.0) for step in steps), abs_tol=1e-6
    ):
        yield f"reward {reward} is not the sum of the steps' rewards"
    if any(step.get("terminated") or step.get("truncated") for step in steps[:-1]):
        yield "a step before the last has ended the episode"
    if row.get("terminated") and row.get("truncated"):
        yield "terminated and truncated at once"


def _step(row: Mapping[str, Any]) -> TrajectoryStep:
    known = _known(TrajectoryStep, row)
    context = _known(Context, row.get("context", {}))
    runs = tuple((str(kind), int(count)) for kind, count in context.get("kinds", ()))
    known["context"] = Context(ids=tuple(context.get("ids", ())), kinds=runs)
    response = _known(Response, row.get("response", {}))
    for name in ("ids", "logprobs", "tool_calls"):
        response[name] = tuple(response.get(name, ()))
    known["response"] = Response(**response)
    for name in ("tool_results", "notes"):
        known[name] = tuple(known.get(name, ()))
    return TrajectoryStep(**known)


def _known(cls: type, row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that this version knows; a later minor version may add others."""
    names = {item.name for item in fields(cls)}
    return {name: value for name, value in row.items() if name in names}
