"""The household as an environment: tasks, the one tool, the score.

The world and its rules are in `envhub_household.world`; here they meet the contract
of `envhub.Environment`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from envhub import Score, Task, Tasks, ToolCall, ToolEnv, UsageError, tool
from envhub.parsing import Parsed, command_grammar
from envhub_household import commands, telling
from envhub_household.expert import plan
from envhub_household.games import GAME_TURNS, game_tasks, read_game
from envhub_household.grammar import BRIEF, ZERO_FOUR, Grammar, grammar_named
from envhub_household.scenes import LEVELS, Scene, scene_of
from envhub_household.world import World

__all__ = ["Household", "Reward"]

Reward = Literal["sparse", "partial"]
"""``"sparse"`` pays 1 for the goal alone; ``"partial"`` pays for stages too."""

_marked_line = command_grammar("act", "command")
_WATCHING = ("look", "inventory", "help", "examine ")


def _task_data(split: str, index: int, level: int) -> Mapping[str, Any]:
    scene = scene_of(split, index, level)
    goal = scene.goal
    return {
        "kind": goal.kind,
        "item": goal.item,
        "target": goal.target,
        "text": scene.text,
    }


class Household(ToolEnv):
    """Bring things to where they should be, in a house described in words.

    Args:
        level: 1 (two or three places, everything in sight) to 4 (large rooms, decoys).
        grammar: ``"0.4.2"``, ``"2020"`` or ``"brief"``; by default ``"brief"`` for
            tasks of level 1 and ``"0.4.2"`` for all others.
        show_commands: Whether each observation ends with the commands that change
            something; by default for tasks of level 1 alone.
        reward: ``"sparse"`` or ``"partial"``.
        max_turns: Turns of an episode; by default what the task's level allows.
        max_fruitless: Turns in a row without a command after which an episode ends;
            by default `max_turns` alone bounds them.
        render_mode: ``"ansi"`` or None.
        games: Folder of ALFWorld's own game files to play instead of the household's
            tasks; see `envhub_household.games`.
    """

    tasks = Tasks.from_generator(
        "household",
        _task_data,
        splits={"train": 1200, "test": 240},
        levels=len(LEVELS),
    )
    max_turns = max(level.turns for level in LEVELS.values())

    def __init__(
        self,
        *,
        level: int | None = None,
        grammar: str | None = None,
        show_commands: bool | None = None,
        reward: Reward = "sparse",
        max_turns: int | None = None,
        max_fruitless: int | None = None,
        render_mode: str | None = None,
        games: str | Path | None = None,
    ) -> None:
        if games is not None:
            self.tasks = game_tasks(games)
        super().__init__(
            level=level,
            max_turns=max_turns,
            max_fruitless=max_fruitless,
            render_mode=render_mode,
        )
        if reward not in get_args(Reward):
            message = f"no reward {reward!r} in household: choose 'sparse' or 'partial'"
            raise UsageError(message)
        self.reward = reward
        self._turns = max_turns
        self._wanted_grammar = None if grammar is None else grammar_named(grammar)
        self._wanted_commands = show_commands
        self._possible: list[str] | None = None

    def begin(self, task: Task) -> str:
        """Furnish the house of the task; the first text tells the goal."""
        scene, words, turns = self._scene(task)
        self.goal = scene.goal
        self.world = World(scene.house)
        self.words = self._wanted_grammar or words
        easy = words is BRIEF
        self.shows = easy if self._wanted_commands is None else self._wanted_commands
        self.max_turns = self._turns or turns
        self.instructions = _instructions(self.words)
        self._given = self.goal.reached(self.world)
        self._reached = set(self._given)
        self._accepted = True
        self._possible = None
        text = telling.welcome(self.world, self.words, scene.text)
        return self._with_commands(text)

    @tool(name="act")
    def carry_out(self, command: str) -> str:
        """Carry out one command in the house.

        Args:
            command: One of: go to PLACE; open PLACE; close PLACE; take ITEM from
                PLACE; move ITEM to PLACE; heat, cool or clean ITEM with PLACE; use
                ITEM; examine ITEM or PLACE; look; inventory. Names have a number, as
                in "mug 1".
        """
        read = commands.read(command, self.world.house, self.words)
        self._accepted = read is not None and self.world.do(read)
        self._possible = None
        if read is None or not self._accepted:
            return self._with_commands(self.words.refused)
        text = telling.answer(self.world, read, self.words)
        self._reached |= self.goal.reached(self.world)
        if "done" in self._reached:
            self.finish()
            return text
        return self._with_commands(text)

    def grammar(self, text: str) -> ToolCall | None:
        """Read the command of a turn written as text.

        It is the line marked ``Action:`` or ``>``, or else the first line that begins
        with a verb. What follows it, such as an answer of the house that the agent
        made up, is not read.
        """
        marked = _marked_line(text)
        if isinstance(marked, ToolCall):
            command = str(marked.arguments["command"])
            if commands.begins_with_verb(command, self.words):
                return marked
        for line in text.splitlines():
            if commands.begins_with_verb(line.strip(), self.words):
                return ToolCall("act", {"command": line.strip()})
        return None

    def nudge(self, parsed: Parsed) -> str:
        """Say that a turn without a command does nothing."""
        self._accepted = False
        return self._with_commands(self.words.refused)

    def describe(self) -> dict[str, Any]:
        """Tell the possible commands, and whether the last one did anything."""
        return {
            "possible_actions": [*self._admissible()],
            "accepted": self._accepted,
            "won": self.goal.is_done(self.world),
        }

    def score(self) -> Score:
        """Score the stages reached, those given at the start left out."""
        stages = [stage for stage in self.goal.stages if stage not in self._given]
        components = {stage: float(stage in self._reached) for stage in stages}
        won = "done" in self._reached
        if self.reward == "sparse":
            return Score(float(won), components, success=won)
        share = sum(components.values()) / len(components)
        return Score(1.0 if won else share, components, success=won)

    def oracle(self) -> ToolCall:
        """Give the next command of a shortest way to the goal from here."""
        return ToolCall("act", {"command": self.plan()[0]})

    def plan(self) -> list[str]:
        """Give the command lines of a shortest way to the goal from here."""
        house = self.world.house
        steps = plan(self.world, self.goal)
        return [commands.line_of(step, house, self.words) for step in steps]

    def _scene(self, task: Task) -> tuple[Scene, Grammar, int]:
        """Give the scene of a task, its own grammar, and its turns."""
        if "game" in task.data:
            game = read_game(Path(task["game"]))
            return game, game.words, GAME_TURNS
        scene = scene_of(task.split, task.index, task.level)
        words = BRIEF if task.level == 1 else ZERO_FOUR
        return scene, words, LEVELS[task.level].turns

    def _admissible(self) -> list[str]:
        if self._possible is None:
            self._possible = commands.admissible(self.world, self.words)
        return self._possible

    def _with_commands(self, text: str) -> str:
        if not self.shows:
            return text
        lines = self._admissible()
        shown = [line for line in lines if not line.startswith(_WATCHING)]
        return f"{text}\nCommands: {', '.join(shown)}"


def _instructions(words: Grammar) -> str:
    verb, between = words.put
    if words is BRIEF:
        return "Do the task. Write one command."
    return (
        "You are in a house. Do the task with commands, one a turn:\n"
        "go to PLACE\nopen PLACE\nclose PLACE\ntake ITEM from PLACE\n"
        f"{verb} ITEM{between}PLACE\nheat ITEM with PLACE\ncool ITEM with PLACE\n"
        "clean ITEM with PLACE\nuse ITEM\nexamine ITEM or PLACE\nlook\ninventory\n"
        "PLACE and ITEM are names with their number, such as: desk 1, mug 2. "
        "You can hold one item. Doors must be open to take out and to put in."
    )
