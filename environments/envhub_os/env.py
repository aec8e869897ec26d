"""The environment `os`: a company's files, a shell, something to find out or to do.

The files are described in this process and unpacked in a sandbox that lasts for one
episode. The right answer, the checks and the description stay here; when the agent is
done, the files are looked at from outside (see `outside`).
"""

from __future__ import annotations

from typing import Any

from envhub import Score, Task, ToolCall, ToolEnv, tool
from envhub.answering import LONGEST_ANSWER, answer_grammar, bare, only_number
from envhub.errors import UsageError
from envhub.observing import describe_completed
from envhub.parsing import Problem as Unread
from envhub.sandbox import Completed, Limits, Sandbox, TemplateSpec
from envhub.sandboxes import EpisodeSandbox, Sandboxes
from envhub.spaces import encodable
from envhub_os import catalogue
from envhub_os.jobs import Job
from envhub_os.outside import Outside
from envhub_os.tree import Tree

__all__ = ["LIMITS", "OsEnv", "same_answer"]

LIMITS = Limits(cpu=120.0, output=4 * 2**10)
"""Limits of an episode's sandbox; the time of one command is the environment's own."""

_LANGUAGES: tuple[str, ...] = ("bash", "sh", "shell", "console")
_read = answer_grammar(dict.fromkeys(_LANGUAGES, ("bash", "command")))
_SPEC = TemplateSpec(service="envhub_os.builder:Builder", limits=LIMITS)


class OsEnv(ToolEnv):
    """Answer a question about files, or change them as asked, in a shell.

    Args:
        timeout: Seconds one command may take.
        sandbox: Name of the sandbox provider; by default the strongest there is.
        sandboxes: Where sandboxes come from; those of this process by default.
        kwargs: Further arguments of `envhub.Environment`.
    """

    tasks = catalogue.tasks()
    max_turns = 10
    instructions = (
        "You look after the files of a small company with a shell on Linux. It keeps "
        "its folder and its variables between commands; there is no network. Two "
        "tools: bash(command) runs a command and shows what it prints; submit(answer) "
        "ends the task, with the answer if a question was asked, with done if not.\n"
        "Instead of calling tools you may write: a code block that begins with ```bash "
        "is run; a line `Answer: ...` ends the task. Only the last of these in a "
        "message counts."
    )

    def __init__(
        self,
        *,
        timeout: float = 30.0,
        sandbox: str | None = None,
        sandboxes: Sandboxes | None = None,
        **kwargs: Any,
    ) -> None:
        if timeout <= 0:
            raise UsageError(f"timeout is {timeout}; it must be more than 0 seconds")
        super().__init__(**kwargs)
        self.timeout = timeout
        self._place = EpisodeSandbox(_SPEC, provider=sandbox, sandboxes=sandboxes)
        self._answer: str | None = None
        self._last: Completed | None = None
        self._entered = False

    def begin(self, task: Task) -> str:
        """Unpack the files in a fresh sandbox and tell what is asked for."""
        self._answer = self._last = None
        self._entered = False
        self._place.renew()
        tree: Tree = task["tree"]
        self._place.use().call("build", tree.name, *tree.laid_out())
        job: Job = task["job"]
        return job.request

    @tool
    def bash(self, command: str) -> str:
        """Run a command in a bash session that lives on.

        What it prints is shown, and its exit code if that is not 0.

        Args:
            command: The command; it may have several lines.
        """
        box = self._place.use()
        if not self._entered:
            box.shell(f"export TZ=UTC; cd {self.task['tree'].root}")
            self._entered = True
        self._last = box.shell(encodable(command), timeout=self.timeout)
        return self.shown(self._last)

    @tool
    def submit(self, answer: str = "done") -> str:
        """End the task.

        Args:
            answer: The answer alone, if a question was asked.
        """
        self._answer = answer
        self.finish()
        return "The task is over."

    def shown(self, done: Completed) -> str:
        """What came of a command, as the agent reads it."""
        return describe_completed(done, limits=LIMITS, timeout=self.timeout)

    def grammar(self, text: str) -> ToolCall | Unread | None:
        """Read code blocks and answers; see `envhub.answering`."""
        return _read(text)

    def score(self) -> Score:
        """Share of what was asked for, halved or worse if other files were harmed."""
        box, job, tree = self._place.use(), self.task["job"], self.task["tree"]
        _end_session(box)
        asked = {check.path for check in job.checks}
        view = Outside(box, tree.name, asked | set(tree.files))
        passed = [check.passes(view) for check in job.checks]
        if job.answer is not None:
            given = self._answer or ""
            passed.append(same_answer(given, job.answer, tree.name))
        done, kept = sum(passed) / len(passed), view.kept(tree, job.free)
        self._place.renew()  # nothing of the agent runs on after its episode
        value = done if kept == 1.0 else 0.5 * done * kept
        handed_in = float(self._answer is not None)
        return Score(value, {"done": done, "kept": kept, "submitted": handed_in})

    def oracle(self) -> ToolCall:
        """Run the job's script, then hand in what it printed."""
        job: Job = self.task["job"]
        if self._last is None:
            return ToolCall("bash", {"command": job.script})
        found = self._last.stdout.strip() if job.answer is not None else "done"
        return ToolCall("submit", {"answer": found})

    def shutdown(self) -> None:
        """End the sandbox and all that runs in it."""
        self._place.close()


def _end_session(box: Sandbox) -> None:
    """End the agent's shell and its jobs, lest they write while the files are read.

    An agent can keep its shell from ending so, and gains nothing by it: the files as
    they are found are what counts.
    """
    box.shell("kill -KILL $$", timeout=2.0)


def same_answer(given: str, gold: int | str, name: str) -> bool:
    """Whether an answer is right: the one number of it, or the text without quotes.

    A path may be written from the company's folder, of this name, from the one above,
    or from the root.
    """
    if isinstance(gold, int):
        return only_number(given) == gold
    text = bare(given[: 2 * LONGEST_ANSWER])
    above, inside, below = text.partition(f"{name}/")
    if inside and (not above or above.endswith("/")):
        text = below
    return text.removeprefix("./") == gold
