"""Environments that are written as tools: methods that the agent may call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, ClassVar

from envhub.actions import ToolCall, ToolResult
from envhub.env import Environment
from envhub.errors import PolicyError, UsageError
from envhub.parsing import Parsed
from envhub.parsing.plain import excerpt
from envhub.spaces import encodable
from envhub.tools import Tool, tools_of

__all__ = ["ToolEnv"]


class ToolEnv(Environment):
    """An environment whose actions are calls of its methods marked `@envhub.tool`."""

    _tools: ClassVar[dict[str, Tool]] = {}
    _schemas: ClassVar[str] = "[]"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._tools = tools_of(cls)
        _check_free(cls.__name__, cls._tools.values())
        cls._schemas = json.dumps([tool.schema() for tool in cls._tools.values()])

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Schemas of the tools in OpenAI's form, fresh at every call."""
        schemas: list[dict[str, Any]] = json.loads(self._schemas)
        return schemas

    def act(self, parsed: Parsed) -> tuple[str, list[ToolResult]]:
        """Run the calls in order; those after the end of the episode are not run."""
        results = [self._run(call) for call in parsed.calls]
        return "\n".join(result.text for result in results if result.text), results

    def nudge(self, parsed: Parsed) -> str:
        """Tell which tools there are."""
        names = ", ".join(self._tools)
        return f"Nothing was done: the message holds no action. Tools: {names}."

    def _run(self, call: ToolCall) -> ToolResult:
        if self._current().stop is not None:
            text = f"{call.name} was not run: the episode is over."
            return ToolResult(call.name, text, ok=False, id=call.id)
        found = self._tools.get(call.name)
        if found is None:
            name = excerpt(call.name)
            text = f"There is no tool {name!r}. Tools: {', '.join(self._tools)}."
            return ToolResult(call.name, text, ok=False, id=call.id)
        try:
            given = getattr(self, found.method)(**found.arguments(call.arguments))
        except PolicyError as error:
            return ToolResult(call.name, encodable(str(error)), ok=False, id=call.id)
        text = given if isinstance(given, str) else _as_text(given)
        return ToolResult(call.name, encodable(text), id=call.id)


def _check_free(name: str, tools: Iterable[Tool]) -> None:
    """No tool may stand in the place of what callers of the environment call."""
    for each in tools:
        if hasattr(ToolEnv, each.method):
            raise UsageError(
                f"{name}.{each.method} is the environment's own method and no tool: "
                f'name the method otherwise, under @envhub.tool(name="{each.name}")'
            )


def _as_text(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)
