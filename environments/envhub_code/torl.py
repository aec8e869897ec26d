r"""The code environment as ToRL has it (Li et al. 2025, arXiv:2503.23383).

One question, text alone, and at most `runs` calls of the interpreter. A turn that ends
with a Python block, with or without the word "```output" after it, runs the block;
every other turn is the last one, and what its last ``\boxed{}`` holds is the answer.

    observation   "```output\n" + text + "\n```\n", where the text is standard output,
                  or standard error if the code failed in silence; of a text with
                  "Error" in it the last line; of 256 characters or more the first and
                  the last 128
    reward        1 if the answer is right, else -1

    envhub.register("torl", "envhub_code.torl:TorlEnv")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from envhub import Score, ToolCall
from envhub.answering import answer_grammar
from envhub.observing import SILENT
from envhub.parsing import fenced_grammar
from envhub.sandbox import Completed
from envhub_code.env import CodeEnv

__all__ = ["TorlEnv", "torl_observation"]

_CUT = 256
_STOP = "```output"
_TIMED_OUT = "timeout_decorator.timeout_decorator.TimeoutError: 'Timed Out'"
_run = fenced_grammar({"python": ("python", "code")})
_final = answer_grammar({})


class TorlEnv(CodeEnv):
    """A question, at most `runs` calls of the interpreter, reward 1 or -1.

    Args:
        runs: Calls of the interpreter in one episode.
        wrong_costs: Taken off when an answer was given and is wrong (ToRL: 0.5).
        failure_costs: Taken off when code was run and the last run failed (ToRL: 0.5).
        compat: Tell an agent whose code printed nothing that it timed out, as the
            published code does.
        kwargs: Further arguments of `CodeEnv`.
    """

    formats: ClassVar[Sequence[str]] = ()
    instructions = (
        "Solve the problem by reasoning and by programs. End a message with a "
        "```python block to have it run and to see what it prints. Put the final "
        "answer in \\boxed{}."
    )

    def __init__(
        self,
        *,
        runs: int = 1,
        wrong_costs: float = 0.0,
        failure_costs: float = 0.0,
        compat: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(runs=runs, **kwargs)
        self._allowed = runs
        self._wrong_costs = wrong_costs
        self._failure_costs = failure_costs
        self._compat = compat
        self.reward_range = (-1.0 - wrong_costs - failure_costs, 1.0)

    def tool_schemas(self) -> list[dict[str, Any]]:
        """None: the agent is told of no tools."""
        return []

    def shown(self, done: Completed) -> str:
        """A run of the interpreter, as ToRL shows it."""
        return torl_observation(done, compat=self._compat)

    def grammar(self, text: str) -> ToolCall:
        """A block at the end is run; whatever else is written is final."""
        head = text.rstrip().removesuffix(_STOP).rstrip()
        code = _run(head)
        if self._ran < self._allowed and isinstance(code, ToolCall) and _closed(head):
            return code
        final = _final(text)
        return (
            final if isinstance(final, ToolCall) else ToolCall("submit", {"answer": ""})
        )

    def score(self) -> Score:
        """1 or -1, less what wrong answers and failed code cost."""
        found = super().score()
        value = 1.0 if found.success else -1.0
        if self._answer and not found.success:
            value -= self._wrong_costs
        if self._last is not None and not _passed(self._last):
            value -= self._failure_costs
        return Score(value, found.components, success=found.success)


def torl_observation(done: Completed, *, compat: bool = False) -> str:
    """What ToRL shows of a run."""
    text = done.stdout if _passed(done) else done.stderr
    if "Error" in text:
        text = text.strip().rsplit("\n", 1)[-1]
    if not text.strip():
        text = _TIMED_OUT if compat or done.timed_out else SILENT
    text = text.strip()
    if len(text) >= _CUT:
        text = f"{text[: _CUT // 2]}...{text[-_CUT // 2 :]}"
    return f"```output\n{text}\n```\n"


def _passed(done: Completed) -> bool:
    return done.ok or bool(done.stdout)


def _closed(text: str) -> bool:
    return text.endswith(("```", "~~~"))
