"""What a plain JSON value is, and text that every encoder takes.

Arguments reach tools, trajectories and the wire; whatever leaves this package can be
written as JSON in UTF-8, is at most `MAX_DEPTH` deep, and holds no NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

__all__ = ["MAX_DEPTH", "JsonValue", "encodable", "excerpt", "plain"]

JsonValue: TypeAlias = (
    "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
)

MAX_DEPTH = 200
"""Levels of nesting that are accepted; `json.dumps` and `copy` manage about 1 000."""


def encodable(text: str) -> str:
    """Join split surrogate pairs and replace lone halves by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        wide = text.encode("utf-16-le", "surrogatepass")
        return wide.decode("utf-16-le", "replace")
    return text


def excerpt(text: str, limit: int = 64) -> str:
    """The beginning of a text, for a message."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def plain(value: Any, depth: int = 0) -> JsonValue:
    """Copy a Python value as plain JSON.

    Raises:
        ValueError: It is not JSON; the text says which part is not.
    """
    if depth > MAX_DEPTH:
        message = f"nested more than {MAX_DEPTH} levels deep"
        raise ValueError(message)
    if isinstance(value, Mapping):
        fields: Mapping[Any, Any] = value
        return {_key(key): plain(item, depth + 1) for key, item in fields.items()}
    if isinstance(value, list | tuple):
        items: Sequence[Any] = value
        return [plain(item, depth + 1) for item in items]
    return _scalar(value)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        message = f"the key {excerpt(repr(key))} is not a string"
        raise ValueError(message)
    return encodable(key)


def _scalar(value: Any) -> JsonValue:
    if isinstance(value, str):
        return encodable(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    message = f"{excerpt(repr(value))} is not a JSON value"
    raise ValueError(message)
