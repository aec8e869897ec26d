"""The shop's pages, as values.

A page is a sequence of rows of parts. `envhub_webshop.render` decides how it looks,
`envhub_webshop.session` what a click does.

    search ──search[..]──▶ results ──click[id]──▶ item ──click[Buy Now]──▶ done
       ▲                   │  ▲                   │  ▲
       │                   │  └─────< Prev────────┘  └──< Prev── Description, Features,
       └──Back to Search───┴──(from any page)                    Reviews, Attributes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from envhub_webshop.catalogue import Product

__all__ = [
    "BACK", "BUY", "NEXT", "PREV", "SUBPAGES", "Look", "Page", "Part",
    "Row", "done_page", "item_page", "results_page", "search_page", "sub_page",
]  # fmt: skip

BACK = "Back to Search"
NEXT = "Next >"
PREV = "< Prev"
BUY = "Buy Now"
SUBPAGES = ("Description", "Features", "Reviews", "Attributes")


class Look(Enum):
    """What a part is to the one who reads the page."""

    TEXT = auto()
    """Something to read."""
    INSTRUCTION = auto()
    """What the customer wants."""
    BUTTON = auto()
    """Something to click on."""
    PRODUCT = auto()
    """A product's id, to click on."""
    VALUE = auto()
    """A value of an option, to click on."""
    CHOSEN = auto()
    """A value of an option that has been chosen; it can be clicked on as well."""
    FIELD = auto()
    """The search field's button, which takes keywords and no click."""


_VALUES = frozenset({Look.VALUE, Look.CHOSEN})
_CLICKABLE = _VALUES | {Look.BUTTON, Look.PRODUCT}


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a page."""

    text: str
    look: Look = Look.TEXT


Row = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Attributes:
        name: What the page is called when an action is refused.
        rows: From top to bottom; the parts of a row belong together.
    """

    name: str
    rows: tuple[Row, ...]

    @property
    def parts(self) -> list[Part]:
        """All parts, from top to bottom."""
        return [part for row in self.rows for part in row]

    @property
    def searchable(self) -> bool:
        """Whether the page has a search field."""
        return any(part.look is Look.FIELD for part in self.parts)

    @property
    def clickables(self) -> list[str]:
        """The texts that can be clicked on, each once, from top to bottom."""
        clickable = (part.text for part in self.parts if part.look in _CLICKABLE)
        return list(dict.fromkeys(clickable))

    @property
    def actions(self) -> list[str]:
        """What can be done here, in the text grammar."""
        search = ["search[keywords]"] if self.searchable else []
        return search + [f"click[{text}]" for text in self.clickables]

    def find(self, value: str) -> tuple[str, Part] | None:
        """What a click on `value` hits, in any case and spacing.

        Buttons come before option values of the same text; ``name: value`` tells an
        option's value from the same value of another option.

        Returns:
            The first text of the row (the name of an option) and the part, or None.
        """
        wanted = _folded(value)
        found: tuple[str, Part] | None = None
        for row in self.rows:
            for part in row:
                if part.look not in _CLICKABLE:
                    continue
                names = {_folded(part.text)}
                if part.look in _VALUES:
                    names.add(_folded(f"{row[0].text}: {part.text}"))
                if wanted in names and (found is None or part.look is Look.BUTTON):
                    found = row[0].text, part
        return found


def search_page(instruction: str) -> Page:
    """The page where every visit begins."""
    field = (Part("Search", Look.FIELD),)
    return Page("search page", ((Part("WebShop"),), _wish(instruction), field))


def results_page(
    instruction: str,
    products: Sequence[Product],
    *,
    number: int,
    total: int,
    more: bool,
) -> Page:
    """One page of results.

    Args:
        instruction: What the customer wants.
        products: The products on this page.
        number: Number of the page, from 1.
        total: Number of results on all pages.
        more: Whether there is a page after it.
    """
    heading = Part(f"Page {number} (Total results: {total})")
    turns = ([PREV] if number > 1 else []) + ([NEXT] if more else [])
    rows = [
        (Part(product.id, Look.PRODUCT), Part(product.name), Part(product.price_text))
        for product in products
    ]
    head = (_wish(instruction), _buttons(BACK), (heading,), _buttons(*turns))
    return Page("results page", (*head, *rows))


def item_page(instruction: str, product: Product, chosen: Mapping[str, str]) -> Page:
    """A product with its options."""
    options = [
        (Part(name), *(_value(value, chosen.get(name)) for value in values))
        for name, values in product.options.items()
    ]
    price = f"Price: {product.price_text}"
    facts = [
        (Part(text),) for text in (product.name, price, f"Rating: {product.rating}")
    ]
    head = (_wish(instruction), _buttons(BACK, PREV))
    return Page("item page", (*head, *options, *facts, _buttons(*SUBPAGES, BUY)))


def sub_page(instruction: str, product: Product, name: str) -> Page:
    """One of `SUBPAGES` of a product."""
    lines = {
        "Description": (product.description,) if product.description else (),
        "Features": product.bullets,
        "Reviews": product.reviews,
        "Attributes": product.attributes,
    }[name]
    texts = [(Part(line),) for line in lines or (f"There are no {name.lower()} yet.",)]
    head = (_wish(instruction), _buttons(BACK, PREV))
    return Page(f"{name.lower()} page", (*head, *texts))


def done_page(product: Product, chosen: Mapping[str, str]) -> Page:
    """The end of a visit."""
    options = [f"{name}: {value}" for name, value in chosen.items()]
    bought = tuple(
        Part(text) for text in (product.id, product.name, product.price_text, *options)
    )
    return Page("last page", ((Part("Thank you for your purchase!"),), bought))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _wish(instruction: str) -> Row:
    return Part("Instruction:"), Part(instruction, Look.INSTRUCTION)


def _buttons(*texts: str) -> Row:
    return tuple(Part(text, Look.BUTTON) for text in texts)


def _value(value: str, chosen: str | None) -> Part:
    return Part(value, Look.CHOSEN if value == chosen else Look.VALUE)
