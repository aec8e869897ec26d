"""The embedded engine: exact logprobs, whatever the batch and whatever is reused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from envhub.errors import UsageError
from envhub_trainers.engine import Engine, Generation, Request, Sampling
from envhub_trainers.tiny import TinyRecipe, new_model
from envhub_trainers.torch_engine import TorchEngine

CONTEXTS = [[5, 6, 7], [9, 10, 11, 12, 13, 14], [5, 6, 7], [20]]


@pytest.fixture(scope="module")
def model(qwen: Any) -> Any:
    return new_model(qwen, TinyRecipe(hidden=32, layers=2, context=64, seed=3))


def score(
    model: Any, ids: Sequence[int], generation: Generation, t: float
) -> list[float]:
    """Logprobs of a generation by one plain forward pass."""
    import torch

    whole = torch.tensor([[*ids, *generation.ids]])
    with torch.no_grad():
        logits = model(whole).logits[0, len(ids) - 1 : -1].float() / t
    picked = torch.tensor(generation.ids)[:, None]
    scores: list[float] = (
        torch.log_softmax(logits, -1).gather(-1, picked)[:, 0].tolist()
    )
    return scores


def test_it_is_an_engine(model: Any) -> None:
    assert isinstance(TorchEngine(model), Engine)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
@pytest.mark.parametrize("batch_size", [64, 2])
def test_logprobs_are_those_of_a_plain_forward_pass(
    model: Any, temperature: float, batch_size: int
) -> None:
    sampling = Sampling(temperature=temperature, seed=0)
    engine = TorchEngine(model, sampling=sampling, batch_size=batch_size)
    requests = [Request(c, 3 + n, n) for n, c in enumerate(CONTEXTS)]
    for request, generation in zip(requests, engine.generate(requests), strict=True):
        expected = score(model, request.ids, generation, temperature)
        assert generation.logprobs == pytest.approx(expected, abs=1e-5)
        assert len(generation.ids) <= request.max_new_tokens


def test_a_later_turn_reuses_what_was_computed_and_stays_exact(model: Any) -> None:
    engine = TorchEngine(model, sampling=Sampling(seed=0))
    requests = [Request(c, 4, n) for n, c in enumerate(CONTEXTS)]
    later = [
        Request([*r.ids, *g.ids, 30 + n, 31], 5, r.key)
        for n, (r, g) in enumerate(
            zip(requests, engine.generate(requests), strict=True)
        )
    ]
    for request, generation in zip(later, engine.generate(later), strict=True):
        expected = score(model, request.ids, generation, 1.0)
        assert generation.logprobs == pytest.approx(expected, abs=1e-5)


def test_greedy_answers_do_not_depend_on_batch_or_reuse(model: Any) -> None:
    def answers(**options: Any) -> list[Generation]:
        engine = TorchEngine(model, sampling=Sampling(temperature=0), **options)
        first = engine.generate([Request(c, 4, n) for n, c in enumerate(CONTEXTS)])
        longer = [[*c, *g.ids, 40] for c, g in zip(CONTEXTS, first, strict=True)]
        return first + engine.generate([Request(c, 4, n) for n, c in enumerate(longer)])

    expected = [g.ids for g in answers()]
    assert [g.ids for g in answers(batch_size=1, reuse=False)] == expected
    assert expected[0] == expected[2]


def test_a_context_that_was_rewritten_is_computed_again(model: Any) -> None:
    engine = TorchEngine(model, sampling=Sampling(temperature=0))
    engine.generate([Request([5, 6, 7, 8], 4, "a")])
    [again] = engine.generate([Request([5, 9, 9], 4, "a")])
    [fresh] = engine.generate([Request([5, 9, 9], 4, "b")])
    assert again.ids == fresh.ids


def test_the_same_seed_samples_the_same(model: Any) -> None:
    def ids(seed: int) -> list[tuple[int, ...]]:
        engine = TorchEngine(model, sampling=Sampling(seed=seed))
        return [g.ids for g in engine.generate([Request([5], 12), Request([6], 12)])]

    assert ids(1) == ids(1) != ids(2)


def test_an_end_of_turn_stops_and_is_kept(model: Any) -> None:
    engine = TorchEngine(model, eos_ids=range(384), sampling=Sampling(seed=0))
    [generation] = engine.generate([Request([5, 6], 10)])
    assert (len(generation.ids), generation.finish_reason) == (1, "stop")


def test_a_context_that_does_not_fit_overflows_and_the_others_go_on(model: Any) -> None:
    engine = TorchEngine(model, sampling=Sampling(seed=0))
    long, short = engine.generate([Request([5] * 64, 4), Request([5] * 62, 9)])
    assert (long.ids, long.finish_reason) == ((), "overflow")
    assert len(short.ids) == 2


def test_top_k_and_top_p_are_part_of_the_distribution(model: Any) -> None:
    one = TorchEngine(model, sampling=Sampling(top_k=1, seed=0))
    best = TorchEngine(model, sampling=Sampling(temperature=0))
    few = TorchEngine(model, sampling=Sampling(top_p=1e-9, seed=0))
    answers = [e.generate([Request([5, 6], 6)])[0] for e in (one, best, few)]
    assert answers[0].ids == answers[1].ids == answers[2].ids
    assert answers[0].logprobs == answers[2].logprobs == (0.0,) * 6


def test_training_mode_is_given_back(model: Any) -> None:
    model.train()
    TorchEngine(model).generate([Request([5], 1)])
    assert model.training
    model.eval()


def test_a_distribution_must_be_one() -> None:
    with pytest.raises(UsageError, match="is no distribution"):
        Sampling(temperature=-1)
