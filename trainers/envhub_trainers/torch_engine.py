"""The embedded engine: a transformers model, its cache kept between turns.

Rows of one batch have different lengths, so each is padded on the left and pads are
masked out, also inside a row:

    row 0   . . . . c c c c | . n n n | t t t      c  cached in an earlier turn
    row 1   c c c c c c c c | n n n n | t .        n  new: the observation
                                                   t  sampled now;  .  masked

Positions count a row's own tokens, so a row gives the same numbers alone and in any
batch. Equal contexts (the members of a group, at their first turn) are computed once.
Rows that have ended leave the batch. Models whose cache is not a plain list of keys
and values (sliding windows, state-space layers) are run without reuse.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from envhub_trainers.engine import FinishReason, Generation, Request, Sampling
from envhub_trainers.extras import need

if TYPE_CHECKING:
    import torch

__all__ = ["TorchEngine", "eos_ids_of"]

_UNLIMITED = 10**9


@dataclass(slots=True)
class _Kept:
    """Keys and values of one row, and the ids they belong to.

    `layers` holds one tensor a layer: (2, heads, tokens, head size).
    """

    ids: list[int]
    layers: list[torch.Tensor]


@dataclass(slots=True)
class _Row:
    """One request on its way."""

    index: int
    request: Request
    kept: _Kept | None
    new: list[int]
    ids: list[int] = field(default_factory=list[int])
    logprobs: list[float] = field(default_factory=list[float])
    finish: FinishReason = "length"


class TorchEngine:
    """Samples from a causal language model of transformers, in this process.

    Args:
        model: The model; a PEFT model is as good.
        eos_ids: Tokens that end a turn; the generation config's by default.
        sampling: What to draw from. The logprobs given are those of this distribution.
        max_context: Tokens of context and continuation; the model's limit by default.
        batch_size: Rows computed at once.
        reuse: Keep keys and values between turns of a key.
    """

    name = "transformers"

    def __init__(
        self,
        model: Any,
        *,
        eos_ids: Iterable[int] = (),
        sampling: Sampling | None = None,
        max_context: int | None = None,
        batch_size: int = 64,
        reuse: bool = True,
    ) -> None:
        self._torch = need("torch")
        self.model = model
        self.sampling = sampling or Sampling()
        self.eos_ids = frozenset(eos_ids) or eos_ids_of(model)
        limit = getattr(model.config, "max_position_embeddings", None) or _UNLIMITED
        self.max_context = min(limit, max_context or limit)
        self._batch_size = batch_size
        self._reuse = reuse and _plain_cache(model)
        self._kept: dict[Hashable, _Kept] = {}
        self._random: torch.Generator | None = None
        if self.sampling.seed is not None:
            generator = self._torch.Generator(device=model.device)
            self._random = generator.manual_seed(self.sampling.seed)

    def generate(self, requests: Sequence[Request]) -> list[Generation]:
        """Continue every context; answers in the order of the requests."""
        answers: list[Generation | None] = [None] * len(requests)
        rows: list[_Row] = []
        for index, request in enumerate(requests):
            if len(request.ids) + 1 > self.max_context or request.max_new_tokens < 1:
                answers[index] = Generation((), (), "overflow")
            else:
                rows.append(self._row(index, request))
        rows.sort(key=lambda row: (len(row.new), len(row.request.ids)))
        with self._inference():
            for start in range(0, len(rows), self._batch_size):
                for row in self._batch(rows[start : start + self._batch_size]):
                    answers[row.index] = _answer(row)
        return [answer for answer in answers if answer is not None]

    def forget(self, keys: Iterable[Hashable]) -> None:
        """Drop what is remembered for these keys."""
        for key in keys:
            self._kept.pop(key, None)

    @contextmanager
    def _inference(self) -> Iterator[None]:
        training = self.model.training
        self.model.eval()
        try:
            with self._torch.no_grad():
                yield
        finally:
            self.model.train(training)

    def _row(self, index: int, request: Request) -> _Row:
        kept = self._kept.pop(request.key, None)
        ids = list(request.ids)
        if kept is not None:
            # The last token must be computed again: its logits were not kept.
            same = min(_common(kept.ids, ids), len(ids) - 1)
            layers = [layer[:, :, :same] for layer in kept.layers]
            kept = _Kept(ids[:same], layers) if same else None
        return _Row(index, request, kept, ids[len(kept.ids) if kept else 0 :])

    def _batch(self, rows: list[_Row]) -> list[_Row]:
        """Prefill, then sample until every row has ended."""
        lead, of = _distinct(rows)
        state = _Prefill(self._torch, self.model, lead).run()
        state.select(of)
        live = list(rows)
        room = {id(row): self._room(row) for row in rows}
        while True:
            ids, logprobs = self._draw(state.logits)
            going: list[int] = []
            for place, (row, id_, logprob) in enumerate(
                zip(live, ids.tolist(), logprobs.tolist(), strict=True)
            ):
                row.ids.append(id_)
                row.logprobs.append(logprob)
                if id_ in self.eos_ids:
                    row.finish = "stop"
                elif len(row.ids) < room[id(row)]:
                    going.append(place)
            gone = sorted(set(range(len(live))) - set(going))
            if self._reuse:
                self._keep(state, [(place, live[place]) for place in gone])
            if not going:
                return rows
            if gone:
                state.select(going)
                live = [live[place] for place in going]
                ids = ids[going]
            state.step(ids)

    def _room(self, row: _Row) -> int:
        free = self.max_context - len(row.request.ids)
        return min(row.request.max_new_tokens, free)

    def _keep(self, state: _State, ended: list[tuple[int, _Row]]) -> None:
        for place, row in ended:
            if row.request.key is not None:
                # The last sampled token was never fed, so its cache does not exist.
                ids = [*row.request.ids, *row.ids[:-1]]
                self._kept[row.request.key] = _Kept(ids, state.row(place))

    def _draw(self, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        torch = self._torch
        logits = logits.float()
        if self.sampling.temperature == 0:
            logprobs = torch.log_softmax(logits, -1)
            ids = logits.argmax(-1, keepdim=True)
        else:
            logits = _narrowed(torch, logits / self.sampling.temperature, self.sampling)
            logprobs = torch.log_softmax(logits, -1)
            ids = torch.multinomial(logprobs.exp(), 1, generator=self._random)
        return ids[:, 0], logprobs.gather(-1, ids)[:, 0]


class _State:
    """A batch between two forward passes: cache, mask, positions and last logits."""

    def __init__(self, torch_: Any, model: Any, cache: Any) -> None:
        self.torch = torch_
        self.model = model
        self.cache = cache
        self.mask: Any = None
        self.position: Any = None
        self.logits: Any = None

    def select(self, places: list[int]) -> None:
        """Keep these rows, in this order; a place may come more than once."""
        if places == list(range(len(self.mask))):
            return
        index = self.torch.tensor(places, device=self.mask.device)
        self.mask, self.logits = self.mask[index], self.logits[index]
        self.position = self.position[index]
        self.cache.batch_select_indices(index)

    def step(self, ids: Any) -> None:
        """Feed one token a row."""
        ones = self.mask.new_ones((len(ids), 1))
        self.mask = self.torch.cat([self.mask, ones], -1)
        self.position = self.position + 1
        self._forward(ids[:, None], self.position[:, None])

    def row(self, place: int) -> list[Any]:
        """Keys and values of one row, without its pads."""
        real = self.mask[place].bool()
        return [
            self.torch.stack([layer.keys[place][:, real], layer.values[place][:, real]])
            for layer in self.cache.layers
        ]

    def _forward(self, ids: Any, positions: Any) -> None:
        output = self.model(
            input_ids=ids,
            attention_mask=self.mask,
            position_ids=positions,
            past_key_values=self.cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self.logits = output.logits[:, -1]


class _Prefill:
    """Lays rows out in one batch, left-padded, and runs what is new of them."""

    def __init__(self, torch_: Any, model: Any, rows: list[_Row]) -> None:
        self.torch = torch_
        self.model = model
        self.rows = rows

    def run(self) -> _State:
        """A state whose logits belong to the last token of every row."""
        torch, device = self.torch, self.model.device
        old = [len(row.kept.ids) if row.kept else 0 for row in self.rows]
        new = [len(row.new) for row in self.rows]
        wide_old, wide_new = max(old), max(new)
        ids = torch.zeros((len(self.rows), wide_new), dtype=torch.long)
        mask = torch.zeros((len(self.rows), wide_old + wide_new), dtype=torch.long)
        positions = torch.zeros_like(ids)
        for n, row in enumerate(self.rows):
            ids[n, wide_new - new[n] :] = torch.tensor(row.new)
            mask[n, wide_old - old[n] : wide_old] = 1
            mask[n, wide_old + wide_new - new[n] :] = 1
            positions[n, wide_new - new[n] :] = torch.arange(old[n], old[n] + new[n])
        state = _State(torch, self.model, self._cache(old, wide_old))
        state.mask = mask.to(device)
        state.position = positions[:, -1].to(device)
        state._forward(ids.to(device), positions.to(device))
        return state

    def _cache(self, old: list[int], wide: int) -> Any:
        transformers = need("transformers")
        cache = transformers.DynamicCache(config=self.model.config.get_text_config())
        if not wide:
            return cache
        example = next(row.kept for row in self.rows if row.kept is not None)
        for number, layer in enumerate(example.layers):
            shape = (2, len(self.rows), layer.shape[1], wide, layer.shape[3])
            both = layer.new_zeros(shape)
            for n, row in enumerate(self.rows):
                if row.kept is not None:
                    both[:, n, :, wide - old[n] :] = row.kept.layers[number]
            cache.update(both[0], both[1], number)
        return cache


def eos_ids_of(model: Any) -> frozenset[int]:
    """The tokens that a model's generation config calls ends of a turn."""
    eos = model.generation_config.eos_token_id
    return frozenset([] if eos is None else [eos] if isinstance(eos, int) else eos)


def _plain_cache(model: Any) -> bool:
    config = model.config.get_text_config()
    kinds = getattr(config, "layer_types", None) or ["full_attention"]
    return set(kinds) == {"full_attention"}


def _distinct(rows: list[_Row]) -> tuple[list[_Row], list[int]]:
    """One row for each distinct context, and which of them every row equals."""
    found: dict[tuple[int, ...], int] = {}
    lead: list[_Row] = []
    of: list[int] = []
    for row in rows:
        # Rows with a cache of their own are told apart by their key.
        place = found.get(tuple(row.request.ids)) if row.kept is None else None
        if place is None:
            place = len(lead)
            lead.append(row)
            if row.kept is None:
                found[tuple(row.request.ids)] = place
        of.append(place)
    return lead, of


def _narrowed(torch_: Any, logits: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """Logits with what `top_k` and `top_p` exclude at minus infinity."""
    if 0 < sampling.top_k < logits.shape[-1]:
        least = logits.topk(sampling.top_k, -1).values[:, -1:]
        logits = logits.masked_fill(logits < least, float("-inf"))
    if sampling.top_p < 1:
        ordered, order = logits.sort(-1, descending=True)
        probabilities = ordered.softmax(-1)
        # A token stays while the tokens before it hold less than top_p.
        surplus = probabilities.cumsum(-1) - probabilities >= sampling.top_p
        excluded = torch_.zeros_like(surplus).scatter(-1, order, surplus)
        logits = logits.masked_fill(excluded, float("-inf"))
    return logits


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    for n, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return n
    return min(len(first), len(second))


def _answer(row: _Row) -> Generation:
    return Generation(tuple(row.ids), tuple(row.logprobs), row.finish)
