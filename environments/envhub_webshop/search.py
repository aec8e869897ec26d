"""Keyword search as Lucene ranks it: BM25 over an index that fits in memory.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
in the form that Lucene 8 and later compute:

    score(q, d) = sum over terms t of q:  n(t, q) * idf(t) * tf / (tf + K(d))
    idf(t)      = ln(1 + (N - df + 0.5) / (df + 0.5))
    K(d)        = k1 * (1 - b + b * len(d) / average length)

with k1 = 0.9 and b = 0.4, Anserini's defaults. As in Lucene, a document's length is
kept in one byte, which rounds lengths above 40 down, and equal scores are ordered by
document id. Text is split at Unicode's word boundaries, put in lower case, stripped of
possessive 's and of 33 stop words, and stemmed by Porter.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable

from envhub_webshop.stem import stem

__all__ = ["Index", "byte_length", "terms"]

K1 = 0.9
B = 0.4
_STOP_WORDS = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into",
    "is", "it", "no", "not", "of", "on", "or", "such", "that", "the", "their", "then",
    "there", "these", "they", "this", "to", "was", "will", "with",
))  # fmt: skip
# Unicode's word boundaries (UAX 29) as far as Lucene's tokenizer makes terms of them: a
# word may go on after a mark that stands between two letters or between two digits;
# an ideograph or hiragana and a pictograph is a term of its own.
_ALONE = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3040-\u309f\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff"
)
_BETWEEN_BOTH = "'.\u2018\u2019\u2024\ufe52\uff07\uff0e"
_BETWEEN_LETTERS = _BETWEEN_BOTH + ":\u00b7\u0387\u05f4\u2027\ufe13\ufe55\uff1a"
_BETWEEN_DIGITS = (
    _BETWEEN_BOTH
    + ",;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54"
    "\uff0c\uff1b"
)
_PICTOGRAPHS = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf"
    "\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605"
    "\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271d\u2721\u2728"
    "\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797"
    "\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d"
    "\u3297\u3299\U0001f000-\U0001faff"
)


def _word_pattern() -> re.Pattern[str]:
    char = rf"[^\W{_ALONE}]"
    letter = rf"[^\W\d_{_ALONE}]"
    more = (
        rf"(?:(?<=\d)[{_BETWEEN_DIGITS}](?=\d){char}+"
        rf"|(?<={letter})[{_BETWEEN_LETTERS}](?={letter}){char}+)*"
    )
    return re.compile(rf"{char}+{more}|[{_ALONE}]|[{_PICTOGRAPHS}]")


_WORD = _word_pattern()


def terms(text: str) -> list[str]:
    """The terms of a text, in order, as index and queries have them."""
    found: list[str] = []
    for word in _WORD.findall(text):
        word = word.lower().removesuffix("'s").removesuffix("’s")
        if word.strip("_") and word not in _STOP_WORDS:
            found.append(stem(word))
    return found


def byte_length(length: int) -> int:
    """A length as Lucene's one-byte norm gives it back: exact below 40, then floored.

    Of what exceeds 24, four significant bits are kept.
    """
    if length < 24:
        return length
    rest = length - 24
    shift = max(0, rest.bit_length() - 4)
    return 24 + (rest >> shift << shift)


class Index:
    """An inverted index; read-only after it is made.

    Args:
        documents: Pairs of id and text.
    """

    __slots__ = ("_ids", "_postings", "_rank")

    def __init__(self, documents: Iterable[tuple[str, str]]) -> None:
        pairs = list(documents)
        self._ids = [id for id, _ in pairs]
        # Where a document stands among equals.
        order = sorted(range(len(pairs)), key=self._ids.__getitem__)
        self._rank = {place: rank for rank, place in enumerate(order)}
        counts = [Counter(terms(text)) for _, text in pairs]
        self._postings = _postings(counts)

    def __len__(self) -> int:
        return len(self._ids)

    def search(self, query: str, most: int = 50) -> list[tuple[str, float]]:
        """The best documents with their scores, best first."""
        scores: dict[int, float] = {}
        for term, times in Counter(terms(query)).items():
            for place, weight in self._postings.get(term, ()):
                scores[place] = scores.get(place, 0.0) + times * weight
        least = heapq.nlargest(most, scores.values())[-1:] or [0.0]
        # Rounded, so that the order of a sum decides nothing.
        found = sorted(
            (-round(score, 6), self._rank[place], self._ids[place])
            for place, score in scores.items()
            if score > least[0] - 1e-5
        )
        return [(id, -score) for score, _, id in found[:most]]


def _postings(counts: list[Counter[str]]) -> dict[str, list[tuple[int, float]]]:
    total = sum(count.total() for count in counts)
    average = total / len(counts) if counts else 1.0
    found: dict[str, list[tuple[int, float]]] = {}
    for place, count in enumerate(counts):
        length = byte_length(count.total())
        damping = K1 * (1 - B + B * length / average) if average else K1
        for term, times in count.items():
            found.setdefault(term, []).append((place, times / (times + damping)))
    for term, posting in found.items():
        frequency = len(posting)
        idf = math.log(1 + (len(counts) - frequency + 0.5) / (frequency + 0.5))
        found[term] = [(place, idf * share) for place, share in posting]
    return found
