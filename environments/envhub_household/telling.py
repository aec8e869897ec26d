"""What the agent reads: the world's answers, worded by a grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from envhub_household.house import MIDDLE
from envhub_household.world import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from envhub_household.grammar import Grammar
    from envhub_household.house import Item, Receptacle
    from envhub_household.world import Command, World

__all__ = ["answer", "welcome"]


def welcome(world: World, grammar: Grammar, task: str) -> str:
    """Word the first text of an episode: the room, and what is to be done."""
    room = grammar.middle.format(overview=_overview(world, grammar))
    if (here := _here(world, grammar)) != "":
        room = f"{room} {here}"
    sentence = grammar.sentence.format(task=task)
    return grammar.welcome.format(room=room, task=sentence)


def answer(world: World, command: Command, grammar: Grammar) -> str:
    """Word what a command that was just carried out has brought."""
    if (reply := _REPLIES.get(command.verb)) is not None:
        return reply(world, command, grammar)
    house, there = world.house, command.receptacle
    return grammar.told[command.verb].format(
        item=_name(house.items, command.item),
        receptacle=_name(house.receptacles, there),
        place=world.place,
        contents=_contents(world, there, grammar) if there != NONE else "",
        tool=_name(house.items, command.tool),
    )


def _name(things: Sequence[Item | Receptacle], index: int) -> str:
    return things[index].name if index != NONE else ""


def _look(world: World, _command: Command | None, grammar: Grammar) -> str:
    names = [world.house.receptacles[index].name for index in world.here()]
    if not names:
        return grammar.middle.format(overview=grammar.nothing)
    facing = names[0] if len(names) == 1 else _joined(names, grammar)
    beside = [world.house.items[index].name for index in world.beside()]
    return grammar.facing.format(receptacles=facing, beside=grammar.listing(beside))


def _inventory(world: World, _command: Command, grammar: Grammar) -> str:
    if world.held == NONE:
        return grammar.empty_handed
    name = world.house.items[world.held].name
    return grammar.carrying.format(things=grammar.listing([name]))


def _help(_world: World, _command: Command, grammar: Grammar) -> str:
    return grammar.help or grammar.refused


def _examine(world: World, command: Command, grammar: Grammar) -> str:
    if command.receptacle != NONE:
        return _contents(world, command.receptacle, grammar)
    return _item(world, command.item, grammar)


def _contents(world: World, receptacle: int, grammar: Grammar) -> str:
    each = world.house.receptacles[receptacle]
    if not world.accessible(receptacle):
        return grammar.shut.format(receptacle=each.name)
    items = world.house.items
    names = [items[index].name for index in sorted(world.contents[receptacle])]
    told = grammar.inside if each.openable else grammar.upon
    return told.format(receptacle=each.name, things=grammar.listing(names))


def _item(world: World, item: int, grammar: Grammar) -> str:
    each = world.house.items[item]
    if each.vessel:
        things = grammar.listing(each.holds)
        return grammar.vessel.format(item=each.name, things=things)
    if (state := _state(world, item)) != "":
        return grammar.state.format(state=state, item=each.name)
    if each.lamp:
        told = grammar.lamp_on if item in world.lit else grammar.lamp_off
        return told.format(item=each.name)
    return grammar.ordinary.format(item=each.name)


def _state(world: World, item: int) -> str:
    clean, sliced = item in world.clean, item in world.sliced
    words = []
    if item in world.hot:
        words = ["hot"]
    elif item in world.cool:
        words = ["cool" if clean or sliced else "cold"]
    if clean:
        words.append("clean")
    adjectives = " and ".join(words)
    if sliced:
        return f"{adjectives} sliced" if words else "sliced"
    return adjectives


def _overview(world: World, grammar: Grammar) -> str:
    if not grammar.overview_contents:
        return grammar.listing([each.name for each in world.house.receptacles])
    places = range(len(world.house.receptacles))
    return "; ".join(_contents(world, each, grammar).rstrip(".") for each in places)


def _here(world: World, grammar: Grammar) -> str:
    if world.place == MIDDLE or not world.here():
        return ""
    return _look(world, None, grammar)


def _joined(names: list[str], grammar: Grammar) -> str:
    return grammar.comma.join(names[:-1]) + grammar.last_comma + names[-1]


_REPLIES: dict[str, Callable[[World, Command, Grammar], str]] = {
    "look": _look,
    "inventory": _inventory,
    "help": _help,
    "examine": _examine,
}
