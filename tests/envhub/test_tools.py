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


async def _asynchronous(self: Any) -> str:
    return "later"


def _generating(self: Any) -> Any:
    yield 1


def _unhinted(self: Any, x: "Nowhere") -> str:  # type: ignore[name-defined]  # noqa: F821, UP037  # an author's mistake
    return ""


def _untold(self: Any, x: Desk) -> str:
    return ""


def _underscored(self: Any, _x: int) -> str:
    return ""


def _taken(self: Any, model_config: str) -> str:
    return ""


def _positional(self: Any, x: int, /) -> str:
    return ""


@pytest.mark.parametrize(
    "method",
    [_asynchronous, _generating, _unhinted, _untold, _underscored, _taken, _positional],
)
def test_a_tool_that_cannot_be_called_by_a_model_is_refused_by_name(
    method: Any,
) -> None:
    kind = type("Odd", (), {"odd": envhub.tool(name="odd")(method)})
    with pytest.raises(UsageError, match=method.__name__):
        tools_of(kind)


@pytest.mark.parametrize("name", ["two words", "é", "x" * 65, "line\n"])
def test_a_tools_name_is_one_that_models_can_be_told(name: str) -> None:
    kind = type("Odd", (), {"odd": envhub.tool(name=name)(lambda self: "")})
    with pytest.raises(UsageError, match="ASCII letters"):
        tools_of(kind)


@pytest.mark.parametrize("name", ["reset", "close", "score", "finish"])
def test_an_environments_own_methods_are_no_tools(name: str) -> None:
    with pytest.raises(UsageError, match="own method and no tool"):
        type("Odd", (envhub.ToolEnv,), {name: envhub.tool(_named(name))})


def _named(name: str) -> Any:
    def method(self: Any) -> str:
        return ""

    method.__name__ = method.__qualname__ = name
    return method


def test_a_complaint_is_short_whatever_was_given() -> None:
    for given in ({f"key {n}": n for n in range(5000)}, {"x" * 10**6: 1}):
        with pytest.raises(InvalidAction) as caught:
            _tool("book").arguments(given)
        assert len(str(caught.value)) < 2000
