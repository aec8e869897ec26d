"""The environment `code`: a question, a Python session, one answer.

What the agent writes runs in a sandbox that lasts for one episode. Questions, answers
and the grader stay in this process; into the sandbox go the files of a task and, once
the episode is over, the arguments of hidden calls (see `hidden_tests`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envhub import Score, Task, ToolCall, ToolEnv, tool
from envhub.answering import answer_grammar
from envhub.errors import InvalidAction, UsageError
from envhub.observing import describe_completed
from envhub.parsing import Problem as Unread
from envhub.sandbox import Completed, Limits, TemplateSpec
from envhub.sandboxes import EpisodeSandbox, Sandboxes
from envhub.spaces import encodable
from envhub_code import catalogue
from envhub_code.answers import same_answer
from envhub_code.hidden_tests import program_of, share_passed
from envhub_code.problems import Exercise, Problem

__all__ = ["LIMITS", "CodeEnv"]

LIMITS = Limits(cpu=120.0, output=4 * 2**10)
"""Limits of an episode's sandbox; the time of one call is the environment's own."""

_LANGUAGES: tuple[str, ...] = ("python", "py", "python3")
_read = answer_grammar(dict.fromkeys(_LANGUAGES, ("python", "code")), programs=True)


class CodeEnv(ToolEnv):
    """Answer a question, or write a function, with a Python interpreter at hand.

    Args:
        timeout: Seconds one call of the interpreter may take, and the hidden calls of
            a function together.
        runs: Calls of the interpreter in one episode; None for no other bound than
            `max_turns`.
        packages: Installed packages that the interpreter can import, beside the
            standard library; they are loaded once, before any episode.
        sandbox: Name of the sandbox provider; by default the strongest there is.
        sandboxes: Where sandboxes come from; those of this process by default.
        kwargs: Further arguments of `envhub.Environment`.
    """

    tasks = catalogue.tasks()
    max_turns = 10
    instructions = (
        "You solve a task with a Python interpreter. Its names live on from one call "
        "to the next; it has no network. Files that a task names are in its folder. "
        "Two tools: python(code) runs code and shows what it prints; submit(answer) "
        "hands in the answer, once, and ends the task.\nInstead of calling tools you "
        "may write: a code block that begins with ```python is run; a line `Answer: "
        "...`, or \\boxed{...}, hands in the answer. Only the last of these in a "
        "message counts."
    )

    def __init__(
        self,
        *,
        timeout: float = 10.0,
        runs: int | None = None,
        packages: Sequence[str] = ("numpy",),
        sandbox: str | None = None,
        sandboxes: Sandboxes | None = None,
        **kwargs: Any,
    ) -> None:
        if timeout <= 0:
            raise UsageError(f"timeout is {timeout}; it must be more than 0 seconds")
        super().__init__(**kwargs)
        self.timeout = timeout
        self.runs = runs
        named = tuple(packages)
        spec = TemplateSpec(packages=named, preload=named, limits=LIMITS)
        self._place = EpisodeSandbox(spec, provider=sandbox, sandboxes=sandboxes)
        self._answer: str | None = None
        self._last: Completed | None = None
        self._ran = 0

    def begin(self, task: Task) -> str:
        """Take a fresh sandbox, put the task's files into it, tell the task."""
        self._answer, self._last, self._ran = None, None, 0
        self._place.renew()
        box = self._place.use()
        work = task["work"]
        if isinstance(work, Problem):
            for path, content in work.files.items():
                box.write(path, content)
        return str(task["question"])

    @tool
    def python(self, code: str) -> str:
        """Run Python code in a session whose names live on.

        What the code prints is shown, and the value of its last expression.

        Args:
            code: The code.
        """
        if self.runs is not None and self._ran >= self.runs:
            raise InvalidAction(
                f"python was not run: no run is left of {self.runs}. Hand in an answer."
            )
        self._ran += 1
        self._last = self._place.use().python(encodable(code), timeout=self.timeout)
        return self.shown(self._last)

    @tool
    def submit(self, answer: str) -> str:
        """Hand in the answer and end the task.

        Args:
            answer: The answer alone; for a function, the program that defines it.
        """
        self._answer = answer
        self.finish()
        return "The answer was handed in."

    def shown(self, done: Completed) -> str:
        """A run of the interpreter, as the agent reads it."""
        return describe_completed(done, limits=LIMITS, timeout=self.timeout)

    def grammar(self, text: str) -> ToolCall | Unread | None:
        """Read code blocks and answers; see `envhub.answering`."""
        return _read(text)

    def score(self) -> Score:
        """1 for the right answer; for a function, the share of hidden calls passed."""
        value = 0.0 if self._answer is None else self._judged(self._answer)
        self._place.renew()  # nothing of the agent runs on after its episode
        handed_in = float(self._answer is not None)
        components = {"correct": float(value == 1.0), "submitted": handed_in}
        if isinstance(self.task["work"], Exercise):
            components["tests_passed"] = value
        return Score(value, components)

    def oracle(self) -> ToolCall:
        """Compute the answer in the sandbox, then hand in what was printed."""
        work = self.task["work"]
        if isinstance(work, Exercise):
            solution = work.solution()
            if self._last is None:
                return ToolCall("python", {"code": f"{solution}\n{_trial(work)}"})
            return ToolCall("submit", {"answer": solution})
        if self._last is None:
            return ToolCall("python", {"code": work.solution()})
        return ToolCall("submit", {"answer": self._last.stdout.strip()})

    def shutdown(self) -> None:
        """End the sandbox and all that runs in it."""
        self._place.close()

    def _judged(self, answer: str) -> float:
        work = self.task["work"]
        if isinstance(work, Problem):
            return float(same_answer(answer, work.gold()))
        program = program_of(encodable(answer))
        self._place.renew()
        return share_passed(work, program, self._place.use(), timeout=self.timeout)


def _trial(exercise: Exercise) -> str:
    given = ", ".join(map(repr, exercise.examples[0]))
    return f"print(solve({given}))"
