"""Command lines: from a line to a `Command`, and from a `Command` to its line.

A line is read whatever its case and spacing, unless the grammar is exact. A line that
names no verb of the grammar, or nothing that is in the house, is no command. Whether a
command is allowed is the world's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from envhub_household.world import NONE, Command

if TYPE_CHECKING:
    from collections.abc import Callable

    from envhub_household.grammar import Grammar
    from envhub_household.house import House
    from envhub_household.world import Verb, World

__all__ = ["LONGEST", "admissible", "begins_with_verb", "line_of", "read"]

LONGEST = 200
"""Longer lines are no commands; no name in a house comes near this."""

_WITH: dict[str, Verb] = {"heat": "heat", "cool": "cool", "clean": "clean"}


def begins_with_verb(line: str, grammar: Grammar) -> bool:
    """Whether a line's first word is a verb of the grammar."""
    verb = line[: LONGEST + 1].partition(" ")[0].lower()
    return verb == grammar.put[0] or verb in _READERS


def read(line: str, house: House, grammar: Grammar) -> Command | None:
    """Read a command line; None where it is no command of this house and grammar."""
    words = line[: LONGEST + 1].lower().split()
    text = " ".join(words)
    stripped = line.strip()
    if not words or len(stripped) > LONGEST or (grammar.exact and text != stripped):
        return None
    reader = _READERS.get(words[0])
    if words[0] == grammar.put[0]:
        return _read_pair("put", text, grammar.put[1], house)
    return None if reader is None else reader(text, house, grammar)


def line_of(command: Command, house: House, grammar: Grammar) -> str:
    """Write a command as its line."""
    verb = command.verb
    item = house.items[command.item].name if command.item != NONE else ""
    there = command.receptacle
    receptacle = house.receptacles[there].name if there != NONE else ""
    if verb == "go":
        return f"go to {receptacle}"
    if verb == "take":
        return f"take {item} from {receptacle}"
    if verb == "put":
        return f"{grammar.put[0]} {item}{grammar.put[1]}{receptacle}"
    if verb in _WITH:
        return f"{verb} {item} with {receptacle}"
    if verb == "slice":
        return f"slice {item} with {house.items[command.tool].name}"
    return f"{verb} {item}{receptacle}".strip()


def admissible(world: World, grammar: Grammar) -> list[str]:
    """List the lines that the world would carry out now, sorted."""
    house, place = world.house, world.place
    lines = {line for line, there in house.journeys if there != place}
    lines |= {line_of(each, house, grammar) for each in world.possible_here()}
    lines |= {"look", "inventory"}
    if grammar.help is not None:
        lines.add("help")
    return sorted(lines)


def _read_bare(text: str, _house: House, grammar: Grammar) -> Command | None:
    if text == "look":
        return Command("look")
    if text == "inventory":
        return Command("inventory")
    if text == "help" and grammar.help is not None:
        return Command("help")
    return None


def _read_go(text: str, house: House, _grammar: Grammar) -> Command | None:
    there = house.receptacle_index.get(text.removeprefix("go to "), NONE)
    return None if there == NONE else Command("go", receptacle=there)


def _read_door(text: str, house: House, _grammar: Grammar) -> Command | None:
    verb, _, name = text.partition(" ")
    there = house.receptacle_index.get(name, NONE)
    if there == NONE:
        return None
    return Command("open" if verb == "open" else "close", receptacle=there)


def _read_examine(text: str, house: House, _grammar: Grammar) -> Command | None:
    name = text.removeprefix("examine ")
    if (there := house.receptacle_index.get(name, NONE)) != NONE:
        return Command("examine", receptacle=there)
    if (item := house.item_index.get(name, NONE)) != NONE:
        return Command("examine", item)
    return None


def _read_use(text: str, house: House, _grammar: Grammar) -> Command | None:
    item = house.item_index.get(text.removeprefix("use "), NONE)
    return None if item == NONE else Command("use", item)


def _read_take(text: str, house: House, _grammar: Grammar) -> Command | None:
    return _read_pair("take", text, " from ", house)


def _read_work(text: str, house: House, _grammar: Grammar) -> Command | None:
    return _read_pair(_WITH[text.partition(" ")[0]], text, " with ", house)


def _read_slice(text: str, house: House, _grammar: Grammar) -> Command | None:
    first, _, second = text.removeprefix("slice ").partition(" with ")
    item = house.item_index.get(first, NONE)
    tool = house.item_index.get(second, NONE)
    return None if NONE in (item, tool) else Command("slice", item, tool=tool)


def _read_pair(verb: Verb, text: str, between: str, house: House) -> Command | None:
    rest = text.partition(" ")[2]
    first, _, second = rest.partition(between)
    item = house.item_index.get(first, NONE)
    there = house.receptacle_index.get(second, NONE)
    return None if NONE in (item, there) else Command(verb, item, there)


_READERS: dict[str, Callable[[str, House, Grammar], Command | None]] = {
    "look": _read_bare,
    "inventory": _read_bare,
    "help": _read_bare,
    "go": _read_go,
    "open": _read_door,
    "close": _read_door,
    "examine": _read_examine,
    "use": _read_use,
    "take": _read_take,
    "heat": _read_work,
    "cool": _read_work,
    "clean": _read_work,
    "slice": _read_slice,
}
