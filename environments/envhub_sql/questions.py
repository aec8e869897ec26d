"""Questions about a world, with the query that answers them.

A question is a pure function of the world's rows and a generator. Each template says in
words which columns are wanted, in which order, and how rows are to be ordered.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from envhub_sql.worlds import Column, Rows, Table, World

__all__ = ["Question", "ask"]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and what is right.

    Attributes:
        text: The task in words.
        gold: The query that answers it, or the statement that makes the change.
        order_by: Positions of the output columns that rows are ordered by.
        changes: Whether the task is to change the data.
    """

    text: str
    gold: str
    order_by: tuple[int, ...] = ()
    changes: bool = False


@dataclass(frozen=True, slots=True)
class _Data:
    """A world, its rows, and the words and columns a template draws from."""

    world: World
    rows: Mapping[str, Rows]
    rng: random.Random

    def table(self) -> Table:
        return self.rng.choice(self.world.tables)

    def category(self, table: Table) -> Column:
        return next(c for c in table.of_kind("category") if not c.gaps)

    def number(self, table: Table) -> Column:
        return table.of_kind("number")[0]

    def gap(self, table: Table) -> Column:
        return next(c for c in table.columns if c.gaps)

    def value(self, table: Table, column: Column) -> str:
        """A value that occurs in a column."""
        return str(self.rng.choice(self.column(table, column)))

    def middle(self, table: Table, column: Column) -> int:
        """A number with rows on either side."""
        ordered = sorted(int(str(v)) for v in self.column(table, column))
        return ordered[self.rng.randint(len(ordered) // 4, 3 * len(ordered) // 4)]

    def column(self, table: Table, column: Column) -> list[str | int | None]:
        position = 1 + table.columns.index(column)
        return [row[position] for row in self.rows[table.name]]

    def link(self) -> str:
        """Name of the child's column that points to the parent."""
        return self.world.child.of_kind("parent")[0].name


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


Template = Callable[[_Data], Question]


def ask(
    world: World, rows: Mapping[str, Rows], level: int, rng: random.Random
) -> Question:
    """A question of a level, 1 to 5."""
    return rng.choice(_TEMPLATES[level])(_Data(world, rows, rng))


# Level 1: one table, one condition


def _count_category(d: _Data) -> Question:
    t = d.table()
    c = d.category(t)
    v = d.value(t, c)
    return Question(
        f"How many {t.many} have the {c.phrase} '{v}'?",
        f"SELECT count(*) FROM {t.name} WHERE {c.name} = '{v}'",
    )


def _names_above(d: _Data) -> Question:
    t = d.table()
    n, number = t.naming, d.number(t)
    x = d.middle(t, number)
    return Question(
        f"Give the {n.phrase} of every {t.one} whose {number.phrase} is above {x}.",
        f"SELECT {n.name} FROM {t.name} WHERE {number.name} > {x}",
    )


def _count_gaps(d: _Data) -> Question:
    t = d.table()
    g = d.gap(t)
    return Question(
        f"How many {t.many} have no {g.phrase}?",
        f"SELECT count(*) FROM {t.name} WHERE {g.name} IS NULL",
    )


def _number_of_one(d: _Data) -> Question:
    t = d.table()
    n, number = t.naming, d.number(t)
    v = d.value(t, n)
    return Question(
        f"What is the {number.phrase} of the {t.one} with the {n.phrase} '{v}'?",
        f"SELECT {number.name} FROM {t.name} WHERE {n.name} = '{v}'",
    )


# Level 2: groups, order, limits


def _count_by_category(d: _Data) -> Question:
    t = d.table()
    c = d.category(t)
    return Question(
        f"For each {c.phrase} of {t.many}: give the {c.phrase} and the number of "
        f"{t.many}, ordered by {c.phrase} from A to Z.",
        f"SELECT {c.name}, count(*) FROM {t.name} GROUP BY {c.name} ORDER BY {c.name}",
        (0,),
    )


def _largest(d: _Data) -> Question:
    t = d.table()
    n, number = t.naming, d.number(t)
    k = d.rng.randint(3, 5)
    return Question(
        f"Which {k} {t.many} have the largest {number.phrase}? Give {n.phrase} and "
        f"{number.phrase}, largest first; equal ones by {n.phrase} from A to Z.",
        f"SELECT {n.name}, {number.name} FROM {t.name} "
        f"ORDER BY {number.name} DESC, {n.name} LIMIT {k}",
        (1, 0),
    )


def _mean_by_category(d: _Data) -> Question:
    t = d.table()
    c, number = d.category(t), d.number(t)
    return Question(
        f"For each {c.phrase} of {t.many}: give the {c.phrase} and the mean "
        f"{number.phrase}, rounded to 2 decimals.",
        f"SELECT {c.name}, round(avg({number.name}), 2) FROM {t.name} "
        f"GROUP BY {c.name}",
    )


def _range_of_category(d: _Data) -> Question:
    t = d.table()
    c, number = d.category(t), d.number(t)
    v = d.value(t, c)
    return Question(
        f"Among {t.many} with the {c.phrase} '{v}': give the smallest, the largest and "
        f"the total {number.phrase}, in this order, in one row.",
        f"SELECT min({number.name}), max({number.name}), sum({number.name}) "
        f"FROM {t.name} WHERE {c.name} = '{v}'",
    )


# Level 3: joins


def _children_per_parent(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    return Question(
        f"For every {p.one}, also those without any {c.one}: give the "
        f"{p.naming.phrase} and the number of {c.many}.",
        f"SELECT p.{p.naming.name}, count(c.id) FROM {p.name} p "
        f"LEFT JOIN {c.name} c ON c.{d.link()} = p.id GROUP BY p.id",
    )


def _parents_with(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    category = d.category(c)
    v = d.value(c, category)
    return Question(
        f"Give, each once, the {p.naming.phrase} of every {p.one} with at least one "
        f"{c.one} that has the {category.phrase} '{v}'.",
        f"SELECT DISTINCT p.{p.naming.name} FROM {p.name} p "
        f"JOIN {c.name} c ON c.{d.link()} = p.id WHERE c.{category.name} = '{v}'",
    )


def _total_per_group(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    group, number = d.category(p), d.number(c)
    return Question(
        f"For each {group.phrase} of {p.many} with {c.many}: give the {group.phrase} "
        f"and the total {number.phrase} of the {c.many}, largest total first.",
        f"SELECT p.{group.name}, sum(c.{number.name}) FROM {p.name} p "
        f"JOIN {c.name} c ON c.{d.link()} = p.id "
        f"GROUP BY p.{group.name} ORDER BY 2 DESC",
        (1,),
    )


def _pairs_above(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    group, number = d.category(p), d.number(c)
    v, x = d.value(p, group), d.middle(c, number)
    return Question(
        f"For {c.many} with {number.phrase} above {x} that belong to {_a(p.one)} with "
        f"the {group.phrase} '{v}': give the {c.naming.phrase} of the {c.one} and the "
        f"{p.naming.phrase} of the {p.one}.",
        f"SELECT c.{c.naming.name}, p.{p.naming.name} FROM {c.name} c "
        f"JOIN {p.name} p ON c.{d.link()} = p.id "
        f"WHERE c.{number.name} > {x} AND p.{group.name} = '{v}'",
    )


# Level 4: what is not there, what is above its like, what has both


def _without(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    category = d.category(c)
    v = d.value(c, category)
    return Question(
        f"Give the {p.naming.phrase} of every {p.one} that has no {c.one} with the "
        f"{category.phrase} '{v}'.",
        f"SELECT p.{p.naming.name} FROM {p.name} p WHERE NOT EXISTS (SELECT 1 FROM "
        f"{c.name} c WHERE c.{d.link()} = p.id AND c.{category.name} = '{v}')",
    )


def _above_its_like(d: _Data) -> Question:
    t = d.table()
    n, category, number = t.naming, d.category(t), d.number(t)
    return Question(
        f"Give the {n.phrase} of every {t.one} whose {number.phrase} is above the mean "
        f"{number.phrase} of all {t.many} with the same {category.phrase}.",
        f"SELECT {n.name} FROM {t.name} a WHERE {number.name} > (SELECT "
        f"avg({number.name}) FROM {t.name} b WHERE b.{category.name} = "
        f"a.{category.name})",
    )


def _having_many(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    number = d.number(c)
    k = d.rng.randint(3, 5)
    return Question(
        f"For every {p.one} with at least {k} {c.many}: give the {p.naming.phrase}, "
        f"the number of {c.many} and their largest {number.phrase}, ordered by "
        f"{p.naming.phrase} from A to Z.",
        f"SELECT p.{p.naming.name}, count(*), max(c.{number.name}) FROM {p.name} p "
        f"JOIN {c.name} c ON c.{d.link()} = p.id GROUP BY p.id "
        f"HAVING count(*) >= {k} ORDER BY p.{p.naming.name}",
        (0,),
    )


def _with_both(d: _Data) -> Question:
    p, c = d.world.parent, d.world.child
    category = d.category(c)
    one, two = d.rng.sample(category.values, 2)
    has = (
        f"SELECT p.{p.naming.name} FROM {p.name} p JOIN {c.name} c "
        f"ON c.{d.link()} = p.id WHERE c.{category.name} = "
    )
    return Question(
        f"Give the {p.naming.phrase} of every {p.one} that has both {_a(c.one)} with "
        f"the {category.phrase} '{one}' and one with '{two}'.",
        f"{has}'{one}' INTERSECT {has}'{two}'",
    )


# Level 5: changes


def _raise_number(d: _Data) -> Question:
    t = d.table()
    category, number = d.category(t), d.number(t)
    v, x = d.value(t, category), d.rng.randint(2, 9)
    return Question(
        f"Raise the {number.phrase} of all {t.many} with the {category.phrase} '{v}' "
        f"by {x}. Change nothing else.",
        f"UPDATE {t.name} SET {number.name} = {number.name} + {x} "
        f"WHERE {category.name} = '{v}'",
        changes=True,
    )


def _delete_some(d: _Data) -> Question:
    c = d.world.child
    gap, number = d.gap(c), d.number(c)
    x = d.middle(c, number)
    return Question(
        f"Delete all {c.many} that have no {gap.phrase} and whose {number.phrase} is "
        f"below {x}. Change nothing else.",
        f"DELETE FROM {c.name} WHERE {gap.name} IS NULL AND {number.name} < {x}",
        changes=True,
    )


def _fill_gaps(d: _Data) -> Question:
    c = d.world.child
    gap, category = d.gap(c), d.category(c)
    v = d.value(c, category)
    day = f"2025-{d.rng.randint(1, 12):02d}-{d.rng.randint(1, 28):02d}"
    return Question(
        f"Set the {gap.phrase} of all {c.many} with the {category.phrase} '{v}' that "
        f"have none to {day}. Change nothing else.",
        f"UPDATE {c.name} SET {gap.name} = '{day}' "
        f"WHERE {category.name} = '{v}' AND {gap.name} IS NULL",
        changes=True,
    )


def _add_one(d: _Data) -> Question:
    p = d.world.parent
    category, number, date = d.category(p), d.number(p), p.of_kind("date")[0]
    number_id = len(d.rows[p.name]) + d.rng.randint(5, 50)
    v, x = d.value(p, category), d.middle(p, number)
    name = f"New {d.rng.choice(p.names[1])}"
    gap = d.gap(p)
    return Question(
        f"Add {_a(p.one)} with the id {number_id}, the {p.naming.phrase} '{name}', the "
        f"{category.phrase} '{v}', the {number.phrase} {x}, the {date.phrase} "
        f"2025-03-01 and no {gap.phrase}. Change nothing else.",
        f"INSERT INTO {p.name} (id, {p.naming.name}, {category.name}, {number.name}, "
        f"{date.name}) VALUES ({number_id}, '{name}', '{v}', {x}, '2025-03-01')",
        changes=True,
    )


_TEMPLATES: dict[int, tuple[Template, ...]] = {
    1: (_count_category, _names_above, _count_gaps, _number_of_one),
    2: (_count_by_category, _largest, _mean_by_category, _range_of_category),
    3: (_children_per_parent, _parents_with, _total_per_group, _pairs_above),
    4: (_without, _above_its_like, _having_many, _with_both),
    5: (_raise_number, _delete_some, _fill_gaps, _add_one),
}
