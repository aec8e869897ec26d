"""ALFWorld's own games: read from their files, played to the same bytes."""

from __future__ import annotations

import json
import lzma
import tarfile
from pathlib import Path
from typing import Any

import pytest

from envhub import UsageError
from envhub_household.environment import Household
from envhub_household.games import find_games, game_tasks, read_game
from envhub_household.goals import Goal

GRAMMAR = """
grammar :: \"\"\"
    {
        "intro": [
            {
                "rhs": "A banner.\\n\\n#look.feedback#\\n\\n#task#"
            }
        ],
        "task": [
            {
                "rhs": "Your task is to: put a cool mug on shelf."
            }
        ]
    }
\"\"\";
action PutObject {
    template :: "put {o} in/on {r}";
}
"""

PROBLEM = """
(define (problem plan)
(:domain alfred)
(:objects
agent1 - agent
Mug - object
MugType - otype
        Mug_bar_1 - object
        Mug_bar_2 - object
        Knife_bar_1 - object
        Apple_bar_1 - object
        Shelf_bar_1 - receptacle
        Fridge_bar_1 - receptacle
        Sink_bar_1_bar_SinkBasin - receptacle
        loc_bar_1 - location
        loc_bar_2 - location
        loc_bar_3 - location
        loc_bar_4 - location
)
(:init
        (receptacleType Shelf_bar_1 ShelfType)
        (receptacleType Fridge_bar_1 FridgeType)
        (receptacleType Sink_bar_1_bar_SinkBasin SinkBasinType)
        (objectType Mug_bar_1 MugType)
        (objectType Mug_bar_2 MugType)
        (objectType Knife_bar_1 KnifeType)
        (objectType Apple_bar_1 AppleType)
        (canContain ShelfType MugType)
        (canContain FridgeType MugType)
        (pickupable Mug_bar_1)
        (pickupable Mug_bar_2)
        (pickupable Knife_bar_1)
        (isReceptacleObject Mug_bar_1)
        (inReceptacleObject Knife_bar_1 Mug_bar_1)
        (openable Fridge_bar_1)
        (atLocation agent1 loc_bar_4)
        (cleanable Mug_bar_1)
        (coolable Mug_bar_1)
        (coolable Mug_bar_2)
        (isCool Mug_bar_1)
        (sliceable Apple_bar_1)
        (inReceptacle Mug_bar_1 Fridge_bar_1)
        (inReceptacle Mug_bar_2 Shelf_bar_1)
        (inReceptacle Knife_bar_1 Shelf_bar_1)
        (inReceptacle Apple_bar_1 Shelf_bar_1)
        (receptacleAtLocation Shelf_bar_1 loc_bar_1)
        (receptacleAtLocation Fridge_bar_1 loc_bar_2)
        (receptacleAtLocation Sink_bar_1_bar_SinkBasin loc_bar_3)
        (objectAtLocation Mug_bar_1 loc_bar_2)
        (objectAtLocation Apple_bar_1 loc_bar_1)
)
(:goal
    (and (exists (?r - receptacle) (exists (?o - object)
        (and (coolable ?o) (objectType ?o MugType) (receptacleType ?r ShelfType)
             (isCool ?o) (inReceptacle ?o ?r)))))
)
"""


def write_game(folder: Path, **changes: Any) -> Path:
    folder.mkdir(parents=True)
    game = {"pddl_problem": PROBLEM, "grammar": GRAMMAR, "solvable": True} | changes
    file = folder / "game.tw-pddl"
    file.write_text(json.dumps(game), encoding="utf-8")
    return file


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with one small game of our own, and some that must be left out."""
    write_game(tmp_path / "train" / "cool-Mug" / "trial_1")
    write_game(tmp_path / "train" / "cool-MugSliced" / "trial_1")
    write_game(tmp_path / "train" / "movable_recep" / "trial_1")
    write_game(tmp_path / "train" / "cool-Pan" / "trial_1", solvable=False)
    write_game(tmp_path / "valid_seen" / "cool-Mug" / "trial_2")
    return tmp_path


@pytest.fixture(scope="session")
def real_games(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The field's own training games, unpacked."""
    folder = tmp_path_factory.mktemp("alfworld")
    with tarfile.open(data_dir / "alfworld" / "json_2.1.1_valid_train.tar.xz") as tar:
        tar.extractall(folder, filter="data")
    return folder / "json_2.1.1"


def recorded(data_dir: Path) -> list[dict[str, Any]]:
    file = data_dir / "alfworld" / "golden_alfworld_train_pub.jsonl.xz"
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_a_game_file_becomes_a_house_that_can_be_played(small: Path) -> None:
    env = Household(games=small)
    text, info = env.reset(options={"task": 0})
    assert text == (
        "A banner.\n\nYou are in the middle of a room. Looking quickly around you, you "
        "see a fridge 1, a shelf 1, and a sinkbasin 1.\n\n"
        "Your task is to: put a cool mug on shelf."
    )
    assert info["task_id"] == "alfworld-train-00000"
    assert env.goal == Goal("cool", "Mug", "Shelf")
    played = [
        ("look", "you see nothing."),
        ("go to shelf 1", "You arrive at loc 4. On the shelf 1, you see a apple 1, "),
        ("examine mug 1", "Nothing happens."),
        ("take knife 1 from shelf 1", "You pick up the knife 1"),
        ("slice apple 1 with knife 1", "You sliced the apple 1 with the knife 1."),
        ("put knife 1 in/on shelf 1", "Nothing happens."),
    ]
    for line, expected in played:
        assert expected in env.step(line)[0], line
    assert env.step("inventory")[4]["possible_actions"] == [
        "examine knife 1",
        "examine shelf 1",
        "go to fridge 1",
        "go to sinkbasin 1",
        "inventory",
        "look",
        "slice apple 1 with knife 1",
    ]


def test_what_is_cool_from_the_start_need_not_be_cooled(small: Path) -> None:
    env = Household(games=small, reward="partial")
    env.reset(options={"task": 0})
    assert env.plan() == [
        "go to fridge 1",
        "open fridge 1",
        "take mug 2 from fridge 1",
        "go to shelf 1",
        "put mug 2 in/on shelf 1",
    ]
    for line in env.plan():
        assert "You" in env.step(line)[0]
        if line.startswith("take"):
            text = env.step("examine mug 2")[0]
            assert text == "This is a normal mug 2. In it, you see a knife 1."
    assert env.goal.is_done(env.world)


def test_a_game_wants_its_commands_to_the_letter(small: Path) -> None:
    env = Household(games=small)
    env.reset(options={"task": 0})
    assert env.step("Go to shelf 1")[0] == "Nothing happens."
    assert env.step("go  to shelf 1")[0] == "Nothing happens."
    assert env.step(" go to shelf 1 ")[0].startswith("You arrive")
    env = Household(games=small, grammar="0.4.2")
    env.reset(options={"task": 0})
    assert env.step("Go to  shelf 1")[0].startswith("You arrive at shelf 1. ")


def test_the_grammar_of_a_game_is_the_one_in_its_file(tmp_path: Path) -> None:
    newer = GRAMMAR.replace("put {o} in/on {r}", "move {o} to {r}").replace(
        '"task"', '"help.feedback": [ { "rhs": "\\nHelp!\\n" } ],\n"task"'
    )
    write_game(tmp_path / "train" / "a" / "b", grammar=newer)
    env = Household(games=tmp_path)
    env.reset(options={"task": 0})
    assert env.step("help")[0] == "Help!\n"
    told = [env.step(line)[0] for line in env.plan()]
    assert told[-1] == "You move the mug 2 to the shelf 1."


def test_games_that_the_field_leaves_out_are_left_out(small: Path) -> None:
    found = find_games(small)
    assert {split: len(files) for split, files in found.items()} == {
        "train": 1,
        "valid_seen": 1,
    }
    assert game_tasks(small).ids("valid_seen") == ["alfworld-valid_seen-00000"]
    assert find_games(small / "train") == {"train": found["train"]}


def test_a_folder_without_games_and_a_broken_game_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no game\.tw-pddl below .*alfworld-download"):
        Household(games=tmp_path / "nowhere")
    for changes in ({"grammar": "nothing"}, {"pddl_problem": "(define)"}):
        file = write_game(tmp_path / str(len(str(changes))), **changes)
        with pytest.raises(UsageError, match="is no game file"):
            read_game(file)
    with pytest.raises(UsageError, match="is no game file"):
        read_game(tmp_path)


def test_recorded_games_are_replayed_to_the_same_bytes(
    data_dir: Path, real_games: Path
) -> None:
    env = Household(games=real_games, max_turns=1000)
    games = {
        str(path.parent.relative_to(real_games)): index
        for split, paths in find_games(real_games).items()
        for index, path in enumerate(paths)
    }
    compared = 0
    for episode in recorded(data_dir):
        task = games[f"{episode['split']}/{episode['game']}"]
        text, info = env.reset(options={"task": task})
        assert text == episode["init"]
        assert info["possible_actions"] == episode["admissible0"]
        for step in episode["steps"]:
            text, reward, over, _, info = env.step(step["a"])
            assert (text, reward, over, info["won"]) == (
                step["obs"],
                step["score"],
                step["won"],
                step["won"],
            )
            assert step["adm"] in (None, info["possible_actions"])
            compared += 1
    assert compared == 624


def test_the_expert_wins_real_games(real_games: Path) -> None:
    env = Household(games=real_games, reward="partial")
    for split, size in env.tasks.splits.items():
        for task in range(0, size, 5):
            env.reset(options={"task": task, "split": split})
            outcome = env.step(env.oracle())
            while not outcome[2]:
                assert not outcome[3]
                outcome = env.step(env.oracle())
            assert outcome[1] == 1.0
