"""One visit to the shop: where the customer is, and where an action leads.

Where the customer is is a value, a `Place`; every action leads from one to another. A
session holds a place and references to what all sessions share, so that making one
costs microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from envhub.errors import InvalidAction
from envhub_webshop.catalogue import Catalogue, Product
from envhub_webshop.goals import Goal
from envhub_webshop.pages import (
    BACK,
    BUY,
    NEXT,
    PREV,
    Look,
    Page,
    Part,
    done_page,
    item_page,
    results_page,
    search_page,
    sub_page,
)
from envhub_webshop.search import Index

__all__ = [
    "MOST_RESULTS", "Bought", "Entrance", "Found", "Place", "Read", "Session", "Shop",
    "View",
]  # fmt: skip

MOST_RESULTS = 50


@dataclass(frozen=True, slots=True)
class Shop:
    """What all sessions share: the goods and the index over them."""

    catalogue: Catalogue
    index: Index

    @classmethod
    def open(cls, catalogue: Catalogue) -> Shop:
        """The shop that sells a catalogue."""
        return cls(catalogue, Index((item.id, item.text) for item in catalogue))

    def find(self, keywords: str) -> tuple[Product, ...]:
        """The products that keywords find, best first."""
        hits = self.index.search(keywords, MOST_RESULTS)
        return tuple(self.catalogue[id] for id, _ in hits)


@dataclass(frozen=True, slots=True)
class Entrance:
    """The search page."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page of results, counted from 1."""

    keywords: str
    products: tuple[Product, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class View:
    """A product's page, with the values chosen so far by the option's name."""

    product: Product
    found: Found
    chosen: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Read:
    """A page about a product: its description, features, reviews or attributes."""

    name: str
    view: View


@dataclass(frozen=True, slots=True)
class Bought:
    """The end: what was bought, and how."""

    view: View


Place = Entrance | Found | View | Read | Bought


class Session:
    """A visit with one goal.

    Args:
        shop: Goods and index; only read.
        goal: What the customer wants.
        page_size: Results on one page.

    Attributes:
        place: Where the customer is.
        page: What the customer sees there.
    """

    __slots__ = ("goal", "page", "page_size", "place", "shop")

    def __init__(self, shop: Shop, goal: Goal, *, page_size: int = 10) -> None:
        self.shop = shop
        self.goal = goal
        self.page_size = page_size
        self.place: Place = Entrance()
        self.page = self._page()

    def search(self, keywords: str) -> None:
        """Search the shop.

        Raises:
            InvalidAction: There is no search field here, or there are no keywords.
        """
        action = f"search[{_brief(keywords)}]"
        if not self.page.searchable:
            raise self._refusal(action, f"the {self.page.name} has no search field")
        if not keywords.strip():
            raise self._refusal(action, "there are no keywords")
        self._go(Found(keywords, self.shop.find(keywords)))

    def click(self, value: str) -> None:
        """Click on what the page shows.

        Raises:
            InvalidAction: There is nothing of this name on the page.
        """
        found = self.page.find(value)
        if found is None:
            why = f"the {self.page.name} has nothing of this name"
            raise self._refusal(f"click[{_brief(value)}]", why)
        self._go(self._after(*found))

    # Inside

    def _go(self, place: Place) -> None:
        self.place = place
        self.page = self._page()

    def _after(self, option: str, part: Part) -> Place:
        """Where a click on a part leads; `option` is the name if it is a value."""
        place = self.place
        if part.look is Look.PRODUCT and isinstance(place, Found):
            return View(self.shop.catalogue[part.text], place)
        if part.look in (Look.VALUE, Look.CHOSEN) and isinstance(place, View):
            return replace(place, chosen={**place.chosen, option: part.text})
        return _pressed(place, part.text)

    def _page(self) -> Page:
        wish = self.goal.instruction
        match self.place:
            case Entrance():
                return search_page(wish)
            case Found():
                return self._results(self.place)
            case View(product, _, chosen):
                return item_page(wish, product, chosen)
            case Read(name, view):
                return sub_page(wish, view.product, name)
            case Bought(view):
                return done_page(view.product, view.chosen)

    def _results(self, found: Found) -> Page:
        last = found.number * self.page_size
        return results_page(
            self.goal.instruction,
            found.products[last - self.page_size : last],
            number=found.number,
            total=len(found.products),
            more=last < len(found.products),
        )

    def _refusal(self, action: str, why: str) -> InvalidAction:
        possible = ", ".join(self.page.actions) or "nothing, the visit is over"
        return InvalidAction(f"{action} was refused: {why}. Possible now: {possible}")


def _pressed(place: Place, button: str) -> Place:
    if button == BACK:
        return Entrance()
    if isinstance(place, Found):
        return replace(place, number=place.number + (1 if button == NEXT else -1))
    if isinstance(place, View):
        if button == PREV:
            return place.found
        return Bought(place) if button == BUY else Read(button, place)
    # What is left to press is "< Prev": other places have no button.
    return place.view if isinstance(place, Read) else place


def _brief(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
