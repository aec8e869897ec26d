"""Policies that are not learned: the oracle, and the floors that learning starts from.

The oracle knows the goal and takes legal actions alone; it is a function of the session
and can take over anywhere. The floors know what an agent sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from envhub_webshop.catalogue import Product
from envhub_webshop.draw import Draw
from envhub_webshop.pages import BACK, BUY, NEXT, PREV, Page
from envhub_webshop.session import Bought, Entrance, Found, Read, Session, View

__all__ = ["oracle", "random_action"]

_PATIENCE = 4
"""Pages of results that the oracle looks through."""


def oracle(session: Session) -> str:
    """The next action on the way to a full reward, in the text grammar.

    Raises:
        ValueError: The visit is over.
    """
    wanted = session.shop.catalogue[session.goal.product]
    match session.place:
        case Entrance():
            return f"search[{_keywords(session, wanted)}]"
        case Found():
            return _towards(session.place, wanted, session)
        case View():
            return _at(session.place, wanted, session)
        case Read():
            return f"click[{PREV}]"
        case Bought():
            raise ValueError("the visit is over")


def _keywords(session: Session, wanted: Product) -> str:
    """What a customer would type; the title when that shows it too far down."""
    goal = session.goal
    plain = " ".join([goal.query, *goal.attributes])
    near = session.shop.find(plain)[: _PATIENCE * session.page_size]
    return plain if wanted in near else wanted.name


def _towards(found: Found, wanted: Product, session: Session) -> str:
    if wanted not in found.products:
        return f"click[{BACK}]"
    page = found.products.index(wanted) // session.page_size + 1
    if page == found.number:
        return f"click[{wanted.id}]"
    return f"click[{NEXT if page > found.number else PREV}]"


def _at(view: View, wanted: Product, session: Session) -> str:
    if view.product is not wanted:
        return f"click[{BACK}]"
    for name, value in session.goal.options.items():
        if view.chosen.get(name) != value:
            found = session.page.find(value)
            alone = found is not None and found[0] == name
            return f"click[{value}]" if alone else f"click[{name}: {value}]"
    return f"click[{BUY}]"


def random_action(page: Page, draw: Draw) -> str:
    """An action drawn from those that a page offers; searches use its own words."""
    action = draw.pick(page.actions)
    if action != "search[keywords]":
        return action
    words = list(_words(page))
    return f"search[{' '.join(draw.pick(words) for _ in range(draw.between(1, 3)))}]"


def _words(page: Page) -> Iterator[str]:
    for part in page.parts:
        yield from part.text.split()
