"""Weak demonstrations: an environment's oracle, mixed with mistakes.

A policy that imitates them succeeds sometimes: often enough that reinforcement
learning finds a signal, seldom enough that there is something to learn.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from envhub.actions import Action, ChatMessage, ToolCall
from envhub.errors import UsageError

__all__ = ["Demonstration", "Episode", "action_text", "demonstrate"]


class Episode(Protocol):
    """An environment or a lease of a pool."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin."""
        ...

    def step(self, action: Action) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take one turn."""
        ...

    def oracle(self) -> Action:
        """What an expert would do now."""
        ...


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One episode as texts.

    Attributes:
        messages: The chat it began with.
        tools: Tool schemas offered.
        actions: What was done, as the text of an assistant turn.
        observations: What the environment answered to each action.
        reward: Sum of rewards.
        success: Whether the task was solved.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]
    actions: Sequence[str]
    observations: Sequence[str]
    reward: float
    success: bool


def demonstrate(
    episode: Episode,
    count: int,
    *,
    skill: float = 0.5,
    split: str = "train",
    seed: int = 0,
    tasks: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Demonstration]:
    """Roll an environment with its oracle and mistakes.

    Args:
        episode: The environment.
        count: Demonstrations.
        skill: Probability that a turn is the oracle's. Otherwise an action that the
            oracle took at another moment or in another task is taken instead: well
            formed, and mostly wrong.
        split: Where tasks come from.
        seed: Of the choice of tasks and mistakes.
        tasks: Draw from the first so many tasks of the split alone.
        progress: Called with the number done.

    Raises:
        UsageError: The environment has no oracle, or `skill` is no probability.
    """
    if not 0 <= skill <= 1:
        raise UsageError(f"skill is {skill}; it is a probability")
    rng = random.Random(f"demonstrations/{seed}")
    seen: list[str] = []
    made: list[Demonstration] = []
    for number in range(count):
        options: dict[str, Any] = {"split": split}
        if tasks is not None:
            options["task"] = rng.randrange(tasks)
        begun = episode.reset(seed=rng.randrange(2**31), options=options)
        made.append(_play(episode, begun[1], rng, skill, seen))
        progress(number + 1)
    return made


def action_text(action: Action) -> str:
    """An action as the text of an assistant turn (Hermes form for tool calls)."""
    if isinstance(action, str):
        return action
    if isinstance(action, ChatMessage):
        calls = [call.get("function", call) for call in action.tool_calls]
        return "\n".join([*filter(None, [action.content]), *map(_call_text, calls)])
    if isinstance(action, ToolCall):
        return _call_text({"name": action.name, "arguments": action.arguments})
    if isinstance(action, Mapping):
        return action_text(ChatMessage(**action)) if "content" in action else _call_text(action)
    return "\n".join(action_text(call) for call in action)


def _play(
    episode: Episode,
    info: Mapping[str, Any],
    rng: random.Random,
    skill: float,
    seen: list[str],
) -> Demonstration:
    actions: list[str] = []
    observations: list[str] = []
    total, over, success = 0.0, False, False
    while not over:
        text = action_text(episode.oracle())
        seen.append(text)
        if rng.random() >= skill:
            text = rng.choice(seen)
        observation, reward, terminated, truncated, later = episode.step(ChatMessage(text))
        actions.append(text)
        observations.append(observation)
        total += reward
        over = terminated or truncated
        success = bool(later.get("episode", {}).get("success"))
    return Demonstration(
        info["messages"], info["tools"], actions, observations, total, success
    )


def _call_text(call: Mapping[str, Any]) -> str:
    arguments = call.get("arguments", {})
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    body = {"name": call["name"], "arguments": dict(arguments)}
    return f"<tool_call>\n{json.dumps(body, ensure_ascii=False)}\n</tool_call>"
