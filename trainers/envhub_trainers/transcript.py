"""What one episode looks like in tokens, made by construction.

    prompt | sampled | observed ... | sampled | observed ... | sampled
    (given)   mask 1      mask 0       mask 1      mask 0       mask 1

Sampled ids are kept as the engine gave them: nothing is decoded and encoded again, and
the mask comes from who made a token, not from a search in text. A transcript is a
value; each method gives a longer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, Self, TypeAlias

from envhub_trainers.tokens import Piece

__all__ = ["Span", "SpanKind", "Transcript"]

SpanKind: TypeAlias = Literal["policy", "environment", "harness"]


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive tokens of one maker.

    Attributes:
        kind: ``policy`` (sampled), ``environment`` (said by it), or ``harness`` (the
            chat template's frame).
        ids: The tokens.
        logprobs: Of sampled tokens, under the distribution they were drawn from; as
            many as `ids`, or none when the engine does not tell.
    """

    kind: SpanKind
    ids: tuple[int, ...]
    logprobs: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.logprobs and len(self.logprobs) != len(self.ids):
            message = f"{len(self.ids)} tokens but {len(self.logprobs)} logprobs."
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The tokens of one episode so far.

    Attributes:
        prompt: Ids of the first prompt.
        spans: Everything after it.
    """

    prompt: tuple[int, ...]
    spans: tuple[Span, ...] = ()

    def sampled(self, ids: Sequence[int], logprobs: Sequence[float] = ()) -> Self:
        """Longer by a turn of the policy."""
        return self._with([Span("policy", tuple(ids), tuple(logprobs))])

    def observed(self, pieces: Iterable[Piece]) -> Self:
        """Longer by what the policy reads before its next turn."""
        return self._with(Span(piece.kind, piece.ids) for piece in pieces)

    @property
    def context(self) -> list[int]:
        """Every id so far: what the policy reads next."""
        return [*self.prompt, *self.completion]

    @property
    def completion(self) -> list[int]:
        """Every id after the first prompt."""
        return list(chain.from_iterable(span.ids for span in self.spans))

    @property
    def mask(self) -> list[int]:
        """Of the completion: 1 for a token that the policy sampled, else 0."""
        return [int(span.kind == "policy") for span in self.spans for _ in span.ids]

    @property
    def logprobs(self) -> list[float]:
        """Of the completion: as sampled, and 0.0 where nothing was sampled."""
        parts = (span.logprobs or (0.0,) * len(span.ids) for span in self.spans)
        return list(chain.from_iterable(parts))

    @property
    def sampled_tokens(self) -> int:
        """How many tokens the policy sampled."""
        return sum(len(span.ids) for span in self.spans if span.kind == "policy")

    def __len__(self) -> int:
        return len(self.prompt) + sum(len(span.ids) for span in self.spans)

    def _with(self, spans: Iterable[Span]) -> Self:
        return replace(self, spans=(*self.spans, *(s for s in spans if s.ids)))
