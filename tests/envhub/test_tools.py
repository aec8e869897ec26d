"""Tools: schemas from hints and docstrings, checked arguments, clear refusals."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import envhub
from envhub.errors import InvalidAction, UsageError
from envhub.tools import Tool, tools_of


class Desk:
    """Carries some tools."""

    @envhub.tool
    def book(
        self, who: str, seats: int = 1, kind: Literal["aisle", "window"] = "aisle"
    ) -> str:
        """Book seats.

        Takes what is free.

        Args:
            who: Name of the guest.
            seats: How many.
            kind: Where.
        """
        return f"{who} {seats} {kind}"

    @envhub.tool(name="count-all")
    def count(self, things: list[dict[str, int]]) -> int:
        """Count things."""
        return len(things)

    def helper(self) -> None:
        """No tool."""


def _tool(name: str) -> Tool:
    return tools_of(Desk)[name]


def test_a_schema_comes_from_hints_and_docstring() -> None:
    assert _tool("book").schema() == {
        "type": "function",
        "function": {
            "name": "book",
            "description": "Book seats.\n\nTakes what is free.",
            "parameters": {
                "type": "object",
                "properties": {
                    "who": {"description": "Name of the guest.", "type": "string"},
                    "seats": {
                        "default": 1,
                        "description": "How many.",
                        "type": "integer",
                    },
                    "kind": {
                        "default": "aisle",
                        "description": "Where.",
                        "enum": ["aisle", "window"],
                        "type": "string",
                    },
                },
                "required": ["who"],
            },
        },
    }


def test_only_marked_methods_are_tools_and_a_tool_may_be_renamed() -> None:
    assert list(tools_of(Desk)) == ["book", "count-all"]


def test_arguments_arrive_exactly() -> None:
    given = {"who": "café 🙂", "seats": 9007199254740993}
    read = _tool("book").arguments(given)
    assert read == {"who": "café 🙂", "seats": 9007199254740993, "kind": "aisle"}
    nested = [{"a": 1}, {"b": 2}]
    assert _tool("count-all").arguments({"things": nested}) == {"things": nested}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "who: Field required"),
        ({"who": 5}, "who: Input should be a valid string"),
        ({"who": "x", "kind": "roof"}, "kind: Input should be 'aisle' or 'window'"),
        ({"who": "x", "sets": 2}, "sets: Extra inputs are not permitted"),
    ],
)
def test_arguments_that_do_not_fit_are_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidAction, match="It takes") as caught:
        _tool("book").arguments(given)
    assert told in str(caught.value)


def test_a_tool_that_cannot_be_described_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(UsageError, match="no type hint"):

        class Unhinted(envhub.ToolEnv):
            @envhub.tool
            def go(self, where) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001  # the subject
                return where  # type: ignore[no-any-return]  # the subject

    with pytest.raises(UsageError, match="name each argument"):

        class Starred(envhub.ToolEnv):
            @envhub.tool
            def go(self, *where: str) -> str:
                return ""

    with pytest.raises(UsageError, match="are both the tool"):

        class Twice(envhub.ToolEnv):
            @envhub.tool(name="go")
            def one(self) -> str:
                return ""

            @envhub.tool(name="go")
            def two(self) -> str:
                return ""
