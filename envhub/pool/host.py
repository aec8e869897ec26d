"""The far side of an episode in its own process: hosts one environment.

The template calls `EpisodeHost` once, so that the environment's catalogue is loaded
there; every forked child answers on its own copy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from envhub.actions import Action, ChatMessage, ToolCall
from envhub.env import Environment
from envhub.errors import EnvhubError, UsageError
from envhub.registry import Registry
from envhub.spec import EnvSpec

__all__ = ["EpisodeHost", "pack_action", "unpack_action"]


class EpisodeHost:
    """One environment, driven by calls that cross a process boundary.

    Args:
        id: Id of the spec.
        version: Version of the spec.
        entry_point: ``"module:attribute"`` of the environment.
        kwargs: Its arguments, JSON values.
    """

    def __init__(
        self, id: str, version: str, entry_point: str, kwargs: Mapping[str, Any]
    ) -> None:
        spec = EnvSpec(id=id, version=version, entry_point=entry_point)
        self._env: Environment = Registry(list).make(spec, **kwargs)
        self._env.warm_up()
        # A first episode fills caches and finishes imports, once for all children. An
        # environment that fails at it will say so to whoever resets it.
        with contextlib.suppress(EnvhubError):
            self._env.reset(seed=0)
            self._env.step("")

    def reset(self, seed: int, options: dict[str, Any] | None) -> tuple[Any, ...]:
        """`Environment.reset`."""
        return self._env.reset(seed=seed, options=options)

    def step(self, action: Any) -> tuple[Any, ...]:
        """`Environment.step` of a packed action."""
        return self._env.step(unpack_action(action))

    def oracle(self) -> Any:
        """`Environment.oracle`, packed."""
        return pack_action(self._env.oracle())


def pack_action(action: Action) -> Any:
    """An action as JSON values: text, or a list whose head tells the view."""
    if isinstance(action, str):
        return action
    if isinstance(action, ToolCall):
        return ["call", _pack_call(action)]
    if isinstance(action, ChatMessage):
        calls = [dict(call) for call in action.tool_calls]
        return ["message", action.content, calls, action.finish_reason]
    if isinstance(action, Mapping):
        return ["mapping", dict(action)]
    try:
        return ["calls", [_pack_call(call) for call in action]]
    except (TypeError, AttributeError):
        raise UsageError(
            f"step: {type(action).__name__} is no action; give text, a ToolCall, a "
            "list of them, or a chat message"
        ) from None


def unpack_action(packed: Any) -> Action:
    """The action that `pack_action` packed."""
    if isinstance(packed, str):
        return packed
    view, *parts = packed
    if view == "call":
        return ToolCall(*parts[0])
    if view == "message":
        return ChatMessage(*parts)
    if view == "mapping":
        mapping: Mapping[str, Any] = parts[0]
        return mapping
    return [ToolCall(*call) for call in parts[0]]


def _pack_call(call: ToolCall) -> list[Any]:
    return [call.name, dict(call.arguments), call.id]
