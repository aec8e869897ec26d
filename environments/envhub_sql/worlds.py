"""Six invented worlds, described so that questions about them can be written.

A world is a few tables with seeded rows and the words people use for them. Everything
about a world follows from its name and a number.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass

from envhub_sql.words import ADJECTIVE, FIRST, LAST, NOUN, PLACE, SITE

__all__ = ["WORLDS", "Column", "Rows", "Table", "World", "build_rows"]

Value = str | int | None
Rows = list[tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column and how people speak of it.

    Attributes:
        name: Name in the table.
        kind: ``name``, ``category``, ``number``, ``date`` or ``parent``.
        phrase: How a question says it, such as "price in cents".
        values: Values of a category; bounds of a number; the parent table.
        gaps: Whether some rows have none.
    """

    name: str
    kind: str
    phrase: str
    values: tuple[str | int, ...] = ()
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table and the nouns for its rows."""

    name: str
    one: str
    many: str
    columns: tuple[Column, ...]
    names: tuple[Sequence[str], ...] = ()

    def of_kind(self, *kinds: str) -> list[Column]:
        """Its columns of these kinds, in order."""
        return [column for column in self.columns if column.kind in kinds]

    @property
    def naming(self) -> Column:
        """The column that names a row; unique."""
        return self.of_kind("name")[0]


@dataclass(frozen=True, slots=True)
class World:
    """Tables of one subject; the first is the parent of the second."""

    title: str
    tables: tuple[Table, ...]

    @property
    def parent(self) -> Table:
        """The table that others point to."""
        return self.tables[0]

    @property
    def child(self) -> Table:
        """The table that points to the parent."""
        return self.tables[1]

    def schema(self) -> str:
        """The statements that create the tables."""
        return "\n".join(_create(table, self) for table in self.tables)


_PEOPLE = (FIRST, LAST)
_TITLES = (ADJECTIVE, NOUN)
_TOWNS = (PLACE, SITE)

WORLDS = (
    World(
        "a public library",
        (
            Table(
                "members",
                "member",
                "members",
                (
                    Column("name", "name", "name"),
                    Column(
                        "district",
                        "category",
                        "district",
                        ("North", "South", "East", "West", "Centre"),
                    ),
                    Column("age", "number", "age in years", (12, 88)),
                    Column("joined", "date", "joining date"),
                    Column("card_ends", "date", "card expiry date", gaps=True),
                ),
                _PEOPLE,
            ),
            Table(
                "loans",
                "loan",
                "loans",
                (
                    Column("title", "name", "title"),
                    Column("member_id", "parent", "member", ("members",)),
                    Column(
                        "shelf",
                        "category",
                        "shelf",
                        ("fiction", "history", "science", "travel", "cooking"),
                    ),
                    Column("days", "number", "length in days", (3, 60)),
                    Column("returned", "date", "return date", gaps=True),
                ),
                _TITLES,
            ),
        ),
    ),
    World(
        "a veterinary clinic",
        (
            Table(
                "owners",
                "owner",
                "owners",
                (
                    Column("name", "name", "name"),
                    Column(
                        "town",
                        "category",
                        "town",
                        ("Ashford", "Birchham", "Cedarton", "Elmwick"),
                    ),
                    Column("visits", "number", "number of visits", (0, 40)),
                    Column("since", "date", "date of the first visit"),
                    Column(
                        "phone",
                        "category",
                        "phone number",
                        ("555-0101", "555-0102", "555-0103"),
                        gaps=True,
                    ),
                ),
                _PEOPLE,
            ),
            Table(
                "animals",
                "animal",
                "animals",
                (
                    Column("name", "name", "name"),
                    Column("owner_id", "parent", "owner", ("owners",)),
                    Column(
                        "species",
                        "category",
                        "species",
                        ("cat", "dog", "hen", "rabbit", "tortoise"),
                    ),
                    Column("weight_g", "number", "weight in grams", (40, 42_000)),
                    Column("vaccinated", "date", "vaccination date", gaps=True),
                ),
                (NOUN, FIRST),
            ),
        ),
    ),
    World(
        "a bakery chain",
        (
            Table(
                "shops",
                "shop",
                "shops",
                (
                    Column("name", "name", "name"),
                    Column(
                        "region",
                        "category",
                        "region",
                        ("coast", "hills", "plain", "city"),
                    ),
                    Column("seats", "number", "number of seats", (0, 90)),
                    Column("opened", "date", "opening date"),
                    Column(
                        "manager",
                        "category",
                        "manager",
                        tuple(f"{a} {b}" for a, b in zip(FIRST, LAST, strict=False)),
                        gaps=True,
                    ),
                ),
                _TOWNS,
            ),
            Table(
                "orders",
                "order",
                "orders",
                (
                    Column("label", "name", "label"),
                    Column("shop_id", "parent", "shop", ("shops",)),
                    Column(
                        "product",
                        "category",
                        "product",
                        ("bagel", "baguette", "croissant", "pretzel", "rye loaf"),
                    ),
                    Column("cents", "number", "amount in cents", (150, 9_900)),
                    Column("paid", "date", "payment date", gaps=True),
                ),
                (ADJECTIVE, PLACE),
            ),
        ),
    ),
    World(
        "a rowing club",
        (
            Table(
                "crews",
                "crew",
                "crews",
                (
                    Column("name", "name", "name"),
                    Column(
                        "class",
                        "category",
                        "class",
                        ("single", "double", "four", "eight"),
                    ),
                    Column("wins", "number", "number of wins", (0, 30)),
                    Column("founded", "date", "founding date"),
                    Column("coach", "category", "coach", tuple(LAST[:6]), gaps=True),
                ),
                (ADJECTIVE, NOUN),
            ),
            Table(
                "races",
                "race",
                "races",
                (
                    Column("name", "name", "name"),
                    Column("crew_id", "parent", "crew", ("crews",)),
                    Column(
                        "water", "category", "water", ("canal", "lake", "river", "sea")
                    ),
                    Column("metres", "number", "distance in metres", (500, 6_000)),
                    Column("rowed", "date", "date", gaps=True),
                ),
                (PLACE, NOUN),
            ),
        ),
    ),
    World(
        "a small museum",
        (
            Table(
                "artists",
                "artist",
                "artists",
                (
                    Column("name", "name", "name"),
                    Column(
                        "school",
                        "category",
                        "school",
                        ("harbour", "lowland", "night", "salt", "wood"),
                    ),
                    Column("born", "number", "year of birth", (1790, 1985)),
                    Column("first_show", "date", "date of the first show"),
                    Column(
                        "patron", "category", "patron", tuple(LAST[6:14]), gaps=True
                    ),
                ),
                _PEOPLE,
            ),
            Table(
                "works",
                "work",
                "works",
                (
                    Column("title", "name", "title"),
                    Column("artist_id", "parent", "artist", ("artists",)),
                    Column(
                        "medium",
                        "category",
                        "medium",
                        ("bronze", "etching", "oil", "tapestry", "watercolour"),
                    ),
                    Column("value", "number", "insured value", (200, 90_000)),
                    Column("restored", "date", "restoration date", gaps=True),
                ),
                _TITLES,
            ),
        ),
    ),
    World(
        "a freight company",
        (
            Table(
                "depots",
                "depot",
                "depots",
                (
                    Column("name", "name", "name"),
                    Column(
                        "country",
                        "category",
                        "country",
                        ("Arland", "Borland", "Corland", "Dorland"),
                    ),
                    Column("docks", "number", "number of docks", (1, 24)),
                    Column("opened", "date", "opening date"),
                    Column(
                        "foreman", "category", "foreman", tuple(LAST[14:20]), gaps=True
                    ),
                ),
                _TOWNS,
            ),
            Table(
                "parcels",
                "parcel",
                "parcels",
                (
                    Column("code", "name", "code"),
                    Column("depot_id", "parent", "depot", ("depots",)),
                    Column(
                        "service",
                        "category",
                        "service",
                        ("express", "night", "slow", "sea"),
                    ),
                    Column("grams", "number", "weight in grams", (50, 31_000)),
                    Column("delivered", "date", "delivery date", gaps=True),
                ),
                (ADJECTIVE, SITE),
            ),
        ),
    ),
)


def build_rows(world: World, rng: random.Random) -> dict[str, Rows]:
    """Seeded rows of every table: 12 to 20 parents, 40 to 70 children."""
    parents = rng.randint(12, 20)
    made = {world.parent.name: _rows(world.parent, parents, rng, 0)}
    children = rng.randint(40, 70)
    # Some parents stay without children, so that questions about them have answers.
    made[world.child.name] = _rows(world.child, children, rng, parents - 2)
    return made


def _rows(table: Table, count: int, rng: random.Random, parents: int) -> Rows:
    first, second = table.names
    picks = rng.sample(range(len(first) * len(second)), count)
    names = [f"{first[i // len(second)]} {second[i % len(second)]}" for i in picks]
    return [
        (i + 1, *(_cell(c, names[i], rng, parents) for c in table.columns))
        for i in range(count)
    ]


def _cell(column: Column, name: str, rng: random.Random, parents: int) -> Value:
    if column.gaps and rng.random() < 0.25:
        return None
    if column.kind == "name":
        return name
    if column.kind == "category":
        return str(rng.choice(column.values))
    if column.kind == "number":
        low, high = column.values
        return rng.randint(int(low), int(high))
    if column.kind == "parent":
        return rng.randint(1, parents)
    day = datetime.date(2019, 1, 1) + datetime.timedelta(days=rng.randrange(2000))
    return day.isoformat()


def _create(table: Table, world: World) -> str:
    types = {"number": "INTEGER", "parent": "INTEGER"}
    lines = ["id INTEGER PRIMARY KEY"]
    for column in table.columns:
        rule = "" if column.gaps else " NOT NULL"
        if column.kind == "parent":
            rule += f" REFERENCES {world.parent.name}(id)"
        if column.kind == "name":
            rule += " UNIQUE"
        lines.append(f"{column.name} {types.get(column.kind, 'TEXT')}{rule}")
    return f"CREATE TABLE {table.name} ({', '.join(lines)});"
