"""The code environment's tasks and how answers to them are compared; no sandbox."""

from __future__ import annotations

import functools
import json
from collections import Counter
from typing import Any

import pytest

from envhub import Task
from envhub_code import catalogue
from envhub_code.answers import same_answer, same_result
from envhub_code.hidden_tests import program_of
from envhub_code.problems import HIDDEN, Exercise, Problem


@functools.cache
def every_task() -> list[Task]:
    """All tasks, made when the first test asks for them."""
    return list(catalogue.tasks())


def exercises() -> list[Task]:
    """The tasks of level 4."""
    return [task for task in every_task() if isinstance(task["work"], Exercise)]


def test_there_are_many_tasks_of_every_level_and_family() -> None:
    """Both splits hold every family of every level."""
    assert catalogue.tasks().splits == {"train": 1200, "test": 200}
    for split in ("train", "test"):
        families = Counter(
            task["family"] for task in every_task() if task.split == split
        )
        assert len(families) == sum(map(len, catalogue.LEVELS))
        assert min(families.values()) >= 4


def test_no_two_tasks_are_the_same() -> None:
    """Neither within a split nor across: the question or the files differ."""
    keys = [
        repr((task["question"], getattr(task["work"], "files", None)))
        for task in every_task()
    ]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_a_task_is_a_function_of_its_place() -> None:
    """Made again, it is the same to the last byte."""
    for task in every_task()[::40]:
        again = catalogue.make(task.split, task.index, task.level)
        assert again == dict(task.data)


def test_questions_have_answers_that_their_own_grader_takes() -> None:
    """Every gold answer, written down, is right; and another one is wrong."""
    for task in every_task()[::5]:
        work = task["work"]
        if isinstance(work, Problem):
            gold = work.gold()
            assert same_answer(str(gold), gold), task.id
            assert not same_answer("", gold), task.id
            assert not same_answer(f"{gold} or 7", gold), task.id


def test_questions_do_not_hold_their_answer() -> None:
    """A large number that is asked for cannot be copied from the question."""
    for task in every_task()[::5]:
        work = task["work"]
        if isinstance(work, Problem) and isinstance(gold := work.gold(), int):
            copied = gold > 100 and f" {gold} " in f" {work.question} "
            assert not copied, (task.id, work.question)


def test_hidden_calls_cannot_be_guessed() -> None:
    """No result is right for more than a few, and none is an argument itself."""
    for task in exercises():
        work = task["work"]
        results = [json.dumps(work.expected(given)) for given in work.hidden]
        assert len(work.hidden) == HIDDEN
        assert Counter(results).most_common(1)[0][1] <= 2, task.id
        assert max(map(len, results)) <= 250, task.id
        shown = [given for given in work.examples if given in work.hidden]
        assert shown == [], task.id


def test_examples_are_told_as_calls() -> None:
    """An agent sees what `solve` takes and gives."""
    question = exercises()[0]["question"]
    assert question.count("\nsolve(") == 2
    assert "==" in question


@pytest.mark.parametrize(
    ("given", "gold"),
    [
        ("42", 42),
        ("42.0", 42),
        ("1,234 jars", 1234),
        ("\\boxed{42}", 42),
        ("12.35 euros", 12.345),
        ("12.34", 12.345),
        ("7:30", "7:30"),
        ('"Ben".', "ben"),
        ("  lo  ru ", "lo ru"),
        ("[3, 17]", [3, 17]),
        ("3; 17", [3, 17]),
        ("2030-01-02, 17.5", ["2030-01-02", 17.5]),
        ("2030-01-02 17.5", ["2030-01-02", 17.5]),
    ],
)
def test_right_answers_in_many_forms(given: str, gold: Any) -> None:
    """The form is free where it says nothing."""
    assert same_answer(given, gold)


@pytest.mark.parametrize(
    ("given", "gold"),
    [
        ("41", 42),
        ("42 or 43", 42),
        ("nan", 42),
        ("inf", 42.5),
        ("12.36", 12.345),
        ("7:31", "7:30"),
        ("17, 3", [3, 17]),
        ("3", [3, 17]),
        ("3, 17, 4", [3, 17]),
        ("6 * 7", 42),
        ("42" + " " * 2000 + "x", 42),
        ("9" * 100_000, 42),
    ],
)
def test_wrong_answers_in_many_forms(given: str, gold: Any) -> None:
    """Nothing is computed, and nothing but the answer is taken for it."""
    assert not same_answer(given, gold)


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        (3, 3, True),
        (3.0, 3, True),
        (0.1 + 0.2, 0.3, True),
        (True, 1, False),
        (1, True, False),
        ("3", 3, False),
        ([1, [2]], [1, (2,)], True),
        ([1], [1, 2], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        (None, None, True),
        (None, 0, False),
        (float("nan"), 0.5, False),
        (10**400, 0.5, False),
    ],
)
def test_results_are_compared_by_kind(found: Any, expected: Any, same: bool) -> None:
    """A truth value is no number, a text is none, and a float may be a little off."""
    assert same_result(found, expected) is same


def test_a_fence_around_a_program_is_taken_off() -> None:
    """Models fence code even where nobody asked."""
    assert program_of("```python\nx = 1\n```") == "x = 1"
    assert program_of("x = 1") == "x = 1"
