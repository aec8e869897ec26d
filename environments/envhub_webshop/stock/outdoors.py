"""Sports & Outdoors."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CLASSICS, CLOTHES, EARTHS

__all__ = ["OUTDOORS"]

OUTDOORS = category(
    "Sports & Outdoors",
    features=(
        "made of carbon fiber: Stiff black tubes weigh next to nothing.",
        "made of natural rubber: Tapped from trees, grippy when damp.",
        "made of ripstop nylon: A grid of thick threads halts any tear.",
        "made of aircraft aluminum: Hard alloy that will not rust.",
        "is waterproof: Seams are taped and tested under a hose.",
        "is ultralight: You will forget that you carry it.",
        "is foldable: Packs to the size of a shoe.",
        "is insulated: Cold drinks stay cold for a day.",
        "is uv resistant: Strong sun does not fade or crack it.",
        "has padded straps: Foam spreads the load over your shoulders.",
        "has an adjustable strap: Fits with and without a coat.",
        "has a carry bag: A drawstring sack comes with it.",
        "has a quick release: One click and it is off.",
        "has a whistle: Built into the buckle for emergencies.",
        "has mesh pockets: See what is inside before you open it.",
    ),
    kinds=(
        kind("yoga mat", "Yoga Mats", (15, 90), "natural rubber, ultralight, foldable, a carry bag, an adjustable strap, uv resistant", "studios, sore knees, hotel rooms", thickness=("3 mm", "6 mm", '1/2"'), color=BRIGHTS),
        kind("hiking backpack", "Backpacks", (35, 180), "ripstop nylon, waterproof, ultralight, padded straps, mesh pockets, a whistle", "day hikes, scouts, weekends away", volume=("20 l", "35 l", "50 l"), color=EARTHS),
        kind("camping tent", "Tents", (60, 195), "ripstop nylon, waterproof, uv resistant, ultralight, a carry bag, mesh pockets, aircraft aluminum", "festivals, families, snow", people=("one", "two", "four"), color=EARTHS),
        kind("water bottle", "Water Bottles", (10, 40), "insulated, foldable, an adjustable strap, uv resistant, aircraft aluminum, a quick release", "gyms, trails, classrooms", size=("18 oz", "24 oz", "40 oz"), color=BRIGHTS),
        kind("bike helmet", "Bike Helmets", (25, 120), "carbon fiber, ultralight, mesh pockets, a quick release, an adjustable strap, uv resistant", "commuting, racing, children", size=CLOTHES[1:4], color=CLASSICS),
        kind("trekking poles", "Trekking Poles", (22, 110), "carbon fiber, aircraft aluminum, foldable, ultralight, a carry bag, a quick release", "steep descents, pilgrims, snowshoes", grip=("cork", "eva foam", "natural latex"), length=("kids", "regular", "tall")),
        kind("sleeping bag", "Sleeping Bags", (30, 170), "ripstop nylon, insulated, waterproof, ultralight, a carry bag, foldable", "sleepovers, alpine huts, spring camping", season=("summer", "three season", "arctic"), zipper=("left", "right")),
        kind("resistance bands", "Resistance Bands", (9, 45), "natural rubber, ultralight, a carry bag, uv resistant, a quick release", "physiotherapy, travel, pull-ups", tension=("light", "medium", "heavy"), color=BRIGHTS),
        kind("swim goggles", "Goggles", (8, 48), "uv resistant, waterproof, an adjustable strap, a quick release, a carry bag, ultralight", "triathlons, lessons, open water", lens=("clear", "smoke", "mirrored blue"), fit=("youth", "narrow face", "adult")),
        kind("camp chair", "Camp Chairs", (20, 95), "ripstop nylon, aircraft aluminum, foldable, mesh pockets, a carry bag, uv resistant, padded straps", "fishing, concerts, sidelines", color=EARTHS, height=("low", "standard", "bar stool")),
    ),
    care=(
        "Rinse off sand and salt after use.",
        "Store it dry and loosely packed.",
        "Two years of free repairs.",
    ),
)  # fmt: skip
