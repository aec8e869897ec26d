"""Level 3: files to read before there is anything to compute."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from envhub_code.problems import Problem

__all__ = ["FAMILIES"]

_CITIES = ("Arles", "Brno", "Cork", "Dakar", "Essen", "Faro", "Ghent", "Hanoi", "Izmir")
_GOODS = ("kettle", "lamp", "clock", "stool", "mirror", "basket", "ladder", "bench")
_PEOPLE = ("ama", "ben", "cleo", "dina", "egon", "faye", "gil", "hana", "ivo", "jule")


def _table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def revenue(text: str, city: str, month: str) -> float:
    """Money taken in a city in a month."""
    import csv

    rows = csv.DictReader(text.splitlines())
    cents = sum(
        int(row["pieces"]) * round(float(row["price"]) * 100)
        for row in rows
        if row["city"] == city and row["date"].startswith(month)
    )
    return cents / 100


def sales(rng: random.Random) -> Problem:
    """A table of sales."""
    cities = rng.sample(_CITIES, 4)
    year = rng.randrange(2018, 2032)
    rows = [
        (
            f"{year}-{rng.randrange(1, 7):02d}-{rng.randrange(1, 29):02d}",
            rng.choice(cities),
            rng.choice(_GOODS),
            rng.randrange(1, 25),
            f"{rng.randrange(300, 9900) / 100:.2f}",
        )
        for _ in range(rng.randrange(150, 400))
    ]
    city, month = rows[0][1], rows[0][0][:7]
    return Problem(
        question=(
            "sales.csv has the columns date, city, item, pieces and price (in "
            f"euros, for one piece). How many euros were taken in {city} in {month} "
            "(year-month)? Round to two decimals."
        ),
        function=revenue,
        arguments=(city, month),
        files={"sales.csv": _table(("date", "city", "item", "pieces", "price"), rows)},
    )


def summary_of_scores(text: str, group: str, what: str) -> float:
    """Mean or median of the scores of a group, those that are missing left out."""
    import csv
    import statistics

    rows = csv.DictReader(text.splitlines())
    scores = [
        float(row["score"])
        for row in rows
        if row["group"] == group and row["score"] not in ("", "n/a", "-")
    ]
    found = statistics.fmean if what == "mean" else statistics.median
    return round(found(scores), 2)


def survey(rng: random.Random) -> Problem:
    """A table with gaps and with commas inside of fields."""
    groups = ("north, inner", "north, outer", "south, inner", "south, outer")
    rows = [
        (
            number,
            rng.choice(groups),
            rng.choice(("", "n/a", "-"))
            if rng.random() < 0.2
            else f"{rng.randrange(0, 1001) / 10:.1f}",
        )
        for number in range(1, rng.randrange(140, 300))
    ]
    full = [row[1] for row in rows if row[2] not in ("", "n/a", "-")]
    group, what = rng.choice(full), rng.choice(("mean", "median"))
    return Problem(
        question=(
            "survey.csv has the columns id, group and score. Some scores are "
            "missing: the field is empty, n/a or a dash. What is the "
            f'{what} of the scores that are there in the group "{group}"? Round to two '
            "decimals."
        ),
        function=summary_of_scores,
        arguments=(group, what),
        files={"survey.csv": _table(("id", "group", "score"), rows)},
    )


def best_customer(text: str, status: str) -> str:
    """Who spent most in orders of a status."""
    import json

    spent: dict[str, int] = {}
    for order in json.loads(text)["orders"]:
        if order["status"] == status:
            value = sum(line["pieces"] * line["cents"] for line in order["lines"])
            name = order["customer"]["name"]
            spent[name] = spent.get(name, 0) + value
    return max(sorted(spent), key=lambda name: spent[name])


def orders(rng: random.Random) -> Problem:
    """Nested JSON."""
    people = rng.sample(_PEOPLE, 7)
    states = ("paid", "sent", "returned")
    found = [
        {
            "id": number,
            "customer": {"name": rng.choice(people), "city": rng.choice(_CITIES)},
            "status": rng.choice(states),
            "lines": [
                {
                    "item": rng.choice(_GOODS),
                    "pieces": rng.randrange(1, 9),
                    "cents": rng.randrange(199, 7999),
                }
                for _ in range(rng.randrange(1, 5))
            ],
        }
        for number in range(1000, 1000 + rng.randrange(50, 120))
    ]
    status = rng.choice(states)
    return Problem(
        question=(
            "orders.json holds a list of orders under the key orders. The value "
            "of an order is the sum of pieces times cents over its lines. Which "
            f"customer (customer.name) has the largest total value of orders whose "
            f"status is {status}?"
        ),
        function=best_customer,
        arguments=(status,),
        files={"orders.json": json.dumps({"orders": found}, indent=1) + "\n"},
    )


def longest_silence(text: str, user: str, kind: str) -> int:
    """Seconds of the longest gap between neighbouring events of a user and a kind."""
    import itertools
    import json

    times = sorted(
        int(event["time"])
        for event in map(json.loads, text.splitlines())
        if event["user"] == user and kind in ("", event["kind"])
    )
    return max(b - a for a, b in itertools.pairwise(times))


def events(rng: random.Random) -> Problem:
    """One JSON object a line, out of order."""
    people = rng.sample(_PEOPLE, 5)
    start = rng.randrange(1_700_000_000, 1_900_000_000)
    rows = [
        {
            "time": start + rng.randrange(0, 200_000),
            "user": rng.choice(people),
            "kind": rng.choice(("login", "view", "edit", "logout")),
        }
        for _ in range(rng.randrange(120, 260))
    ]
    seen = [row["user"] for row in rows]
    user = max(sorted(set(seen)), key=seen.count)
    kind = rng.choice(("", "view", "edit"))
    told = f"events of the kind {kind}" if kind else "events"
    return Problem(
        question=(
            "events.jsonl holds one event a line with time (in seconds), user "
            "and kind, in no particular order. What is the longest time in seconds "
            f"between two {told} of the user {user} that follow one another in time?"
        ),
        function=longest_silence,
        arguments=(user, kind),
        files={"events.jsonl": "".join(json.dumps(row) + "\n" for row in rows)},
    )


def busiest_path(text: str, low: int, high: int) -> str:
    """The path with most answers of a status from `low` to `high`."""
    counts: dict[str, int] = {}
    for line in text.splitlines():
        request, rest = line.split('"')[1:3]
        if low <= int(rest.split()[0]) <= high:
            path = request.split()[1].partition("?")[0]
            counts[path] = counts.get(path, 0) + 1
    return max(sorted(counts), key=lambda path: counts[path])


def weblog(rng: random.Random) -> Problem:
    """A log of requests."""
    paths = ("/", "/cart", "/search", "/item/7", "/item/12", "/login", "/help")
    weights = [rng.randrange(1, 9) for _ in paths]
    lines = [
        f"10.0.{rng.randrange(4)}.{rng.randrange(250)} - - "
        f"[{rng.randrange(1, 29):02d}/Mar/2031:{rng.randrange(24):02d}:"
        f'{rng.randrange(60):02d}:00] "GET {rng.choices(paths, weights)[0]}'
        f'{rng.choice(("", "?a=1", "?page=2&x=y"))} HTTP/1.1" '
        f"{rng.choice((200, 200, 304, 404, 500, 503))} {rng.randrange(90, 90_000)}\n"
        for _ in range(rng.randrange(150, 400))
    ]
    low, high = rng.choice(((400, 599), (500, 599), (200, 299), (200, 399), (400, 499)))
    return Problem(
        question=(
            "access.log holds a line for every request to a web server: address, "
            "time, request in quotes, status, size. Leaving out whatever follows a "
            f"question mark, which path has most answers with a status from "
            f"{low} to {high}? Among equals, give the first in alphabetical order."
        ),
        function=busiest_path,
        arguments=(low, high),
        files={"access.log": "".join(lines)},
    )


def hours_of_team(people: str, shifts: str, team: str) -> float:
    """Hours worked by a team; shifts may run past midnight."""
    import csv
    import json

    members = {
        row["badge"]
        for row in csv.DictReader(people.splitlines())
        if row["team"] == team
    }
    minutes = 0
    for shift in json.loads(shifts):
        if shift["badge"] in members:
            h1, m1, h2, m2 = map(int, f"{shift['from']}:{shift['to']}".split(":"))
            minutes += (h2 * 60 + m2 - h1 * 60 - m1) % 1440
    return round(minutes / 60, 2)


def shifts(rng: random.Random) -> Problem:
    """Two files to be joined."""
    teams = ("kitchen", "counter", "delivery")
    badges = [f"{rng.randrange(10, 99)}-{i:02d}" for i in range(12)]
    people = [
        (badge, rng.choice(_PEOPLE).title(), teams[i % 3])
        for i, badge in enumerate(badges)
    ]
    worked = [
        {
            "badge": rng.choice(badges),
            "from": f"{rng.randrange(24):02d}:{rng.randrange(0, 60, 5):02d}",
            "to": f"{rng.randrange(24):02d}:{rng.randrange(0, 60, 5):02d}",
        }
        for _ in range(rng.randrange(50, 110))
    ]
    team = rng.choice(teams)
    return Problem(
        question=(
            "people.csv (badge, name, team) says who belongs to which team, "
            "shifts.json lists shifts (badge, from, to). A shift whose end is "
            "earlier than its start ends on the next day; one that ends when it starts "
            f"has no length. How many hours did the team {team} work in total? Round "
            "to two decimals."
        ),
        function=hours_of_team,
        arguments=(team,),
        files={
            "people.csv": _table(("badge", "name", "team"), people),
            "shifts.json": json.dumps(worked) + "\n",
        },
    )


def remarkable_day(text: str, kind: str) -> list[str | float]:
    """The day with the largest span or mean of temperatures in Celsius, and which."""
    days: dict[str, list[float]] = {}
    for line in text.splitlines():
        parts = line.split()
        if len(parts) != 3 or line.startswith("#"):
            continue
        value = float(parts[2][:-1])
        celsius = (value - 32) / 1.8 if parts[2].endswith("F") else value
        days.setdefault(parts[0], []).append(celsius)
    if kind == "mean":
        found = {day: sum(values) / len(values) for day, values in days.items()}
    else:
        found = {day: max(values) - min(values) for day, values in days.items()}
    best = max(sorted(found), key=lambda day: found[day])
    return [best, round(found[best], 2)]


def sensors(rng: random.Random) -> Problem:
    """Readings in two units, with lines that are none."""
    month = rng.randrange(1, 13)
    lines = []
    for day in range(1, rng.randrange(9, 26)):
        for _ in range(rng.randrange(6, 14)):
            celsius = rng.randrange(-120, 380) / 10
            shown = f"{celsius:.1f}C"
            if rng.random() < 0.3:
                shown = f"{celsius * 1.8 + 32:.1f}F"
            time = f"{rng.randrange(24):02d}:{rng.randrange(60):02d}"
            lines.append(f"2030-{month:02d}-{day:02d} {time} {shown}\n")
            if rng.random() < 0.08:
                lines.append(rng.choice(("# restarted\n", "\n", "sensor offline\n")))
    kind = rng.choice(("span", "mean"))
    asked = {
        "span": "is the difference between the highest and the lowest reading largest",
        "mean": "is the mean of the readings highest",
    }
    return Problem(
        question=(
            "sensor.txt holds a reading a line: date, time, and a temperature "
            "that ends with C (Celsius) or F (Fahrenheit). Comments (#) and lines of "
            f"another form are to be left out. On which date {asked[kind]}, and what "
            "is it in degrees Celsius, with two decimals? Answer as: date, degrees"
        ),
        function=remarkable_day,
        arguments=(kind,),
        files={"sensor.txt": "".join(lines)},
    )


FAMILIES: tuple[Callable[[random.Random], Problem], ...] = (
    sales,
    survey,
    orders,
    events,
    weblog,
    shifts,
    sensors,
)
"""Makers of problems, each from a generator of its own."""
