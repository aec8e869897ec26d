"""What a task is made of: a question and the function that answers it.

One function serves twice. Called on the host it gives the gold answer; its source, run
in the sandbox by the oracle, shows that an agent can get there with code. So it is
self-contained: it imports what it needs in its body and uses nothing of its module.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["EXAMPLES", "HIDDEN", "Answer", "Exercise", "Problem"]

EXAMPLES = 2
"""Calls that an exercise shows."""

HIDDEN = 12
"""Calls that an exercise is judged by."""

Answer: TypeAlias = "int | float | str | list[Any]"
"""What a question may ask for. A float was rounded to two decimals; see `answers`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A question with one answer.

    Attributes:
        question: What the agent reads.
        function: Gives the answer; the contents of `files` are its first arguments.
        arguments: Its further arguments.
        files: Path and content of files that are put before the agent.
    """

    question: str
    function: Callable[..., Answer]
    arguments: tuple[Any, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])

    def gold(self) -> Answer:
        """The answer."""
        return self.function(*self.files.values(), *self.arguments)

    def solution(self) -> str:
        """A cell that prints the answer."""
        reads = [f"open({path!r}).read()" for path in self.files]
        given = ", ".join([*reads, *map(repr, self.arguments)])
        return f"{_source(self.function)}\n\nprint({self.function.__name__}({given}))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A function to be written.

    Attributes:
        statement: What the function must do, as the agent reads it.
        function: Does it.
        settings: Its keyword arguments, fixed by the statement.
        examples: Arguments of calls that the statement shows with their results.
        hidden: Arguments of the calls it is judged by.
    """

    statement: str
    function: Callable[..., Any]
    settings: Mapping[str, Any]
    examples: tuple[tuple[Any, ...], ...]
    hidden: tuple[tuple[Any, ...], ...]

    @classmethod
    def draw(
        cls,
        statement: str,
        function: Callable[..., Any],
        settings: Mapping[str, Any],
        case: Callable[[], tuple[Any, ...]],
    ) -> Exercise:
        """An exercise whose calls differ, and no guess is right for many of them.

        At most two calls have the same result, and no call has its argument as result.
        """
        calls: list[tuple[Any, ...]] = []
        results: list[Any] = []
        while len(calls) < EXAMPLES + HIDDEN:
            given = case()
            result = function(*given, **settings)
            if given in calls or results.count(result) > 1 or result in given:
                continue
            calls.append(given)
            results.append(result)
        examples, hidden = calls[:EXAMPLES], calls[EXAMPLES:]
        return cls(
            statement=statement,
            function=function,
            settings=settings,
            examples=tuple(examples),
            hidden=tuple(hidden),
        )

    def expected(self, arguments: tuple[Any, ...]) -> Any:
        """The right result of a call."""
        return self.function(*arguments, **self.settings)

    def shown(self) -> list[str]:
        """The examples as an agent reads them: a call and its result."""
        return [
            f"solve({', '.join(map(repr, given))}) == {self.expected(given)!r}"
            for given in self.examples
        ]

    def solution(self) -> str:
        """A program that defines `solve`."""
        settings = "".join(f", {k}={v!r}" for k, v in self.settings.items())
        call = f"{self.function.__name__}(*arguments{settings})"
        return (
            f"{_source(self.function)}\n\ndef solve(*arguments):\n    return {call}\n"
        )


def _source(function: Callable[..., Any]) -> str:
    # Its annotations name types of this package; nobody evaluates them over there.
    return f"from __future__ import annotations\n\n{inspect.getsource(function)}"
