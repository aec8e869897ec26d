"""The web shop as an environment: tasks, two tools, the score.

The shop itself is in `envhub_webshop.session`; here it meets the contract of
`envhub.Environment`. The catalogue, the index and the goals are made once in a process
and shared, read-only, by all its environments.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from envhub import Score, Task, Tasks, ToolCall, ToolEnv, UsageError, tool
from envhub.parsing import Parsed, Problem, bracket_grammar
from envhub_webshop import policies
from envhub_webshop.generate import generate
from envhub_webshop.goals import LEVELS, SPLITS, Goal, goals
from envhub_webshop.render import STYLES, StyleName
from envhub_webshop.reward import grade
from envhub_webshop.session import Bought, Session, Shop

__all__ = ["WebShop", "shop"]

_SEED = 0
_grammar = bracket_grammar({"search": "keywords", "click": "value"})


@functools.cache
def shop() -> Shop:
    """The shop that all environments of this process share."""
    return Shop.open(generate(_SEED))


@functools.cache
def _goals() -> Mapping[str, list[Goal]]:
    return goals(shop().catalogue, _SEED)


def _task_data(split: str, index: int, level: int) -> Mapping[str, Any]:
    return _goals()[split][index].data()


class WebShop(ToolEnv):
    """Buy what a customer asks for, in a shop of 1,000 products.

    Args:
        style: How pages look: ``"text"``, ``"rich"`` or ``"short"``
            (`envhub_webshop.render`).
        level: 1 (one attribute) to 4 (hidden attributes, options, a tight budget).
        max_turns: Turns of an episode.
        max_fruitless: Refused turns in a row after which an episode ends.
        render_mode: ``"ansi"`` or None.
    """

    tasks = Tasks.from_generator("webshop", _task_data, splits=SPLITS, levels=LEVELS)
    instructions = (
        "You shop for a customer. Each turn, do one thing: search[keywords] on the "
        "search page, or click[text] on something that the page shows. Choose the "
        "options that the customer wants, then click[Buy Now]: this ends the visit."
    )

    def __init__(
        self,
        *,
        style: StyleName = "text",
        level: int | None = None,
        max_turns: int | None = None,
        max_fruitless: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            level=level,
            max_turns=max_turns,
            max_fruitless=max_fruitless,
            render_mode=render_mode,
        )
        if style not in STYLES:
            raise UsageError(f"webshop has no style {style!r}: use {', '.join(STYLES)}")
        self._style = STYLES[style]
        self.warm_up()

    def warm_up(self) -> None:
        """Make the catalogue, the index and the goals, unless they are there."""
        shop()
        _goals()

    def begin(self, task: Task) -> str:
        """Open the search page for a customer."""
        self.session = Session(
            shop(), Goal(**task.data), page_size=self._style.page_size
        )
        return self._style.draw(self.session.page)

    @tool
    def search(self, keywords: str) -> str:
        """Search the shop. Works on the search page.

        Args:
            keywords: Words that describe the product.
        """
        self.session.search(keywords)
        return self._style.draw(self.session.page)

    @tool
    def click(self, value: str) -> str:
        """Click on something that the page shows: a button, a product id or an option.

        Args:
            value: Its text, such as "Buy Now", "P1042" or "navy"; upper and lower
                case are the same, and an option may be told as "color: navy".
        """
        self.session.click(value)
        if isinstance(self.session.place, Bought):
            self.finish()
        return self._style.draw(self.session.page)

    def grammar(self, text: str) -> ToolCall | Problem | None:
        """Read ``search[keywords]`` and ``click[value]``, in any letter case."""
        return _grammar(text)

    def nudge(self, parsed: Parsed) -> str:
        """Tell the actions that are possible now."""
        possible = ", ".join(self.session.page.actions)
        return (
            f"Nothing was done: the message holds no action. Possible now: {possible}"
        )

    def describe(self) -> dict[str, Any]:
        """The actions that are possible now, in the text grammar."""
        return {"possible_actions": self.session.page.actions}

    def oracle(self) -> str:
        """The next action on the way to a full reward."""
        return policies.oracle(self.session)

    def score(self) -> Score:
        """WebShop's reward of the purchase; nothing when nothing was bought."""
        place = self.session.place
        if not isinstance(place, Bought):
            return Score(0.0, {"bought": 0.0})
        found = grade(place.view.product, place.view.chosen, self.session.goal)
        return Score(found.reward, {"bought": 1.0, **found.components()})
