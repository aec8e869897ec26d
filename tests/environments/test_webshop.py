"""The web shop as an environment: tasks, actions, rewards, limits."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

import envhub
from envhub import ChatMessage, ToolCall, UsageError
from envhub.errors import UnknownTask
from envhub_webshop.draw import Draw
from envhub_webshop.env import WebShop, shop
from envhub_webshop.policies import random_action
from tests.architecture import run_page

Outcome = tuple[str, float, bool, bool, dict[str, Any]]

WALK = """
import envhub

env = envhub.make("webshop")
observation, info = env.reset(seed=3)
print(info["task_id"], observation)
env.step("search[blue travel mug for tea]")
for turn in range(10):
    actions = info["possible_actions"]
    action = actions[7 * turn % len(actions)].replace("Buy Now", "Features")
    observation, reward, over, cut, info = env.step(action)
    print(action, observation, reward, over, cut, info["possible_actions"])
"""


def at_item(style: str = "text", kind: str = "hiking boots") -> WebShop:
    """A shop whose agent looks at the product of a task about this kind."""
    env = WebShop(style=style)  # type: ignore[arg-type]  # a test passes any text
    task = next(x for x in env.tasks if x["query"] == kind and len(x["options"]) == 2)
    env.reset(options={"task": task.id})
    while "click[Buy Now]" not in (env.describe()["possible_actions"]):
        env.step(env.oracle())
    return env


def solve(env: WebShop) -> Outcome:
    """Follow the oracle to the end of the running episode."""
    while True:
        outcome = env.step(env.oracle())
        if outcome[2] or outcome[3]:
            return outcome


def test_the_oracle_earns_everything_in_every_task() -> None:
    env = WebShop()
    for task in env.tasks:
        env.reset(options={"task": task.id})
        _, reward, terminated, _, info = solve(env)
        assert (task.id, reward, terminated) == (task.id, 1.0, True)
        assert info["episode"]["success"]
        assert info["episode"]["turns"] == 2 + max(1, min(task.level, 3))


def test_the_oracle_earns_everything_in_the_short_style_as_well() -> None:
    env = WebShop(style="short")
    for index in range(0, 200, 7):
        env.reset(options={"task": index, "split": "test"})
        assert solve(env)[1:3] == (1.0, True)


def test_the_oracle_takes_over_wherever_the_agent_got_lost() -> None:
    env = WebShop(max_turns=60)
    for number in range(40):
        env.reset(options={"task": number})
        draw, over, reward = Draw(str(number)), False, 0.0
        for _ in range(15):
            actions = [a for a in env.session.page.actions if a != "click[Buy Now]"]
            env.step(draw.pick(actions).replace("[keywords]", "[red socks and more]"))
        while not over:
            _, reward, over, cut, _ = env.step(env.oracle())
            assert not cut
        assert reward == 1.0


def test_doing_nothing_and_clicking_at_random_earn_little() -> None:
    env = WebShop()
    env.reset(options={"task": 0})
    idle = [env.step("click[Search]") for _ in range(20)]
    assert [outcome[1] for outcome in idle] == [0.0] * 20
    assert idle[-1][3] and idle[-1][4]["reward_components"] == {"bought": 0.0}
    earned: dict[int, list[float]] = {1: [], 2: [], 3: [], 4: []}
    for task in env.tasks.ids("test"):
        _, info = env.reset(options={"task": task})
        draw, over, cut, reward = Draw(task), False, False, 0.0
        while not over and not cut:
            action = random_action(env.session.page, draw)
            _, reward, over, cut, _ = env.step(action)
        earned[info["level"]].append(reward)
    means = {level: sum(rewards) / 50 for level, rewards in earned.items()}
    assert 0.1 < means.pop(1) < 0.4
    assert all(0 < mean < 0.2 for mean in means.values())


def test_t064_the_same_seed_gives_the_same_bytes_in_any_process(
    tmp_path: Path, repository: Path
) -> None:
    texts = set[bytes]()
    for hash_seed, folder in (("1", tmp_path), ("2", repository)):
        done = subprocess.run(
            [sys.executable, "-c", WALK],
            cwd=folder,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        )
        texts.add(done.stdout)
    assert len(texts) == 1
    # Written down once, so that other machines and Python versions are compared too.
    assert hashlib.sha256(texts.pop()).hexdigest()[:16] == "c474d4cd7e291905"


def test_w2_instruction_and_price_of_every_task_never_change() -> None:
    told = [
        [task.id, task["instruction"], task["product"], task["price_limit"]]
        for task in WebShop().tasks
    ]
    sold = [[p.id, p.name, p.price_text, p.text] for p in shop().catalogue]
    digest = hashlib.sha256(json.dumps([told, sold]).encode()).hexdigest()
    # A change of these is a new major version of the environment.
    assert digest[:16] == "8d62c3e4d7165474"


def test_t065_tasks_can_be_chosen_taken_again_and_listed() -> None:
    env = WebShop()
    first, info = env.reset(options={"task_id": 5})
    again, info_again = env.reset(options={"task_id": 5})
    assert first == again
    assert info["task_id"] == info_again["task_id"] == "webshop-train-00005"
    train, test = env.tasks.ids("train"), env.tasks.ids("test")
    assert (len(train), len(test)) == (1000, 200)
    assert not set(train) & set(test)
    chosen = [env.reset(options={"task": task})[1]["task_id"] for task in (5, 23, 28)]
    assert chosen == [f"webshop-train-{task:05d}" for task in (5, 23, 28)]
    drawn = env.reset(seed=1)[1]["task_id"]
    assert drawn == WebShop().reset(seed=1)[1]["task_id"]
    with pytest.raises(UnknownTask, match="0 to 999"):
        env.reset(options={"task": 1000})
    with pytest.raises(UnknownTask, match="webshop-test-00000 to webshop-test-00199"):
        env.reset(options={"task": "webshop-test-99999"})


def test_t065_a_test_customer_never_wants_what_a_train_customer_wants() -> None:
    env = WebShop()
    wanted: dict[str, set[str]] = {"train": set(), "test": set()}
    said: dict[str, set[str]] = {"train": set(), "test": set()}
    for task in env.tasks:
        wanted[task.split].add(task["product"])
        said[task.split].add(task["instruction"])
    assert not wanted["train"] & wanted["test"]
    assert not said["train"] & said["test"]
    assert len(said["train"]) == 1000
    assert len(said["test"]) == 200


def test_t065_a_level_keeps_its_tasks_and_their_ids() -> None:
    env = WebShop(level=2)
    assert env.tasks.ids("test")[:2] == ["webshop-test-00001", "webshop-test-00005"]
    assert {env.reset()[1]["level"] for _ in range(20)} == {2}
    with pytest.raises(UsageError, match="levels 1 to 4"):
        WebShop(level=5)


def test_t066_every_task_starts_and_steps_in_no_time() -> None:
    started = time.perf_counter()
    env = WebShop()
    assert time.perf_counter() - started < 10
    resets, steps = list[float](), list[float]()
    for task in env.tasks:
        before = time.perf_counter()
        env.reset(options={"task": task.id})
        resets.append(time.perf_counter() - before)
        for action in (f"search[{task['instruction']}]", "click[Next >]"):
            before = time.perf_counter()
            env.step(action)
            steps.append(time.perf_counter() - before)
    assert sorted(resets)[len(resets) * 95 // 100] < 0.05
    assert sorted(steps)[len(steps) * 95 // 100] < 0.05


def test_t066_sixteen_sessions_run_side_by_side_over_one_catalogue() -> None:
    envs = [WebShop() for _ in range(16)]
    tracemalloc.start()
    for env in envs:
        env.reset(options={"task": 3})
        env.step("search[shoes]")
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert memory / len(envs) < 50_000
    assert len({id(env.session.shop) for env in envs}) == 1
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


@pytest.mark.parametrize(
    "action",
    ["search[shoes]", "Search[shoes]", "SEARCH [Shoes]", "I'd say: search[shoes] now"],
)
def test_t067_a_search_is_read_in_any_case_and_amid_other_words(action: str) -> None:
    env = WebShop()
    env.reset(seed=1)
    text, _, _, _, info = env.step(action)
    assert "Page 1 (Total results: 50)" in text
    assert info["tool_results"][0]["ok"]


@pytest.mark.parametrize("action", ["search[shoes]", "Search[shoes]"])
def test_t067_a_search_elsewhere_is_refused_and_told_what_is_possible(
    action: str,
) -> None:
    env = WebShop()
    env.reset(seed=1)
    env.step("search[shoes]")
    text, reward, over, cut, info = env.step(action)
    assert text.startswith(
        "search[shoes] was refused: the results page has no search field. "
        "Possible now: click[Back to Search], click[Next >], click[P"
    )
    assert (reward, over, cut) == (0.0, False, False)
    assert not info["tool_results"][0]["ok"]


@pytest.mark.parametrize(
    "action", ["click[buy now]", "Click[Buy Now]", "CLICK[BUY NOW]"]
)
def test_t067_buy_now_works_in_any_case_and_before_options_are_chosen(
    action: str,
) -> None:
    env = at_item()
    _, reward, over, _, info = env.step(action)
    assert over
    assert 0 < reward < 1
    assert info["reward_components"]["options"] == 0


@pytest.mark.parametrize(
    "form",
    ["{value}", "{name}: {value}", "{name}:  {value}", "{VALUE}", "{value} ] ok"],
)
def test_t067_option_values_with_brackets_can_be_clicked(form: str) -> None:
    env = at_item(kind="safety boots")
    product = shop().catalogue[env.task["product"]]
    value = product.options["width"][-1]
    assert value.endswith("]")
    told = form.format(name="width", value=value, VALUE=value.upper())
    text, _, _, _, info = env.step(f"click[{told}]")
    assert info["tool_results"][0]["ok"], text
    assert text.endswith(f"Selected: {value}")


@pytest.mark.parametrize(
    ("kind", "option", "mark"),
    [("yoga mat", "thickness", '"'), ("winter gloves", "size", "/")],
)
def test_t067_option_values_with_quotes_and_slashes_can_be_clicked(
    kind: str, option: str, mark: str
) -> None:
    env = WebShop()
    env.reset(seed=0)
    product = next(
        p
        for p in shop().catalogue
        if p.query == kind and any(mark in value for value in p.options[option])
    )
    value = next(value for value in product.options[option] if mark in value)
    env.step(f"search[{product.name}]")
    env.step(f"click[{product.id}]")
    assert env.step(f"click[{value}]")[0].endswith(f"Selected: {value}")


def test_t067_there_is_no_way_back_from_the_first_page() -> None:
    env = WebShop()
    env.reset(seed=1)
    env.step("search[shoes]")
    refused = env.step("click[< Prev]")[0]
    assert refused.startswith("click[< Prev] was refused: the results page has nothing")
    assert "click[< Prev]" not in refused.partition("Possible now:")[2]


@pytest.mark.parametrize(
    "action", ["click[shoes", "click[]", "search[ ]", "buy it", ""]
)
def test_t067_what_is_no_action_changes_nothing(action: str) -> None:
    env = WebShop()
    env.reset(seed=1)
    text, reward, over, cut, info = env.step(action)
    assert text
    assert (reward, over, cut) == (0.0, False, False)
    assert info["possible_actions"] == ["search[keywords]"]


def test_t006_the_turn_limit_is_the_callers() -> None:
    env = WebShop(max_turns=3)
    env.reset(options={"task": 0})
    outcomes = [env.step("click[nothing]") for _ in range(3)]
    assert outcomes[-1][2:4] == (False, True)
    assert outcomes[-1][4]["episode"]["stop_reason"] == "max_turns"

    env.reset(options={"task": 0})
    assert solve(env)[1:4] == (1.0, True, False)

    env = WebShop(max_turns=20)
    env.reset(seed=1)
    assert not any(env.step("click[nothing]")[3] for _ in range(15))


@pytest.mark.parametrize(
    "turn",
    [
        "I would like to think about this first.",
        "",
        "  \n ",
        "<think>search[shoes]</think>",
        "The answer is: the mug.",
    ],
)
def test_t044_a_turn_without_an_action_is_told_so_and_bounded(turn: str) -> None:
    env = WebShop(max_fruitless=3)
    _, info = env.reset(seed=1)
    for number in range(3):
        text, reward, over, cut, info = env.step(turn)
        assert text == (
            "Nothing was done: the message holds no action. "
            "Possible now: search[keywords]"
        )
        assert (reward, over, cut) == (0.0, False, number == 2)
    assert info["episode"]["stop_reason"] == "no_action"


def test_t001_the_callers_random_numbers_are_left_alone() -> None:
    random.seed(5)
    before = random.getstate()
    env = WebShop()
    first = [
        env.reset(seed=7)[1]["task_id"],
        *(env.reset()[1]["task_id"] for _ in "ab"),
    ]
    env.step(env.oracle())
    assert random.getstate() == before
    env = WebShop()
    again = [
        env.reset(seed=7)[1]["task_id"],
        *(env.reset()[1]["task_id"] for _ in "ab"),
    ]
    assert first == again


def test_t003_what_the_caller_keeps_does_not_change() -> None:
    env = WebShop()
    text, info = env.reset(seed=2)
    kept = json.dumps(info)
    info["possible_actions"].append("mine")
    info["tools"].clear()
    for _ in range(3):
        env.step("search[shoes]")
    assert env.reset(seed=2)[0] == text
    assert json.dumps(env.reset(seed=2)[1]) == kept


def test_the_three_views_of_an_action_do_the_same() -> None:
    hermes = """<tool_call>
    {"name": "search", "arguments": {"keywords": "yoga mat"}}
    </tool_call>"""
    call = {
        "id": "c1",
        "function": {"name": "search", "arguments": '{"keywords": "yoga mat"}'},
    }
    views: list[Any] = [
        "search[yoga mat]",
        "Thought: look for mats.\nAction: search[yoga mat]",
        hermes,
        ToolCall("search", {"keywords": "yoga mat"}),
        [ToolCall("search", {"keywords": "yoga mat"})],
        ChatMessage("", tool_calls=[call]),
    ]
    texts = set[str]()
    for view in views:
        env = WebShop()
        env.reset(seed=1)
        texts.add(env.step(view)[0])
    assert len(texts) == 1


def test_calls_after_the_purchase_are_not_run() -> None:
    env = at_item()
    calls = [ToolCall("click", {"value": value}) for value in ("Buy Now", "< Prev")]
    _, _, over, _, info = env.step(calls)
    assert over
    assert [result["ok"] for result in info["tool_results"]] == [True, False]


def test_nothing_that_an_agent_reads_during_a_visit_tells_the_product() -> None:
    env = WebShop()
    for index in range(40):
        text, info = env.reset(options={"task": index})
        product = shop().catalogue[env.task["product"]]
        assert product.id not in text
        assert product.id not in json.dumps(info)


def test_tasks_are_json() -> None:
    env = WebShop()
    task = env.tasks.get("webshop-train-00003")
    assert json.loads(json.dumps(dict(task.data)))["price_limit"] == task["price_limit"]


def test_gymnasium_finds_nothing_to_say() -> None:
    check_env(envhub.make("webshop"), skip_render_check=True)


def test_an_unknown_style_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no style 'neat': use text, rich, short"):
        envhub.make("webshop", style="neat")


@settings(max_examples=300)
@given(
    st.lists(
        st.one_of(
            st.text(),
            st.text().map("search[{}]".format),
            st.text().map("click[{}]".format),
            st.sampled_from(
                ["search[shoe]", "click[Next >]", "click[< Prev]", "click[P1001]"]
            ),
        ),
        max_size=8,
    )
)
def test_no_text_raises_and_the_reward_stays_in_range(turns: list[str]) -> None:
    env = WebShop()
    env.reset(seed=1)
    for turn in turns:
        _, reward, over, cut, _ = env.step(turn)
        assert 0 <= reward <= 1
        if over or cut:
            break


def test_huge_and_hostile_searches_are_answered_quickly() -> None:
    env = WebShop()
    for keywords in ("_" * 200_000, "a" * 200_000, "a.b'c:" * 40_000, "shoe " * 40_000):
        env.reset(seed=1)
        before = time.perf_counter()
        env.step(ToolCall("search", {"keywords": keywords}))
        assert time.perf_counter() - before < 2


def test_readme_transcripts_are_what_happens(repository: Path) -> None:
    page = (repository / "environments/envhub_webshop/README.md").read_text("utf-8")
    transcripts = re.findall(
        r"`(webshop-\w+-\d+)`(?:, `style=\"(\w+)\"`)?:\n\n```text\n(.*?)\n```",
        page,
        re.DOTALL,
    )
    assert len(transcripts) == 2
    for task, style, text in transcripts:
        env = WebShop(style=style or "text")
        shown = [env.reset(options={"task": task})[0]]
        reward = 0.0
        for action in re.findall(r"^> (.*)$", text, re.MULTILINE):
            observation, reward, *_ = env.step(action)
            shown += [f"> {action}", observation]
        assert "\n".join(shown) == text
        assert reward == 1.0


def test_readme_examples_run(repository: Path, tmp_path: Path) -> None:
    page = repository / "environments/envhub_webshop/README.md"
    with contextlib.chdir(tmp_path):
        run_page.run(page)
