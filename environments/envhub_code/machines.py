"""Level 4: functions that follow rules step by step, to be written by the agent."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from envhub_code.problems import Exercise

__all__ = ["FAMILIES"]


def join_intervals(intervals: list[list[int]], gap: int, least: int) -> list[list[int]]:
    """Join intervals at most a gap apart; those that stay too short are dropped."""
    joined: list[list[int]] = []
    for low, high in sorted(intervals):
        if joined and low - joined[-1][1] <= gap:
            joined[-1][1] = max(joined[-1][1], high)
        else:
            joined.append([low, high])
    return [[low, high] for low, high in joined if high - low >= least]


def intervals(rng: random.Random) -> Exercise:
    """Intervals to be joined across small gaps."""
    gap, least = rng.randrange(1, 9), rng.randrange(3, 9)

    def case() -> tuple[list[list[int]]]:
        starts = [rng.randrange(90) for _ in range(rng.randrange(3, 9))]
        return ([[start, start + rng.randrange(1, 12)] for start in starts],)

    return Exercise.draw(
        "solve(intervals) gets a list of [low, high] with low < high, in any order. It "
        "joins two of them when they overlap or when the next one begins at most "
        f"{gap} after the end of the one before, drops what is shorter than {least} "
        "after that, and returns the remaining [low, high] in ascending order.",
        join_intervals,
        {"gap": gap, "least": least},
        case,
    )


def read_spiral(grid: list[list[int]], first: str, every: int) -> list[int]:
    """Every so many-th number along a spiral inwards, from the top left corner."""
    if first == "down":
        grid = [list(row) for row in zip(*grid, strict=True)]
    out: list[int] = []
    while grid:
        out += grid[0]
        grid = [list(row) for row in zip(*grid[1:], strict=True)][::-1]
    return out[::every]


def spiral(rng: random.Random) -> Exercise:
    """A spiral one way or the other, and every so many-th number of it."""
    first, every = rng.choice(("right", "down")), rng.randrange(2, 12)

    def case() -> tuple[list[list[int]]]:
        width, height = rng.randrange(3, 7), rng.randrange(3, 7)
        return ([[rng.randrange(100) for _ in range(width)] for _ in range(height)],)

    return Exercise.draw(
        "solve(grid) gets a list of rows of equal length. Read the numbers along a "
        f"spiral inwards that begins in the top left corner and goes {first} first; "
        f"return a list of the 1st, the {every + 1}th, the {2 * every + 1}th number "
        f"and so on, always {every} further.",
        read_spiral,
        {"first": first, "every": every},
        case,
    )


def run_stack(program: str, names: dict[str, str], modulus: int) -> list[int]:
    """Run a program of a small stack machine; what is on its stack at the end."""
    stack: list[int] = []
    meaning = {word: what for what, word in names.items()}
    for word in program.split():
        what = meaning.get(word, "push")
        if what == "push":
            stack.append(int(word) % modulus)
        elif what == "copy":
            stack.append(stack[-1])
        elif what == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        else:
            top, below = stack.pop(), stack.pop()
            result = below + top if what == "add" else below * top
            stack.append(result % modulus)
    return stack


def stack_machine(rng: random.Random) -> Exercise:
    """A machine whose words are its own."""
    words = rng.sample(
        ("plus", "mul", "flip", "twin", "join", "scale", "turn", "dup"), 4
    )
    operations = ("add", "multiply", "swap", "copy")
    names = dict[str, str](zip(operations, words, strict=True))
    modulus = rng.choice((97, 101, 256, 1000))

    def case() -> tuple[str]:
        program, depth = [str(rng.randrange(300)), str(rng.randrange(300))], 2
        for _ in range(rng.randrange(5, 16)):
            what = rng.choice(("push", "push", *names))
            if what in ("add", "multiply", "swap") and depth < 2:
                what = "copy"
            depth += {"push": 1, "copy": 1, "swap": 0}.get(what, -1)
            program.append(names.get(what) or str(rng.randrange(300)))
        return (" ".join(program),)

    return Exercise.draw(
        "solve(program) runs a program for a stack machine and returns the list of "
        f"numbers on the stack at its end, bottom first. All numbers are taken modulo "
        f"{modulus}. The words of a program are separated by spaces: a number is put "
        f"on the stack; {names['add']} replaces the two topmost numbers by their sum, "
        f"{names['multiply']} by their product; {names['swap']} exchanges the two "
        f"topmost; {names['copy']} puts a copy of the topmost on top.",
        run_stack,
        {"names": names, "modulus": modulus},
        case,
    )


def settle_accounts(moves: list[list[Any]], fee: int, floor: int) -> dict[str, int]:
    """Balances after moves of money, those that cannot be paid for being left out."""
    balance: dict[str, int] = {}
    for kind, who, amount, *rest in moves:
        if kind == "in":
            balance[who] = balance.get(who, 0) + amount
        elif balance.get(who, 0) - amount - fee >= floor:
            balance[who] = balance.get(who, 0) - amount - fee
            if rest:
                balance[rest[0]] = balance.get(rest[0], 0) + amount
    return balance


def accounts(rng: random.Random) -> Exercise:
    """A small bank."""
    fee, floor = rng.randrange(1, 9), -rng.randrange(0, 60, 10)
    names = ("kim", "lea", "max", "nia")

    def case() -> tuple[list[list[Any]]]:
        moves: list[list[Any]] = [["in", rng.choice(names), rng.randrange(20, 90)]]
        for _ in range(rng.randrange(3, 9)):
            who, other = rng.sample(names, 2)
            kind = rng.choice(("in", "out", "send", "send"))
            move = [kind, who, rng.randrange(5, 90)]
            moves.append([*move, other] if kind == "send" else move)
        return (moves,)

    return Exercise.draw(
        "solve(moves) keeps the accounts of a small bank, all of which begin at 0. A "
        'move is ["in", who, amount], ["out", who, amount] or ["send", who, amount, '
        f"to]. Taking out and sending cost a fee of {fee}, paid by who in addition to "
        f"the amount; a move that would bring who below {floor} is skipped as a whole. "
        "Return a dictionary from name to balance, with every name to whom or from "
        "whom a move that was not skipped went.",
        settle_accounts,
        {"fee": fee, "floor": floor},
        case,
    )


def next_generation(rows: list[str], born: list[int], stays: list[int]) -> list[str]:
    """One step of a cellular automaton on a grid whose edges meet."""
    height, width = len(rows), len(rows[0])
    out = []
    for r in range(height):
        line = ""
        for c in range(width):
            alive = sum(
                rows[(r + dr) % height][(c + dc) % width] == "#"
                for dr in (-1, 0, 1)
                for dc in (-1, 0, 1)
                if dr or dc
            )
            line += "#" if alive in (stays if rows[r][c] == "#" else born) else "."
        out.append(line)
    return out


def automaton(rng: random.Random) -> Exercise:
    """Cells that live and die by rules of their own."""
    born = sorted(rng.sample((2, 3, 4, 5, 6), 2))
    stays = sorted(rng.sample((1, 2, 3, 4, 5), 3))

    def case() -> tuple[list[str]]:
        width = rng.randrange(4, 8)
        return (
            [
                "".join(rng.choice("#..") for _ in range(width))
                for _ in range(rng.randrange(3, 7))
            ],
        )

    return Exercise.draw(
        "solve(rows) computes one step of a cellular automaton. A row is a string of # "
        "(alive) and . (dead); every cell has eight neighbours, and the left edge "
        "meets the right one, the top the bottom. A dead cell comes alive when it has "
        f"{born[0]} or {born[1]} living neighbours; a living one stays alive when it "
        f"has {stays[0]}, {stays[1]} or {stays[2]}. Return the new rows.",
        next_generation,
        {"born": born, "stays": stays},
        case,
    )


FAMILIES: tuple[Callable[[random.Random], Exercise], ...] = (
    intervals,
    spiral,
    stack_machine,
    accounts,
    automaton,
)
"""Makers of exercises, each from a generator of its own."""
