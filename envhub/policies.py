"""Policies without a model: chance, silence, and the oracle.

They are the floor and the ceiling that a model is measured against. A policy plays one
episode; `POLICIES` has a maker for each name, called once for every episode.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from envhub.actions import Action, ToolCall

__all__ = [
    "POLICIES",
    "Advisor",
    "NoopPolicy",
    "OraclePolicy",
    "Policy",
    "PolicyMaker",
    "RandomPolicy",
    "possible_actions",
]

_WORD = re.compile(r"\w[\w./#-]*")
_BLANK = re.compile(r"<[^<>\n]+>")
_FORM = re.compile(r"(?P<tool>\w+)\[(?P<argument>\w+)\]")
_STOCK = ("a", "1", "yes", "all", "help", "look")
_MOST_WORDS = 200
_DEEPEST = 6


class Policy(Protocol):
    """Chooses the actions of one episode."""

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        """The next action.

        Args:
            observation: What the environment said last.
            info: Its info: of the reset before the first action (it has ``tools`` and
                ``messages``), of the last step before the others.
        """
        ...


class Advisor(Protocol):
    """What an episode is played on, as far as a policy may ask it: env or lease."""

    def oracle(self) -> Action:
        """The next action of the environment's oracle."""
        ...


PolicyMaker: TypeAlias = Callable[[Advisor, int], Policy]
"""Makes the policy of one episode, given what it is played on and its seed."""


def possible_actions(info: Mapping[str, Any]) -> list[str]:
    """What the environment says can be done now, in its text grammar; often nothing.

    Environments tell it in ``info["possible_actions"]``.
    """
    return [str(action) for action in info.get("possible_actions") or ()]


class NoopPolicy:
    """Says nothing at every turn."""

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        """The empty text."""
        return ""


class OraclePolicy:
    """Does what the environment's oracle says.

    Args:
        advisor: The environment, or the lease of a pool, that the episode is played on.
    """

    def __init__(self, advisor: Advisor) -> None:
        self._advisor = advisor

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        """The oracle's next action.

        Raises:
            UsageError: The environment has no oracle.
        """
        return self._advisor.oracle()


class RandomPolicy:
    """Draws actions that look valid.

    One of `possible_actions` where the environment lists them, its blanks filled with
    words; else a call of a random tool with arguments drawn from its schema; else a
    few words. Words come from the last observation, so that names and ids in it are
    tried, too.

    Args:
        seed: Of its own generator; the same seed and observations give the same
            actions.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._tools: Sequence[Mapping[str, Any]] = ()

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        """A random action."""
        self._tools = info.get("tools") or self._tools
        draw = _Draw(self._random, observation)
        if listed := possible_actions(info):
            return self._filled(self._random.choice(listed), draw)
        if not self._tools:
            return draw.phrase()
        function = self._random.choice(self._tools)["function"]
        return ToolCall(function["name"], draw.arguments(function["parameters"]))

    def _filled(self, listed: str, draw: _Draw) -> str:
        """A listed action without its blanks: ``<words>``, or an argument's name."""
        form = _FORM.fullmatch(listed)
        for function in (tool["function"] for tool in self._tools):
            if (
                form
                and function["name"] == form["tool"]
                and form["argument"] in function["parameters"]["properties"]
            ):
                return f"{form['tool']}[{draw.phrase()}]"
        return _BLANK.sub(lambda _: draw.phrase(), listed)


class _Draw:
    """Draws values that fit a JSON schema, as pydantic writes them."""

    def __init__(self, rng: random.Random, text: str) -> None:
        self._random = rng
        self._words = _WORD.findall(text)[:_MOST_WORDS] or list(_STOCK)

    def phrase(self) -> str:
        """One to three words."""
        return " ".join(self._random.choices(self._words, k=self._random.randint(1, 3)))

    def arguments(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """All required arguments, and each optional one in half of the cases."""
        return self._object(schema, schema.get("$defs", {}), 0)

    def _object(
        self, schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int
    ) -> dict[str, Any]:
        required = set(schema.get("required", ()))
        return {
            name: self._value(part, defs, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if name in required or self._random.random() < 0.5
        }

    def _value(
        self, schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int
    ) -> Any:
        if "const" in schema:
            return schema["const"]
        if choices := schema.get("enum"):
            return self._random.choice(choices)
        if reference := schema.get("$ref"):
            named = defs.get(str(reference).rpartition("/")[2], {})
            return self._value(named, defs, depth)
        if options := schema.get("anyOf") or schema.get("oneOf"):
            chosen = options[-1] if depth > _DEEPEST else self._random.choice(options)
            return self._value(chosen, defs, depth + 1)
        return self._typed(schema, defs, depth)

    def _typed(
        self, schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int
    ) -> Any:
        match schema.get("type"):
            case "integer":
                return self._random.randint(*_bounds(schema))
            case "number":
                low, high = _bounds(schema)
                return low + (high - low) * self._random.random()
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
            case "array":
                return self._array(schema, defs, depth)
            case "object":
                return self._object(schema, defs, depth)
            case _:
                return self._string(schema)

    def _array(
        self, schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int
    ) -> list[Any]:
        if parts := schema.get("prefixItems"):
            return [self._value(part, defs, depth + 1) for part in parts]
        least = int(schema.get("minItems", 0))
        most = min(int(schema.get("maxItems", least + 3)), least + 3)
        count = least if depth > _DEEPEST else self._random.randint(least, most)
        items = schema.get("items", {})
        return [self._value(items, defs, depth + 1) for _ in range(count)]

    def _string(self, schema: Mapping[str, Any]) -> str:
        text = self.phrase()
        while len(text) < int(schema.get("minLength", 0)):
            text += f" {self.phrase()}"
        return text[: schema.get("maxLength")]


def _bounds(schema: Mapping[str, Any]) -> tuple[int, int]:
    """Smallest and largest whole number to draw; ten numbers where one is missing."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and "minimum" not in schema:
        low += 1
    if high is not None and "maximum" not in schema:
        high -= 1
    if low is None:
        low = 0 if high is None else min(0, high)
    return int(low), int(low + 10 if high is None else max(low, high))


POLICIES: Mapping[str, PolicyMaker] = MappingProxyType(
    {
        "noop": lambda advisor, seed: NoopPolicy(),
        "oracle": lambda advisor, seed: OraclePolicy(advisor),
        "random": lambda advisor, seed: RandomPolicy(seed),
    }
)
"""Makers by the names that a person types."""
