"""Home & Bedroom."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BEDS, CLASSICS, EARTHS, PASTELS, SCENTS

__all__ = ["HOME"]

HOME = category(
    "Home & Bedroom",
    features=(
        "made of solid wood: Joined from planed boards, without chipboard.",
        "made of memory foam: Slowly takes the shape that rests on it.",
        "made of organic cotton: Fibers come from farms that spray nothing.",
        "made of faux leather: Looks like hide and wipes clean.",
        "made of linen: Flax threads feel crisp and dry quickly.",
        "is machine washable: Goes into the washer at 40 C.",
        "is easy to assemble: Two people, one hex key, twenty minutes.",
        "is water resistant: Spills bead up and can be dabbed away.",
        "is hypoallergenic: Gives dust mites little to live on.",
        "is energy saving: Draws less than five watts in use.",
        "is soy based: Poured from bean wax, without paraffin.",
        "is smoke free: Burns clean to the last drop.",
        "is long burning: Sixty evenings of an hour each.",
        "is silent: You will not hear it, even at night.",
        "has a cotton wick: A flat braid that needs no trimming.",
        "has blackout lining: Keeps the morning sun outside.",
        "has a dimmer: Slide from reading light to night glow.",
        "has hidden storage: There is room under the top for the clutter.",
        "has anti slip feet: Small rubber pads keep it in place.",
        "has an adjustable height: Three positions, changed without tools.",
        "has a remote control: Change it without getting up; battery included.",
    ),
    kinds=(
        kind("bed sheet set", "Bed Sheets", (22, 110), "organic cotton, linen, machine washable, hypoallergenic, water resistant", "hot sleepers, guest rooms, deep mattresses", size=BEDS, color=PASTELS),
        kind("fiber pillow", "Pillows", (15, 70), "memory foam, organic cotton, machine washable, hypoallergenic, an adjustable height", "side sleepers, back sleepers, neck pain", size=BEDS[:4], firmness=("soft", "balanced", "extra firm")),
        kind("floor lamp", "Floor Lamps", (30, 140), "solid wood, a dimmer, energy saving, easy to assemble, a remote control, an adjustable height, anti slip feet", "reading corners, living rooms, dark hallways", color=EARTHS, bulb=("warm glow", "daylight")),
        kind("window curtain", "Curtains", (16, 75), "linen, organic cotton, blackout lining, machine washable, water resistant", "nurseries, bedrooms, home offices", length=("63 in", "84 in", "108 in"), color=PASTELS),
        kind("storage ottoman", "Ottomans", (28, 120), "faux leather, linen, hidden storage, easy to assemble, anti slip feet, water resistant", "toys, blankets, extra seating", color=EARTHS, size=("cube", "long bench")),
        kind("ladder bookcase", "Bookcases", (45, 190), "solid wood, easy to assemble, anti slip feet, water resistant, an adjustable height", "novels, records, house plants", finish=("natural oak", "dark walnut", "white lacquer"), tiers=("three", "four", "five")),
        kind("bath mat", "Bath Mats", (11, 45), "memory foam, organic cotton, machine washable, anti slip feet, water resistant", "showers, cold tiles, laundry rooms", color=PASTELS, size=("17 x 24", "20 x 32", "24 x 60")),
        kind("throw blanket", "Throws", (18, 85), "organic cotton, linen, machine washable, hypoallergenic, water resistant", "sofas, reading nights, road trips", color=EARTHS, size=("50 x 60", "60 x 80")),
        kind("scented candle", "Candles", (9, 40), "soy based, smoke free, long burning, a cotton wick, hypoallergenic", "quiet evenings, gifts, bathrooms", scent=SCENTS, size=("4 oz", "8 oz", "three wick")),
        kind("wall clock", "Clocks", (14, 80), "solid wood, silent, energy saving, water resistant, a dimmer", "kitchens, classrooms, patios", color=CLASSICS, diameter=("10 in", "12 in", "16 in")),
    ),
    care=(
        "Colors may look a little different on your screen.",
        "Arrives in a flat box with every screw.",
        "Dust with a dry cloth.",
    ),
)  # fmt: skip
