"""Tools: methods that an agent may call, with a schema and checked arguments.

A method becomes a tool by the mark `tool`. Its JSON schema (OpenAI function-calling
form) comes from its type hints and its Google-style docstring; arguments are checked
by the same hints before the method runs, so a tool sees only what it declared.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints, overload

from envhub.errors import InvalidAction, UsageError

__all__ = ["Tool", "tool", "tools_of"]

_MARK = "__envhub_tool__"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
_LONGEST_NAME = 64
_MOST_PROBLEMS = 8
F = TypeVar("F", bound=Callable[..., Any])


@overload
def tool(function: F, /) -> F: ...
@overload
def tool(*, name: str) -> Callable[[F], F]: ...
def tool(function: Any = None, /, *, name: str = "") -> Any:
    """Mark a method of an environment as a tool of the agent.

    Args:
        function: The method; its docstring describes the tool and its arguments.
        name: Name the agent knows it by; the method's own by default.
    """
    if function is None:
        return functools.partial(_mark, name=name)
    return _mark(function, name=name)


def _mark(function: F, *, name: str) -> F:
    setattr(function, _MARK, name or function.__name__)
    return function


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of one environment class.

    Attributes:
        name: Name the agent knows it by.
        method: Name of the method that does it.
        description: What it does, from the docstring.
        model: Pydantic model of the arguments.
    """

    name: str
    method: str
    description: str
    model: Any

    @classmethod
    def from_method(cls, method: Callable[..., Any]) -> Tool:
        """Read a marked method.

        Raises:
            UsageError: It is asynchronous or a generator, its name is none that models
                can be told, or an argument cannot be described; names the argument.
        """
        _check_form(method)
        from docstring_parser import DocstringStyle, parse

        doc = parse(inspect.getdoc(method) or "", DocstringStyle.GOOGLE)
        described = {p.arg_name: p.description or "" for p in doc.params}
        parts = [doc.short_description, doc.long_description]
        return cls(
            name=getattr(method, _MARK),
            method=method.__name__,
            description="\n\n".join(part for part in parts if part),
            model=_model(method, described),
        )

    def schema(self) -> dict[str, Any]:
        """The tool in OpenAI's function-calling form, as a fresh object."""
        fields = self.model.model_json_schema()
        parameters = {
            "type": "object",
            "properties": _untitled(fields.get("properties", {})),
            "required": fields.get("required", []),
        }
        if definitions := fields.get("$defs"):
            parameters["$defs"] = _untitled(definitions)
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": parameters,
        }
        return {"type": "function", "function": function}

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The given arguments, checked and converted to the hinted types.

        Raises:
            InvalidAction: They do not fit; the message is written for the agent.
        """
        from pydantic import ValidationError

        try:
            read = self.model.model_validate(dict(given))
        except ValidationError as error:
            raise InvalidAction(self._complaint(error)) from None
        return {name: getattr(read, name) for name in self.model.model_fields}

    def _complaint(self, error: Any) -> str:
        items = error.errors(include_url=False, include_input=False)
        problems = [
            f"{_shown('.'.join(map(str, item['loc']))) or 'arguments'}: {item['msg']}"
            for item in items[:_MOST_PROBLEMS]
        ]
        if len(items) > _MOST_PROBLEMS:
            problems.append(f"and {len(items) - _MOST_PROBLEMS} more problems")
        takes = ", ".join(
            f"{name}: {_type_name(field.annotation)}"
            for name, field in self.model.model_fields.items()
        )
        return f"{self.name} was not run: {'; '.join(problems)}. It takes ({takes})."


def tools_of(cls: type) -> dict[str, Tool]:
    """All tools of a class by name, inherited ones first, in order of definition.

    Raises:
        UsageError: Two methods claim one name, or a tool cannot be described.
    """
    found: dict[str, Tool] = {}
    for base in reversed(cls.__mro__):
        for attribute in vars(base):
            method = getattr(cls, attribute, None)
            if not callable(method) or not hasattr(method, _MARK):
                continue
            read = Tool.from_method(method)
            if (other := found.get(read.name)) and other.method != read.method:
                raise UsageError(
                    f"{cls.__name__}: the methods {other.method} and {read.method} "
                    f"are both the tool {read.name!r}; give one another name"
                )
            found[read.name] = read
    return found


def _check_form(method: Callable[..., Any]) -> None:
    name = getattr(method, _MARK)
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"tool {method.__qualname__}: the name {_shown(name)!r} is not made of 1 "
            "to 64 ASCII letters, digits, '_' and '-'"
        )
    if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method):
        raise UsageError(
            f"tool {method.__qualname__} is a coroutine or a generator: make it a "
            "plain function that returns what the agent reads"
        )


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"


def _model(method: Callable[..., Any], described: Mapping[str, str]) -> Any:
    from pydantic import ConfigDict, create_model
    from pydantic.errors import PydanticUserError

    try:
        fields = _fields(method, described)
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=False)
        model = create_model(method.__name__, __config__=config, **fields)
        model.model_json_schema()
    except (NameError, TypeError, PydanticUserError) as error:
        raise UsageError(
            f"tool {method.__qualname__}: its arguments cannot be described as JSON: "
            f"{error}"
        ) from error
    if missing := fields.keys() - model.model_fields.keys():
        raise UsageError(
            f"tool {method.__qualname__}: no argument can be called {min(missing)!r}"
        )
    return model


def _fields(method: Callable[..., Any], described: Mapping[str, str]) -> dict[str, Any]:
    from pydantic import Field

    hints = get_type_hints(method, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(method).parameters.items())[1:]:
        if parameter.kind not in (
            parameter.POSITIONAL_OR_KEYWORD,
            parameter.KEYWORD_ONLY,
        ):
            raise UsageError(
                f"tool {method.__qualname__} takes {parameter}: name each argument, "
                "so that the agent can be told of it and give it by its name"
            )
        if name not in hints:
            raise UsageError(
                f"tool {method.__qualname__}: the argument {name!r} has no type hint; "
                f"write it as {name}: str, for instance"
            )
        optional = parameter.default is not parameter.empty
        default = parameter.default if optional else ...
        description = described.get(name) or None
        fields[name] = (hints[name], Field(default, description=description))
    return fields


def _untitled(schema: Any) -> Any:
    if isinstance(schema, dict):
        named = schema.get("properties") is not None
        return {
            key: _untitled(value)
            for key, value in schema.items()
            if named or key != "title" or not isinstance(value, str)
        }
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    return schema


def _type_name(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation)
