"""Tasks of the sql environment: each has one clear answer, and the oracle has it."""

from __future__ import annotations

import sqlite3

import pytest

import envhub
from envhub_sql.env import SqlEnv


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_every_gold_answer_is_clear_and_says_something(level: int) -> None:
    tasks = [SqlEnv.tasks.at_level(level).get(i) for i in range(150)]
    for task in tasks:
        question = task["question"]
        if question.changes:
            assert task["before"] != task["after"], task.id
            continue
        assert task["gold"], task.id
        if question.order_by:
            keys = [tuple(row[i] for i in question.order_by) for row in task["gold"]]
            assert len(set(keys)) == len(keys), f"{task.id}: rows tie on the sort key"
    assert len({task["question"].text for task in tasks}) > 50


def test_gold_never_crosses_to_the_agent() -> None:
    with envhub.make("sql") as env:
        for index in range(10):
            observation, info = env.reset(options={"task": index})
            gold = env.task["question"].gold
            told = [observation, str(info)]
            told += [str(env.step("```sql\nSELECT sql FROM sqlite_master\n```"))]
            assert not any(gold in text for text in told)


@pytest.mark.parametrize("level", [1, 5])
def test_what_is_handed_in_is_judged_on_the_right_database(level: int) -> None:
    with envhub.make("sql", level=level) as env:
        env.reset(seed=3)
        if level == 1:
            _, reward, done, _, info = env.step("Answer: SELECT 1, 2, 3")
            assert done and 0 < reward < 1
            assert info["reward_components"]["columns"] == 0.0
            return
        gold = env.task["question"].gold
        env.step(envhub.ToolCall("execute", {"query": gold}))
        env.step(envhub.ToolCall("execute", {"query": "CREATE TABLE other(x)"}))
        _, reward, done, _, info = env.step("Answer:")
        assert done and reward == 0.0
        assert info["reward_components"]["unharmed"] == 1.0


@pytest.mark.parametrize("query", ["-- a remark", "/*", "CREATE TABLE t(x)", ";"])
def test_what_gives_no_rows_and_no_columns_earns_nothing(query: str) -> None:
    with envhub.make("sql", level=2) as env:
        env.reset(seed=1)
        _, reward, done, *_ = env.step(envhub.ToolCall("submit", {"query": query}))
        assert done and reward == 0.0


def test_an_empty_result_has_the_columns_that_it_has() -> None:
    with envhub.make("sql", level=2) as env:
        env.reset(options={"task": 0})
        empty = f"SELECT {', '.join('1' * (env.task['width'] + 1))} WHERE 0"
        *_, info = env.step(envhub.ToolCall("submit", {"query": empty}))
        assert info["reward_components"]["runs"] == 1.0
        assert info["reward_components"]["columns"] == 0.0


@pytest.mark.parametrize("query", ["SELECT '\ud800'", "SELECT 1;\0", "\0"])
@pytest.mark.parametrize("tool", ["execute", "submit"])
def test_text_that_sqlite_does_not_take_is_refused(tool: str, query: str) -> None:
    with envhub.make("sql", level=1) as env:
        env.reset(seed=1)
        _, reward, *_ = env.step(envhub.ToolCall(tool, {"query": query}))
        assert reward == 0.0


def test_a_query_that_overruns_is_stopped_and_the_session_goes_on() -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c)"
    with envhub.make("sql") as env:
        env.reset(seed=1)
        observation, *_ = env.step(f"```sql\n{endless} SELECT max(x) FROM c\n```")
        assert "time limit of 5 s" in observation
        assert "(1 row)" in env.step("```sql\nSELECT 1\n```")[0]


def test_the_database_is_of_this_task_alone() -> None:
    with envhub.make("sql", level=5) as env:
        env.reset(seed=1)
        env.step("```sql\nCREATE TABLE left_over(x)\n```")
        env.reset(seed=1)
        assert "no such table" in env.step("SELECT * FROM left_over")[0]


def test_the_image_is_a_whole_database() -> None:
    database = sqlite3.connect(":memory:")
    database.deserialize(SqlEnv.tasks.get(0)["image"])
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


HUGE = (
    "ALTER TABLE {} ADD COLUMN b TEXT GENERATED ALWAYS AS (zeroblob(30000000)) VIRTUAL",
    "ALTER TABLE {} ADD COLUMN b INT GENERATED ALWAYS AS (abs(-9223372036854775808))",
)


@pytest.mark.parametrize("change", HUGE)
def test_a_table_that_cannot_be_read_is_wrong_and_no_fault(change: str) -> None:
    with envhub.make("sql", level=5) as env:
        for index in range(2):
            env.reset(options={"task": index})
            table = env.task["world"].tables[0].name
            env.step(envhub.ToolCall("execute", {"query": env.task["question"].gold}))
            env.step(envhub.ToolCall("execute", {"query": change.format(table)}))
            _, reward, done, *_ = env.step(envhub.ToolCall("submit", {}))
            assert done and reward == 0.0


@pytest.mark.parametrize("tool", ["execute", "submit"])
def test_rows_too_large_for_memory_are_no_fault(tool: str) -> None:
    count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 50)"
    with envhub.make("sql", level=1) as env:
        env.reset(seed=1)
        query = f"{count} SELECT zeroblob(30000000) FROM c"
        _, reward, *_ = env.step(envhub.ToolCall(tool, {"query": query}))
        assert reward == 0.0
