"""The shop without the environment: catalogue, goals, pages, visits."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from envhub.errors import InvalidAction
from envhub_webshop.catalogue import Catalogue, Product
from envhub_webshop.draw import Draw
from envhub_webshop.env import shop
from envhub_webshop.generate import generate
from envhub_webshop.goals import Goal, goals
from envhub_webshop.pages import Look, Page, Part, item_page, sub_page
from envhub_webshop.policies import oracle
from envhub_webshop.render import STYLES
from envhub_webshop.session import Session, Shop
from envhub_webshop.stock import CATEGORIES
from envhub_webshop.words import is_plural, with_article


def product(id: str, name: str, **options: tuple[str, ...]) -> Product:
    return Product(
        id=id,
        name=name,
        query="mug",
        path=("Kitchen", "Mugs"),
        nouns=frozenset(name.lower().split()),
        price=9.5,
        price_text="$9.50",
        options=options,
    )


SMALL = Shop.open(
    Catalogue(
        (
            product("A1", "Red Mug", size=("small", "large"), set=("small", "big [9]")),
            *(product(f"A{number}", "Blue Mug") for number in range(2, 6)),
        )
    )
)
GOAL = Goal(
    instruction="Get a mug.",
    level=1,
    product="A1",
    query="mug",
    path=("Kitchen", "Mugs"),
    nouns=("red", "mug"),
    attributes=(),
    options={"set": "small"},
)


def visit(*clicks: str) -> Session:
    session = Session(SMALL, GOAL, page_size=2)
    session.search("red mug")
    for click in clicks:
        session.click(click)
    return session


def test_a_catalogue_is_a_pure_function_of_its_seed() -> None:
    one, same, other = generate(7), generate(7), generate(8)
    assert one.products == same.products
    assert one.products != other.products
    assert one.products is not same.products


def test_a_catalogue_is_made_quickly() -> None:
    before = time.process_time()
    Shop.open(generate(1))
    assert time.process_time() - before < 2


def test_a_catalogue_holds_ten_products_of_each_kind_in_a_mixed_order() -> None:
    catalogue = shop().catalogue
    assert len(catalogue) == 1000
    assert set(Counter(item.query for item in catalogue).values()) == {10}
    assert len({item.name for item in catalogue}) == 1000
    assert len({item.path[0] for item in catalogue}) == 10
    neighbours = zip(catalogue.products, catalogue.products[1:], strict=False)
    assert sum(one.query == next_.query for one, next_ in neighbours) < 30


def test_every_product_is_complete_and_readable() -> None:
    for item in shop().catalogue:
        texts = [item.name, item.description, *item.bullets, *item.attributes]
        texts += [value for values in item.options.values() for value in values]
        assert all(text.strip() == text and text.isascii() for text in texts)
        assert 1 <= item.price < 200
        assert item.price_text == f"${item.price:.2f}"
        assert all(len(values) >= 2 for values in item.options.values())
        assert 4 <= len(item.attributes) <= 5


def test_every_kind_refers_to_features_of_its_category() -> None:
    for category in CATEGORIES:
        for kind in category.kinds:
            assert len(kind.phrases) >= 5
            assert len(kind.options) == 2
            assert set(kind.phrases) <= set(category.features), kind.name
        used = {phrase for kind in category.kinds for phrase in kind.phrases}
        assert used == set(category.features), category.name


def test_products_are_found_by_id_in_any_case() -> None:
    assert SMALL.catalogue.find("a1") is SMALL.catalogue["A1"]
    assert SMALL.catalogue.find("A9") is None
    with pytest.raises(ValueError, match="the same id"):
        Catalogue((product("A1", "x"), product("a1", "y")))


def test_levels_ask_for_more_and_more() -> None:
    for split in goals(shop().catalogue).values():
        for goal in split:
            title = shop().catalogue[goal.product].name.lower()
            shown = [attribute in title for attribute in goal.attributes]
            assert len(goal.options) == min(goal.level - 1, 2)
            assert (goal.price_limit is not None) == (goal.level >= 3)
            if goal.level < 3:
                assert shown == [True]
            elif goal.level == 3:
                assert len(shown) == 2
            else:
                assert len(shown) >= 2
                assert not any(shown)


def test_goals_need_a_catalogue_that_is_large_enough() -> None:
    few = Catalogue(shop().catalogue.products[:60])
    with pytest.raises(ValueError, match="give no 250 goals of level 1"):
        goals(few)


def test_names_of_goods_stand_in_sentences() -> None:
    names = ("electric kettle", "herbal tea", "running shoes", "usb cable", "mug")
    assert [with_article(name) for name in names] == [
        "an electric kettle",
        "some herbal tea",
        "running shoes",
        "a usb cable",
        "a mug",
    ]
    assert [is_plural(name) for name in names] == [False, False, True, False, False]


def test_draws_are_steady_and_even() -> None:
    draw = Draw("dice")
    counts = Counter(draw.between(1, 6) for _ in range(6000))
    assert set(counts) == set(range(1, 7))
    assert min(counts.values()) > 850
    assert Draw("a").shuffled(range(10)) == Draw("a").shuffled(range(10))
    assert Draw("a").shuffled(range(10)) != Draw("b").shuffled(range(10))
    # Written down once: the same on every machine and Python version.
    assert Draw("a").shuffled(range(10)) == [8, 5, 3, 6, 9, 1, 7, 4, 0, 2]
    assert Draw("a").some("abc", 9) == ["a", "b", "c"]
    assert 2500 < sum(Draw(str(n)).chance(0.3) for n in range(9000)) < 2900


def test_pages_lead_where_their_buttons_say() -> None:
    assert [row[0].text for row in visit().page.rows[4:]] == ["A1", "A2"]
    assert [row[0].text for row in visit("next >").page.rows[4:]] == ["A3", "A4"]
    assert visit("Next >", "Next >").page.actions == [
        "click[Back to Search]",
        "click[< Prev]",
        "click[A5]",
    ]
    assert visit("Next >", "< Prev").page == visit().page
    assert visit("Next >", "A3", "< Prev").page == visit("Next >").page
    assert visit("A1", "Reviews", "< Prev").page == visit("A1").page
    assert visit("A1", "large", "Features", "< Prev").page == visit("A1", "large").page
    assert visit("A1", "Back to Search").page.name == "search page"
    assert visit("A1", "Description", "Back to Search").page.name == "search page"


def test_choices_are_kept_while_reading_and_lost_when_leaving() -> None:
    assert visit("A1", "large", "< Prev", "A1").page == visit("A1").page
    page = visit("A1", "large", "small").page
    assert [part.text for part in page.parts if part.look is Look.CHOSEN] == ["small"]


def test_a_value_of_two_options_belongs_to_the_first_unless_named() -> None:
    assert visit("A1", "small", "Buy Now").page.parts[-1].text == "size: small"
    assert visit("A1", "Set: Small", "Buy Now").page.parts[-1].text == "set: small"
    assert visit("A1", "big [9]", "Buy Now").page.parts[-1].text == "set: big [9]"


def test_the_oracle_names_the_option_when_a_value_belongs_to_two() -> None:
    session = visit("A1")
    session.click(oracle(session).removeprefix("click[").removesuffix("]"))
    assert oracle(session) == "click[Buy Now]"


def test_a_button_wins_over_a_value_of_the_same_text() -> None:
    odd = product("B", "Odd", style=("features", "plain"))
    found = item_page("", odd, {}).find("Features")
    assert found == ("Description", Part("Features", Look.BUTTON))
    named = item_page("", odd, {}).find("style: features")
    assert named == ("style", Part("features", Look.VALUE))


def test_after_the_purchase_everything_is_refused() -> None:
    session = visit("A1", "Buy Now")
    for act in (session.search, session.click):
        with pytest.raises(InvalidAction, match="Possible now: nothing, the visit is"):
            act("Back to Search")
    with pytest.raises(ValueError, match="over"):
        oracle(session)


def test_a_refusal_quotes_no_more_than_a_line() -> None:
    with pytest.raises(InvalidAction) as refused:
        visit().click("x" * 5000)
    assert str(refused.value).startswith(f"click[{'x' * 57}...] was refused")


def test_a_search_without_results_says_so() -> None:
    session = Session(SMALL, GOAL)
    session.search("spaceship")
    assert "Page 1 (Total results: 0)" in STYLES["text"].draw(session.page)
    assert session.page.actions == ["click[Back to Search]"]


def test_empty_pages_about_a_product_say_so() -> None:
    for name in ("Description", "Features", "Reviews", "Attributes"):
        text = sub_page("", SMALL.catalogue["A1"], name).parts[-1].text
        assert text == f"There are no {name.lower()} yet."


def test_sub_pages_show_what_the_catalogue_says() -> None:
    item = next(item for item in shop().catalogue if item.reviews)
    for name, lines in {
        "Description": (item.description,),
        "Features": item.bullets,
        "Reviews": item.reviews,
        "Attributes": item.attributes,
    }.items():
        rows = sub_page("wish", item, name).rows[2:]
        assert tuple(row[0].text for row in rows) == lines


def page(*clicks: str) -> Page:
    return visit(*clicks).page


def test_the_text_style_is_webshops() -> None:
    draw = STYLES["text"].draw
    assert draw(Session(SMALL, GOAL).page) == (
        "WebShop [SEP] Instruction: [SEP] Get a mug. [SEP] Search"
    )
    assert draw(page("Next >")) == (
        "Instruction: [SEP] Get a mug. [SEP] Back to Search [SEP] "
        "Page 2 (Total results: 5) [SEP] < Prev [SEP] Next > [SEP] "
        "A3 [SEP] Blue Mug [SEP] $9.50 [SEP] A4 [SEP] Blue Mug [SEP] $9.50"
    )
    assert draw(page("A1", "large")) == (
        "Instruction: [SEP] Get a mug. [SEP] Back to Search [SEP] < Prev [SEP] "
        "size [SEP] small [SEP] large [SEP] set [SEP] small [SEP] big [9] [SEP] "
        "Red Mug [SEP] Price: $9.50 [SEP] Rating: N.A. [SEP] "
        "Description [SEP] Features [SEP] Reviews [SEP] Attributes [SEP] Buy Now [SEP] "
        "Selected: large"
    )


def test_the_rich_style_marks_buttons() -> None:
    text = STYLES["rich"].draw(page("A1", "large"))
    assert "size\n[button] small [button_]\n[clicked button] large [clicked" in text
    assert text.endswith("[button] Buy Now [button_]")


def test_the_short_style_has_a_line_for_each_row_and_tells_the_wish_once() -> None:
    draw = STYLES["short"].draw
    assert draw(Session(SMALL, GOAL).page) == (
        "WebShop\nInstruction: Get a mug.\nsearch[keywords]"
    )
    assert draw(page()) == (
        "[Back to Search]\nPage 1 (Total results: 5)\n[Next >]\n"
        "[A1] Red Mug $9.50\n[A2] Blue Mug $9.50"
    )
    assert draw(page("A1", "large")) == (
        "[Back to Search] [< Prev]\nsize [small] [large]*\nset [small] [big [9]]\n"
        "Red Mug\nPrice: $9.50\nRating: N.A.\n"
        "[Description] [Features] [Reviews] [Attributes] [Buy Now]"
    )
