"""The household's scenes: stable, solvable, apart from one another."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

import pytest

from envhub import UsageError
from envhub_household.draws import Draws
from envhub_household.expert import plan
from envhub_household.goals import KINDS, STAGES, Goal
from envhub_household.grammar import BRIEF, ZERO_FOUR
from envhub_household.house import House, Item, Receptacle
from envhub_household.scenes import LEVELS, Scene, scene_of
from envhub_household.telling import welcome
from envhub_household.vocabulary import plural
from envhub_household.world import Command, World

SPLITS = {"train": 1200, "test": 240}


def all_scenes() -> list[tuple[str, int, int, Scene]]:
    return [
        (split, index, index % 4 + 1, scene_of(split, index, index % 4 + 1))
        for split, size in SPLITS.items()
        for index in range(size)
    ]


def shortest(world: World, goal: Goal, limit: int) -> int:
    """Length of a shortest way, by trying everything breadth first."""
    frontier, seen = [world], {world.key()}
    for depth in range(limit + 1):
        if any(goal.is_done(state) for state in frontier):
            return depth
        following = []
        for state in frontier:
            for command in state.possible():
                if command.verb in ("look", "inventory", "examine", "close"):
                    continue
                other = state.copy()
                other.do(command)
                if other.key() not in seen:
                    seen.add(other.key())
                    following.append(other)
        frontier = following
    raise AssertionError(f"no way within {limit} steps")


def test_the_expert_solves_every_task_of_every_level() -> None:
    lengths: dict[int, list[int]] = {level: [] for level in LEVELS}
    for split, index, level, scene in all_scenes():
        world = World(scene.house)
        assert not scene.goal.is_done(world), (split, index)
        steps = plan(world, scene.goal)
        for step in steps:
            assert not scene.goal.is_done(world), (split, index)
            assert world.do(step), (split, index, step)
        assert scene.goal.is_done(world), (split, index)
        assert len(steps) * 2 <= LEVELS[level].turns
        lengths[level].append(len(steps))
    assert {*lengths[1]} == {3, 4}
    assert min(lengths[2]) == 5
    assert max(map(max, lengths.values())) <= 11


@pytest.mark.parametrize("kind", KINDS)
def test_the_expert_s_way_is_a_shortest_one_in_small_houses(kind: str) -> None:
    tried = 0
    for index in range(2, 1200, 4):
        scene = scene_of("train", index, 3)
        world = World(scene.house)
        steps = plan(world, scene.goal)
        if scene.goal.kind == kind and len(steps) <= 5:
            assert len(steps) == shortest(world, scene.goal, len(steps))
            tried += 1
        if tried == 3:
            return
    assert kind in ("clean", "heat", "cool", "two")


@pytest.mark.parametrize("level", [1, 2])
def test_the_expert_s_way_is_a_shortest_one_at_the_first_levels(level: int) -> None:
    for index in range(level - 1, 80, 4):
        scene = scene_of("train", index, level)
        world = World(scene.house)
        steps = plan(world, scene.goal)
        assert len(steps) == shortest(world, scene.goal, len(steps))


def test_the_expert_finds_a_way_from_wherever_an_agent_has_got_to() -> None:
    for index in range(0, 400, 3):
        level = index % 4 + 1
        scene = scene_of("train", index, level)
        world = World(scene.house)
        draws = Draws("astray", index)
        for _ in range(25):
            world.do(draws.pick(list(world.possible())))
        for step in plan(world, scene.goal):
            assert world.do(step), (index, step)
        assert scene.goal.is_done(world)


def test_the_expert_from_astray_is_nearly_as_short_as_can_be() -> None:
    for index in range(0, 160, 4):
        scene = scene_of("train", index, 1)
        world = World(scene.house)
        draws = Draws("astray again", index)
        for _ in range(6):
            world.do(draws.pick(list(world.possible())))
        steps = plan(world, scene.goal)
        assert len(steps) == shortest(world, scene.goal, len(steps))


def test_the_expert_says_when_a_goal_is_out_of_reach() -> None:
    house = House(
        (Receptacle("table 1", "table", 1),),
        (Item("mug 1", "mug"),),
        ((0,),),
        frozenset({("table", "mug")}),
    )
    for goal in (Goal("place", "cup", "table"), Goal("heat", "mug", "table")):
        with pytest.raises(UsageError, match="cannot be reached"):
            plan(World(house), goal)
    fixed = replace(house, items=(Item("mug 1", "mug", movable=False),))
    with pytest.raises(UsageError, match="cannot be reached"):
        plan(World(fixed), Goal("light", "mug", "lamp"))
    assert plan(World(house), Goal("place", "mug", "table")) == []


def test_the_expert_uses_a_lamp_that_is_on_already() -> None:
    house = House(
        (Receptacle("table 1", "table", 1), Receptacle("shelf 1", "shelf", 2)),
        (Item("lamp 1", "lamp", movable=False, lamp=True), Item("map 1", "map")),
        ((0,), (1,)),
        frozenset({("shelf", "map")}),
    )
    world, goal = World(house), Goal("light", "map", "lamp")
    assert world.do(Command("go", receptacle=0))
    assert world.do(Command("use", 0))
    assert [step.verb for step in plan(world, goal)] == ["go", "take", "go"]


def test_no_test_task_asks_for_what_a_training_task_asks_for() -> None:
    asked: dict[str, set[Goal]] = {"train": set(), "test": set()}
    for split, _index, _level, scene in all_scenes():
        asked[split].add(scene.goal)
    assert not asked["train"] & asked["test"]
    assert len(asked["test"]) > 80


def test_no_two_tasks_are_the_same() -> None:
    found = Counter(
        (scene.house.receptacles, scene.house.items, scene.house.contents, scene.text)
        for _split, _index, level, scene in all_scenes()
        if level > 1
    )
    assert max(found.values()) == 1


def test_levels_differ_in_size_doors_and_kinds() -> None:
    kinds: dict[int, set[str]] = {level: set() for level in LEVELS}
    for _split, _index, level, scene in all_scenes():
        fewest, most = LEVELS[level].receptacles
        assert fewest <= len(scene.house.receptacles) <= most
        doors = any(each.openable for each in scene.house.receptacles)
        assert doors == (level > 1) or level > 2
        kinds[level].add(scene.goal.kind)
    assert kinds[1] == kinds[2] == {"place"}
    assert kinds[3] == kinds[4] == {*KINDS}


def test_every_thing_starts_where_such_a_thing_may_be_put_back() -> None:
    for _split, _index, _level, scene in all_scenes():
        world = World(scene.house)
        for receptacle, items in enumerate(world.contents):
            for item in items:
                movable = scene.house.items[item].movable
                assert world.fits(item, receptacle) == movable


def test_the_first_level_is_short_enough_for_a_very_small_model() -> None:
    words = set[str]()
    for _split, _index, level, scene in all_scenes():
        if level == 1:
            text = welcome(World(scene.house), BRIEF, scene.text)
            assert len(text) <= 130
            words |= set(text.replace(";", "").replace(".", "").split())
    assert len(words) <= 60


def test_scenes_are_what_they_were_when_this_was_written() -> None:
    digest = hashlib.sha256()
    for split, index, level, scene in all_scenes():
        world = World(scene.house)
        steps = plan(world, scene.goal)
        text = welcome(world, ZERO_FOUR, scene.text)
        digest.update(repr((split, index, level, text, steps)).encode())
    assert digest.hexdigest()[:16] == "7e172ba65498e5fd"


def test_stages_are_reached_in_order_on_the_expert_s_way() -> None:
    for index in range(480):
        scene = scene_of("train", index, index % 4 + 1)
        world, goal = World(scene.house), scene.goal
        order = list(STAGES[goal.kind])
        reached = goal.reached(world)
        for step in plan(world, goal):
            world.do(step)
            for stage in sorted(goal.reached(world) - reached, key=order.index):
                assert order.index(stage) >= len(reached) - 1, (index, stage, reached)
                reached.add(stage)
        assert reached == set(order)


def test_plurals_follow_english() -> None:
    assert [plural(word) for word in ("mug", "knife", "box", "potato")] == [
        "mugs",
        "knives",
        "boxes",
        "potatoes",
    ]


def test_draws_are_the_same_everywhere_and_fair() -> None:
    draws = Draws("a", 1)
    assert [draws.word() for _ in range(2)] == [
        18186894190306791442,
        7941451297418044294,
    ]
    counts = Counter(draws.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())
    assert sorted(draws.some(range(5), 9)) == [0, 1, 2, 3, 4]
    assert Draws("a", 1).word() != Draws("a1").word()
