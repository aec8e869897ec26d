"""English grammar, as much of it as the names of goods need."""

from __future__ import annotations

__all__ = ["is_plural", "with_article"]

_PLURALS = frozenset((
    "bands", "beans", "boots", "clogs", "crackers", "earbuds", "flats", "gloves",
    "goggles", "jeans", "leggings", "loafers", "notes", "pens", "poles", "sandals",
    "shoes", "slippers", "sneakers", "treats", "trunks", "wipes",
))  # fmt: skip
_UNCOUNTED = frozenset((
    "balm", "cream", "granola", "litter", "lotion", "mix", "powder", "sauce", "serum",
    "shampoo", "sunscreen", "tea",
))  # fmt: skip


def is_plural(name: str) -> bool:
    """Whether a kind of goods is told in the plural: running shoes."""
    return name.split()[-1] in _PLURALS


def with_article(name: str) -> str:
    """The name as it stands in a sentence: an oat bar, some tea, running shoes."""
    last = name.split()[-1]
    if last in _PLURALS:
        return name
    if last in _UNCOUNTED:
        return f"some {name}"
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"
