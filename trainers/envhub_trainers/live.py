"""One episode on its way: its tokens, its turns, and how it may end.

begun ──▶ ask() ──▶ said() ──▶ answered() ──┬─▶ ask() ...
            │                               ├─▶ over: the environment ended it
            └─▶ over: no room left          └─▶ over: the turn limit
failed(): void at any moment; the runner may begin it again on a fresh instance
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envhub.actions import ChatMessage
from envhub.errors import UsageError
from envhub.pool import Reset, Step
from envhub.rollout import Start
from envhub.trajectory import Context, Response, Trajectory, TrajectoryStep
from envhub_trainers.engine import Engine, Generation, Request
from envhub_trainers.tokens import ChatFormat, Piece
from envhub_trainers.transcript import Transcript

__all__ = ["Limits", "Live", "PromptTooLong", "Rollout"]


class PromptTooLong(UsageError):
    """A task's first prompt leaves no room to answer: data or limits are wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one episode may hold.

    Attributes:
        turn_tokens: Sampled in one turn.
        completion_tokens: After the first prompt, sampled and observed together; None
            leaves it to the engine's context.
        max_turns: Turns; None leaves it to the environment.
    """

    turn_tokens: int = 256
    completion_tokens: int | None = None
    max_turns: int | None = None


@dataclass(frozen=True, slots=True)
class Rollout:
    """One finished episode, as a record and as tokens.

    Attributes:
        trajectory: For people, files and replay.
        transcript: For the loss.
    """

    trajectory: Trajectory
    transcript: Transcript


class Live:
    """The account of one running episode.

    Args:
        start: Which episode.
        chat: How text becomes tokens.
        engine: Whose context limit holds.
        limits: How much it may hold.
        policy_version: Written into every step.
    """

    _numbers = itertools.count()

    def __init__(
        self,
        start: Start,
        chat: ChatFormat,
        engine: Engine,
        limits: Limits,
        *,
        policy_version: int = 0,
    ) -> None:
        self.start = start
        self.key = next(self._numbers)
        self.attempts = 0
        self._chat = chat
        self._engine = engine
        self._limits = limits
        self._version = policy_version
        self._clear()

    def _clear(self) -> None:
        self.transcript = Transcript(())
        self.stop_reason = ""
        self.error = ""
        self._info: Mapping[str, Any] = {}
        self._end: Mapping[str, Any] = {}
        self._pending: list[Piece] = []
        self._steps: list[TrajectoryStep] = []
        self._response = Response()
        self._started = time.perf_counter()
        self._engine_seconds = 0.0
        self._ended: tuple[bool, bool] = (False, False)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.stop_reason)

    def begin(self, reset: Reset) -> None:
        """Take the beginning that the environment gave.

        Raises:
            PromptTooLong: It leaves no room for a single token.
        """
        self._clear()
        self.attempts += 1
        self._info = reset.info
        tools = reset.info["tools"] if self._chat.takes_tools else ()
        prompt = self._chat.prompt(reset.info["messages"], tools=tools)
        if len(prompt) >= self._engine.max_context:
            message = (
                f"The first prompt of task {reset.info['task_id']} has {len(prompt)} "
                f"tokens and the model's context holds {self._engine.max_context}. "
                "Leave such tasks out, or raise the context limit."
            )
            raise PromptTooLong(message)
        self._pending = [Piece("harness", tuple(prompt))]
        self.transcript = Transcript(tuple(prompt))

    def ask(self) -> Request | None:
        """What to sample next; None when there is no room, which ends the episode."""
        longer = self._longer()
        room = self._engine.max_context - len(longer)
        if self._limits.completion_tokens is not None:
            used = len(longer) - len(longer.prompt)
            room = min(room, self._limits.completion_tokens - used)
        if room < 1:
            self._truncate("context")
            return None
        return Request(longer.context, min(room, self._limits.turn_tokens), self.key)

    def said(self, generation: Generation, seconds: float) -> ChatMessage | None:
        """Take what was sampled; None when the context did not fit the engine."""
        if not generation.ids:
            if not self._steps:
                message = (
                    f"The first prompt of task {self._info['task_id']} "
                    f"({len(self.transcript)} tokens) does not fit the engine."
                )
                raise PromptTooLong(message)
            self._truncate("context")
            return None
        self.transcript = self._longer().sampled(generation.ids, generation.logprobs)
        self._engine_seconds = seconds
        text = self._chat.text(generation.ids)
        self._response = Response(
            ids=generation.ids,
            logprobs=generation.logprobs,
            text=text,
            finish_reason=generation.finish_reason,
        )
        return ChatMessage(text, finish_reason=generation.finish_reason)

    def answered(self, step: Step, seconds: float) -> None:
        """Take the environment's answer and prepare what is read next."""
        self._ended = step.terminated, step.truncated
        if step.terminated or step.truncated:
            self._end = step.info["episode"]
            self.stop_reason = self._end["stop_reason"]
        elif len(self._steps) + 1 == self._limits.max_turns:
            self._ended = False, True
            self.stop_reason = "max_turns"
        self._steps.append(self._step(step, seconds))
        self._pending = self._turn(step)

    def failed(self, error: Exception) -> None:
        """The environment or the platform failed: the episode is void."""
        self.stop_reason = "failed"
        self.error = f"{type(error).__name__}: {error}"

    def finish(self, env: str) -> Rollout:
        """The finished record."""
        valid = not self.error
        terminated, truncated = self._ended if valid else (False, False)
        trajectory = Trajectory(
            env=env,
            task_id=str(self._info.get("task_id", self.start.task)),
            seed=int(self._info.get("seed", self.start.seed)),
            split=str(self._info.get("split", self.start.split or "")),
            group=f"{self.start.task}/{self.start.seed}",
            messages=tuple(self._info.get("messages", ())),
            tools=tuple(self._info.get("tools", ())),
            steps=tuple(self._steps),
            reward=sum(step.reward or 0.0 for step in self._steps) if valid else None,
            success=bool(self._end.get("success", False)),
            valid=valid,
            terminated=terminated,
            truncated=truncated,
            stop_reason=self.stop_reason,
            error=self.error,
            attempts=max(1, self.attempts),
            engine=self._engine.name,
            env_digest=str(self._info.get("env_digest", "")),
            seconds=time.perf_counter() - self._started,
        )
        return Rollout(trajectory, self.transcript)

    def _longer(self) -> Transcript:
        return self.transcript.observed(self._pending if self._steps else ())

    def _truncate(self, reason: str) -> None:
        """End without the observation that no longer fits."""
        self._pending = []
        self._ended = False, True
        self.stop_reason = reason

    def _step(self, step: Step, seconds: float) -> TrajectoryStep:
        terminated, truncated = self._ended
        return TrajectoryStep(
            context=Context(
                ids=tuple(i for piece in self._pending for i in piece.ids),
                kinds=tuple((piece.kind, len(piece.ids)) for piece in self._pending),
            ),
            response=self._response,
            observation=step.observation,
            reward=float(step.reward),
            components=dict(step.info["reward_components"]),
            tool_results=tuple(step.info["tool_results"]),
            notes=tuple(step.info["notes"]),
            terminated=terminated,
            truncated=truncated,
            policy_version=self._version,
            seconds_engine=self._engine_seconds,
            seconds_environment=seconds,
        )

    def _turn(self, step: Step) -> list[Piece]:
        closed = self._response.ids[-1] in self._chat.eos_ids
        results = _results(step) if self._chat.role == "tool" else None
        if results is None:
            return self._chat.turn([step.observation], closed=closed, role="user")
        return self._chat.turn(results, closed=closed, role="tool")


def _results(step: Step) -> Sequence[str] | None:
    """One text for each tool call, or None when the answer is not made of results."""
    texts = [str(result["text"]) for result in step.info["tool_results"]]
    if not texts:
        return None
    joined = "\n".join(text for text in texts if text)
    return texts if joined == step.observation else [step.observation]
