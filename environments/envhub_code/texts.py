"""Level 4: functions of a text, to be written by the agent."""

from __future__ import annotations

import random
from collections.abc import Callable

from envhub_code.problems import Exercise

__all__ = ["FAMILIES"]

_SYLLABLES = ("an", "be", "cor", "du", "el", "fa", "gir", "ho", "it", "jo", "ka", "lu")


def _words(rng: random.Random, count: int) -> list[str]:
    return [
        "".join(rng.choices(_SYLLABLES, k=rng.randrange(1, 4))) for _ in range(count)
    ]


def shorten_runs(text: str, least: int, mark: str, order: str) -> str:
    """Write runs of at least `least` equal characters as count, mark, character."""
    out, i = "", 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        parts = {"count": str(j - i), "character": text[i]}
        first, second = order.split()
        short = parts[first] + mark + parts[second]
        out += short if j - i >= least else text[i:j]
        i = j
    return out


def run_lengths(rng: random.Random) -> Exercise:
    """Run lengths, from a certain length on."""
    least, mark = rng.randrange(3, 6), rng.choice("*#~:^!")
    order = rng.choice(("count character", "character count"))
    told = {
        "count character": f"the number n, then {mark!r}, then the character once",
        "character count": f"the character once, then {mark!r}, then the number n",
    }
    return Exercise.draw(
        f"solve(text) shortens runs of equal characters: every longest run of n >= "
        f"{least} equal characters is replaced by {told[order]}. Shorter runs stay as "
        "they are.",
        shorten_runs,
        {"least": least, "mark": mark, "order": order},
        lambda: (
            "".join(
                rng.choice("abcdxy") * rng.randrange(1, 9)
                for _ in range(rng.randrange(2, 8))
            ),
        ),
    )


def shift_letters(text: str, by: int, every: int) -> str:
    """Shift every so many-th letter along the alphabet, counting letters alone."""
    out, count = "", 0
    for c in text:
        if "a" <= c <= "z":
            count += 1
            if count % every == 0:
                c = chr((ord(c) - 97 + by) % 26 + 97)
        out += c
    return out


def cipher(rng: random.Random) -> Exercise:
    """A cipher that touches some of the letters."""
    by, every = rng.randrange(2, 25), rng.randrange(2, 5)
    return Exercise.draw(
        f"solve(text) moves every {('', '', 'second', 'third', 'fourth')[every]} "
        f"letter of the text {by} places along the alphabet a-z, going on at a after "
        "z. Only the letters a-z count and move; everything else stays and is not "
        "counted.",
        shift_letters,
        {"by": by, "every": every},
        lambda: (rng.choice((" ", "-", ", ")).join(_words(rng, rng.randrange(2, 7))),),
    )


def top_words(text: str, count: int, least: int, ties: str) -> list[list[str | int]]:
    """The most frequent words of a least length, with how often they occur."""
    words = [word for word in text.lower().split() if len(word) >= least]
    known = list(dict.fromkeys(words))
    if ties != "place":
        known.sort(reverse=ties == "backwards")
    known.sort(key=words.count, reverse=True)
    return [[word, words.count(word)] for word in known[:count]]


def frequencies(rng: random.Random) -> Exercise:
    """Frequent words."""
    count, least = rng.randrange(2, 5), rng.randrange(2, 6)
    ties = rng.choice(("alphabet", "backwards", "place"))
    told = {
        "alphabet": "the first in alphabetical order comes first",
        "backwards": "the last in alphabetical order comes first",
        "place": "the one that occurs first in the text comes first",
    }

    def case() -> tuple[str]:
        known = _words(rng, 7)
        chosen = [rng.choice(known) for _ in range(rng.randrange(9, 24))]
        return (" ".join(w.title() if rng.random() < 0.3 else w for w in chosen),)

    return Exercise.draw(
        f"solve(text) returns the {count} most frequent words of a text (fewer, if "
        "there are fewer) as a list of [word, times], in lower case. Words are "
        f"separated by spaces, letter case is ignored, words of fewer than {least} "
        f"letters are left out. The most frequent comes first; among "
        f"equals, {told[ties]}.",
        top_words,
        {"count": count, "least": least, "ties": ties},
        case,
    )


def first_fault(text: str, pairs: dict[str, str]) -> list[int]:
    """Index of the first wrong bracket (-1 for none) and the greatest depth."""
    opened: list[str] = []
    deepest = 0
    for i, c in enumerate(text):
        if c in pairs:
            opened.append(c)
            deepest = max(deepest, len(opened))
        elif c in pairs.values() and (not opened or pairs[opened.pop()] != c):
            return [i, deepest]
    return [len(text) if opened else -1, deepest]


def brackets(rng: random.Random) -> Exercise:
    """Brackets of several kinds."""
    kinds = rng.sample((("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("/", "\\")), 3)
    pairs = dict(kinds)

    def nested(depth: int) -> str:
        opening, closing = rng.choice(kinds)
        inner = nested(depth - 1) if depth > 1 else rng.choice(("", "ab", "x"))
        return f"{opening}{inner}{closing}{nested(1) if rng.random() < 0.4 else ''}"

    def case() -> tuple[str]:
        text = nested(rng.randrange(1, 9)) + nested(rng.randrange(1, 5))
        at = rng.randrange(len(text))
        spoilt = text[:at] + rng.choice(("", rng.choice(kinds)[1])) + text[at + 1 :]
        return (spoilt if rng.random() < 0.8 else text,)

    told = ", ".join(f"{a} with {b}" for a, b in kinds)
    return Exercise.draw(
        f"solve(text) checks brackets. These belong together: {told}; all other "
        "characters are ignored. It returns [where, depth]: where is the index of the "
        "first closing bracket that does not fit, the length of the text if it ends "
        "with brackets still open, and -1 if all is well; depth is the largest number "
        "of brackets that were open at once up to there.",
        first_fault,
        {"pairs": pairs},
        case,
    )


def group_digits(number: int, size: int, mark: str, width: int) -> str:
    """Write a number with a mark between groups of digits, padded on the left."""
    digits = str(abs(number))
    groups: list[str] = []
    while digits:
        groups.insert(0, digits[-size:])
        digits = digits[:-size]
    return (("-" if number < 0 else "") + mark.join(groups)).rjust(width, ".")


def grouping(rng: random.Random) -> Exercise:
    """Numbers in groups."""
    size, mark = rng.randrange(2, 6), rng.choice("_' |")
    width = rng.randrange(12, 19)
    return Exercise.draw(
        "solve(number) writes a whole number in decimal digits, with the character "
        f"{mark!r} between groups of {size} digits counted from the right, a minus "
        "sign in front if it is negative, and as many dots before all this as are "
        f"needed to make it {width} characters long (none if it is longer already).",
        group_digits,
        {"size": size, "mark": mark, "width": width},
        lambda: (rng.choice((1, 1, -1)) * rng.randrange(10 ** rng.randrange(1, 14)),),
    )


def wrap_words(text: str, width: int, mark: str) -> list[str]:
    """Fill lines with words; a word that is too long is cut, with a mark."""
    lines, line = [], ""
    for word in text.split():
        while len(word) > width:
            if line:
                lines.append(line)
                line = ""
            lines.append(word[: width - 1] + mark)
            word = word[width - 1 :]
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines


def wrapping(rng: random.Random) -> Exercise:
    """Lines of a width."""
    width, mark = rng.randrange(6, 13), rng.choice("-+=")

    def case() -> tuple[str]:
        text = " ".join(_words(rng, rng.randrange(3, 10)))
        return (text.replace(" ", "", rng.randrange(0, 4)),)

    return Exercise.draw(
        f"solve(text) breaks a text into a list of lines of at most {width} "
        "characters. Words are separated by spaces; a line takes as many whole words "
        f"as fit, with one space between them. A word of more than {width} characters "
        f"always starts on a new line: its first {width - 1} characters and the "
        f"character {mark!r} make a line, and what remains of it is "
        "treated as a word in its turn.",
        wrap_words,
        {"width": width, "mark": mark},
        case,
    )


def to_alphabet(number: int, alphabet: str, width: int) -> str:
    """Write a number with digits of one's own, padded to a width."""
    out = ""
    while number:
        number, digit = divmod(number, len(alphabet))
        out = alphabet[digit] + out
    return out.rjust(width, alphabet[0])


def numerals(rng: random.Random) -> Exercise:
    """Numerals of one's own."""
    alphabet = "".join(rng.sample("abcdefghijkmnpqrstuvwxyz", rng.randrange(3, 8)))
    width = rng.randrange(3, 6)
    return Exercise.draw(
        f"solve(number) writes a whole number >= 0 in base {len(alphabet)} with the "
        f"letters of {alphabet!r} as digits ({alphabet[0]} is zero, {alphabet[1]} is "
        f"one, and so on), and puts as many {alphabet[0]} in front as are needed to "
        f"make it {width} letters long.",
        to_alphabet,
        {"alphabet": alphabet, "width": width},
        lambda: (rng.randrange(10 ** rng.randrange(1, 8)),),
    )


FAMILIES: tuple[Callable[[random.Random], Exercise], ...] = (
    run_lengths,
    cipher,
    frequencies,
    brackets,
    grouping,
    wrapping,
    numerals,
)
"""Makers of exercises, each from a generator of its own."""
