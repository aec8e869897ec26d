"""The Porter stemmer: `connected`, `connecting` and `connections` become `connect`.

M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two
departures of the author's own reference program (``-bli`` and ``-logi`` in step 2),
which is also what Lucene's English analyser applies.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["stem"]

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"),
    ("izer", "ize"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
    ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"),
    ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def _shape(word: str) -> str:
    """The word's pattern of vowels (v) and consonants (c)."""
    shape = ""
    for place, char in enumerate(word):
        vowel = char in "aeiou" or (char == "y" and place > 0 and shape[-1] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Counts the changes from vowel to consonant, Porter's m."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _ends_cvc(word: str) -> bool:
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word and _has_vowel(root):
            return _repaired(root)
    return word


def _repaired(root: str) -> str:
    """Mend what ``-ed`` or ``-ing`` leaves: `hopp` becomes `hop`, `fil` `file`."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if _ends_double(root) and root[-1] not in "lsz":
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _ends_cvc(root) else root


def _y_to_i(word: str) -> str:
    if word.endswith("y") and _has_vowel(word[:-1]):
        return word[:-1] + "i"
    return word


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, new in table:
        if word.endswith(ending):
            root = word.removesuffix(ending)
            return root + new if _measure(root) > 0 else word
    return word


def _without_suffix(word: str) -> str:
    ending = max((end for end in _STEP_4 if word.endswith(end)), key=len, default="")
    root = word.removesuffix(ending)
    if ending in ("sion", "tion"):
        root += ending[0]
    return root if ending and _measure(root) > 1 else word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        measure = _measure(root)
        if measure > 1 or (measure == 1 and not _ends_cvc(root)):
            word = root
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case word; very short and absurdly long ones stay."""
    if not 2 < len(word) < 100:
        return word
    word = _y_to_i(_past(_plural(word)))
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _tidied(_without_suffix(word))
