"""The engine's fences and its answers (trials T031 to T035)."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies

from envhub_sql.engine import Engine, statements


def _engine(script: str = "", *, read_only: bool = True, seconds: float = 5) -> Engine:
    database = sqlite3.connect(":memory:")
    database.executescript("CREATE TABLE t(x); INSERT INTO t VALUES(1),(2);" + script)
    engine = Engine(seconds)
    engine.load(database.serialize(), read_only)
    return engine


def _rows(engine: Engine) -> list[Any]:
    return engine.tables()["t"]


@pytest.mark.parametrize(
    "write",
    [
        "WITH q AS (SELECT 1) DELETE FROM t",
        "WITH q AS (SELECT 1) INSERT INTO t VALUES(9) RETURNING *",
        "/* x */ uPdAtE t SET x=0",
        "CREATE TEMP TABLE k(x)",
        "DROP TABLE t",
    ],
)
def test_T031_a_write_in_a_read_only_task_is_told_and_changes_nothing(
    write: str,
) -> None:
    engine = _engine()
    answer = engine.execute(write)
    assert not answer["ok"] and "read-only" in answer["text"]
    assert _rows(engine) == [[1], [2]]


@pytest.mark.parametrize(
    "read", ["EXPLAIN DELETE FROM t", "(SELECT 1)", "VALUES(1)", "-- c\nSELECT 1;"]
)
def test_T031_reads_in_every_dress_work(read: str) -> None:
    assert _engine().execute(read)["ok"]


@pytest.mark.parametrize("read_only", [True, False])
def test_T032_nothing_beyond_the_database_is_reached(
    read_only: bool, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.db"
    sqlite3.connect(gold).execute("CREATE TABLE secret(x)").connection.close()
    before = sorted(tmp_path.iterdir())
    engine = _engine(read_only=read_only)
    for attack in (
        f"ATTACH '{tmp_path}/evil.db' AS e",
        "CREATE TABLE e.k(x)",
        f"VACUUM INTO '{tmp_path}/out.db'",
        f"SELECT 1; ATTACH '{tmp_path}/evil.db' AS e",
        f"ATTACH '{gold}' AS g",
        "ATTACH 'file:../../x?mode=rwc' AS p",
        "SELECT readfile('/etc/passwd')",
        "SELECT load_extension('x')",
        "CREATE VIRTUAL TABLE v USING fts5(x)",
    ):
        assert not engine.execute(attack)["ok"], attack
    assert sorted(tmp_path.iterdir()) == before
    assert engine.execute("SELECT count(*) FROM t")["text"] == "count(*)\n2\n(1 row)"


@pytest.mark.parametrize(
    "pragma",
    [
        "PRAGMA query_only=0",
        "PRAGMA journal_mode=DELETE",
        "PRAGMA writable_schema=1",
        "PRAGMA user_version=7",
        "PRAGMA foreign_keys=1",
        "SELECT * FROM pragma_journal_mode",
        "PRAGMA hard_heap_limit=1",
        "PRAGMA temp_store_directory='/tmp'",
    ],
)
def test_T033_a_pragma_that_changes_something_is_refused(pragma: str) -> None:
    engine = _engine()
    answer = engine.execute(pragma)
    assert not answer["ok"] and "not allowed" in answer["text"]
    assert not engine.execute("DELETE FROM t")["ok"]


@pytest.mark.parametrize(
    "pragma",
    [
        "PRAGMA table_info(t)",
        "PRAGMA foreign_key_list(t)",
        "PRAGMA user_version",
        "SELECT name FROM pragma_table_info('t')",
        "SELECT sql FROM sqlite_master",
    ],
)
def test_T033_the_useful_ones_answer(pragma: str) -> None:
    assert _engine().execute(pragma)["ok"]


def test_T034_several_statements_run_in_order_and_the_last_is_shown() -> None:
    engine = _engine(read_only=False)
    answer = engine.execute("INSERT INTO t VALUES(3); SELECT count(*) FROM t;")
    assert answer["text"] == "count(*)\n3\n(1 row)"
    assert engine.execute("BEGIN; UPDATE t SET x=1; COMMIT;")["ok"]
    assert _rows(engine) == [[1], [1], [1]]


def test_T034_fences_literals_and_emptiness_are_handled() -> None:
    engine = _engine()
    assert engine.execute("```sql\nSELECT 1;\n```")["text"] == "1\n1\n(1 row)"
    assert engine.execute("SELECT ';' AS a; -- done")["text"] == "a\n;\n(1 row)"
    for nothing in ("", ";", " ; ;", "-- only a comment"):
        assert engine.execute(nothing)["text"].startswith("There is no statement")


def test_T034_an_error_rolls_an_open_transaction_back() -> None:
    engine = _engine(read_only=False)
    answer = engine.execute("BEGIN; UPDATE t SET x = 9; SELEC")
    assert "rolled back" in answer["text"]
    assert _rows(engine) == [[1], [2]]


def test_T035_large_results_are_cut_and_counted_quickly() -> None:
    engine = _engine()
    million = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {}) "
        "SELECT x, 'row' FROM c"
    )
    started = time.perf_counter()
    text = engine.execute(million.format(10**6))["text"]
    assert time.perf_counter() - started < 2
    assert text.endswith("(50 of more than 100050 rows shown)")
    assert engine.execute(million.format(60))["text"].endswith("(50 of 60 rows shown)")
    cell = engine.execute("SELECT printf('%.*c', 20000000, 'x') AS big")["text"]
    assert "[... 20000000 characters]" in cell and len(cell) < 1000
    columns = ", ".join(f"{i} AS c{i}" for i in range(2000))
    wide = engine.execute(f"SELECT {columns}")["text"]
    assert "[1970 more columns]" in wide and len(wide) < 5000


def test_a_runaway_query_is_stopped_and_the_next_one_works() -> None:
    engine = _engine(seconds=0.2)
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c)"
    runaway = f"{endless} SELECT max(x) FROM c"
    assert "time limit of 0.2 s" in engine.execute(runaway)["text"]
    assert engine.execute("SELECT 1")["ok"]


def test_bytes_null_and_broken_text_are_shown() -> None:
    shown = _engine().execute("SELECT NULL, x'00ff', CAST(x'ff61' AS TEXT), 'a\nb'")
    assert shown["text"].splitlines()[1] == "NULL | x'00ff' | \ufffda | a\\nb"


def test_a_trigger_with_semicolons_is_one_statement() -> None:
    script = "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END; SELECT 1"
    assert len(list(statements(script))) == 2


@hypothesis.given(strategies.text(max_size=60))
def test_any_text_gets_an_answer_that_encodes(text: str) -> None:
    answer = _engine().execute(text)
    assert answer["text"]


WORDS = strategies.sampled_from(
    ["SELECT", "*", "FROM", "t", ";", "(", ")", "'", '"', "BEGIN", "--", "/*", "x", "1"]
)


@hypothesis.given(strategies.lists(WORDS, max_size=12).map(" ".join))
def test_any_sql_like_text_leaves_a_read_only_database_alone(text: str) -> None:
    engine = _engine(seconds=1)
    engine.execute(text)
    assert _rows(engine) == [[1], [2]]
