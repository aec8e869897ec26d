"""One episode played by a person: what is shown, what is read, what is kept."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from envhub.actions import Action
from envhub.cli import screen
from envhub.cli.calling import Misread, as_typed, read_call, signature
from envhub.cli.reading import Reader
from envhub.errors import EnvhubError, UsageError
from envhub.ids import nearest
from envhub.policies import possible_actions

if TYPE_CHECKING:
    from envhub.env import Environment
    from envhub.pool import Step

__all__ = ["Session"]

_ENDED = {
    "done": "the environment ended the episode",
    "max_turns": "all turns are used",
    "no_action": "too many turns in a row held nothing that could be done",
    "quit": "it was left before its end",
}
_COMMANDS = {
    ":help": "this",
    ":tools": "the tools, with their arguments",
    ":actions": "what can be done now, where the environment tells it",
    ":oracle": "a hint: what the environment's oracle would do next",
    ":look": "the last observation again",
    ":quit": "leave the episode (Ctrl-D is the same)",
}


class Session:
    """One episode.

    Args:
        env: The environment, not yet reset.
        name: What the person calls it.
        settings: Its arguments, as the person typed them.
    """

    def __init__(
        self, env: Environment, name: str, settings: Sequence[str] = ()
    ) -> None:
        from envhub.recording import Recorder

        self._env = env
        self._name = name
        self._settings = settings
        self._reader = Reader(self._suggestions)
        self._recorder = Recorder(name, "human")
        self._observation = ""
        self._beginning: dict[str, Any] = {}
        self._info: dict[str, Any] = {}
        self._turns = 0
        self._components = Counter[str]()
        self._failure: EnvhubError | None = None

    @property
    def solved(self) -> bool:
        """Whether the episode is over and its task solved."""
        return bool(self._info.get("episode", {}).get("success"))

    def play(self, seed: int | None, options: dict[str, Any]) -> None:
        """Play until the episode is over, or there is nothing more to read."""
        try:
            self._begin(seed, options)
            while not self._recorder.over:
                prompt = f"{self._turns + 1}/{self._env.max_turns}> "
                line = self._reader.read(prompt)
                if line is not None and not self._reader.interactive:
                    screen.say(f"{prompt}{line}", style="bold")
                if line is None or line.strip() in (":quit", ":q"):
                    break
                self._take(line)
        except EnvhubError as error:
            self._failure = error
            raise

    def save(self, file: Path) -> None:
        """Add the record to a file, unless nothing has begun."""
        from envhub import trajectory

        if self._beginning:
            trajectory.write(file, [self._recorder.finish(self._failure)], append=True)
            screen.err().print(Text(f"The episode was added to {file}.", style="dim"))

    def tell_outcome(self) -> None:
        """Say how it ended, and what the reward is made of."""
        record = self._recorder.finish()
        word, style = (
            ("Solved", "bold green") if self.solved else ("Not solved", "yellow")
        )
        why = _ENDED.get(record.stop_reason, record.stop_reason)
        turns = f"{self._turns} turn{'s' if self._turns != 1 else ''}"
        line = Text(f"\n{word}", style=style).append(
            f" in {turns}: {why}.", "default not bold"
        )
        screen.show(line)
        grid = screen.grid()
        grid.add_row(Text("return", style="bold"), screen.number(record.reward or 0.0))
        for name, amount in self._components.items():
            grid.add_row(screen.visible(name), screen.number(amount))
        screen.show(grid)
        start = ["--task", record.task_id, "--seed", str(record.seed)]
        settings = [word for pair in self._settings for word in ("--set", pair)]
        again = shlex.join(["envhub", "play", self._name, *start, *settings])
        screen.out().print(Text(f"Once more:  {again}", style="dim"), soft_wrap=True)

    # The episode

    def _begin(self, seed: int | None, options: dict[str, Any]) -> None:
        from envhub.pool import Reset

        reset = Reset(*self._env.reset(seed=seed, options=options))
        self._recorder.begun(reset)
        self._observation, self._info = reset
        self._beginning = info = reset.info
        level = f" · level {info['level']}" if self._env.tasks.levels > 1 else ""
        head = f"{info['task_id']}{level} · seed {info['seed']} · "
        turns = f"at most {self._env.max_turns} turns"
        screen.out().print(Text(head + turns, style="dim"))
        first = info["messages"][0]
        if first["role"] == "system":
            screen.say(first["content"], style="italic")
        screen.out().print()
        screen.say(self._observation)
        self._tell_tools()
        if self._reader.interactive:
            screen.out().print(Text("Type an action, or :help.", style="dim"))

    def _take(self, line: str) -> None:
        """Do what a line says: a command of ours, or an action."""
        if line.startswith(":") and not line.startswith("::"):
            self._obey(line.strip())
            return
        line = line[1:] if line.startswith("::") else line
        action = self._read(line)
        if isinstance(action, Misread):
            screen.say(action.message, style="yellow")
        else:
            self._step(action)

    def _read(self, line: str) -> Action | Misread:
        """The environment's own language comes first, then tools by name."""
        if "\n" in line or self._env.grammar(line) is not None:
            return line
        return read_call(line, self._beginning["tools"]) or line

    def _step(self, action: Action) -> None:
        from envhub.pool import Step

        started = time.perf_counter()
        step = Step(*self._env.step(action))
        self._recorder.answered(action, step, time.perf_counter() - started)
        self._observation, self._info = step.observation, step.info
        self._turns += 1
        self._show(step)

    def _show(self, step: Step) -> None:
        screen.say(step.observation)
        for note in step.info["notes"]:
            screen.say(f"(note: {note})", style="dim")
        components = step.info["reward_components"]
        self._components.update(components)
        ended = step.terminated or step.truncated
        if step.reward and not ended:
            parts = ", ".join(components)
            screen.say(f"reward {step.reward:+g} ({parts})", style="green")

    # Our own commands

    def _obey(self, line: str) -> None:
        command = line.split()[0]
        known: dict[str, Callable[[], None]] = {
            ":help": self._help,
            ":tools": self._tell_tools,
            ":actions": self._tell_actions,
            ":oracle": self._hint,
            ":look": lambda: screen.say(self._observation),
        }
        if command in known:
            known[command]()
            return
        close = nearest(command, _COMMANDS)
        hint = f"did you mean {close[0]}? " if close else ""
        screen.say(
            f"There is no command {command}; {hint}:help lists them. An action that "
            "begins with a colon is typed with two.",
            style="yellow",
        )

    def _help(self) -> None:
        grid = screen.grid()
        for command, says in _COMMANDS.items():
            grid.add_row(Text(command, style="cyan"), says)
        screen.show(grid)
        screen.say(
            "Everything else is an action: the environment's own language, a tool's "
            "name and arguments, or a fenced block.",
            style="dim",
        )

    def _tell_tools(self) -> None:
        if tools := self._beginning["tools"]:
            calls = ", ".join(signature(tool) for tool in tools)
            screen.out().print(Text("Tools: ", style="bold").append(calls, "cyan"))

    def _tell_actions(self) -> None:
        listed = possible_actions(self._info)
        screen.say("\n".join(listed) or "The environment does not tell.", style="cyan")

    def _hint(self) -> None:
        try:
            screen.say(
                f"The oracle would say:  {as_typed(self._env.oracle())}", style="cyan"
            )
        except UsageError as error:
            screen.say(f"No hint: {error}.", style="yellow")

    def _suggestions(self) -> list[str]:
        tools = [tool["function"]["name"] for tool in self._beginning.get("tools", ())]
        return [*possible_actions(self._info), *tools, *_COMMANDS]
