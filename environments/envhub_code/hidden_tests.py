"""Judging a function by calls that its author has not seen.

The program that was handed in runs in a sandbox that is fresh. Into it go the arguments
of the calls and a nonce; out of it come results, one a line, named by the nonce and the
number of the call. The right results stay on the host, where they are compared. A call
passes when its line is there, once, and holds the right result; so what ends early,
prints praise, loops or does not parse passes nothing, whatever it says about itself.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable
from typing import Any

from envhub.sandbox import Sandbox
from envhub_code.answers import same_result
from envhub_code.problems import Exercise

__all__ = ["program_of", "share_passed"]

_LONGEST_RESULT = 300
"""Characters of a result as JSON. No right one is longer, and all fit the output."""

_RUNNER = """
def _run(source, calls, nonce, longest):
    import json, os
    results = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    space = {"__name__": "solution"}
    exec(compile(source, "solution.py", "exec"), space)
    for number, arguments in enumerate(calls):
        try:
            told = json.dumps(space["solve"](*arguments))
        except Exception:
            continue
        if len(told) <= longest:
            results.write(f"{nonce} {number} {told}\\n")
            results.flush()
"""
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})[^\n]*\n(.*?)\n?[ \t]*\1\s*$", re.DOTALL)


def program_of(answer: str) -> str:
    """The program of an answer, without a fence around it."""
    fenced = _FENCE.match(answer)
    return fenced[2] if fenced else answer


def share_passed(
    exercise: Exercise, program: str, sandbox: Sandbox, *, timeout: float
) -> float:
    """Share of the hidden calls that a program passes.

    Args:
        exercise: What was to be written.
        program: What was written.
        sandbox: A fresh one; it is not fit for anything else afterwards.
        timeout: Seconds for all calls together; what came before counts.
    """
    nonce = secrets.token_hex(8)
    given = f"{program!r}, {list(exercise.hidden)!r}, {nonce!r}, {_LONGEST_RESULT}"
    done = sandbox.python(f"{_RUNNER}\n_run({given})", timeout=timeout)
    found = _results(done.stdout.splitlines(), nonce)
    passed = [
        number in found and same_result(found[number], exercise.expected(arguments))
        for number, arguments in enumerate(exercise.hidden)
    ]
    return sum(passed) / len(passed)


def _results(lines: Iterable[str], nonce: str) -> dict[int, Any]:
    """Results by number of the call; one that is told twice is none."""
    found: dict[int, Any] = {}
    twice: set[int] = set()
    for line in lines:
        name, _, rest = line.partition(" ")
        number, _, told = rest.partition(" ")
        if name != nonce or not number.isascii() or not number.isdigit():
            continue
        index = int(number[:9])
        if index in found:
            twice.add(index)
        try:
            found[index] = json.loads(told)
        except (ValueError, RecursionError):
            twice.add(index)
    return {number: value for number, value in found.items() if number not in twice}
