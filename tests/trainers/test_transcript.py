"""Masks and ids come from who made a token."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub_trainers.tokens import ChatFormat, Piece
from envhub_trainers.transcript import Span, Transcript

IDS = st.lists(st.integers(0, 400), min_size=1, max_size=6)


@given(prompt=IDS, turns=st.lists(st.tuples(IDS, st.text(max_size=12)), max_size=5))
def test_the_mask_counts_exactly_what_was_sampled(
    chat: ChatFormat, prompt: list[int], turns: list[tuple[list[int], str]]
) -> None:
    transcript = Transcript(tuple(prompt))
    for ids, observation in turns:
        transcript = transcript.sampled(ids, [-0.5] * len(ids))
        transcript = transcript.observed(chat.turn([observation], closed=True))
    sampled = [id_ for ids, _ in turns for id_ in ids]
    assert sum(transcript.mask) == transcript.sampled_tokens == len(sampled)
    pairs = zip(transcript.completion, transcript.mask, strict=True)
    assert [id_ for id_, mask in pairs if mask] == sampled
    logprobs = zip(transcript.logprobs, transcript.mask, strict=True)
    assert all((p == -0.5) == bool(mask) for p, mask in logprobs)
    assert len(transcript) == len(transcript.context)


def test_an_unusual_segmentation_reaches_the_loss_as_sampled(qwen: Any) -> None:
    usual = qwen.encode("look", add_special_tokens=False)
    unusual = [
        i for letter in "look" for i in qwen.encode(letter, add_special_tokens=False)
    ]
    assert usual != unusual
    assert qwen.decode(unusual) == qwen.decode(usual)
    assert Transcript((1,)).sampled(unusual).completion == unusual


def test_a_transcript_is_a_value() -> None:
    first = Transcript((1, 2))
    second = first.sampled([3], [-1.0])
    assert first.completion == []
    assert second == Transcript((1, 2), (Span("policy", (3,), (-1.0,)),))
    assert second.observed([Piece("harness", ())]) == second


def test_logprobs_must_match_their_tokens() -> None:
    with pytest.raises(ValueError, match="2 tokens but 1 logprobs"):
        Transcript(()).sampled([1, 2], [-1.0])
