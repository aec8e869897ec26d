"""The web shop's search: terms, stems, ranking."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub_webshop.env import shop
from envhub_webshop.search import Index, byte_length, terms
from envhub_webshop.stem import stem

# Examples of the steps in M. F. Porter's paper of 1980.
PORTER = {
    "caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress",
    "cats": "cat", "feed": "feed", "plastered": "plaster",
    "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat",
    "troubled": "troubl", "sized": "size", "hopping": "hop", "tanned": "tan",
    "falling": "fall", "hissing": "hiss", "fizzed": "fizz", "failing": "fail",
    "filing": "file", "happy": "happi", "sky": "sky", "relational": "relat",
    "conditional": "condit", "rational": "ration", "valenci": "valenc",
    "digitizer": "digit", "radicalli": "radic", "vietnamization": "vietnam",
    "operator": "oper", "feudalism": "feudal", "decisiveness": "decis",
    "hopefulness": "hope", "callousness": "callous", "formaliti": "formal",
    "sensitiviti": "sensit", "sensibiliti": "sensibl", "triplicate": "triplic",
    "formative": "form", "formalize": "formal", "electriciti": "electr",
    "electrical": "electr", "hopeful": "hope", "goodness": "good", "revival": "reviv",
    "allowance": "allow", "inference": "infer", "airliner": "airlin",
    "gyroscopic": "gyroscop", "adjustable": "adjust", "defensible": "defens",
    "irritant": "irrit", "replacement": "replac", "adjustment": "adjust",
    "dependent": "depend", "adoption": "adopt", "homologou": "homolog",
    "angulariti": "angular",
    "homologous": "homolog", "effective": "effect", "bowdlerize": "bowdler",
    "probate": "probat", "rate": "rate", "cease": "ceas",
    "roll": "roll",
}  # fmt: skip


@pytest.mark.parametrize(("word", "root"), PORTER.items())
def test_words_are_stemmed_as_porter_did(word: str, root: str) -> None:
    assert stem(word) == root


def test_short_and_absurdly_long_words_stay() -> None:
    assert stem("as") == "as"
    assert stem("s" * 1000) == "s" * 1000


@given(st.text())
def test_any_text_has_terms(text: str) -> None:
    assert all(terms(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The dog's bed, and a mat", ["dog", "bed", "mat"]),
        ("It's 1,000.5 V or 12:30", ["1,000.5", "v", "12", "30"]),
        ("slip-on shoes/boots", ["slip", "shoe", "boot"]),
        (
            "size:big _ __ snake_case",
            ["size:big", "snake_cas"],
        ),
        ("warm ❤ 綿", ["warm", "❤", "綿"]),
        ("", []),
    ],
)
def test_text_is_split_where_unicode_says(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_lengths_are_rounded_as_one_byte_keeps_them() -> None:
    assert [byte_length(n) for n in (0, 23, 39, 40, 41, 42, 55, 56, 59, 60)] == [
        0, 23, 39, 40, 40, 42, 54, 56, 56, 60,
    ]  # fmt: skip


def test_a_score_is_what_the_formula_says() -> None:
    index = Index([("a", "red shoe"), ("b", "blue shoe shoe"), ("c", "green hat")])
    scores = dict(index.search("shoes"))
    # N = 3, df = 2, average length 7/3; k1 = 0.9, b = 0.4.
    assert scores == {
        "a": pytest.approx(0.470004 * 1 / (1 + 0.9 * (0.6 + 0.4 * 6 / 7)), abs=1e-5),
        "b": pytest.approx(0.470004 * 2 / (2 + 0.9 * (0.6 + 0.4 * 9 / 7)), abs=1e-5),
    }


def test_equals_are_ordered_by_id_and_lists_are_cut() -> None:
    index = Index([("c", "mug"), ("a", "mug"), ("b", "mug"), ("d", "cup")])
    assert [id for id, _ in index.search("mug", 2)] == ["a", "b"]
    assert index.search("spoon") == []
    assert Index([]).search("mug") == []
    assert len(index) == 4


def test_a_repeated_word_counts_as_often() -> None:
    index = Index([("a", "red"), ("b", "blue")])
    ((_, once),) = index.search("red")
    ((_, twice),) = index.search("red red")
    assert twice == pytest.approx(2 * once, abs=1e-5)


def test_every_product_is_found_first_by_its_title() -> None:
    for product in shop().catalogue:
        assert shop().find(product.name)[0] is product


def document(item: dict[str, Any]) -> tuple[str, str]:
    """A record of the field's data, as its own index reads it."""
    options = [
        f"{name.lower()}: {', '.join(value(choice) for choice in choices)}"
        for name, choices in (item["customization_options"] or {}).items()
        if choices
    ]
    bullets = item["small_description"]
    first = (bullets if isinstance(bullets, str) else bullets[0]) if bullets else ""
    texts = (item["name"], item["full_description"], first, ", and ".join(options))
    return item["asin"], " ".join(text or "" for text in texts).lower()


def value(choice: dict[str, Any]) -> str:
    text: str = choice["value"]
    return text.strip().replace("/", " | ").lower()


def test_rankings_are_those_that_lucene_gave(data_dir: Path) -> None:
    folder = data_dir / "webshop"
    items = json.loads((folder / "items_shuffle_1000.rebuilt.json").read_text("utf-8"))
    index = Index(dict(document(item) for item in items).items())
    packed = (folder / "golden_bm25_pub60.json.xz").read_bytes()
    recorded = json.loads(lzma.decompress(packed))
    assert len(recorded) == 60
    for case in recorded:
        found = index.search(case["query"])
        assert [id for id, _ in found] == [id for id, _ in case["hits"]]
        scores = [score for _, score in found]
        assert scores == pytest.approx([score for _, score in case["hits"]], abs=1e-3)
