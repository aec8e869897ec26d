"""The environment contract: a true `gymnasium.Env` for agents that speak.

The life of an episode:

    reset(seed, options) ──▶ choose a task ──▶ begin(task) ──▶ observation, info
                                                  │
    step(action) ──▶ read the action ──▶ act ──▶ observation of this turn
        ▲             text, calls or       │
        └── running ◀─ a message           ├── finish() was called ──▶ terminated ──┐
                                           ├── max_turns reached ────▶ truncated  ──┤
                                           └── nothing to execute                   │
                                               too often ────────────▶ truncated  ──┤
                                                                                    ▼
                                                        score(), once, at every end

An author writes a task source, `begin`, tools and `score`. Everything else (seeds,
ids, limits, parsing, accounting, the order of calls) is here and the same for all.
"""

from __future__ import annotations

import hashlib
import json
import operator
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np

from envhub.actions import Action, ChatMessage, ToolCall, ToolResult
from envhub.episode import Blame, Episode, StopReason
from envhub.errors import (
    Closed,
    EnvironmentFault,
    PolicyError,
    StepAfterEnd,
    StepBeforeReset,
    UsageError,
)
from envhub.parsing import Parsed, parse
from envhub.score import Score
from envhub.seeding import SeedChain
from envhub.spaces import ActionSpace, UnicodeText, encodable
from envhub.tasks import Task, Tasks

__all__ = ["Environment"]

Info = dict[str, Any]
_OPTIONS = ("task", "split")
_MESSAGE = frozenset({"role", "content", "tool_calls"})


class Environment(gymnasium.Env[str, Action]):
    """An isolated, multi-turn environment with tasks and a graded outcome.

    Args:
        max_turns: Turns after which the episode is truncated; the class's own number
            by default.
        max_fruitless: Turns in a row in which nothing could be executed after which
            the episode is truncated; by default `max_turns` alone bounds them.
        level: Keep tasks of this difficulty level alone.
        render_mode: ``"ansi"`` or None.

    Attributes:
        tasks: Where tasks come from.
        instructions: What an agent is told before the first observation.
        reward_range: Smallest and largest outcome of `score`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # as Gymnasium
    tasks: Tasks
    instructions: str = ""
    max_turns: int = 20
    reward_range: tuple[float, float] = (0.0, 1.0)
    formats: ClassVar[Sequence[str]] = ("openai", "hermes")

    def __init__(
        self,
        *,
        max_turns: int | None = None,
        max_fruitless: int | None = None,
        level: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode {render_mode!r} is none of None, 'ansi'")
        self.observation_space = UnicodeText()
        self.action_space = ActionSpace()
        self.render_mode = render_mode
        self.max_turns = _count("max_turns", max_turns, self.max_turns)
        self.max_fruitless = _count("max_fruitless", max_fruitless, self.max_turns)
        if level is not None:
            self.tasks = self.tasks.at_level(level)
        self.digest = self._digest("", {})
        self._seeds = SeedChain()
        self._episode: Episode | None = None
        self._shown = ""
        self._closed = False

    # What an author writes

    @abstractmethod
    def begin(self, task: Task) -> str:
        """Set the state up for a task; the first observation.

        Randomness comes from `self.np_random` alone.
        """

    @abstractmethod
    def act(self, parsed: Parsed) -> tuple[str, list[ToolResult]]:
        """Execute what the agent's turn asks for; the observation and the results.

        Not called when the turn holds nothing to execute.
        """

    @abstractmethod
    def score(self) -> Score:
        """The outcome; called once, at the end, outside the agent's reach."""

    def grammar(self, text: str) -> ToolCall | Any | None:
        """Read the environment's own text grammar; None where there is no action."""
        return None

    def nudge(self, parsed: Parsed) -> str:
        """What an agent is told whose turn held nothing to execute."""
        return "Nothing was done: the message holds no action."

    def oracle(self) -> Action:
        """The next action of a policy that always reaches the maximum.

        Raises:
            UsageError: This environment has no oracle.
        """
        raise UsageError(f"{type(self).__name__} has no oracle")

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Schemas of the tools in OpenAI's form, fresh at every call."""
        return []

    def describe(self) -> Info:
        """What else `info` holds at every reset and step, such as possible actions."""
        return {}

    def warm_up(self) -> None:
        """Load what every episode shares; called once, in a template, before forks."""

    def shutdown(self) -> None:
        """Release what the environment holds; called once, by `close`."""

    # What an author calls

    def finish(self) -> None:
        """Say that the episode is complete; it is scored when this turn is over."""
        self._current().stop = StopReason.DONE

    def earn(self, component: str, amount: float) -> None:
        """Give a process reward in this turn."""
        self._current().earn(component, amount)

    @property
    def task(self) -> Task:
        """The task of this episode."""
        return self._current().task

    # What a caller calls

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, Info]:
        """Begin an episode.

        Args:
            seed: Seeds `np_random`, from which everything random follows. Without
                one, the seed follows from the last one given (see `envhub.seeding`);
                ``info["seed"]`` always begins the same episode again.
            options: ``task`` (id, or index within the split; ``task_id`` is the same)
                and ``split`` (the first one by default). Without a task, the seed
                draws one.

        Returns:
            The first observation, and info with ``task_id``, ``split``, ``level``,
            ``seed``, ``env_digest``, ``tools`` and ``messages``.

        Raises:
            UnknownTask: There is no such task or split.
            EnvironmentFault: The environment failed to set the task up.
        """
        self._open()
        self._episode = None
        seed = self._seeds.next(seed)
        super().reset(seed=seed)
        task = self._choose(options, seed)
        self._episode = Episode(task, seed)
        with Blame(self._episode):
            self._shown = encodable(self.begin(task))
            described = self.describe()
        info = described | {
            "task_id": task.id,
            "split": task.split,
            "level": task.level,
            "seed": seed,
            "env_digest": self.digest,
            "tools": self.tool_schemas(),
            "messages": self._messages(),
        }
        return self._shown, info

    def step(self, action: Action) -> tuple[str, float, bool, bool, Info]:
        """Take one turn.

        Args:
            action: Text, a tool call or a sequence of them, or a chat message. What
                cannot be read or executed becomes an observation, never an exception.

        Returns:
            Observation, reward (this turn's process rewards, and the outcome at the
            end), terminated, truncated, and info with ``tool_results``,
            ``reward_components``, ``notes``, ``cut`` and, at the end, ``episode``.

        Raises:
            StepBeforeReset: There is no episode yet.
            StepAfterEnd: The episode has ended.
            EnvironmentFault: The environment's code failed; the episode is void.
            InfrastructureError: The platform failed; the episode is void.
        """
        self._open()
        episode = self._running()
        parsed = self._read(action)
        episode.turns += 1
        with Blame(episode):
            self._shown, results = self._turn(episode, parsed)
            terminated, truncated = self._judge(episode)
            reward, components = episode.settle()
            described = self.describe()
        info = described | {
            "tool_results": [_plain(result) for result in results],
            "reward_components": components,
            "notes": [*parsed.notes],
            "cut": parsed.cut,
        }
        if episode.stop is not None:
            info["episode"] = dict(episode.summary())
        return self._shown, reward, terminated, truncated, info

    def render(self) -> str | None:
        """The last observation in ``"ansi"`` mode, else None."""
        return self._shown if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release everything; idempotent."""
        if not self._closed:
            self._closed = True
            self.shutdown()

    def identify(self, identity: str, arguments: Mapping[str, Any]) -> None:
        """Take the identity that a registry gave; it goes into ``env_digest``."""
        self.digest = self._digest(identity, arguments)

    # Inside

    def _open(self) -> None:
        if self._closed:
            name = type(self).__name__
            raise Closed(f"this {name} was closed; make another one")

    def _current(self) -> Episode:
        if self._episode is None:
            raise StepBeforeReset("there is no episode yet; call reset() first")
        return self._episode

    def _running(self) -> Episode:
        episode = self._current()
        if episode.over:
            raise StepAfterEnd(
                f"the episode ended ({episode.stop}); call reset() for another"
            )
        return episode

    def _choose(self, given: Mapping[str, Any] | None, seed: int) -> Task:
        if not isinstance(given, Mapping | None):
            raise UsageError(f"reset: options is a mapping; found {given!r:.60}")
        options = dict(given or {})
        key = options.pop("task_id", None)
        key = options.pop("task", key)
        split = options.pop("split", None) or next(iter(self.tasks.splits), "train")
        if options:
            raise UsageError(
                f"reset: unknown options {', '.join(sorted(map(str, options)))}; "
                f"known are {', '.join(_OPTIONS)}"
            )
        if key is None:
            # Not from np_random: the same seed with this task named must go on alike.
            return self.tasks.draw(np.random.default_rng([seed, 2]), split)
        return self.tasks.get(key, split)

    def _read(self, action: Action) -> Parsed:
        if isinstance(action, ToolCall):
            return Parsed(calls=(_sound(action),))
        if isinstance(action, str | ChatMessage):
            return parse(action, formats=self.formats, grammar=self._blamed_grammar)
        if isinstance(action, Mapping):
            message = action if _MESSAGE & set(action) else {"tool_calls": [action]}
            return parse(message, formats=self.formats, grammar=self._blamed_grammar)
        if isinstance(action, list | tuple):
            calls = [_sound(call) for call in action if isinstance(call, ToolCall)]
            if len(calls) == len(action):
                return Parsed(calls=tuple(calls))
        raise UsageError(
            f"step: {type(action).__name__} is no action; give text, a ToolCall, a "
            "list of them, or a chat message"
        )

    def _blamed_grammar(self, text: str) -> ToolCall | Any | None:
        with Blame(self._current()):
            return self.grammar(text)

    def _turn(self, episode: Episode, parsed: Parsed) -> tuple[str, list[ToolResult]]:
        complaints = [
            ToolResult(problem.name, problem.message, ok=False)
            for problem in parsed.problems
        ]
        text, results = "", list[ToolResult]()
        if parsed.calls:
            text, results = self._act(parsed)
        fruitful = any(result.ok for result in results)
        episode.fruitless = 0 if fruitful else episode.fruitless + 1
        if not parsed.calls and not complaints:
            text = self.nudge(parsed)
        shown = [text, *(complaint.text for complaint in complaints)]
        return encodable("\n".join(filter(None, shown))), results + complaints

    def _act(self, parsed: Parsed) -> tuple[str, list[ToolResult]]:
        try:
            return self.act(parsed)
        except PolicyError as error:
            refused = encodable(str(error))
            return refused, [ToolResult(parsed.calls[0].name, refused, ok=False)]

    def _judge(self, episode: Episode) -> tuple[bool, bool]:
        if episode.stop is None and episode.turns >= self.max_turns:
            episode.stop = StopReason.MAX_TURNS
        if episode.stop is None and episode.fruitless >= self.max_fruitless:
            episode.stop = StopReason.NO_ACTION
        if episode.stop is None:
            return False, False
        episode.over = True
        found: Any = self.score()
        if not isinstance(found, Score):
            kind = type(found).__name__
            raise EnvironmentFault(f"score() gave a {kind}; it must give a Score")
        episode.score = found.checked(self.reward_range)
        done = episode.stop is StopReason.DONE
        return done, not done

    def _messages(self) -> list[dict[str, str]]:
        system = [{"role": "system", "content": self.instructions}]
        first = {"role": "user", "content": self._shown}
        return [*(system if self.instructions else []), first]

    def _digest(self, identity: str, arguments: Mapping[str, Any]) -> str:
        facts = [identity or type(self).__qualname__, dict(arguments)]
        text = json.dumps(facts, sort_keys=True, default=lambda x: type(x).__name__)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _count(name: str, given: Any, otherwise: int) -> int:
    """A number of turns that a caller gave, if one did."""
    if given is None:
        return otherwise
    if not hasattr(given, "__index__") or operator.index(given) < 1:
        raise UsageError(f"{name} is {given!r}; it must be a whole number, at least 1")
    return operator.index(given)


def _sound(call: Any) -> ToolCall:
    """A call of which the agent's own part may be wrong, but not its form."""
    if isinstance(call.name, str) and isinstance(call.arguments, Mapping):
        return call  # type: ignore[no-any-return]  # callers are not all typed
    raise UsageError(
        f"step: a ToolCall has a name and a mapping of arguments; found {call!r:.100}"
    )


def _plain(result: ToolResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "text": result.text,
        "ok": result.ok,
        "id": result.id,
    }
