"""The environment: an agent queries a database and hands in a query or a change.

The database the agent sees lives in a sandbox. The gold query runs here, on a copy of
its own, and its text never leaves this process.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from typing import Any

import envhub
from envhub.errors import DeadlineExceeded, PolicyError
from envhub.parsing import Parsed
from envhub.sandbox import Limits, TemplateSpec
from envhub.sandboxes import EpisodeSandbox
from envhub.tasks import task_random
from envhub_sql.compare import compare
from envhub_sql.questions import Question, ask
from envhub_sql.worlds import WORLDS, Rows, World, build_rows

__all__ = ["SqlEnv"]

_ENGINE = TemplateSpec(
    service="envhub_sql.engine:Engine",
    spares=4,
    limits=Limits(wall=15.0, memory=512 * 2**20),
)
_MOST_ROWS = 5000
_FENCE = re.compile(r"```(?:sql|sqlite)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_ANSWER = re.compile(r"^[ \t>*]*answer[ \t*]*:[ \t*]*", re.IGNORECASE | re.MULTILINE)
_BARE = re.compile(
    r"\s*(?:select|with|insert|update|delete|values|explain|pragma|create|begin)\b",
    re.IGNORECASE,
)


def _make(split: str, index: int, level: int) -> Mapping[str, Any]:
    rng = task_random("sql", split, index)
    world = WORLDS[rng.randrange(len(WORLDS))]
    rows = build_rows(world, rng)
    database = _filled(world, rows)
    image, before = database.serialize(), _tables(database, world)
    while True:  # an empty answer, or no change, would be right by chance
        question = ask(world, rows, level, rng)
        found = database.execute(question.gold)
        width, gold = len(found.description or ()), found.fetchall()
        after = _tables(database, world)
        if after != before if question.changes else gold:
            break
    database.close()
    return {
        "world": world,
        "question": question,
        "image": image,
        "gold": gold,
        "width": width,
        "before": before,
        "after": after,
    }


class SqlEnv(envhub.ToolEnv):
    """Questions to a small database, and changes to make in it."""

    tasks = envhub.Tasks.from_generator(
        "sql", _make, splits={"train": 2000, "test": 400}, levels=5
    )
    instructions = (
        "You work with a SQLite database. Use `execute` to look at it and to try "
        "queries. When the task is a question, call `submit` with the one query whose "
        "result is the answer. When the task is a change, make it with `execute`, then "
        "call `submit` without a query. In plain text, a ```sql block is executed, and "
        "`Answer:` before a query (or alone) submits."
    )
    max_turns = 12

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._place = EpisodeSandbox(_ENGINE)
        self._answer: str | None = None
        self._known = False

    def begin(self, task: envhub.Task) -> str:
        """Load the task's database into a fresh sandbox and ask the question."""
        self._answer = None
        self._known = False
        self._load(fresh=True)
        world: World = task["world"]
        return f"The database of {world.title}:\n{world.schema()}\n\n{self._asked.text}"

    @envhub.tool
    def execute(self, query: str) -> str:
        """Run SQL statements and see the last result.

        Args:
            query: One statement, or several separated by semicolons.
        """
        try:
            found = self._place.use().call("execute", query)
        except DeadlineExceeded as error:
            self._load(fresh=True)
            raise PolicyError(
                "Error: the query had to be ended by force, and the database was set "
                "back to its first state."
            ) from error
        if not found["ok"]:
            raise PolicyError(found["text"])
        return str(found["text"])

    @envhub.tool
    def submit(self, query: str = "") -> str:
        """Hand in: the query that answers the question, or nothing after a change.

        Args:
            query: The query whose result is the answer; empty for a change.
        """
        if not query.strip() and not self._asked.changes:
            raise PolicyError(
                "The task is a question: submit the query that answers it."
            )
        self._answer = query
        self.finish()
        return "Handed in."

    def grammar(self, text: str) -> envhub.ToolCall | None:
        """A ```sql block or a bare statement is executed; ``Answer:`` submits."""
        handed_in = _ANSWER.search(text)
        if handed_in:
            query = _query_in(text[handed_in.end() :])
            return envhub.ToolCall("submit", {"query": query})
        blocks = _FENCE.findall(text)
        if blocks:
            return envhub.ToolCall("execute", {"query": blocks[-1]})
        if _BARE.match(text):
            return envhub.ToolCall("execute", {"query": text})
        return None

    def nudge(self, parsed: Parsed) -> str:
        """Tell how to act."""
        return (
            "Nothing was done. Write a ```sql block to execute it, or `Answer:` and a "
            "query to hand in."
        )

    def score(self) -> envhub.Score:
        """How right the handed-in query, or the changed database, is."""
        submitted = self._answer is not None
        if self._asked.changes:
            return self._score_change(submitted)
        return self._score_query(submitted)

    def oracle(self) -> envhub.Action:
        """Try the gold query, then hand it in."""
        query = "" if self._asked.changes else self._asked.gold
        if self._known:
            return envhub.ToolCall("submit", {"query": query})
        self._known = True
        return envhub.ToolCall("execute", {"query": self._asked.gold})

    def shutdown(self) -> None:
        """End the sandbox."""
        self._place.close()

    @property
    def _asked(self) -> Question:
        question: Question = self.task["question"]
        return question

    def _load(self, *, fresh: bool) -> None:
        if fresh:
            self._place.renew()
        self._place.use().call("load", self.task["image"], not self._asked.changes)

    def _score_query(self, submitted: bool) -> envhub.Score:
        if not submitted:
            return envhub.Score(0.0, {"submitted": 0.0})
        self._load(fresh=False)
        try:
            found = self._place.use().call("rows", self._answer, _MOST_ROWS)
        except DeadlineExceeded:
            return envhub.Score(0.0, {"submitted": 1.0, "runs": 0.0})
        runs = not found["error"] and found["columns"] > 0
        gold = self.task["gold"]
        result = compare(found["rows"], gold, order_by=self._asked.order_by)
        right = runs and result.equal
        columns = runs and found["columns"] == self.task["width"]
        partial = 0.1 * runs + 0.2 * columns + 0.3 * result.overlap
        components = {
            "submitted": 1.0,
            "runs": float(runs),
            "columns": float(columns),
            "overlap": result.overlap if runs else 0.0,
            "ordered": float(runs and result.ordered),
        }
        return envhub.Score(1.0 if right else partial if runs else 0.0, components)

    def _score_change(self, submitted: bool) -> envhub.Score:
        try:
            found = self._place.use().call("tables")
        except DeadlineExceeded:
            return envhub.Score(0.0, {"submitted": float(submitted), "state": 0.0})
        before, gold = self.task["before"], self.task["after"]
        results = {
            name: compare(found.get(name, []), rows) for name, rows in gold.items()
        }
        touched = [name for name in gold if gold[name] != before[name]]
        overlap = min((results[name].overlap for name in touched), default=1.0)
        unharmed = all(results[name].equal for name in gold if name not in touched)
        same = set(found) == set(gold) and all(r.equal for r in results.values())
        components = {
            "submitted": float(submitted),
            "state": float(same),
            "overlap": overlap,
            "unharmed": float(unharmed),
        }
        return envhub.Score(float(same and submitted), components)


def _query_in(text: str) -> str:
    block = _FENCE.search(text)
    return (block[1] if block else text).strip().strip("`")


def _filled(world: World, rows: Mapping[str, Rows]) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.executescript(world.schema())
    database.execute("BEGIN")
    for table in world.tables:
        marks = ", ".join("?" * (len(table.columns) + 1))
        database.executemany(
            f"INSERT INTO {table.name} VALUES ({marks})", rows[table.name]
        )
    database.execute("COMMIT")
    return database


def _tables(
    database: sqlite3.Connection, world: World
) -> dict[str, list[tuple[Any, ...]]]:
    return {
        table.name: database.execute(f"SELECT * FROM {table.name}").fetchall()
        for table in world.tables
    }
