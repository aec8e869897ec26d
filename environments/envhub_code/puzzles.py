"""Level 2: numbers, strings and lists; too long to do by hand, short as code."""

from __future__ import annotations

import random
from collections.abc import Callable

from envhub_code.problems import Problem

__all__ = ["FAMILIES"]


def sum_of_primes(low: int, high: int, ending: int) -> int:
    """Sum of the primes of a range whose last digit is given."""
    sieve = bytearray([1]) * (high + 1)
    for p in range(2, int(high**0.5) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, high + 1, p)))
    return sum(n for n in range(low, high + 1) if sieve[n] and n % 10 == ending)


def primes(rng: random.Random) -> Problem:
    """Primes with a given last digit."""
    low = rng.randrange(100, 9000)
    high = low + rng.randrange(2000, 30_000)
    ending = rng.choice((1, 3, 7, 9))
    return Problem(
        question=(
            f"What is the sum of all primes p with {low} <= p <= {high} whose last "
            f"decimal digit is {ending}?"
        ),
        function=sum_of_primes,
        arguments=(low, high, ending),
    )


def count_multiples(limit: int, some: list[int], never: int) -> int:
    """Numbers that one of `some` divides and `never` does not."""
    return sum(
        1 for n in range(1, limit + 1) if n % never and any(n % d == 0 for d in some)
    )


def multiples(rng: random.Random) -> Problem:
    """Divisible by these, but not by that."""
    some = sorted(rng.sample((3, 4, 6, 7, 9, 11, 13, 14, 17), 3))
    never = rng.choice((5, 8, 10, 19, 23))
    limit = rng.randrange(4_000, 60_000)
    return Problem(
        question=(
            f"How many whole numbers from 1 to {limit} are divisible by {some[0]}, "
            f"{some[1]} or {some[2]} (or several of these), but not by {never}?"
        ),
        function=count_multiples,
        arguments=(limit, some, never),
    )


def last_digits(base: int, exponent: int, digits: int) -> int:
    """The last digits of a power, read as a number."""
    power: int = pow(base, exponent, 10**digits)
    return power


def powers(rng: random.Random) -> Problem:
    """The end of a huge power."""
    base, exponent = rng.randrange(12, 99), rng.randrange(1000, 90_000)
    digits = rng.choice((6, 7, 8))
    return Problem(
        question=(
            f"What remains when {base} to the power of {exponent} is divided by "
            f"10 to the power of {digits}?"
        ),
        function=last_digits,
        arguments=(base, exponent, digits),
    )


def longest_chain(limit: int, factor: int) -> int:
    """The start below a limit from which the chain down to 1 takes most steps."""
    best, record = 1, 0
    for start in range(1, limit):
        n, steps = start, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else (factor * n + 1) // 2
            steps += 1
        if steps > record:
            best, record = start, steps
    return best


def chains(rng: random.Random) -> Problem:
    """A variant of a famous sequence."""
    limit = rng.randrange(900, 9000)
    return Problem(
        question=(
            "A chain goes from n to n/2 when n is even and to (3n+1)/2 when n is odd, "
            f"and stops at 1. Which start below {limit} takes the most steps to reach "
            "1? If several do, give the smallest."
        ),
        function=longest_chain,
        arguments=(limit, 3),
    )


def count_palindromes(low: int, high: int, base: int) -> int:
    """Numbers of a range that read the same from both ends in a base."""
    count = 0
    for n in range(low, high + 1):
        digits = []
        while n:
            digits.append(n % base)
            n //= base
        count += digits == digits[::-1]
    return count


def palindromes(rng: random.Random) -> Problem:
    """Palindromes in a base of their own."""
    base, low = rng.randrange(2, 10), rng.randrange(100, 5000)
    high = low + rng.randrange(5000, 60_000)
    return Problem(
        question=(
            f"How many whole numbers n with {low} <= n <= {high} read the same "
            f"forwards and backwards when written in base {base}?"
        ),
        function=count_palindromes,
        arguments=(low, high, base),
    )


def count_inversions(seed: int, factor: int, plus: int, modulus: int, n: int) -> int:
    """Pairs that stand in the wrong order in a sequence made by a rule."""
    values = []
    for _ in range(n):
        values.append(seed)
        seed = (seed * factor + plus) % modulus
    return sum(values[i] > values[j] for i in range(n) for j in range(i + 1, n))


def inversions(rng: random.Random) -> Problem:
    """A sequence made by a rule, and how unsorted it is."""
    modulus, n = rng.randrange(800, 5000), rng.randrange(120, 600)
    start, factor = rng.randrange(1, 500), rng.randrange(11, 400)
    plus = rng.randrange(1, 300)
    return Problem(
        question=(
            f"A list of {n} numbers begins with {start}; every further number is the "
            f"one before it times {factor}, plus {plus}, modulo {modulus}. How many "
            "pairs of positions i < j are there at which the number at i is larger "
            "than the number at j?"
        ),
        function=count_inversions,
        arguments=(start, factor, plus, modulus, n),
    )


def count_substrings(text: str, length: int) -> int:
    """Different substrings of a length."""
    return len({text[i : i + length] for i in range(len(text) - length + 1)})


def substrings(rng: random.Random) -> Problem:
    """Different pieces of a text."""
    letters = "".join(rng.sample("abcdefghknrt", rng.randrange(2, 5)))
    text = "".join(rng.choices(letters, k=rng.randrange(90, 180)))
    length = rng.randrange(3, 6)
    return Problem(
        question=(
            f"How many different substrings of length {length} does this text have?\n"
            f"{text}"
        ),
        function=count_substrings,
        arguments=(text, length),
    )


def rarest_word(text: str) -> str:
    """The word that occurs least often; the first in the alphabet among equals."""
    words = text.split()
    return min(sorted(set(words)), key=words.count)


def words(rng: random.Random) -> Problem:
    """A text of made-up words."""
    syllables = ("ba", "lo", "mi", "ne", "ru", "ta", "ve", "zo", "ki", "su")
    known = sorted({"".join(rng.choices(syllables, k=3)) for _ in range(14)})
    text = " ".join(rng.choices(known, k=rng.randrange(90, 150)))
    return Problem(
        question=(
            "Which word occurs least often in this text (at least once)? Among equals, "
            f"give the first in alphabetical order.\n{text}"
        ),
        function=rarest_word,
        arguments=(text,),
    )


def ways_to_pay(total: int, coins: list[int]) -> int:
    """Ways to pay a sum, the order of the coins not counting."""
    ways = [1] + [0] * total
    for coin in coins:
        for value in range(coin, total + 1):
            ways[value] += ways[value - coin]
    return ways[total]


def change(rng: random.Random) -> Problem:
    """Ways to pay."""
    coins = sorted({1, *rng.sample((2, 3, 4, 5, 7, 8, 10, 12, 15, 20, 25), 4)})
    total = rng.randrange(80, 600)
    return Problem(
        question=(
            f"In how many ways can {total} be paid with coins of "
            f"{', '.join(map(str, coins))}? There are enough coins of every kind, and "
            "their order does not matter."
        ),
        function=ways_to_pay,
        arguments=(total, coins),
    )


def count_paths(rows: int, columns: int, blocked: list[list[int]]) -> int:
    """Ways through a grid, going right and down around blocked cells."""
    ways = [[0] * columns for _ in range(rows)]
    for r in range(rows):
        for c in range(columns):
            if [r, c] in blocked:
                continue
            if r == c == 0:
                ways[r][c] = 1
            else:
                ways[r][c] = (r and ways[r - 1][c]) + (c and ways[r][c - 1])
    return ways[-1][-1]


def paths(rng: random.Random) -> Problem:
    """Paths through a grid with holes."""
    rows, columns = rng.randrange(7, 14), rng.randrange(7, 14)
    inner = [[r, c] for r in range(1, rows - 1) for c in range(1, columns - 1)]
    blocked = sorted(rng.sample(inner, 6))
    holes = ", ".join(f"({r}, {c})" for r, c in blocked)
    return Problem(
        question=(
            f"A grid has {rows} rows and {columns} columns, both numbered from 0. How "
            f"many ways lead from (0, 0) to ({rows - 1}, {columns - 1}) when every "
            f"step goes one cell right or one cell down and the cells {holes} (row, "
            "column) may not be entered?"
        ),
        function=count_paths,
        arguments=(rows, columns, blocked),
    )


def best_run(values: list[int], length: int) -> list[int]:
    """First index and sum of the run of a given length with the largest sum."""
    sums = [sum(values[i : i + length]) for i in range(len(values) - length + 1)]
    best = max(sums)
    return [sums.index(best), best]


def runs(rng: random.Random) -> Problem:
    """A window over a list."""
    values = [rng.randrange(-60, 90) for _ in range(rng.randrange(50, 90))]
    length = rng.randrange(5, 14)
    return Problem(
        question=(
            f"Among all runs of {length} neighbours in this list, which has the "
            "largest sum? Answer with the index of its first element (counted from 0; "
            f"the smallest if several) and the sum, separated by a comma.\n{values}"
        ),
        function=best_run,
        arguments=(values, length),
    )


FAMILIES: tuple[Callable[[random.Random], Problem], ...] = (
    primes,
    multiples,
    powers,
    chains,
    palindromes,
    inversions,
    substrings,
    words,
    change,
    paths,
    runs,
)
"""Makers of problems, each from a generator of its own."""
