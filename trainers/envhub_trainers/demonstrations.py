"""Weak demonstrations: an environment's oracle, mixed with mistakes.

A policy that imitates them succeeds sometimes: often enough that reinforcement
learning finds a signal, seldom enough that there is something to learn.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envhub.actions import Action, ChatMessage, ToolCall
from envhub.env import Environment
from envhub.errors import UsageError
from envhub.parsing import parse
from envhub.policies import possible_actions

__all__ = ["Demonstration", "action_text", "demonstrate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """One episode as texts.

    Attributes:
        messages: The chat it began with.
        actions: What was done, as the text of an assistant turn.
        observations: What the environment answered to each action.
        reward: Sum of rewards.
        success: Whether the task was solved.
    """

    messages: Sequence[Mapping[str, Any]]
    actions: Sequence[str]
    observations: Sequence[str]
    reward: float
    success: bool


def demonstrate(
    env: Environment,
    count: int,
    *,
    skill: float = 0.5,
    split: str = "train",
    seed: int = 0,
) -> list[Demonstration]:
    """Roll an environment with its oracle and mistakes.

    Args:
        env: The environment.
        count: Demonstrations.
        skill: Probability that a turn is the oracle's. Otherwise one of the actions
            that the environment lists as possible is taken, or one that the oracle
            took at another moment: well formed, and mostly wrong.
        split: Where tasks come from.
        seed: Of the choice of tasks and mistakes.

    Raises:
        UsageError: The environment has no oracle, or `skill` is no probability.
    """
    if not 0 <= skill <= 1:
        raise UsageError(f"skill is {skill}; it is a probability")
    rng = random.Random(f"demonstrations/{seed}")
    seen: list[str] = []
    return [_play(env, split, rng, skill, seen) for _ in range(count)]


def action_text(action: Action, env: Environment | None = None) -> str:
    """An action as the text of an assistant turn.

    A call of a tool with one text argument is written as the bare text where the
    environment reads that as the same call; other calls in Hermes form.
    """
    if isinstance(action, str):
        return action
    if isinstance(action, ChatMessage):
        calls = [call.get("function", call) for call in action.tool_calls]
        return "\n".join([*filter(None, [action.content]), *map(_call_text, calls)])
    if isinstance(action, ToolCall):
        short = _bare(action, env) if env is not None else None
        return short or _call_text({"name": action.name, "arguments": action.arguments})
    if isinstance(action, Mapping):
        return str(action["content"]) if "content" in action else _call_text(action)
    return "\n".join(action_text(call, env) for call in action)


def _play(
    env: Environment, split: str, rng: random.Random, skill: float, seen: list[str]
) -> Demonstration:
    _, begun = env.reset(seed=rng.randrange(2**31), options={"split": split})
    info, actions, observations = begun, list[str](), list[str]()
    total, over = 0.0, False
    while not over:
        text = action_text(env.oracle(), env)
        seen.append(text)
        if rng.random() >= skill:
            text = rng.choice(possible_actions(info) or seen)
        observation, reward, terminated, truncated, info = env.step(ChatMessage(text))
        actions.append(text)
        observations.append(observation)
        total += reward
        over = terminated or truncated
    return Demonstration(
        messages=begun["messages"],
        actions=actions,
        observations=observations,
        reward=total,
        success=bool(info["episode"]["success"]),
    )


def _bare(call: ToolCall, env: Environment) -> str | None:
    values = list(call.arguments.values())
    if len(values) != 1 or not isinstance(values[0], str):
        return None
    read = parse(ChatMessage(values[0]), formats=env.formats, grammar=env.grammar)
    same = [(c.name, dict(c.arguments)) for c in read.calls]
    return values[0] if same == [(call.name, dict(call.arguments))] else None


def _call_text(call: Mapping[str, Any]) -> str:
    arguments = call.get("arguments", {})
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    body = {"name": call["name"], "arguments": dict(arguments)}
    return f"<tool_call>\n{json.dumps(body, ensure_ascii=False)}\n</tool_call>"
