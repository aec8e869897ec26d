"""The engine contract: token ids in; ids, logprobs and a finish reason out.

An engine knows a model and nothing of environments. It is given whole contexts and
may remember what it has computed for a `Request.key`, so that the next turn of the
same episode costs only its new tokens.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from envhub.errors import UsageError

__all__ = ["Engine", "FinishReason", "Generation", "Request", "Sampling"]

FinishReason: TypeAlias = Literal["stop", "length", "overflow"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The distribution that turns are drawn from.

    Attributes:
        temperature: Divides the logits; 0 takes the most probable token.
        top_k: Keep the k most probable tokens; 0 keeps all.
        top_p: Keep the most probable tokens that together hold this probability.
        seed: Of the engine's own generator; None leaves it to the engine.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.temperature < 0 or self.top_k < 0 or not 0 < self.top_p <= 1:
            message = (
                f"{self} is no distribution: temperature, top_k >= 0, 0 < top_p <= 1."
            )
            raise UsageError(message)


@dataclass(frozen=True, slots=True)
class Request:
    """One context to continue.

    Attributes:
        ids: The whole context.
        max_new_tokens: At most so many tokens are sampled.
        key: Names the episode; a later request with this key extends `ids`.
    """

    ids: Sequence[int]
    max_new_tokens: int
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Generation:
    """What was sampled for one request.

    Attributes:
        ids: As sampled, the token that ended the turn included.
        logprobs: Of each id, under the distribution it was drawn from; empty when the
            engine does not tell.
        finish_reason: ``stop`` (the policy ended its turn), ``length`` (the limit cut
            it) or ``overflow`` (the context does not fit the engine; nothing sampled).
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    finish_reason: FinishReason


@runtime_checkable
class Engine(Protocol):
    """A model that continues contexts.

    Attributes:
        name: Written into trajectories as ``engine``.
        max_context: Tokens that a context and its continuation may hold together.
        eos_ids: Tokens that end a turn.
    """

    name: str
    max_context: int
    eos_ids: frozenset[int]

    def generate(self, requests: Sequence[Request]) -> list[Generation]:
        """Continue every context; answers in the order of the requests."""
        ...

    def forget(self, keys: Iterable[Hashable]) -> None:
        """Drop what is remembered for these keys; unknown ones are ignored."""
        ...
