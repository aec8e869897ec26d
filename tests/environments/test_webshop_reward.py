"""The web shop's reward: the formula, its parts, and what counts as alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envhub_webshop.catalogue import Product
from envhub_webshop.env import WebShop, shop
from envhub_webshop.fuzz import ratio, token_set_ratio
from envhub_webshop.goals import Goal
from envhub_webshop.reward import Grade, grade, has_attribute, same_option
from envhub_webshop.stock import CATEGORIES

KETTLE = Product(
    id="P1",
    name="Quillby Dawnford Electric Kettle, Steel, for Tea",
    query="electric kettle",
    path=("Kitchen", "Kettles"),
    nouns=frozenset({"quillby", "dawnford", "electric", "kettle", "tea"}),
    price=30.0,
    price_text="$30.00",
    bullets=("Bpa free: safe.", "Auto shut off: no fires."),
    attributes=("steel", "bpa free", "auto shut off"),
    options={"color": ("navy", "white"), "size": ("1 l", "2 l")},
)
GOAL = Goal(
    instruction="",
    level=3,
    product="P1",
    query="electric kettle",
    path=("Kitchen", "Kettles"),
    nouns=tuple(sorted(KETTLE.nouns)),
    attributes=("steel", "bpa free", "auto shut off"),
    options={"color": "navy"},
    price_limit=40.0,
)
# Shares no query and one part of the path; the title decides.
TOASTER = replace(KETTLE, id="P2", query="toaster", path=("Kitchen", "Toasters"))


def test_p_all_met_is_one() -> None:
    assert grade(KETTLE, {"color": "navy"}, GOAL).reward == 1.0


def test_p_price_over_the_limit_loses_a_fifth() -> None:
    assert grade(replace(KETTLE, price=40.01), {"color": "navy"}, GOAL).reward == 0.8
    assert grade(replace(KETTLE, price=40.0), {"color": "navy"}, GOAL).reward == 1.0


@pytest.mark.parametrize(
    ("shared", "type_", "reward"),
    [(4, 1.0, 0.8), (2, 0.5, 0.4), (1, 0.1, 0.08), (0, 0, 0)],
)
def test_p_two_of_three_attributes_by_type(
    shared: int, type_: float, reward: float
) -> None:
    wanted = [f"noun{number}" for number in range(12)]
    other = replace(
        TOASTER,
        nouns=frozenset(wanted[:shared]),
        attributes=("steel", "bpa free"),
        bullets=(),
    )
    found = grade(other, {"color": "navy"}, replace(GOAL, nouns=wanted))
    assert found.type == type_
    assert found.reward == pytest.approx(reward)


def test_w1_without_a_limit_the_price_term_is_left_out() -> None:
    goal = replace(GOAL, price_limit=None)
    found = grade(replace(KETTLE, price=1e9), {}, goal)
    assert found.price_ok is None
    assert found.reward == 3 / 4
    assert "price" not in found.components()


def test_nothing_to_meet_leaves_the_type() -> None:
    goal = replace(GOAL, attributes=(), options={}, price_limit=None)
    assert grade(KETTLE, {}, goal).reward == 1.0
    assert grade(replace(TOASTER, nouns=frozenset()), {}, goal).reward == 0.0


def test_titles_without_nouns_overlap_too_little_to_decide() -> None:
    goal = replace(GOAL, nouns=())
    assert grade(TOASTER, {}, goal).type == 0.5
    assert grade(KETTLE, {}, goal).type == 1.0


def test_query_or_category_are_enough_for_the_type() -> None:
    few = frozenset({"tea"})
    assert grade(replace(TOASTER, nouns=few), {}, GOAL).type == 0.5
    assert grade(replace(TOASTER, nouns=few, query=GOAL.query), {}, GOAL).type == 1.0
    category = grade(replace(TOASTER, nouns=few, path=KETTLE.path), {}, GOAL)
    assert (category.type, category.query_match, category.category_match) == (
        1,
        False,
        True,
    )


def test_the_parts_are_reported() -> None:
    assert grade(KETTLE, {"color": "white", "size": "1 l"}, GOAL).components() == {
        "type": 1.0,
        "query_match": 1.0,
        "category_match": 1.0,
        "title_overlap": 1.0,
        "attributes": 1.0,
        "options": 0.0,
        "price": 1.0,
    }


@pytest.mark.parametrize(
    ("attribute", "has"),
    [
        ("steel", True),
        ("stainless steel", True),
        ("auto shut off", True),
        ("no fires", True),
        ("for tea", True),
        ("cordless", False),
        ("lead free", False),
    ],
)
def test_an_attribute_is_met_by_likeness_or_by_the_texts(
    attribute: str, has: bool
) -> None:
    assert has_attribute(KETTLE, attribute) is has


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("navy", "NAVY", True),
        ("navy1901", "dark navy", True),
        ("Royal Blue", "sky blue", True),
        ("10.5", "10.5", True),
        ("10.5", "11", False),
        ("small", "x-small", False),
        ("wide [2e]", "regular [d]", False),
        ('1/2"', "3 mm", False),
        ("[]", "[]", True),
        ("[]", "()", False),
    ],
)
def test_options_are_the_same_after_shades_are_taken_for_colors(
    one: str, other: str, same: bool
) -> None:
    assert same_option(one, other) is same
    assert same_option(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "letters", "words"),
    [
        ("new york mets", "new york meats", 96, 96),
        ("fuzzy was a bear", "fuzzy fuzzy was a bear", 84, 100),
        ("kitten", "sitting", 62, 62),
        ("easy to clean", "easy clean", 87, 100),
        ("a b", "c d", 33, 33),
        ("", "", 0, 0),
        ("", "a", 0, 0),
        ("!?", "a", 0, 0),
    ],
)
def test_likeness_is_the_normalised_indel_similarity(
    one: str, other: str, letters: int, words: int
) -> None:
    assert (ratio(one, other), token_set_ratio(one, other)) == (letters, words)


@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_is_symmetric_and_whole_for_equals(one: str, other: str) -> None:
    assert ratio(one, other) == ratio(other, one)
    assert 0 <= token_set_ratio(one, other) <= 100
    assert ratio(one, one) == token_set_ratio(one, one)
    assert ratio(one, one) in (0, 100)


@given(
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from([None, True, False]),
)
def test_a_reward_is_in_range(
    type_: float, met: int, asked: int, price: bool | None
) -> None:
    found = Grade(type_, min(met, asked), asked, 0, 0, price, True, True, 1.0)
    assert 0 <= found.reward <= type_


def test_only_products_of_the_wanted_kind_earn_a_full_reward() -> None:
    for task in WebShop().tasks:
        goal = Goal(**task.data)
        nouns = set(goal.nouns)
        for product in shop().catalogue:
            other = product.query != goal.query
            # Fewer shared nouns make the type 0.5 at best, as another test shows.
            if other and len(product.nouns & nouns) > len(nouns) / 5:
                best = best_choice(product.options, goal.options)
                assert grade(product, best, goal).reward < 1, (goal, product)
            assert other or set(product.path) == set(goal.path)


def test_harder_levels_leave_fewer_products_that_fit() -> None:
    fitting: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
    for task in WebShop().tasks:
        goal = Goal(**task.data)
        fitting[task.level].append(
            sum(
                grade(item, best_choice(item.options, goal.options), goal).reward == 1
                for item in shop().catalogue
                if item.query == goal.query
            )
        )
    means = [round(sum(counts) / len(counts), 1) for counts in fitting.values()]
    assert means == [8.0, 6.5, 3.0, 2.4]
    assert min(map(min, fitting.values())) >= 1


def best_choice(
    offered: Mapping[str, tuple[str, ...]], wanted: Mapping[str, str]
) -> dict[str, str]:
    """Of each option the value that a wish names, where there is one."""
    return {
        name: value
        for name, values in offered.items()
        for value in values
        if any(same_option(value, want) for want in wanted.values())
    }


def test_a_product_has_an_attribute_exactly_when_it_lists_it() -> None:
    pools = {
        kind.name: {category.features[phrase].attribute for phrase in kind.phrases}
        for category in CATEGORIES
        for kind in category.kinds
    }
    for product in shop().catalogue:
        for attribute in pools[product.query]:
            listed = attribute in product.attributes
            assert has_attribute(product, attribute) is listed, (product, attribute)


def test_no_two_values_of_a_product_count_as_the_same() -> None:
    for product in shop().catalogue:
        values = [value for each in product.options.values() for value in each]
        for place, one in enumerate(values):
            for other in values[place + 1 :]:
                assert not same_option(one, other), (product.name, one, other)
