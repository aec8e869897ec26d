"""The household's world: its rules, its words, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub import UsageError
from envhub_household.commands import admissible, begins_with_verb, line_of, read
from envhub_household.draws import Draws
from envhub_household.grammar import (
    BRIEF,
    GRAMMARS,
    YEAR_2020,
    ZERO_FOUR,
    Grammar,
    grammar_named,
)
from envhub_household.house import MIDDLE, House, Item, Receptacle, Work
from envhub_household.scenes import scene_of
from envhub_household.telling import answer, welcome
from envhub_household.world import NONE, Command, Verb, World

ALL_WORKS: frozenset[Work] = frozenset(get_args(Work))


def kitchen() -> House:
    """A house in which every rule has something to bite on."""
    receptacles = (
        Receptacle("burner 1", "burner", 1),
        Receptacle("burner 2", "burner", 1),
        Receptacle("fridge 1", "fridge", 2, openable=True, work="cool"),
        Receptacle("microwave 1", "microwave", 3, openable=True, work="heat"),
        Receptacle("sink 1", "sink", 4, work="clean"),
        Receptacle("table 1", "table", 5),
    )
    items = (
        Item("apple 1", "apple", works=ALL_WORKS, sliceable=True),
        Item("knife 1", "knife", works=frozenset({"clean"}), blade=True),
        Item("lamp 1", "lamp", movable=False, lamp=True),
        Item("pot 1", "pot", vessel=True, holds=("spoon 9",)),
    )
    fits = {("burner", "pot"), ("sink", "knife")} | {
        (place, item)
        for place in ("fridge", "microwave", "sink", "table")
        for item in ("apple", "knife")
    }
    return House(
        receptacles=receptacles,
        items=items,
        contents=((3,), (3,), (0,), (), (), (1, 2)),
        fits=frozenset(fits - {("microwave", "knife")}),
        spots=((0, 2), (1, 5), (2, 5), (3, 1)),
    )


def play(world: World, line: str, grammar: Grammar = ZERO_FOUR) -> str:
    command = read(line, world.house, grammar)
    if command is None or not world.do(command):
        return grammar.refused
    return answer(world, command, grammar)


def every_command(house: House) -> Iterator[Command]:
    """Every command that can be written down for a house, sensible or not."""
    items = range(NONE, len(house.items))
    receptacles = range(NONE, len(house.receptacles))
    for verb, item, receptacle, tool in product(
        get_args(Verb), items, receptacles, items
    ):
        command = Command(verb, item, receptacle, tool)
        if read(line_of(command, house, ZERO_FOUR), house, ZERO_FOUR) == command:
            yield command


def wander(world: World, draws: Draws, steps: int) -> None:
    for _ in range(steps):
        world.do(draws.pick(list(world.possible())))


def test_a_session_reads_like_the_field_s_own() -> None:
    world = World(kitchen())
    assert welcome(world, ZERO_FOUR, "cool an apple") == (
        "You are in the middle of a room. Looking quickly around you, you see a burner "
        "1, a burner 2, a fridge 1, a microwave 1, a sink 1, and a table 1.\n\n"
        "Your task is to: cool an apple."
    )
    told = [
        ("inventory", "You are not carrying anything."),
        ("go to fridge 1", "You arrive at fridge 1. The fridge 1 is closed."),
        ("look", "You are facing the fridge 1. Next to it, you see nothing."),
        (
            "open fridge 1",
            "You open the fridge 1. The fridge 1 is open. In it, you see a apple 1.",
        ),
        ("take apple 1 from fridge 1", "You pick up the apple 1 from the fridge 1."),
        ("inventory", "You are carrying: a apple 1."),
        ("examine apple 1", "There's nothing special about apple 1."),
        ("cool apple 1 with fridge 1", "You cool the apple 1 using the fridge 1."),
        ("examine apple 1", "This is a cold apple 1."),
        ("close fridge 1", "You close the fridge 1."),
        ("go to sink 1", "You arrive at sink 1. On the sink 1, you see nothing."),
        ("clean apple 1 with sink 1", "You clean the apple 1 using the sink 1."),
        ("examine apple 1", "This is a cool and clean apple 1."),
        ("move apple 1 to sink 1", "You move the apple 1 to the sink 1."),
        ("examine sink 1", "On the sink 1, you see a apple 1."),
        (
            "go to table 1",
            "You arrive at table 1. On the table 1, you see a knife 1, and a lamp 1.",
        ),
        ("examine lamp 1", "This lamp 1 is off."),
        ("use lamp 1", "You turn on the lamp 1."),
        ("examine lamp 1", "This lamp 1 is on."),
        ("take knife 1 from table 1", "You pick up the knife 1 from the table 1."),
        (
            "go to sink 1",
            "You arrive at sink 1. On the sink 1, you see a apple 1.",
        ),
        ("slice apple 1 with knife 1", "You sliced the apple 1 with the knife 1."),
        ("examine apple 1", "This is a cool and clean sliced apple 1."),
        (
            "go to microwave 1",
            "You arrive at microwave 1. The microwave 1 is closed.",
        ),
    ]
    for line, text in told:
        assert play(world, line) == text, line
    assert play(world, "help").startswith("Commands: look | ")


def test_the_older_grammar_differs_in_arrivals_and_in_putting_down() -> None:
    world = World(kitchen())
    told = [
        ("go to table 1", "You arrive at loc 5. On the table 1, you see a knife 1, "),
        ("take knife 1 from table 1", "You pick up the knife 1 from the table 1."),
        ("move knife 1 to table 1", "Nothing happens."),
        ("put knife 1 in/on table 1", "You put the knife 1 in/on the table 1."),
        ("help", "Nothing happens."),
    ]
    for line, text in told:
        assert play(world, line, YEAR_2020).startswith(text), line


def test_the_brief_grammar_says_the_same_in_a_few_words() -> None:
    world = World(kitchen())
    assert welcome(world, BRIEF, "cool an apple") == (
        "burner 1: pot 1; burner 2: pot 1; fridge 1: closed; microwave 1: closed; "
        "sink 1: nothing; table 1: knife 1, lamp 1.\nTask: cool an apple."
    )
    told = [
        ("inventory", "Held: nothing."),
        ("go to fridge 1", "fridge 1: closed."),
        ("open fridge 1", "fridge 1: apple 1."),
        ("take apple 1 from fridge 1", "Taken."),
        ("cool apple 1 with fridge 1", "Cooled."),
        ("examine apple 1", "apple 1: cold."),
        ("move apple 1 to fridge 1", "Moved."),
        ("look", "At fridge 1."),
        ("help", "Nothing happens."),
    ]
    for line, text in told:
        assert play(world, line, BRIEF) == text, line


def test_heat_and_cold_take_each_other_s_place() -> None:
    world = World(kitchen())
    for line in (
        "go to fridge 1",
        "open fridge 1",
        "take apple 1 from fridge 1",
        "cool apple 1 with fridge 1",
        "go to microwave 1",
        "heat apple 1 with microwave 1",
    ):
        assert play(world, line) != ZERO_FOUR.refused, line
    assert play(world, "examine apple 1") == "This is a hot apple 1."
    assert world.hot == {0}
    assert world.cool == set()


def test_receptacles_at_one_place_are_all_within_reach() -> None:
    world = World(kitchen())
    play(world, "go to burner 2")
    assert play(world, "look") == (
        "You are facing the burner 1, and burner 2. Next to it, you see nothing."
    )
    assert play(world, "go to burner 1") == ZERO_FOUR.refused
    assert play(world, "examine pot 1") == (
        "This is a normal pot 1. In it, you see a spoon 9."
    )
    assert play(world, "take pot 1 from burner 1") != ZERO_FOUR.refused
    assert play(world, "look").endswith("Next to it, you see nothing.")
    assert play(world, "move pot 1 to burner 2") != ZERO_FOUR.refused
    assert play(world, "look").endswith("Next to it, you see a pot 1.")
    assert play(world, "take pot 1 from burner 2") != ZERO_FOUR.refused
    assert play(world, "move pot 1 to burner 1") != ZERO_FOUR.refused
    assert play(world, "examine burner 1") == "On the burner 1, you see a pot 1."


def test_a_look_from_the_middle_of_the_room_shows_no_furniture() -> None:
    world = World(kitchen())
    assert world.place == MIDDLE
    assert play(world, "look") == (
        "You are in the middle of a room. Looking quickly around you, you see nothing."
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "go",
        "go to",
        "go to table",
        "go to table 2",
        "take all",
        "take knife 1 from table 1",
        "take lamp 1 from table 1",
        "put knife 1 in/on table 1",
        "move knife 1 to table 1",
        "open table 1",
        "open fridge 1",
        "close fridge 1",
        "use lamp 1",
        "use knife 1",
        "examine fridge 1",
        "examine apple 1",
        "heat apple 1 with microwave 1",
        "clean knife 1 with knife 1",
        "slice apple 1 with knife 1",
        "look at the sky",
        "inventory please",
        "jump",
        "go to table 1" + " " * 200 + "x",
        "go to table 1\x00",
        "go to tаble 1",
    ],
)
def test_a_refused_line_says_so_and_changes_nothing(line: str) -> None:
    world = World(kitchen())
    before = world.key()
    assert play(world, line) == "Nothing happens."
    assert world.key() == before


def test_a_lamp_cannot_be_taken_and_a_full_hand_takes_nothing() -> None:
    world = World(kitchen())
    play(world, "go to table 1")
    assert play(world, "take lamp 1 from table 1") == ZERO_FOUR.refused
    play(world, "take knife 1 from table 1")
    play(world, "go to burner 1")
    assert play(world, "take pot 1 from burner 1") == ZERO_FOUR.refused
    assert play(world, "move knife 1 to burner 1") == ZERO_FOUR.refused


def test_lines_are_read_whatever_their_case_and_spacing() -> None:
    world = World(kitchen())
    assert play(world, "  GO  to\tTable 1 ") == (
        "You arrive at table 1. On the table 1, you see a knife 1, and a lamp 1."
    )


@given(st.text(max_size=60), st.sampled_from(sorted(GRAMMARS)), st.integers(0, 30))
def test_random_text_never_raises_and_changes_nothing_when_refused(
    line: str, name: str, steps: int
) -> None:
    grammar = grammar_named(name)
    world = World(kitchen())
    wander(world, Draws("random text", line, steps), steps)
    before = world.key()
    begins_with_verb(line, grammar)
    command = read(line, world.house, grammar)
    if command is None or not world.do(command):
        assert world.key() == before


VERBS = "go to|take|move|put|open|close|use|heat|clean|slice|examine|look|inventory"
REST = "from|to|with|in/on|apple 1|knife 1|pot 1|lamp 1|table 1|fridge 1|burner 2|help"
WORDS = [*VERBS.split("|"), *REST.split("|")]


@given(st.lists(st.sampled_from(WORDS), max_size=7), st.integers(0, 40))
def test_shuffled_words_never_raise_and_do_what_is_admissible_or_nothing(
    words: list[str], steps: int
) -> None:
    world = World(kitchen())
    wander(world, Draws("words", steps), steps)
    line = " ".join(words)
    before = world.key()
    possible = admissible(world, ZERO_FOUR)
    told = play(world, line)
    assert (told != ZERO_FOUR.refused) == (line in possible)
    if told == ZERO_FOUR.refused:
        assert world.key() == before


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 10, 20, 40, 80])
def test_admissible_commands_are_exactly_those_that_do_something(steps: int) -> None:
    commands = list(every_command(kitchen()))
    for trial in range(8):
        world = World(kitchen())
        wander(world, Draws("brute force", steps, trial), steps)
        done = {
            line_of(command, world.house, ZERO_FOUR)
            for command in commands
            if world.copy().do(command)
        }
        assert admissible(world, ZERO_FOUR) == sorted(done)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_admissible_commands_are_exact_in_generated_scenes(level: int) -> None:
    house = scene_of("train", level - 1 + 4 * 7, level).house
    commands = list(every_command(house))
    for trial in range(6):
        world = World(house)
        wander(world, Draws("scene", level, trial), 5 * trial)
        done = {
            line_of(command, house, ZERO_FOUR)
            for command in commands
            if world.copy().do(command)
        }
        assert admissible(world, ZERO_FOUR) == sorted(done)


def test_a_command_and_its_line_are_one_and_the_same() -> None:
    house = kitchen()
    for grammar in GRAMMARS.values():
        world = World(house)
        for trial in range(40):
            wander(world, Draws("lines", trial), 3)
            for command in world.possible():
                line = line_of(command, house, grammar)
                assert begins_with_verb(line, grammar)
                assert read(line, house, grammar) == command


def test_a_copy_of_a_world_goes_its_own_way() -> None:
    world = World(kitchen())
    wander(world, Draws("copy"), 25)
    other = world.copy()
    assert other.key() == world.key()
    before = world.key()
    wander(other, Draws("other"), 25)
    assert world.key() == before


def test_an_unknown_grammar_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(UsageError, match=r"no grammar 'latin'.*'0\.4\.2'.*'brief'"):
        grammar_named("latin")
