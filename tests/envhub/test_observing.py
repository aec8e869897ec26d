"""What an agent reads of a call: the streams, and every limit with its number."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from envhub.observing import SILENT, describe_completed
from envhub.sandbox import Completed, LimitName, Limits

LIMITS = Limits(wall=30, cpu=7, memory=256 * 2**20, processes=9, open_files=11)


def described(timeout: float | None = None, **facts: Any) -> str:
    """The observation of a call of which these facts are known."""
    done = Completed(**{"exit_code": 0, **facts})
    return describe_completed(done, limits=LIMITS, timeout=timeout)


def test_output_is_shown_as_it_is() -> None:
    """Standard output first, then standard error, with inner blank lines kept."""
    assert described(stdout="a\n\nb\n", stderr="warned\n") == "a\n\nb\nwarned"


def test_silence_is_said() -> None:
    """An agent can tell silence from a time-out and from a failure."""
    assert described() == SILENT
    assert described(exit_code=1) == f"{SILENT}\n[exit code 1]"


def test_a_time_limit_keeps_partial_output_and_names_the_seconds() -> None:
    """The call's own limit is named, not the sandbox's."""
    cut: dict[str, Any] = {"exit_code": None, "timed_out": True, "stdout": "step 1"}
    expected = "step 1\n[time limit: ended after 2.5 seconds]"
    assert described(timeout=2.5, **cut) == expected
    assert "30 seconds" in described(**cut)


@pytest.mark.parametrize("limit", get_args(LimitName))
def test_every_limit_is_named_with_its_number(limit: LimitName) -> None:
    """No limit is reached in silence."""
    numbers = {"wall": 30, "memory": 256, "disk": 64, "cpu": 7, "processes": 9}
    told = described(limit=limit, exit_code=137)
    assert "limit:" in told
    assert str(numbers.get(limit, 11)) in told
    assert told.endswith("[exit code 137]")


def test_what_was_left_out_is_marked_once_and_a_restart_is_told() -> None:
    """The sandbox marks the gap in the stream; the restart's sentence is its own."""
    cut = "head [1234 bytes left out] tail"
    told = described(stdout=cut, omitted=1234, restarted="It was restarted.")
    assert told == f"{cut}\n[It was restarted.]"
