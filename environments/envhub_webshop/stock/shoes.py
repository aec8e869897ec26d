"""Shoes."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CLASSICS, EARTHS, PASTELS, SHOES, WIDTHS

__all__ = ["SHOE"]

SHOE = category(
    "Shoes",
    features=(
        "made of full grain leather: Thick hide that creases well with age.",
        "made of suede: Brushed nap with a soft touch.",
        "made of canvas: Plain woven cloth, light in summer.",
        "made of vegan microfiber: Looks like hide, uses no animal.",
        "is waterproof: A sealed inner sock keeps puddles out.",
        "is slip resistant: Grips wet kitchen floors.",
        "is lightweight: Each one weighs less than a mug of tea.",
        "is breathable: Tiny holes let warm air escape.",
        "has a rubber sole: Flexes quietly and wears slowly.",
        "has arch support: A raised inner edge carries the midfoot.",
        "has a memory insole: Takes the print of your foot within a week.",
        "has a steel toe: A hidden cap guards against falling tools.",
        "has a side zip: In and out without untying.",
        "has a low heel: Two centimeters, easy all day.",
        "has a faux fur lining: Plush inside for icy mornings.",
    ),
    kinds=(
        kind("running shoes", "Running Shoes", (40, 150), "lightweight, breathable, a rubber sole, arch support, a memory insole, waterproof", "marathons, treadmills, beginners", size=SHOES, color=BRIGHTS),
        kind("hiking boots", "Hiking Boots", (55, 190), "full grain leather, suede, waterproof, a rubber sole, arch support, lightweight", "mountains, muddy trails, scouts", size=SHOES, width=WIDTHS),
        kind("penny loafers", "Loafers", (35, 140), "full grain leather, suede, vegan microfiber, a rubber sole, a memory insole, slip resistant, a low heel", "offices, dinners, driving", size=SHOES, color=EARTHS),
        kind("strap sandals", "Sandals", (22, 90), "vegan microfiber, suede, a rubber sole, arch support, lightweight, a low heel, slip resistant", "beaches, vacations, hot patios", size=SHOES, color=PASTELS),
        kind("work clogs", "Clogs", (25, 80), "vegan microfiber, slip resistant, waterproof, arch support, lightweight, a rubber sole", "nurses, cooks, gardens", size=SHOES, color=CLASSICS),
        kind("ankle boots", "Ankle Boots", (38, 160), "full grain leather, suede, vegan microfiber, a side zip, a low heel, a faux fur lining, waterproof", "autumn, concerts, skirts", size=SHOES, color=EARTHS),
        kind("house slippers", "Slippers", (14, 55), "suede, a memory insole, a faux fur lining, a rubber sole, lightweight, slip resistant", "cold floors, mornings, grandparents", size=SHOES, color=PASTELS),
        kind("safety boots", "Safety Boots", (50, 170), "full grain leather, a steel toe, slip resistant, waterproof, a side zip, arch support", "warehouses, farms, building sites", size=SHOES, width=WIDTHS),
        kind("court sneakers", "Sneakers", (24, 75), "canvas, a rubber sole, breathable, lightweight, a memory insole, a side zip", "students, skating, summer", size=SHOES, color=BRIGHTS),
        kind("ballet flats", "Flats", (20, 85), "full grain leather, vegan microfiber, suede, a memory insole, a rubber sole, breathable, arch support", "commuting, bridesmaids, long shifts", size=SHOES, color=PASTELS),
    ),
    care=(
        "Spare laces are in the box.",
        "Between two sizes, take the larger one.",
        "Let them dry away from the heater.",
    ),
)  # fmt: skip
