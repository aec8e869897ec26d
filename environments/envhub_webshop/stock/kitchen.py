"""Kitchen & Dining."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CLASSICS, EARTHS, PACKS

__all__ = ["KITCHEN"]

KITCHEN = category(
    "Kitchen & Dining",
    features=(
        "made of stainless steel: A brushed metal body resists rust and stains.",
        "made of cast iron: Heavy metal holds heat long after the flame is off.",
        "made of bamboo: Cut from fast growing stalks and sealed with food grade oil.",
        "made of borosilicate glass: Clear walls take boiling water without cracking.",
        "is bpa free: No part that touches food contains bisphenol A.",
        "is dishwasher safe: Every loose piece may go on the top rack.",
        "is oven safe: Goes from the hob into a hot oven, up to 230 C.",
        "is leak proof: A silicone ring keeps the contents where they belong.",
        "is space saving: Folds or nests to fit a narrow drawer.",
        "has auto shut off: Switches itself off when the work is done.",
        "has a non stick coating: Eggs slide out and cleaning takes one wipe.",
        "has a soft grip handle: The rubbery hold stays cool and does not slip.",
        "has a digital display: Large figures are easy to read across the room.",
        "has a fitted sheath: A hard sleeve guards edge and fingers.",
        "has a mirror finish: Polished until you can see yourself.",
        "has variable speed: Turn the dial from gentle to strong.",
        "has a keep warm mode: Holds the temperature for half an hour.",
        "has measuring marks: Printed lines spare you a separate cup.",
    ),
    kinds=(
        kind("electric kettle", "Kettles", (18, 75), "stainless steel, bpa free, auto shut off, a keep warm mode, a digital display, borosilicate glass, measuring marks", "tea, instant noodles, small offices", color=CLASSICS, capacity=("0.8 l", "1.2 l", "1.7 l")),
        kind("coffee grinder", "Coffee Grinders", (15, 90), "stainless steel, auto shut off, variable speed, a digital display, space saving, measuring marks, bpa free", "espresso, filter brewing, spices", color=CLASSICS, style=("blade", "conical burr", "hand crank")),
        kind("frying pan", "Frying Pans", (14, 80), "cast iron, stainless steel, a non stick coating, oven safe, dishwasher safe, a soft grip handle", "omelets, searing, pancakes", size=("8 in", "10 in", "12 in"), color=EARTHS),
        kind("chef knife", "Chef Knives", (12, 95), "stainless steel, a soft grip handle, dishwasher safe, a fitted sheath, a mirror finish", "vegetables, roasts, herbs", blade=("6 in", "8 in", "10 in"), handle=("ash wood", "black resin", "blue resin")),
        kind("cutting board", "Cutting Boards", (9, 45), "bamboo, bpa free, dishwasher safe, space saving, a soft grip handle, measuring marks", "bread, meat, small kitchens", size=("small", "medium", "large"), set=PACKS[:3]),
        kind("lunch box", "Lunch Boxes", (10, 40), "stainless steel, bpa free, leak proof, dishwasher safe, space saving, measuring marks", "school, office days, picnics", color=BRIGHTS, compartments=("one", "two", "three")),
        kind("mixing bowl", "Mixing Bowls", (11, 50), "stainless steel, borosilicate glass, dishwasher safe, measuring marks, a soft grip handle, space saving", "batter, salads, bread dough", capacity=("1.5 qt", "3 qt", "5 qt"), set=PACKS[:3]),
        kind("kitchen scale", "Kitchen Scales", (10, 38), "stainless steel, a digital display, auto shut off, space saving, bpa free, borosilicate glass", "baking, portions, coffee", color=CLASSICS, limit=("5 kg", "10 kg")),
        kind("hand blender", "Hand Blenders", (20, 85), "stainless steel, variable speed, bpa free, dishwasher safe, a soft grip handle, measuring marks", "soups, smoothies, sauces", color=CLASSICS, power=("400 w", "800 w")),
        kind("travel mug", "Travel Mugs", (12, 36), "stainless steel, bamboo, leak proof, bpa free, dishwasher safe, a soft grip handle", "commuting, camping, long drives", color=BRIGHTS, size=("12 oz", "16 oz", "20 oz")),
    ),
    care=(
        "Wash once before first use.",
        "Comes with a short booklet of recipes.",
        "Spare parts are sold on their own.",
    ),
)  # fmt: skip
