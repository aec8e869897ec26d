"""Clothing."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CLASSICS, CLOTHES, EARTHS, PASTELS

__all__ = ["CLOTHING"]

CLOTHING = category(
    "Clothing",
    features=(
        "made of merino wool: Fine fleece that neither itches nor smells.",
        "made of pima cotton: Long staple yarn gets softer with every wash.",
        "made of recycled polyester: Spun from old bottles, strong and light.",
        "made of stretch cotton: Two percent elastane moves with you.",
        "is machine washable: Cold cycle, hang to dry.",
        "is quick drying: Damp patches are gone in half an hour.",
        "is wind proof: A tight weave stops the draft.",
        "is wrinkle resistant: Take it from the suitcase and put it on.",
        "is fleece lined: Brushed on the inside for cold days.",
        "has a relaxed fit: Cut roomy through chest and hips.",
        "has a slim fit: Cut close to the body without pinching.",
        "has long sleeves: Cuffs reach the wrist with room to spare.",
        "has zip pockets: Keys and cards stay where you put them.",
        "has an elastic waist: Sits well after a big lunch.",
        "has a drawstring hood: Pull the cord when it rains.",
        "has reflective trim: Headlights pick you out at dusk.",
    ),
    kinds=(
        kind("rain jacket", "Rain Jackets", (35, 160), "recycled polyester, wind proof, quick drying, a drawstring hood, zip pockets, reflective trim", "hiking, cycling, city walks", size=CLOTHES, color=BRIGHTS),
        kind("crew neck sweater", "Sweaters", (28, 120), "merino wool, pima cotton, machine washable, long sleeves, a relaxed fit, a slim fit", "offices, autumn days, layering", size=CLOTHES, color=EARTHS),
        kind("polo shirt", "Polo Shirts", (16, 60), "pima cotton, recycled polyester, machine washable, wrinkle resistant, a slim fit, a relaxed fit, quick drying", "golf, weekends, school", size=CLOTHES, color=CLASSICS),
        kind("yoga leggings", "Leggings", (18, 75), "recycled polyester, quick drying, zip pockets, an elastic waist, fleece lined, machine washable", "studios, running, travel", size=CLOTHES, color=CLASSICS),
        kind("denim jeans", "Jeans", (25, 95), "stretch cotton, machine washable, a relaxed fit, a slim fit, an elastic waist, fleece lined", "work, motorbikes, evenings", waist=("28", "30", "32", "34", "36"), wash=("raw indigo", "stone faded", "pitch black")),
        kind("pajama set", "Pajamas", (20, 70), "pima cotton, machine washable, long sleeves, an elastic waist, fleece lined, a relaxed fit", "winter nights, lazy mornings, gifts", size=CLOTHES, color=PASTELS),
        kind("hooded sweatshirt", "Hoodies", (22, 80), "recycled polyester, pima cotton, fleece lined, a drawstring hood, zip pockets, a relaxed fit, machine washable", "campus, training, campfires", size=CLOTHES, color=CLASSICS),
        kind("swim trunks", "Swimwear", (15, 55), "recycled polyester, quick drying, an elastic waist, zip pockets, a relaxed fit", "beaches, pools, surfing", size=CLOTHES, color=BRIGHTS),
        kind("winter gloves", "Gloves", (12, 50), "merino wool, fleece lined, wind proof, quick drying, reflective trim, machine washable", "skiing, snowball fights, commuting", size=("s/m", "m/l", "xl/2xl"), color=CLASSICS),
        kind("midi dress", "Dresses", (26, 110), "pima cotton, wrinkle resistant, machine washable, long sleeves, an elastic waist, a relaxed fit", "weddings, offices, garden parties", size=CLOTHES, color=PASTELS),
    ),
    care=(
        "See the size chart before ordering.",
        "Wash dark shades on their own the first time.",
        "Our model is 178 cm tall and wears a medium.",
    ),
)  # fmt: skip
