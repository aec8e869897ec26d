"""Observation and action spaces that take what language models write.

Gymnasium's `Text` refuses most of Unicode; these accept any text that can be encoded
as UTF-8, and every view of an action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from envhub.actions import Action, ChatMessage, ToolCall

__all__ = ["ActionSpace", "UnicodeText", "encodable"]

_ALPHABET = "abcdefghijklmnopqrstuvwxyz 0123456789 .,:;()[]{}äßé漢字🙂"


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, so that it encodes as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


class UnicodeText(gymnasium.Space[str]):
    """All texts that encode as UTF-8.

    Args:
        sample_length: Longest text that `sample` draws, in characters.
        seed: Seed of `sample`.
    """

    def __init__(self, *, sample_length: int = 32, seed: int | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)
        self.sample_length = sample_length

    @property
    def is_np_flattenable(self) -> bool:
        """False: a text has no fixed number of elements."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A short random text, some of it outside ASCII; masks are not supported."""
        length = int(self.np_random.integers(1, self.sample_length + 1))
        picks = self.np_random.integers(0, len(_ALPHABET), length)
        return "".join(_ALPHABET[pick] for pick in picks)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text without lone surrogates."""
        return isinstance(x, str) and encodable(x) is x

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    __hash__ = None  # type: ignore[assignment]  # spaces are mutable, as Gymnasium's

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class ActionSpace(UnicodeText):
    """Text, tool calls and chat messages: the three views of an action."""

    def contains(self, x: Any) -> bool:
        """Whether `x` is one of the views; whether it means anything is for `step`."""
        if isinstance(x, str | ToolCall | ChatMessage):
            return True
        if isinstance(x, Mapping):
            return bool({"content", "role", "tool_calls", "name"} & set(x))
        return isinstance(x, Sequence) and all(isinstance(y, ToolCall) for y in x)

    def sample(self, mask: Any = None, probability: Any = None) -> Action:  # type: ignore[override]  # a text is an Action
        """A short random text; an environment's own grammar seldom understands it."""
        return super().sample(mask, probability)
