"""Frames between host and sandbox."""

from __future__ import annotations

import os
import socket
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub_sandbox.wire import MAX_FRAME, Channel, WireError, decode, encode

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["$bytes", "$dict", "$int", "a"]), inner)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_comes_back_as_it_went(value: object) -> None:
    assert decode(encode(value)) == value


@pytest.mark.parametrize("value", [object(), {1, 2}, [{"a": {3}}], 1j])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(WireError):
        encode(value)


def test_a_value_without_end_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(WireError):
        encode(endless)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"$bytes":3}', b"[" * 10**5])
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        decode(data)


def pair() -> tuple[Channel, Channel]:
    ours, theirs = socket.socketpair()
    return Channel(ours.detach()), Channel(theirs.detach())


def test_frames_arrive_one_by_one() -> None:
    ours, theirs = pair()
    with ours, theirs:
        ours.send([1])
        ours.send("two")
        assert theirs.receive() == [1]
        assert theirs.receive() == "two"


def test_a_deadline_passes() -> None:
    ours, theirs = pair()
    with ours, theirs, pytest.raises(TimeoutError):
        ours.receive(time.monotonic() + 0.05)


def test_the_end_of_the_other_side_is_told() -> None:
    ours, theirs = pair()
    theirs.close()
    theirs.close()
    with ours, pytest.raises(EOFError):
        ours.receive()


def test_a_frame_beyond_the_limit_is_refused_on_both_sides() -> None:
    ours, theirs = pair()
    with ours, theirs:
        with pytest.raises(WireError):
            ours.send("x" * (MAX_FRAME + 1))
        os.write(ours.fileno(), b"\xff\xff\xff\xff")
        with pytest.raises(WireError):
            theirs.receive()
