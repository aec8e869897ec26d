"""The files of a small company, drawn at random and described to the last byte.

logs/      a log of the shop for every day, one of all requests, one of the worker
config/    a file of settings for every service
data/      tables of orders, stock and customers, and older ones in data/old/
scripts/   shell and Python scripts, some of which may be executed
docs/      texts, some with blanks in their names
public/    pictures (random bytes) and a style sheet
tmp/       leavings; there are more of them elsewhere
reports/   empty
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from envhub_os.tree import NOW, File, Tree

__all__ = ["COMPONENTS", "ITEMS", "ORDERS", "REGIONS", "company", "shop_logs"]

COMPONENTS = ("cart", "checkout", "login", "mail", "search", "stock")
REGIONS = ("coast", "hills", "island", "plains")
ITEMS = ("anchor", "bucket", "candle", "drum", "flute", "kite", "ladle", "rope", "sail")
ORDERS = ("data/orders.csv", "data/old/orders-2022.csv", "data/old/orders-2023.csv")

_NAMES = (
    "bakery",
    "clinic",
    "harbour",
    "library",
    "nursery",
    "museum",
    "ferry",
    "mill",
)
_LEVELS = ("DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR")
_MESSAGES = {
    "DEBUG": ("cache filled", "lock taken", "retry planned"),
    "INFO": ("done", "accepted", "user came back", "ERRORS page shown"),
    "WARN": ("slow answer", "queue is long", "almost full"),
    "ERROR": ("connection refused", "no such item", "time is up", "disk is full"),
}
_PATHS = ("/", "/cart", "/search", "/item/7", "/item/12", "/login", "/help")
_PEOPLE = ("ama", "ben", "cleo", "dina", "egon", "faye", "gil", "hana", "ivo", "jule")
_WORDS = (
    "the crew opens at nine", "please keep the ladder dry", "ask Hana about the keys",
    "orders leave on Tuesdays", "the red boxes are fragile", "call the mill on Fridays",
    "write every return down", "lamps are stored upstairs", "water the plants",
)  # fmt: skip
_DAY = 86_400
_SECONDS = range(_DAY)
_ADDRESSES = tuple(f"10.0.{a}.{b}" for a in range(3) for b in range(9))


def company(rng: random.Random) -> Tree:
    """A company's files in a folder of its name."""
    days = sorted(rng.sample(range(1, 10), rng.randrange(4, 7)))
    month = rng.choice((1, 2))
    dates = [f"2024-03-{day:02d}" for day in days]
    dates += [f"2024-{month:02d}-{day:02d}" for day in rng.sample(range(1, 28), 3)]
    files = {f"logs/shop-{date}.log": _shop_log(rng, date) for date in sorted(dates)}
    files["logs/access.log"] = _requests(rng)
    files["logs/worker.log"] = _shop_log(rng, dates[0])
    files |= _settings(rng) | _tables(rng) | _scripts(rng) | _docs(rng)
    files |= _pictures(rng) | _leavings(rng)
    dated = {path: _dated(rng, file) for path, file in files.items()}
    return Tree(rng.choice(_NAMES), _at_different_times(dated), empty=("reports",))


def shop_logs(tree: Tree) -> dict[str, File]:
    """The daily logs of the shop."""
    logs = tree.within("logs", ".log")
    return {path: logs[path] for path in logs if path.startswith("logs/shop-")}


def _file(lines: Iterable[str], mode: int = 0o644) -> File:
    return File("".join(f"{line}\n" for line in lines).encode(), mode)


def _dated(rng: random.Random, file: File) -> File:
    return File(file.content, file.mode, NOW - rng.randrange(60, 40 * _DAY))


def _at_different_times(files: dict[str, File]) -> dict[str, File]:
    taken: set[int] = set()
    for path, file in files.items():
        changed = file.changed
        while changed in taken:
            changed -= 60
        taken.add(changed)
        files[path] = File(file.content, file.mode, changed)
    return files


def _shop_log(rng: random.Random, date: str) -> File:
    count = rng.randrange(12, 45)
    seconds = sorted(rng.choices(_SECONDS, k=count))
    levels, components = rng.choices(_LEVELS, k=count), rng.choices(COMPONENTS, k=count)
    rows = zip(seconds, levels, components, strict=True)
    return _file(
        f"{date} {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d} "
        f"{level} {component} {rng.choice(_MESSAGES[level])}"
        for second, level, component in rows
    )


def _requests(rng: random.Random) -> File:
    count = rng.randrange(60, 140)
    columns = (
        rng.choices(_ADDRESSES, k=count),
        rng.choices(("GET", "POST"), k=count),
        rng.choices(_PATHS, k=count),
        rng.choices(("200", "200", "200", "304", "404", "500", "503"), k=count),
        map(str, rng.choices(range(90, 9000), k=count)),
    )
    return _file(map(" ".join, zip(*columns, strict=True)))


def _settings(rng: random.Random) -> dict[str, File]:
    host = f"db{rng.randrange(1, 5)}.internal"
    return {
        f"config/{service}.conf": _file(
            [
                f"# settings of the {service} service",
                f"host = {host}",
                f"port = {rng.randrange(3000, 9000)}",
                f"workers = {rng.randrange(2, 33)}",
                f"timeout = {rng.randrange(5, 90)}",
                f"debug = {rng.choice(('true', 'false'))}",
                f"owner = {rng.choice(_PEOPLE)}",
            ],
            rng.choice((0o644, 0o640, 0o664)),
        )
        for service in sorted(rng.sample(COMPONENTS, 4))
    }


def _tables(rng: random.Random) -> dict[str, File]:
    people = [
        (name, f"{name}@{rng.choice(('post', 'mail'))}.example") for name in _PEOPLE
    ]
    customers = [rng.choice(people) for _ in range(rng.randrange(14, 26))]
    shelves = [
        f"{item},{rng.choice('ABCD')}{rng.randrange(1, 9)},{rng.randrange(0, 200)}"
        for item in rng.sample(ITEMS, 7)
    ]
    return {
        ORDERS[0]: _orders(rng, 2000, rng.randrange(40, 90)),
        ORDERS[1]: _orders(rng, 1000, rng.randrange(20, 40)),
        ORDERS[2]: _orders(rng, 1500, rng.randrange(20, 40)),
        "data/stock.csv": _file(["item,shelf,count", *shelves]),
        "data/customers.csv": _file(
            ["name,email", *(f"{name},{email}" for name, email in customers)]
        ),
    }


def _orders(rng: random.Random, first: int, count: int) -> File:
    columns = (
        map(str, range(first, first + count)),
        rng.choices(_PEOPLE, k=count),
        rng.choices(REGIONS, k=count),
        rng.choices(ITEMS, k=count),
        map(str, rng.choices(range(1, 20), k=count)),
        map(str, rng.choices(range(150, 9000), k=count)),
    )
    rows = map(",".join, zip(*columns, strict=True))
    return _file(["id,customer,region,item,pieces,cents", *rows])


def _scripts(rng: random.Random) -> dict[str, File]:
    def mode() -> int:
        return rng.choice((0o644, 0o755, 0o744, 0o600))

    shell = {
        f"scripts/{name}.sh": _file(
            ["#!/bin/sh", f"# {name} version {rng.randrange(2, 99)}", f'echo "{name}"'],
            mode(),
        )
        for name in sorted(
            rng.sample(("backup", "clean", "deploy", "report", "sync"), 4)
        )
    }
    python = {
        f"scripts/{name}.py": _file(
            ["#!/usr/bin/env python3", f'print("{name} {rng.randrange(100)}")'], mode()
        )
        for name in sorted(rng.sample(("count", "merge", "plot"), 2))
    }
    return shell | python


def _docs(rng: random.Random) -> dict[str, File]:
    names = ["guide.txt", "house rules.txt", "faq.txt", "team/duties.txt"]
    names += ["team/phone list.txt", "todo.md", "team/minutes.md"]
    return {
        f"docs/{name}": _file(rng.choice(_WORDS) for _ in range(rng.randrange(3, 9)))
        for name in sorted(rng.sample(names, 6))
    }


def _pictures(rng: random.Random) -> dict[str, File]:
    sizes = rng.sample(range(200, 2400), 5)
    pictures = {
        f"public/img/{name}.png": File(b"\x89PNG\r\n\x1a\n" + rng.randbytes(size))
        for name, size in zip(
            ("door", "logo", "map", "quay", "team"), sizes, strict=True
        )
    }
    style = _file([f"body {{ margin: {rng.randrange(40)}px; }}"])
    return {**pictures, "public/style.css": style}


def _leavings(rng: random.Random) -> dict[str, File]:
    folders = ("tmp", "tmp", "tmp", "data", "docs", "logs", "public")
    found: dict[str, File] = {}
    for number in range(rng.randrange(5, 9)):
        ending = "tmp" if number < 4 else rng.choice(("tmp", "bak"))
        name = f"{rng.choice(folders)}/part-{rng.randrange(100, 999)}.{ending}"
        found[name] = File(rng.randbytes(rng.randrange(40)) if number % 2 else b"")
    return found
