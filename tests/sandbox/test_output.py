"""Bounded capture of a stream."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub_sandbox.guest.output import Pipe


def captured(chunks: list[bytes], limit: int) -> tuple[str, int]:
    pipe = Pipe(limit)
    for chunk in chunks:
        os.write(pipe.writer.fileno(), chunk)
        pipe.capture.read()
    pipe.writer.close()
    assert not pipe.capture.read()
    return pipe.capture.text()


def test_what_fits_is_kept_whole() -> None:
    assert captured([b"abc", b"", b"def"], 6) == ("abcdef", 0)


def test_the_middle_is_left_out_and_counted() -> None:
    text, omitted = captured([b"HEAD" + b"." * 5000 + b"TAIL"], 8)
    assert text == "HEAD\n[... 5,000 bytes left out ...]\nTAIL"
    assert omitted == 5000


def test_a_character_split_between_reads_is_whole() -> None:
    assert captured([b"\xf0\x9f", b"\x99\x82"], 100) == ("🙂", 0)


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert captured([b"ok \xff\xfe"], 100) == ("ok ��", 0)


@pytest.mark.parametrize("limit", range(2, 40))
def test_the_cut_falls_between_characters(limit: int) -> None:
    text, omitted = captured([("漢🙂é-" * 200).encode()], limit)
    assert "�" not in text
    head, _, tail = text.partition(f"\n[... {omitted:,} bytes left out ...]\n")
    assert len(head.encode()) + len(tail.encode()) + omitted == 200 * 10
    assert len(head.encode()) + len(tail.encode()) <= limit


@given(st.lists(st.binary(max_size=300), max_size=12), st.integers(2, 200))
def test_any_bytes_become_text_and_every_byte_is_counted(
    chunks: list[bytes], limit: int
) -> None:
    text, omitted = captured(chunks, limit)
    text.encode()
    total = sum(map(len, chunks))
    assert (omitted == 0) == (total <= 2 * max(limit // 2, 1))
    assert omitted <= total
