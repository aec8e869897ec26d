"""How the world speaks and how it is spoken to: a grammar is a value.

Three grammars are there. ``"0.4.2"`` and ``"2020"`` follow the sentences of the two
releases of ALFWorld (Shridhar et al., "ALFWorld: Aligning Text and Embodied
Environments for Interactive Learning", ICLR 2021); they differ in how a thing is put
down and in how an arrival is told. ``"brief"`` says the same in a few words, for
small models.

What a command does is decided in `envhub_household.world`, the same for all grammars.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from envhub.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["BRIEF", "GRAMMARS", "YEAR_2020", "ZERO_FOUR", "Grammar", "grammar_named"]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The words of a world; fields in braces are filled in by name.

    Attributes:
        name: What `grammar_named` finds it by.
        put: The command that puts an item down: its verb, and the words between.
        welcome: First text: ``{room}`` and ``{task}``.
        sentence: The task as a sentence: ``{task}``.
        middle: A look from the middle of the room: ``{overview}``.
        facing: A look from in front of ``{receptacles}``; ``{beside}`` are things that
            changed from one of them to another.
        shut: A closed receptacle.
        inside: An open one, with ``{things}``.
        upon: One without a door, with ``{things}``.
        told: What a deed has brought, by its verb; fields are ``{item}``,
            ``{receptacle}``, ``{place}``, ``{contents}`` and ``{tool}``.
        carrying: Inventory with ``{things}``.
        empty_handed: Inventory without.
        state: What an item is, with ``{state}``.
        ordinary: What an item is that nothing was done to.
        vessel: What a vessel is, with ``{things}``.
        lamp_on: A lamp that shines.
        lamp_off: A lamp that does not.
        nothing: A list without things.
        article: Before each thing of a list.
        comma: Between two things of a list.
        last_comma: Before the last thing of a list.
        refused: A command that does nothing.
        help: Answer to ``help``; None where there is no such command.
        overview_contents: Whether a look from the middle tells what lies open.
        exact: Whether case and spacing of a command must be right.
    """

    name: str
    put: tuple[str, str]
    welcome: str
    sentence: str
    middle: str
    facing: str
    shut: str
    inside: str
    upon: str
    told: Mapping[str, str]
    carrying: str
    empty_handed: str
    state: str
    ordinary: str
    vessel: str
    lamp_on: str
    lamp_off: str
    nothing: str
    article: str
    comma: str
    last_comma: str
    refused: str
    help: str | None
    overview_contents: bool = False
    exact: bool = False

    def listing(self, names: Sequence[str]) -> str:
        """Join names to a list: ``a mug 1, a cup 2, and a pan 1``."""
        if not names:
            return self.nothing
        things = [self.article + name for name in names]
        if len(things) == 1:
            return things[0]
        return self.comma.join(things[:-1]) + self.last_comma + things[-1]


YEAR_2020 = Grammar(
    name="2020",
    put=("put", " in/on "),
    welcome="{room}\n\n{task}",
    sentence="Your task is to: {task}.",
    middle=(
        "You are in the middle of a room. "
        "Looking quickly around you, you see {overview}."
    ),
    facing="You are facing the {receptacles}. Next to it, you see {beside}.",
    shut="The {receptacle} is closed.",
    inside="The {receptacle} is open. In it, you see {things}.",
    upon="On the {receptacle}, you see {things}.",
    told={
        "go": "You arrive at loc {place}. {contents}",
        "open": "You open the {receptacle}. {contents}",
        "close": "You close the {receptacle}.",
        "take": "You pick up the {item} from the {receptacle}.",
        "put": "You put the {item} in/on the {receptacle}.",
        "heat": "You heat the {item} using the {receptacle}.",
        "cool": "You cool the {item} using the {receptacle}.",
        "clean": "You clean the {item} using the {receptacle}.",
        "use": "You turn on the {item}.",
        "slice": "You sliced the {item} with the {tool}.",
    },
    carrying="You are carrying: {things}.",
    empty_handed="You are not carrying anything.",
    state="This is a {state} {item}.",
    ordinary="There's nothing special about {item}.",
    vessel="This is a normal {item}. In it, you see {things}.",
    lamp_on="This {item} is on.",
    lamp_off="This {item} is off.",
    nothing="nothing",
    article="a ",
    comma=", ",
    last_comma=", and ",
    refused="Nothing happens.",
    help=None,
)

ZERO_FOUR = replace(
    YEAR_2020,
    name="0.4.2",
    put=("move", " to "),
    told={
        **YEAR_2020.told,
        "go": "You arrive at {receptacle}. {contents}",
        "put": "You move the {item} to the {receptacle}.",
    },
    help=(
        "Commands: look | inventory | go to PLACE | open PLACE | close PLACE | "
        "take ITEM from PLACE | move ITEM to PLACE | examine PLACE or ITEM | "
        "use ITEM | heat ITEM with PLACE | cool ITEM with PLACE | "
        "clean ITEM with PLACE | slice ITEM with ITEM"
    ),
)

BRIEF = Grammar(
    name="brief",
    put=("move", " to "),
    welcome="{room}\n{task}",
    sentence="Task: {task}.",
    middle="{overview}.",
    facing="At {receptacles}.",
    shut="{receptacle}: closed.",
    inside="{receptacle}: {things}.",
    upon="{receptacle}: {things}.",
    told={
        "go": "{contents}",
        "open": "{contents}",
        "close": "Closed.",
        "take": "Taken.",
        "put": "Moved.",
        "heat": "Heated.",
        "cool": "Cooled.",
        "clean": "Cleaned.",
        "use": "On.",
        "slice": "Sliced.",
    },
    carrying="Held: {things}.",
    empty_handed="Held: nothing.",
    state="{item}: {state}.",
    ordinary="{item}: ordinary.",
    vessel="{item}: {things}.",
    lamp_on="{item}: on.",
    lamp_off="{item}: off.",
    nothing="nothing",
    article="",
    comma=", ",
    last_comma=", ",
    refused="Nothing happens.",
    help=None,
    overview_contents=True,
)

GRAMMARS: Mapping[str, Grammar] = {
    each.name: each for each in (ZERO_FOUR, YEAR_2020, BRIEF)
}
"""The grammars by name."""


def grammar_named(name: str) -> Grammar:
    """Give the grammar of this name, or say which there are."""
    try:
        return GRAMMARS[name]
    except (KeyError, TypeError):
        known = ", ".join(repr(each) for each in GRAMMARS)
        message = f"no grammar {name!r} in household: choose one of {known}"
        raise UsageError(message) from None
