"""ALFWorld's own game files: from ``game.tw-pddl`` to a house, a goal and a grammar.

A game file is a JSON object with a planning problem (facts such as
``(inReceptacle Mug_bar_1 Shelf_bar_2)``) and the grammar of its sentences. This module
reads both, and numbers things as ALFWorld's player does, so that the house answers the
same commands with the same bytes. The files are not part of this distribution.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envhub import Tasks, UsageError
from envhub_household.goals import Goal, Kind
from envhub_household.grammar import YEAR_2020, ZERO_FOUR, Grammar
from envhub_household.house import MIDDLE, House, Item, Receptacle, Work
from envhub_household.scenes import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["GAME_TURNS", "Game", "find_games", "game_tasks", "read_game"]

FILE = "game.tw-pddl"

GAME_TURNS = 50
"""Turns that the field allows in one game."""

_FACT = re.compile(r"\((\w+)((?: [^\s()]+)+)\)")
_DECLARED = re.compile(r"^\s*(\S+_bar_\S+) - ", re.MULTILINE)
_RULE = r'"{name}": *\[\s*\{{\s*"rhs": *("(?:[^"\\]|\\.)*")'
_WORKS: dict[str, Work] = {"heatable": "heat", "coolable": "cool", "cleanable": "clean"}
_APPLIANCES: dict[str, Work] = {
    "Microwave": "heat",
    "Fridge": "cool",
    "SinkBasin": "clean",
}
_BLADES = ("Knife", "ButterKnife")
_STATES: dict[str, Kind] = {"isClean": "clean", "isHot": "heat", "isCool": "cool"}


@dataclass(frozen=True, slots=True)
class Game(Scene):
    """A scene that came from a file, with the grammar it speaks."""

    words: Grammar


def find_games(folder: Path) -> dict[str, list[Path]]:
    """Find the playable games below a folder, by split, sorted by path.

    The split is the folder of the first level (``train``, ``valid_seen``, ...). Games
    with sliced or movable targets are left out, and so are those that are marked as
    not solvable, as ALFWorld's player leaves them out.
    """
    splits: dict[str, list[Path]] = defaultdict(list)
    for file in sorted(folder.rglob(FILE)):
        path = file.relative_to(folder)
        name = str(path)
        if "movable" in name or "Sliced" in name or not _is_solvable(file):
            continue
        splits[path.parts[0] if len(path.parts) > 3 else folder.name].append(file)
    return dict(splits)


def game_tasks(folder: str | Path) -> Tasks:
    """Give the games below a folder as tasks.

    Raises:
        UsageError: There are none.
    """
    root = Path(folder).expanduser()
    splits = find_games(root)
    if not splits:
        message = (
            f"no {FILE} below {root}: give the folder that alfworld-download made, "
            "such as ~/.cache/alfworld/json_2.1.1"
        )
        raise UsageError(message)
    return Tasks.from_generator(
        "alfworld",
        lambda split, index, _level: {"game": str(splits[split][index])},
        splits={split: len(files) for split, files in splits.items()},
    )


@lru_cache(maxsize=64)
def read_game(file: Path) -> Game:
    """Read a game file.

    Raises:
        UsageError: It is not a game file.
    """
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
        problem, grammar = str(raw["pddl_problem"]), str(raw["grammar"])
        initial, _, goal = problem.partition("(:goal")
        facts = _Facts(initial.partition("(:init")[2], initial)
        return Game(
            house=facts.house(),
            goal=_goal(goal),
            text=_task_text(grammar),
            words=_grammar(grammar),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{file} is no game file of ALFWorld: {error!r}"
        raise UsageError(message) from error


def _is_solvable(file: Path) -> bool:
    with file.open("rb") as stream:
        stream.seek(-min(64, file.stat().st_size), 2)
        ending = stream.read().lower()
    return b"solvable" in ending and b"true" in ending


class _Facts:
    """The facts of a problem, and the names that its entities go by."""

    def __init__(self, facts: str, declarations: str) -> None:
        found: dict[str, list[list[str]]] = defaultdict(list)
        for name, arguments in _FACT.findall(facts):
            found[name].append(arguments.split())
        self.found = found
        self.numbers = _numbers(_DECLARED.findall(declarations))

    def ones(self, predicate: str) -> set[str]:
        """Entities of which a predicate of one argument holds."""
        return {arguments[0] for arguments in self.found[predicate]}

    def pairs(self, predicate: str) -> list[tuple[str, str]]:
        """Pairs of which a predicate of two arguments holds."""
        return [(first, second) for first, second in self.found[predicate]]

    def name(self, entity: str) -> str:
        """How the agent calls an entity."""
        return f"{_kind(entity)} {self.numbers[entity]}"

    def house(self) -> House:
        """Give the house that the facts describe."""
        places = dict(self.pairs("receptacleAtLocation"))
        receptacles = sorted(
            (each for each in self.pairs("receptacleType") if each[0] in places),
            key=_order,
        )
        items = sorted(self.pairs("objectType"), key=_order)
        index = {entity: number for number, (entity, _) in enumerate(items)}
        inside: dict[str, list[int]] = defaultdict(list)
        for item, receptacle in self.pairs("inReceptacle"):
            inside[receptacle].append(index[item])
        ((_, start),) = self.pairs("atLocation")
        return House(
            receptacles=tuple(
                self._receptacle(entity, kind, places[entity])
                for entity, kind in receptacles
            ),
            items=tuple(self._items(items)),
            contents=tuple(tuple(inside[entity]) for entity, _ in receptacles),
            fits=frozenset(
                (_bare(place), _bare(item)) for place, item in self.pairs("canContain")
            ),
            start=self.numbers.get(start, MIDDLE),
            spots=tuple(
                (index[item], self.numbers[place])
                for item, place in self.pairs("objectAtLocation")
                if item in index
            ),
            chilled=frozenset(index[item] for item in self.ones("isCool")),
            # The planning problem says otherwise, the player that everybody uses not.
            in_hand=True,
        )

    def _receptacle(self, entity: str, kind: str, place: str) -> Receptacle:
        return Receptacle(
            name=self.name(entity),
            kind=_bare(kind),
            place=self.numbers[place],
            openable=entity in self.ones("openable"),
            work=_APPLIANCES.get(_bare(kind)),
        )

    def _items(self, items: list[tuple[str, str]]) -> Iterator[Item]:
        movable, lamps = self.ones("pickupable"), self.ones("toggleable")
        vessels, sliceable = self.ones("isReceptacleObject"), self.ones("sliceable")
        works: dict[Work, set[str]] = {
            work: self.ones(name) for name, work in _WORKS.items()
        }
        inner: Mapping[str, list[str]] = defaultdict(list)
        for inside, outside in sorted(self.pairs("inReceptacleObject")):
            inner[outside].append(self.name(inside))
        for entity, kind in items:
            yield Item(
                name=self.name(entity),
                kind=_bare(kind),
                movable=entity in movable,
                lamp=entity in lamps,
                works=frozenset(work for work, able in works.items() if entity in able),
                vessel=entity in vessels,
                holds=tuple(inner[entity]),
                sliceable=entity in sliceable,
                blade=_bare(kind) in _BLADES,
            )


def _order(fact: tuple[str, str]) -> str:
    return fact[0].lower()


def _kind(entity: str) -> str:
    kind = entity.lower().partition("_bar_")[0]
    return f"{kind}basin" if "basin" in entity.lower() else kind


def _bare(kind: str) -> str:
    return kind.removesuffix("Type")


def _numbers(entities: list[str]) -> dict[str, int]:
    """Number the entities of each kind, the last one in alphabetical order first."""
    counts = Counter[str]()
    numbers = dict[str, int]()
    for entity in sorted(set(entities), key=str.lower, reverse=True):
        counts[_kind(entity)] += 1
        numbers[entity] = counts[_kind(entity)]
    return numbers


def _goal(text: str) -> Goal:
    items = [_bare(kind) for kind in re.findall(r"\(objectType \?o\w* (\w+)\)", text)]
    targets = re.findall(r"\(receptacleType \?r (\w+)\)", text)
    if "isToggled" in text:
        lamp, item = sorted(items, key=lambda kind: not kind.endswith("Lamp"))
        return Goal("light", item, lamp)
    kind: Kind = "two" if "?o2" in text else "place"
    for predicate, needed in _STATES.items():
        if f"({predicate} " in text:
            kind = needed
    return Goal(kind, items[0], _bare(targets[0]))


def _rule(grammar: str, name: str) -> str:
    found = re.search(_RULE.format(name=re.escape(name)), grammar)
    if found is None:
        message = f"its grammar has no {name!r}"
        raise ValueError(message)
    return str(json.loads(found[1]))


def _task_text(grammar: str) -> str:
    before, _, after = YEAR_2020.sentence.partition("{task}")
    return _rule(grammar, "task").removeprefix(before).removesuffix(after)


def _grammar(grammar: str) -> Grammar:
    words = ZERO_FOUR if "move {o} to {r}" in grammar else YEAR_2020
    banner = _rule(grammar, "intro").partition("#look.feedback#")[0]
    changes: dict[str, Any] = {"welcome": banner + words.welcome, "exact": True}
    if words.help is not None:
        changes["help"] = _rule(grammar, "help.feedback").lstrip()
    return replace(words, **changes)
