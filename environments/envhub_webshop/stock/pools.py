"""Option values that several kinds of product share.

Within one option no two values may be so alike that the reward takes one for the
other (`envhub_webshop.reward.same_option`); a test holds the catalogue to it.
"""

from __future__ import annotations

__all__ = [
    "BEDS",
    "BRIGHTS",
    "CABLES",
    "CLASSICS",
    "CLOTHES",
    "EARTHS",
    "PACKS",
    "PASTELS",
    "SCENTS",
    "SHOES",
    "STORAGE",
    "WIDTHS",
]

CLASSICS = ("matte black", "snow white", "slate gray", "navy", "burgundy")
BRIGHTS = ("cherry red", "sky blue", "lime green", "sunny yellow", "hot pink", "orange")
EARTHS = ("sand beige", "olive", "walnut brown", "charcoal", "copper", "ivory")
PASTELS = ("lavender", "mint", "coral", "baby blue", "pale pink", "butter yellow")

CLOTHES = ("x-small", "small", "medium", "large", "x-large")
SHOES = ("6", "6.5", "7", "7.5", "8", "8.5", "9", "9.5", "10", "11")
WIDTHS = ("regular [d]", "wide [2e]", "extra roomy [4e]")
BEDS = ("twin", "full", "queen", "king", "california split")
PACKS = ("single", "2-pack", "4-pack", "6-pack", "bulk box")
CABLES = ("3 ft", "6 ft", "10 ft")
STORAGE = ("64 gb", "128 gb", "256 gb", "1 tb")
SCENTS = (
    "lavender field",
    "citrus grove",
    "cedar & smoke",
    "vanilla bean",
    "sea breeze",
    "unscented",
)
