"""How a page looks as text.

Three styles, of the same page:

    text   the parts joined by `` [SEP] ``, as in WebShop's text mode
    rich   one part a line, buttons marked: ``[button] Buy Now [button_]``
    short  one row a line, ``[Buy Now]`` for what can be clicked on, three results a
           page, and the instruction on the search page alone: for small models
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from envhub_webshop.pages import Look, Page, Part, Row

__all__ = ["STYLES", "Style", "StyleName"]

StyleName = Literal["text", "rich", "short"]

_BUTTONS = frozenset({Look.BUTTON, Look.PRODUCT, Look.VALUE, Look.FIELD})


@dataclass(frozen=True, slots=True)
class Style:
    """A way to show pages.

    Attributes:
        draw: From a page to its text.
        page_size: Results on one page.
    """

    draw: Callable[[Page], str]
    page_size: int = 10


def _text(page: Page) -> str:
    parts = [part.text for part in page.parts]
    if chosen := [part.text for part in page.parts if part.look is Look.CHOSEN]:
        parts.append(f"Selected: {', '.join(chosen)}")
    return " [SEP] ".join(parts)


def _rich(page: Page) -> str:
    return "\n".join(_marked(part) for part in page.parts)


def _marked(part: Part) -> str:
    if part.look is Look.CHOSEN:
        return f"[clicked button] {part.text} [clicked button_]"
    if part.look in _BUTTONS:
        return f"[button] {part.text} [button_]"
    return part.text


def _short(page: Page) -> str:
    """A line for each row; what can be clicked on stands in brackets.

    The wish is told on the search page alone: a conversation keeps it.
    """
    rows = [row for row in page.rows if page.searchable or not _is_wish(row)]
    return "\n".join(" ".join(map(_brief, row)) for row in rows if row)


def _is_wish(row: Row) -> bool:
    return any(part.look is Look.INSTRUCTION for part in row)


def _brief(part: Part) -> str:
    if part.look is Look.FIELD:
        return "search[keywords]"
    if part.look is Look.CHOSEN:
        return f"[{part.text}]*"
    return f"[{part.text}]" if part.look in _BUTTONS else part.text


STYLES: Mapping[StyleName, Style] = {
    "text": Style(_text),
    "rich": Style(_rich),
    "short": Style(_short, page_size=3),
}
