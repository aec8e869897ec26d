"""Writes the record of an episode while it is played, whoever plays it.

Knows the loop (reset, step) and `Trajectory`; what chooses the actions and where the
episode runs, it does not know. Token ids are not recorded here: what samples them has
its own recorder.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from envhub.actions import Action, ChatMessage, ToolCall
from envhub.episode import StopReason
from envhub.errors import EnvhubError, InfrastructureError
from envhub.pool import Reset, Step
from envhub.trajectory import Response, Trajectory, TrajectoryStep

__all__ = ["Recorder", "as_response"]


class Recorder:
    """One episode on its way to a `Trajectory`.

    Args:
        env: Id of the environment.
        player: Who chooses the actions.
    """

    def __init__(self, env: str, player: str) -> None:
        self._env = env
        self._player = player
        self._steps: list[TrajectoryStep] = []
        self._beginning: Mapping[str, Any] = {}
        self._end: Mapping[str, Any] = {}
        self._started = time.perf_counter()

    @property
    def over(self) -> bool:
        """Whether the last step ended the episode."""
        last = self._steps[-1] if self._steps else TrajectoryStep()
        return last.terminated or last.truncated

    def begun(self, reset: Reset) -> None:
        """Take what the reset gave."""
        self._beginning = reset.info

    def answered(self, action: Action, step: Step, seconds: float) -> None:
        """Take one turn.

        Args:
            action: What was done.
            step: What it gave.
            seconds: Wall seconds it took.
        """
        self._end = step.info.get("episode", {})
        self._steps.append(
            TrajectoryStep(
                response=as_response(action),
                observation=step.observation,
                reward=float(step.reward),
                components=dict(step.info["reward_components"]),
                tool_results=tuple(step.info["tool_results"]),
                notes=tuple(step.info["notes"]),
                terminated=step.terminated,
                truncated=step.truncated,
                seconds_environment=seconds,
            )
        )

    def finish(
        self,
        failure: EnvhubError | None = None,
        *,
        task: str = "",
        seed: int = 0,
        attempts: int = 1,
    ) -> Trajectory:
        """The record.

        Args:
            failure: Why the episode is void, if it is. One that has neither failed nor
                ended was given up by its player: its stop reason is ``"quit"``.
            task: Task asked for, when there was no reset that could tell.
            seed: Seed asked for, likewise.
            attempts: Instances it took.
        """
        valid = failure is None
        last = self._steps[-1] if self._steps and valid else TrajectoryStep()
        return Trajectory(
            env=self._env,
            task_id=str(self._beginning.get("task_id", task)),
            seed=int(self._beginning.get("seed", seed)),
            split=str(self._beginning.get("split", "")),
            messages=tuple(self._beginning.get("messages", ())),
            tools=tuple(self._beginning.get("tools", ())),
            steps=tuple(self._steps),
            reward=sum(step.reward or 0.0 for step in self._steps) if valid else None,
            success=valid and bool(self._end.get("success", False)),
            valid=valid,
            terminated=last.terminated,
            truncated=last.truncated,
            stop_reason=self._stop_reason(failure),
            error="" if valid else f"{type(failure).__name__}: {failure}",
            attempts=attempts,
            engine=self._player,
            env_digest=str(self._beginning.get("env_digest", "")),
            seconds=time.perf_counter() - self._started,
        )

    def _stop_reason(self, failure: EnvhubError | None) -> str:
        if failure is None:
            return str(self._end.get("stop_reason", "quit"))
        lost = isinstance(failure, InfrastructureError)
        return StopReason.INFRASTRUCTURE if lost else StopReason.ENVIRONMENT_FAULT


def as_response(action: Action) -> Response:
    """An action as a trajectory records it: its text, and calls in OpenAI's form."""
    if isinstance(action, str):
        return Response(text=action)
    if isinstance(action, ToolCall):
        return Response(tool_calls=(_openai(action),))
    if isinstance(action, ChatMessage):
        return Response(
            text=action.content,
            tool_calls=tuple(action.tool_calls),
            finish_reason=action.finish_reason or "",
        )
    if isinstance(action, Mapping):
        if "name" in action:
            named = {"name": action["name"], "arguments": action.get("arguments")}
            return Response(tool_calls=(_call(named, action.get("id")),))
        calls = tuple(action.get("tool_calls") or ())
        return Response(text=str(action.get("content") or ""), tool_calls=calls)
    return Response(tool_calls=tuple(_openai(call) for call in action))


def _openai(call: ToolCall) -> dict[str, Any]:
    return _call({"name": call.name, "arguments": dict(call.arguments)}, call.id)


def _call(function: dict[str, Any], id: Any) -> dict[str, Any]:
    if not isinstance(function["arguments"], str):
        text = json.dumps(function["arguments"] or {}, ensure_ascii=False, default=str)
        function["arguments"] = text
    return {"id": str(id or ""), "type": "function", "function": function}
