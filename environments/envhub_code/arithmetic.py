"""Level 1: a short story and one computation."""

from __future__ import annotations

import random
from collections.abc import Callable

from envhub_code.problems import Problem

__all__ = ["FAMILIES"]

_NAMES = (
    "Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Femi", "Greta", "Hiro", "Ines",
    "Jonas", "Kavya", "Luca", "Mina", "Noor", "Otto", "Priya", "Rosa", "Samir",
    "Tove", "Umar", "Vera", "Wanda", "Yara", "Zeno",
)  # fmt: skip


def till(loaves: int, loaf: int, rolls: int, roll: int, percent: int) -> float:
    """Euros to pay; prices in cents."""
    return round((loaves * loaf + rolls * roll) * (100 - percent) / 10_000 + 1e-9, 2)


def bakery(rng: random.Random) -> Problem:
    """A bill with a discount."""
    loaves, rolls = rng.randrange(3, 40), rng.randrange(5, 120)
    loaf, roll = rng.randrange(180, 540, 5), rng.randrange(35, 95)
    percent = rng.choice((5, 8, 12, 15, 18))
    return Problem(
        question=(
            f"{rng.choice(_NAMES)} buys {loaves} loaves of bread at {loaf} cents each "
            f"and {rolls} rolls at {roll} cents each. A voucher takes {percent}% off "
            "the whole bill. How many euros are paid? Round to two decimals."
        ),
        function=till,
        arguments=(loaves, loaf, rolls, roll, percent),
    )


def load(jars: int, room: int, crate: int, jar: int) -> int:
    """Grams of all jars and of the crates they need."""
    return -(-jars // room) * crate + jars * jar


def packing(rng: random.Random) -> Problem:
    """Jars into crates, the last one not full."""
    jars, room = rng.randrange(130, 4000), rng.randrange(7, 36)
    crate, jar = rng.randrange(450, 1900, 10), rng.randrange(210, 870)
    return Problem(
        question=(
            f"{jars} jars of {jar} g each are packed into crates that hold {room} jars "
            f"and weigh {crate} g when empty. As few crates as possible are used. What "
            "do the jars and these crates weigh together, in grams?"
        ),
        function=load,
        arguments=(jars, room, crate, jar),
    )


def minutes_to_fill(size: int, start: int, inflow: int, leak: int) -> int:
    """Whole minutes after which the tank is full for the first time."""
    return -(-(size - start) // (inflow - leak))


def tank(rng: random.Random) -> Problem:
    """A tank that leaks while it is filled."""
    size, start = rng.randrange(2000, 9000), rng.randrange(50, 900)
    leak = rng.randrange(2, 19)
    inflow = leak + rng.randrange(5, 47)
    return Problem(
        question=(
            f"A tank for {size} litres holds {start} litres. Every minute {inflow} "
            f"litres run in and {leak} litres leak out. After how many whole minutes "
            "is it full for the first time?"
        ),
        function=minutes_to_fill,
        arguments=(size, start, inflow, leak),
    )


def balance(euros: float, percent: float, years: int, fee: int) -> float:
    """Euros in the account after some years of interest and fees."""
    for _ in range(years):
        euros = euros * (1 + percent / 100) - fee
    return round(euros, 2)


def savings(rng: random.Random) -> Problem:
    """Compound interest with a yearly fee."""
    euros, years = rng.randrange(800, 9000, 50), rng.randrange(5, 19)
    percent, fee = rng.randrange(11, 49) / 10, rng.randrange(3, 16)
    return Problem(
        question=(
            f"{rng.choice(_NAMES)} puts {euros} euros into an account. At the end of "
            f"every year {percent}% interest is added, and then a fee of {fee} euros "
            f"is taken. How many euros are there after {years} years? Round to two "
            "decimals, at the very end only."
        ),
        function=balance,
        arguments=(euros, percent, years, fee),
    )


def average_speed(first: int, at: int, second: int, then: int, pause: int) -> float:
    """Kilometres per hour over the whole trip, the pause included."""
    return round((first + second) / (first / at + second / then + pause / 60), 2)


def journey(rng: random.Random) -> Problem:
    """Two stretches and a pause between them."""
    first, second = rng.randrange(20, 190), rng.randrange(20, 260)
    at, then = rng.randrange(28, 75), rng.randrange(76, 130)
    pause = rng.randrange(10, 95, 5)
    return Problem(
        question=(
            f"{rng.choice(_NAMES)} drives {first} km at {at} km/h, rests for {pause} "
            f"minutes, and drives another {second} km at {then} km/h. What is the "
            "average speed in km/h from departure to arrival, the rest included? Round "
            "to two decimals."
        ),
        function=average_speed,
        arguments=(first, at, second, then, pause),
    )


def pay(hours: list[int], wage: int, limit: int, percent: int) -> float:
    """Euros of a week; hours past the daily limit earn more; the wage is in cents."""
    extra = sum(max(0, day - limit) for day in hours)
    cents = sum(hours) * wage + extra * wage * percent / 100
    return round(cents / 100 + 1e-9, 2)


def wages(rng: random.Random) -> Problem:
    """A week with some overtime."""
    hours = [rng.randrange(4, 13) for _ in range(rng.randrange(5, 8))]
    wage, limit = rng.randrange(1250, 3400, 5), rng.choice((7, 8))
    percent = rng.choice((20, 25, 40, 50))
    days = ", ".join(map(str, hours))
    return Problem(
        question=(
            f"{rng.choice(_NAMES)} works {days} hours on the days of one week and "
            f"earns {wage / 100:.2f} euros an hour. Every hour past the {limit}th of a "
            f"day is paid {percent}% more. How many euros does the week bring? Round "
            "to two decimals."
        ),
        function=pay,
        arguments=(hours, wage, limit, percent),
    )


def days_to_read(pages: int, first: int, more: int) -> int:
    """Days until the book is read, each day bringing more pages than the last."""
    days = 0
    while pages > 0:
        pages -= first + days * more
        days += 1
    return days


def reading(rng: random.Random) -> Problem:
    """A book read faster every day."""
    pages, first = rng.randrange(700, 4000), rng.randrange(4, 30)
    more = rng.randrange(2, 9)
    return Problem(
        question=(
            f"{rng.choice(_NAMES)} reads a book of {pages} pages: {first} pages on the "
            f"first day, and on every later day {more} pages more than on the day "
            "before. On which day (1, 2, ...) is the book finished?"
        ),
        function=days_to_read,
        arguments=(pages, first, more),
    )


def tiles(length: int, width: int, side: int, percent: int) -> int:
    """Tiles to buy when what is cut off cannot be used again."""
    needed = -(-length // side) * -(-width // side)
    return -(-needed * (100 + percent) // 100)


def tiling(rng: random.Random) -> Problem:
    """A floor of tiles, with spare ones."""
    length, width = rng.randrange(310, 1900), rng.randrange(210, 1200)
    side, percent = rng.choice((15, 20, 25, 30, 45)), rng.choice((5, 7, 10, 12))
    return Problem(
        question=(
            f"A floor measures {length} cm by {width} cm and is laid with square tiles "
            f"of {side} cm. Tiles may be cut, but what is cut off is thrown away. "
            f"{percent}% of that number are bought in addition, rounded up to a whole "
            "tile. How many tiles are bought in total?"
        ),
        function=tiles,
        arguments=(length, width, side, percent),
    )


def clock_after(start: int, laps: int, lap: int, pause: int) -> str:
    """Time of day, as HH:MM, after laps in minutes with a pause between any two."""
    end = (start + laps * lap + (laps - 1) * pause) % 1440
    return f"{end // 60:02d}:{end % 60:02d}"


def lessons(rng: random.Random) -> Problem:
    """A time of day."""
    start, laps = rng.randrange(360, 1200), rng.randrange(6, 28)
    lap, pause = rng.randrange(17, 56), rng.randrange(3, 16)
    return Problem(
        question=(
            f"A machine starts at {start // 60:02d}:{start % 60:02d} and does {laps} "
            f"runs of {lap} minutes, with {pause} minutes between one run and the "
            "next. At what time of day does the last run end? Answer as HH:MM."
        ),
        function=clock_after,
        arguments=(start, laps, lap, pause),
    )


def share(total: int, parts: list[int], which: int) -> float:
    """Euros of one member when money is split in proportion; the total in cents."""
    return round(total * parts[which] / sum(parts) / 100, 2)


def inheritance(rng: random.Random) -> Problem:
    """Money split in proportion."""
    names = rng.sample(_NAMES, rng.randrange(3, 6))
    parts = [rng.randrange(3, 40) for _ in names]
    total, which = rng.randrange(100_000, 990_000), rng.randrange(len(names))
    told = ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))
    return Problem(
        question=(
            f"{total / 100:.2f} euros are split in proportion to the hours worked: "
            f"{told}. How many euros does {names[which]} get? Round to two decimals."
        ),
        function=share,
        arguments=(total, parts, which),
    )


FAMILIES: tuple[Callable[[random.Random], Problem], ...] = (
    bakery,
    packing,
    tank,
    savings,
    journey,
    wages,
    reading,
    tiling,
    lessons,
    inheritance,
)
"""Makers of problems, each from a generator of its own."""
