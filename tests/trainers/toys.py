"""Small environments and engines with which trainers are tested."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import envhub
from envhub.actions import Action, ToolCall, ToolResult
from envhub.parsing import Parsed
from envhub_trainers.engine import FinishReason, Generation, Request

COLOURS = ("red", "blue", "green", "white")


def _door(split: str, index: int, level: int) -> Mapping[str, Any]:
    number = index * 5 + (3 if split == "test" else 0)
    return {"colour": COLOURS[number % len(COLOURS)]}


class Doors(envhub.ToolEnv):
    """One of four doors is right. A note tells which; one attempt to open."""

    tasks = envhub.Tasks("doors", _door, splits={"train": 64, "test": 32})
    max_turns = 3

    def begin(self, task: envhub.Task) -> str:
        self.colour = task["colour"]
        self.opened = ""
        self.read = False
        return "Find the right door."

    @envhub.tool
    def look(self) -> str:
        """Read the note."""
        self.read = True
        return f"The note says {self.colour}."

    @envhub.tool
    def open(self, colour: str) -> str:
        """Open a door.

        Args:
            colour: Which.
        """
        self.opened = colour
        self.finish()
        return "It is open."

    def grammar(self, text: str) -> ToolCall | None:
        verb, _, rest = text.strip().partition(" ")
        if verb == "look" and not rest:
            return ToolCall("look")
        if verb == "open" and rest:
            return ToolCall("open", {"colour": rest})
        return None

    def oracle(self) -> Action:
        return f"open {self.colour}" if self.read else "look"

    def score(self) -> envhub.Score:
        return envhub.Score(float(self.opened == self.colour))


WORDS = ("knock", "ring", "enter", "wait", "sing", "push")


def _entrance(split: str, index: int, level: int) -> Mapping[str, Any]:
    return {"gate": bool(index % 2)}


class Entrance(envhub.Environment):
    """At a door one knocks, at a gate one rings; then one enters. One slip ends it."""

    tasks = envhub.Tasks("entrance", _entrance, splits={"train": 16, "test": 16})
    max_turns = 2

    def begin(self, task: envhub.Task) -> str:
        self.wanted = ["ring" if task["gate"] else "knock", "enter"]
        return "A gate." if task["gate"] else "A door."

    def act(self, parsed: Parsed) -> tuple[str, list[ToolResult]]:
        word = parsed.calls[0].name
        if word == self.wanted[0]:
            self.wanted.pop(0)
        else:
            self.finish()
        if not self.wanted:
            self.finish()
        return "Yes?", [ToolResult(word, "Yes?")]

    def grammar(self, text: str) -> ToolCall | None:
        return ToolCall(text.strip()) if text.strip() in WORDS else None

    def describe(self) -> dict[str, Any]:
        return {"possible_actions": list(WORDS)}

    def oracle(self) -> Action:
        return self.wanted[0]

    def score(self) -> envhub.Score:
        return envhub.Score(float(not self.wanted))


def _line(split: str, index: int, level: int) -> Mapping[str, Any]:
    return {"number": index}


class Parrot(envhub.ToolEnv):
    """Repeats what a test gives it; `fail` makes it raise.

    Args:
        says: What every answer is, by turn; the last one repeats.
        begins: The first observation.
        fail: Called with task number, this instance's number and turn, at
            the start (0) and at each call.
    """

    tasks = envhub.Tasks("parrot", _line, splits={"train": 8, "test": 4})
    max_turns = 4
    made = 0

    def __init__(
        self,
        says: Sequence[str] = ("Go on.",),
        begins: str = "Speak.",
        fail: Callable[[int, int, int], None] = lambda task, instance, turn: None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.says = says
        self.begins = begins
        self.fail = fail
        self.heard: list[str] = []
        type(self).made += 1
        self.number = type(self).made

    def begin(self, task: envhub.Task) -> str:
        self.turn = 0
        self.heard = []
        self.fail(task.index, self.number, 0)
        return self.begins

    @envhub.tool
    def say(self, text: str) -> str:
        """Say something.

        Args:
            text: What.
        """
        self.turn += 1
        self.fail(self.task.index, self.number, self.turn)
        self.heard.append(text)
        if text == "stop":
            self.finish()
        return self.says[min(self.turn, len(self.says)) - 1]

    def grammar(self, text: str) -> ToolCall | None:
        return ToolCall("say", {"text": text.strip()}) if text.strip() else None

    def score(self) -> envhub.Score:
        return envhub.Score(float("stop" in self.heard))


class Script:
    """An engine that says what a function of context and turn gives it."""

    name = "script"

    def __init__(
        self,
        tokenizer: Any,
        say: Callable[[int, Request], str | Generation],
        *,
        max_context: int = 10_000,
    ) -> None:
        self._tokenizer = tokenizer
        self._say = say
        self._turns: dict[Hashable, int] = {}
        self.max_context = max_context
        self.eos_ids = frozenset([tokenizer.eos_token_id])
        self.seen: list[Request] = []

    def generate(self, requests: Sequence[Request]) -> list[Generation]:
        self.seen += requests
        return [self._one(request) for request in requests]

    def forget(self, keys: Iterable[Hashable]) -> None:
        for key in keys:
            self._turns.pop(key, None)

    def _one(self, request: Request) -> Generation:
        turn = self._turns[request.key] = self._turns.get(request.key, 0) + 1
        said = self._say(turn, request)
        if isinstance(said, Generation):
            return said
        whole = self._tokenizer.encode(said, add_special_tokens=False)
        ids = [*whole, self._tokenizer.eos_token_id][: request.max_new_tokens]
        finish: FinishReason = "stop" if ids[-1] in self.eos_ids else "length"
        return Generation(tuple(ids), tuple(-0.1 for _ in ids), finish)
