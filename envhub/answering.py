r"""Answers in words: how a turn hands one in, and the number that it names.

Environments with an interpreter or a shell share one text grammar. In the visible text
of a turn the last of these decides:

    ```python ... ```     a block in one of the environment's languages is run
    Answer: X             X is handed in; the line may be a bullet or bold
    \boxed{X}             likewise

What stands inside of a block is code and no answer. An answer is text to be compared;
nothing here, and nothing that uses it, evaluates one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from envhub.actions import ToolCall
from envhub.parsing import Grammar, Problem, fenced_grammar

__all__ = ["LONGEST_ANSWER", "answer_grammar", "bare", "only_number"]

LONGEST_ANSWER = 1000
"""Characters of an answer in words that is read; a longer one says nothing."""

_BLOCK = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*$.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ANSWER = re.compile(
    r"^[ \t>*_#-]*(?:final )?answer[*_ \t]*:[*_ \t]*(?P<rest>[^\n]*)$",
    re.MULTILINE | re.IGNORECASE,
)
_BRACE = re.compile(r"(?P<boxed>\\boxed[ \t]*)?\{|\}")
_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,2})?"
    r"(?!\w|\.\d)"
)
_RATIO = re.compile(r"([-+]?\d{1,18})\s*/\s*(\d{1,18})")
_UNITS = re.compile(r"(?<=\d)(?=[^\W\d_]+(?!\w))")
_AROUND = " \t\r\n\"'`*$"


def answer_grammar(
    languages: Mapping[str, tuple[str, str]],
    *,
    submit: tuple[str, str] = ("submit", "answer"),
    programs: bool = False,
) -> Grammar:
    """The text grammar of running blocks and handing in an answer.

    Args:
        languages: From a block's language to the tool and the argument that take it.
        submit: The tool and the argument that take an answer.
        programs: An ``Answer:`` with nothing after it hands in the block that follows,
            in one of the languages or in none.
    """
    run = fenced_grammar(languages)
    hand_in = fenced_grammar(dict.fromkeys((*languages, ""), submit))

    def grammar(text: str) -> ToolCall | Problem | None:
        at, answer = _last_answer(text)
        if at < 0:
            return run(text)
        after = text[at:]
        if programs and not answer:
            return hand_in(after)
        block = run(after)
        if block is None and answer:
            return ToolCall(submit[0], {submit[1]: answer})
        return block

    return grammar


def bare(text: str) -> str:
    r"""The text without a ``\boxed{}`` around it and without marks of typography."""
    text = _undressed(text)
    while text.startswith("\\boxed{") and text.endswith("}"):
        text = _undressed(text[len("\\boxed{") : -1])
    return text.replace("−", "-").replace("\u00a0", " ")


def only_number(text: str) -> Fraction | None:
    """The one number that a text names; None where there is none, or more than one.

    ``42``, ``1,234``, ``$42.50``, ``42 km``, ``x = 42``, ``1e3``, ``12.5%`` as 12.5,
    ``3/4`` as a fraction.
    """
    text = bare(text)
    if len(text) > LONGEST_ANSWER:
        return None
    ratio = _RATIO.fullmatch(text)
    if ratio:
        below = int(ratio[2])
        return Fraction(int(ratio[1]), below) if below else None
    found = _NUMBER.findall(_UNITS.sub(" ", text))
    return Fraction(found[0].replace(",", "")) if len(found) == 1 else None


def _undressed(text: str) -> str:
    return text.lstrip(_AROUND).rstrip(f"{_AROUND}.;")


def _last_answer(text: str) -> tuple[int, str]:
    """Where the last answer begins, and what it says; -1 without one."""
    prose = _BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)
    at, answer = -1, ""
    for found in _ANSWER.finditer(prose):
        at, answer = found.start(), found["rest"].strip()
    return _last_boxed(prose, max(at, 0)) or (at, answer)


def _last_boxed(text: str, start: int) -> tuple[int, str] | None:
    """Where the last box that is closed begins, and what it holds."""
    last: tuple[int, str] | None = None
    opened: list[re.Match[str]] = []
    for brace in _BRACE.finditer(text, start):
        if brace[0] != "}":
            opened.append(brace)
        elif opened:
            opening = opened.pop()
            if opening["boxed"]:
                last = opening.start(), text[opening.end() : brace.start()].strip()
    return last
