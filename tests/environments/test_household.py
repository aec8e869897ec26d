"""The household as an environment: tasks, actions, rewards, limits."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import re
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env

import envhub
from envhub import ChatMessage, ToolCall, UsageError
from envhub.errors import UnknownTask
from envhub_household.environment import Household
from envhub_household.scenes import LEVELS
from tests.architecture import run_page


def solve(env: Household) -> tuple[str, float, bool, bool, dict[str, Any]]:
    """Follow the expert to the end of the running episode."""
    while True:
        outcome = env.step(env.oracle())
        if outcome[2] or outcome[3]:
            return outcome


HERMES = """<tool_call>
{"name": "act", "arguments": {"command": "go to chair 1"}}
</tool_call>"""

WALK = """
import sys
import envhub

env = envhub.make("household", show_commands=True, reward="partial")
observation, info = env.reset(seed=3)
print(info["task_id"], observation)
for turn in range(10):
    commands = info["possible_actions"]
    observation, reward, over, cut, info = env.step(commands[7 * turn % len(commands)])
    print(observation, reward, over, cut, info["possible_actions"])
    if over or cut:
        break
"""


def test_t064_the_same_seed_gives_the_same_bytes_in_any_process(
    tmp_path: Path, repository: Path
) -> None:
    texts = set[bytes]()
    for hash_seed, folder in (("1", tmp_path), ("2", repository)):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", WALK],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=True,
        )
        texts.add(done.stdout)
    assert len(texts) == 1
    # Written down once, so that other machines and Python versions are compared too.
    digest = hashlib.sha256(texts.pop()).hexdigest()
    assert digest[:16] == "e6e05fcdfd9737d4"


def test_t065_tasks_can_be_chosen_taken_again_and_listed() -> None:
    env = Household()
    first, info = env.reset(options={"task_id": 5})
    again, info_again = env.reset(options={"task_id": 5})
    assert first == again
    assert info["task_id"] == info_again["task_id"] == "household-train-00005"
    train, test = env.tasks.ids("train"), env.tasks.ids("test")
    assert (len(train), len(test)) == (1200, 240)
    assert not set(train) & set(test)
    chosen = [env.reset(options={"task": task})[1]["task_id"] for task in (5, 23, 28)]
    assert chosen == [f"household-train-{task:05d}" for task in (5, 23, 28)]
    drawn = env.reset(seed=1)[1]["task_id"]
    assert drawn == Household().reset(seed=1)[1]["task_id"]
    with pytest.raises(UnknownTask, match="0 to 1199"):
        env.reset(options={"task": 1200})
    with pytest.raises(
        UnknownTask, match="household-test-00000 to household-test-0023"
    ):
        env.reset(options={"task": "household-test-99999"})


def test_t065_a_test_task_is_found_by_its_id_alone() -> None:
    env = Household(level=2)
    _, info = env.reset(options={"task": "household-test-00001"})
    assert (info["task_id"], info["split"], info["level"]) == (
        "household-test-00001",
        "test",
        2,
    )


def test_t066_every_task_starts_and_steps_in_no_time() -> None:
    started = time.perf_counter()
    env = Household()
    assert time.perf_counter() - started < 10
    resets, steps = list[float](), list[float]()
    for split in ("train", "test"):
        for task in range(env.tasks.splits[split]):
            before = time.perf_counter()
            env.reset(options={"task": task, "split": split})
            resets.append(time.perf_counter() - before)
            for _ in range(2):
                before = time.perf_counter()
                env.step("look")
                steps.append(time.perf_counter() - before)
    assert sorted(resets)[len(resets) * 95 // 100] < 1.0
    assert sorted(steps)[len(steps) * 95 // 100] < 0.1


def test_t066_sixteen_sessions_run_side_by_side_over_shared_houses() -> None:
    envs = [Household() for _ in range(16)]
    tracemalloc.start()
    for env in envs:
        env.reset(options={"task": 3})
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert memory / len(envs) < 100_000
    assert len({id(env.world.house) for env in envs}) == 1
    results = dict[int, float]()

    def run(number: int) -> None:
        for task in range(number, 80, 16):
            envs[number].reset(options={"task": task})
            results[task] = solve(envs[number])[1]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert set(results.values()) == {1.0}


def test_t006_the_turn_limit_is_the_callers() -> None:
    env = Household(max_turns=3)
    env.reset(options={"task": 1})
    outcomes = [env.step("look") for _ in range(3)]
    assert outcomes[-1][2:4] == (False, True)
    assert outcomes[-1][4]["episode"]["stop_reason"] == "max_turns"

    env = Household(max_turns=4)
    env.reset(options={"task": "household-train-00000"})
    assert solve(env)[1:4] == (1.0, True, False)

    env = Household(level=1, max_turns=20)
    env.reset(seed=1)
    assert not any(env.step("look")[3] for _ in range(15))


def test_each_level_allows_its_own_number_of_turns() -> None:
    env = Household()
    for level, rules in LEVELS.items():
        env.reset(options={"task": level - 1})
        cuts = [env.step("look")[3] for _ in range(rules.turns)]
        assert cuts == [False] * (rules.turns - 1) + [True]


@pytest.mark.parametrize(
    "turn",
    [
        "I would like to think about this first.",
        "",
        "  \n ",
        "<think>go to the table</think>",
        "The answer is: the mug.",
        "go_to_table",
    ],
)
def test_t044_a_turn_without_a_command_does_nothing_and_their_number_is_bounded(
    turn: str,
) -> None:
    for bound, last, reason in (
        (3, 3, "no_action"),
        (None, LEVELS[2].turns, "max_turns"),
    ):
        env = Household(level=2, max_fruitless=bound)
        env.reset(seed=1)
        before = env.world.key()
        info: dict[str, Any] = {}
        for number in range(1, last + 1):
            text, reward, over, cut, info = env.step(turn)
            assert text == "Nothing happens."
            assert (reward, over, cut) == (0.0, False, number == last)
            assert not info["accepted"]
        assert info["episode"]["stop_reason"] == reason
        assert env.world.key() == before


def test_refused_commands_do_not_end_an_episode() -> None:
    env = Household(level=2, max_fruitless=3)
    env.reset(seed=1)
    for _ in range(10):
        text, _, over, cut, info = env.step("take everything from everywhere")
        assert (text, over, cut) == ("Nothing happens.", False, False)
        assert not info["accepted"]
    assert env.step("look")[4]["accepted"]


@pytest.mark.parametrize("level", LEVELS)
def test_the_expert_earns_everything_in_every_task(level: int) -> None:
    for reward in ("sparse", "partial"):
        env = Household(level=level, reward=reward)
        for split, size in env.tasks.splits.items():
            for task in range(0, size, 3):
                env.reset(options={"task": task, "split": split})
                _, earned, over, cut, info = solve(env)
                assert (earned, over, cut) == (1.0, True, False)
                assert info["episode"]["success"]
                assert info["won"]
                assert set(info["reward_components"].values()) == {1.0}


def test_sparse_reward_pays_for_the_goal_alone() -> None:
    env = Household(max_turns=2)
    env.reset(options={"task": "household-train-00001"})
    env.step(env.oracle())
    _, reward, _, cut, info = env.step("look")
    assert (reward, cut) == (0.0, True)
    assert info["reward_components"] == {"held": 0.0, "there": 0.0, "done": 0.0}


def test_partial_reward_pays_for_each_stage_once() -> None:
    env = Household(reward="partial", max_turns=12)
    env.reset(options={"task": "household-train-00010"})
    assert env.goal.kind == "clean"
    for line in env.plan():
        env.step(line)
        if line.startswith("take "):
            break
    item, place = line.removeprefix("take ").split(" from ")
    outcome = env.step("look")
    while not outcome[3]:
        lines = (f"move {item} to {place}", f"take {item} from {place}")
        outcome = env.step([ToolCall("act", {"command": line}) for line in lines])
    _, reward, _, _, info = outcome
    stages = {"held": 1.0, "ready": 0.0, "there": 0.0, "done": 0.0}
    assert info["reward_components"] == stages
    assert reward == 0.25
    assert not info["episode"]["success"]


def test_what_holds_from_the_start_earns_nothing() -> None:
    env = Household(level=4, reward="partial", max_turns=1)
    for task in range(300):
        env.reset(options={"task": task})
        assert env.step("look")[1] == 0.0


def test_random_commands_seldom_win_and_never_leave_the_range() -> None:
    wins = dict.fromkeys(LEVELS, 0)
    chance = random.Random(0)
    for level in LEVELS:
        env = Household(level=level, reward="partial")
        for task in range(40):
            _, info = env.reset(options={"task": task})
            over = cut = False
            reward = 0.0
            while not over and not cut:
                line = chance.choice(info["possible_actions"])
                _, reward, over, cut, info = env.step(line)
                assert 0.0 <= reward <= 1.0
            assert (reward == 1.0) == info["won"] == over
            wins[level] += over
    assert wins[1] > 0
    assert wins[4] < 8


@pytest.mark.parametrize(
    "action",
    [
        "go to chair 1",
        "> go to chair 1",
        "Go to  chair 1",
        "I put it on the chair.\nAction: go to chair 1\nObservation: chair 1: ball 9.",
        "Let me see.\ngo to chair 1\nchair 1: nothing.\ngo to bed 1",
        "<think>go to bed 1</think>go to chair 1",
        ToolCall("act", {"command": "go to chair 1"}),
        [ToolCall("act", {"command": "go to chair 1"})],
        {"name": "act", "arguments": {"command": "go to chair 1"}},
        HERMES,
        ChatMessage("go to chair 1"),
        {"role": "assistant", "content": "go to chair 1"},
    ],
)
def test_every_view_of_an_action_moves_the_agent(action: Any) -> None:
    env = Household()
    env.reset(options={"task": "household-train-00000"})
    text, *_, info = env.step(action)
    assert text.startswith("chair 1: "), text
    assert info["accepted"]
    assert info["tool_results"][0]["ok"]


def test_several_calls_in_one_turn_run_in_order_until_the_goal() -> None:
    env = Household()
    env.reset(options={"task": "household-train-00000"})
    calls = [ToolCall("act", {"command": line}) for line in [*env.plan(), "look"]]
    _, reward, over, _, info = env.step(calls)
    assert (reward, over) == (1.0, True)
    assert [result["ok"] for result in info["tool_results"]] == [True] * 4 + [False]


def test_the_first_level_shows_its_commands_and_speaks_briefly() -> None:
    env = Household()
    text, info = env.reset(options={"task": "household-train-00000"})
    shown = text.splitlines()[-1]
    assert shown.startswith("Commands: go to ")
    listed = set(shown.removeprefix("Commands: ").split(", "))
    assert listed < set(info["possible_actions"])
    assert set(info["possible_actions"]) - listed == {"inventory", "look"}
    assert info["messages"][0]["content"] == "Do the task. Write one command."
    text, info = env.reset(options={"task": "household-train-00003"})
    assert "Commands:" not in text
    assert text.startswith("You are in the middle of a room.")
    assert "move ITEM to PLACE" in info["messages"][0]["content"]


def test_grammar_and_commands_can_be_chosen() -> None:
    env = Household(grammar="2020", show_commands=True)
    text, info = env.reset(options={"task": "household-train-00002"})
    assert "Your task is to: " in text
    assert "Commands: go to " in text
    assert "put ITEM in/on PLACE" in info["messages"][0]["content"]
    for line in env.plan():
        text = env.step(line)[0]
    assert text.startswith("You put the ")
    assert "Commands:" not in text
    env = Household(grammar="0.4.2", show_commands=False)
    text, _ = env.reset(options={"task": "household-train-00000"})
    assert "Commands:" not in text


def test_wrong_arguments_of_make_say_what_to_choose() -> None:
    with pytest.raises(UsageError, match=r"choose one of '0\.4\.2', '2020'"):
        Household(grammar="0.5")
    with pytest.raises(UsageError, match="choose 'sparse' or 'partial'"):
        Household(reward="dense")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="levels 1 to 4"):
        Household(level=5)


def test_what_a_caller_keeps_does_not_change_and_changes_nothing() -> None:
    env = Household(level=2)
    _, info = env.reset(options={"task": 0})
    kept = list(info["possible_actions"])
    info["possible_actions"].append("fly")
    _, *_, after = env.step("jump around")
    assert after["possible_actions"] == kept
    _, *_, later = env.step(kept[0])
    assert after["possible_actions"] == kept
    assert later["possible_actions"] is not after["possible_actions"]


def test_the_environment_passes_gymnasium_s_own_checker() -> None:
    env = envhub.make("household", level=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_the_global_generators_are_left_alone() -> None:
    random.seed(5)
    before = random.getstate()
    env = Household()
    env.reset(seed=1)
    solve(env)
    assert random.getstate() == before


def test_neither_goal_nor_plan_is_in_what_the_agent_is_given() -> None:
    env = Household(level=3)
    _, info = env.reset(options={"task": 1})
    assert [each["function"]["name"] for each in info["tools"]] == ["act"]
    assert set(info) == {
        "accepted",
        "possible_actions",
        "env_digest",
        "level",
        "messages",
        "seed",
        "split",
        "task_id",
        "tools",
        "won",
    }
    assert env.step("plan")[0] == env.step("oracle")[0] == "Nothing happens."


def test_the_readme_s_episodes_are_what_the_house_answers(repository: Path) -> None:
    page = (repository / "environments/envhub_household/README.md").read_text()
    shown = re.findall(r"`(household-\S+)`:\n\n```text\n(.*?)\n```", page, re.DOTALL)
    assert len(shown) == 2
    for task, transcript in shown:
        env = Household()
        told = [env.reset(options={"task": task})[0]]
        commands = re.findall(r"^> (.*)$", transcript, re.MULTILINE)
        for command in commands:
            told += [f"> {command}", env.step(command)[0]]
        assert env.goal.is_done(env.world)
        assert "\n".join(told) == transcript


def test_the_readme_s_programs_run(repository: Path, tmp_path: Path) -> None:
    page = repository / "environments/envhub_household/README.md"
    with contextlib.chdir(tmp_path):
        run_page.run(page)
