"""A web shop in words: search, compare, choose, buy.

    env = envhub.make("webshop", level=1)

The environment itself is `envhub_webshop.env.WebShop`; this module names it without
importing it.
"""

from __future__ import annotations

from envhub.spec import EnvSpec

__all__ = ["spec"]

spec = EnvSpec(
    id="webshop",
    entry_point="envhub_webshop.env:WebShop",
    version="1.0.0",
    summary="Search a shop of 1,000 products, compare, choose options and buy.",
    placement="in_process",
    levels=4,
)
