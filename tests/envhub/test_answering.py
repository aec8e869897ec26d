"""Answers in words: which part of a turn counts, and which number a text names."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from envhub.actions import ToolCall
from envhub.answering import answer_grammar, bare, only_number
from envhub.parsing import Problem

LANGUAGES = {"python": ("python", "code"), "py": ("python", "code")}
read = answer_grammar(LANGUAGES)
read_programs = answer_grammar(LANGUAGES, programs=True)


def submit(answer: str) -> ToolCall:
    """What hands in this answer."""
    return ToolCall("submit", {"answer": answer})


def run(code: str) -> ToolCall:
    """What runs this code."""
    return ToolCall("python", {"code": code})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nprint(1)\n```", run("print(1)")),
        ("First:\n```py\na = 1\n```\nthen:\n```python\nb = 2\n```", run("b = 2")),
        ("```json\n{}\n```", None),
        ("Answer: 42", submit("42")),
        ("So it is.\n\n**Final answer:** 42 km", submit("42 km")),
        ("- ANSWER : yes", submit("yes")),
        ("It is $\\boxed{\\frac{1}{2}}$.", submit("\\frac{1}{2}")),
        ("Answer: \\boxed{7}", submit("7")),
        ("\\boxed{1} or rather \\boxed{2}", submit("2")),
        ("The answer is 42", None),
        ("What would the answer be?", None),
        ("Answer:", None),
        ("", None),
    ],
)
def test_the_grammar_reads_blocks_and_answers(
    text: str, expected: ToolCall | None
) -> None:
    """Blocks run, labelled or boxed answers are handed in, prose is prose."""
    assert read(text) == expected


def test_the_last_one_counts() -> None:
    """A model that sketches first and decides last means what it wrote last."""
    block = "```python\nprint(2)\n```"
    assert read(f"{block}\nAnswer: 2") == submit("2")
    assert read(f"Answer: 1\nLet me check.\n{block}") == run("print(2)")


def test_an_answer_inside_of_code_is_no_answer() -> None:
    """A program that prints "Answer:" is run, not handed in."""
    code = 'print("""\nAnswer: 5\n\\boxed{5}\n""")'
    assert read(f"```python\n{code}\n```") == run(code)


def test_a_program_is_handed_in_after_a_bare_label() -> None:
    """Only where programs are asked for, and then with any label of the block."""
    for label in ("python", "py", ""):
        text = f"Done.\nAnswer:\n```{label}\ndef solve(x):\n    return x\n```"
        assert read_programs(text) == submit("def solve(x):\n    return x")
    assert read("Answer:\n```python\nx\n```") == run("x")


def test_a_block_without_an_end_is_a_problem() -> None:
    """Neither half a program nor the answer before it is acted upon."""
    assert isinstance(read("```python\nprint(1)"), Problem)
    assert isinstance(read("Answer: 3\n```python\nprint(1)"), Problem)
    assert isinstance(read_programs("Answer:\n```python\nx"), Problem)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("42", 42),
        (" 42. ", 42),
        ("1,234,567", 1_234_567),
        ("$42.50", Fraction("42.5")),
        ("42 km", 42),
        ("42km", 42),
        ("x = -3", -3),
        ("−3", -3),
        ("1e3", 1000),
        (".5", Fraction(1, 2)),
        ("-.5.", Fraction(-1, 2)),
        ("12.5%", Fraction("12.5")),
        ("3/4", Fraction(3, 4)),
        ("\\boxed{7}", 7),
        ("`7`", 7),
        ("1/0", None),
        ("", None),
        ("forty-two", None),
        ("12, 13", None),
        ("between 1 and 2", None),
        ("nan", None),
        ("inf", None),
        ("1e999999999", None),
        ("0x1F", None),
        ("__import__('os').getpid()", None),
        ("9" * 5000, None),
    ],
)
def test_the_number_of_a_text(text: str, number: Fraction | None) -> None:
    """One number is found whatever stands around it; two are none."""
    assert only_number(text) == number


def test_typography_is_taken_off() -> None:
    """Marks of style are no part of an answer."""
    assert bare("**`Lisbon`.**") == "Lisbon"
    assert bare("\\boxed{\\boxed{a}}") == "a"
    assert bare("`./a.txt`") == "./a.txt"


@pytest.mark.parametrize(
    "unit", ["\\boxed{", "}{", "Answer:\n", "```\n", "~~~ x\n", "-"]
)
def test_reading_takes_linear_time(unit: str) -> None:
    """A hundred thousand characters of anything are read at once."""
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    read(text)
    read_programs(text)
    assert time.process_time() - started < 1.0
