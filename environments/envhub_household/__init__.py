"""A household in words: rooms to search, doors to open, things to bring.

    env = envhub.make("household", level=1)

The environment itself is `envhub_household.environment.Household`; this module names
it without importing it.
"""

from __future__ import annotations

from envhub.spec import EnvSpec

__all__ = ["spec"]

spec = EnvSpec(
    id="household",
    entry_point="envhub_household.environment:Household",
    summary="Find, take, open, heat, cool, clean and place things in a house of text.",
    placement="in_process",
    levels=4,
)
