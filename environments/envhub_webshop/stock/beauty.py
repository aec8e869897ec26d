"""Beauty & Care."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import PACKS, PASTELS, SCENTS

__all__ = ["BEAUTY"]

BEAUTY = category(
    "Beauty & Care",
    features=(
        "is fragrance free: Nothing in it is there for the smell.",
        "is cruelty free: Never tried on an animal, and neither are its parts.",
        "is paraben free: Keeps without that group of preservatives.",
        "is sulfate free: Cleans with mild coconut soaps.",
        "is alcohol free: Does not sting and does not dry.",
        "is travel size: Passes any airport tray.",
        "is dermatologist tested: Checked by skin doctors on forty people.",
        "is fast absorbing: Gone in a minute, without a greasy film.",
        "is long lasting: Holds from breakfast until the last train.",
        "is rechargeable: One night on the USB plug gives three weeks.",
        "has aloe vera: Cooling leaf gel is the second thing on the label.",
        "has hyaluronic acid: Draws water into the upper layer of the skin.",
        "has tea tree oil: The sharp oil of an Australian bush clears and cools.",
        "has vitamin e: Pressed from wheat germ, it keeps skin supple.",
        "has shea butter: Rich nut fat for rough spots.",
        "has a pump bottle: One press is one portion.",
        "has soft bristles: Rounded tips are kind to gums and scalp.",
    ),
    kinds=(
        kind("body lotion", "Body Lotions", (7, 32), "vitamin e, paraben free, aloe vera, shea butter, fast absorbing, a pump bottle, dermatologist tested", "dry elbows, winter skin, families", scent=SCENTS, size=("4 oz", "12 oz", "family liter")),
        kind("hair shampoo", "Shampoos", (6, 34), "sulfate free, paraben free, cruelty free, tea tree oil, aloe vera, a pump bottle, travel size", "curly hair, oily scalps, swimmers", scent=SCENTS, size=("4 oz", "12 oz", "family liter")),
        kind("face serum", "Serums", (10, 60), "hyaluronic acid, fragrance free, cruelty free, fast absorbing, dermatologist tested, alcohol free", "fine lines, dull skin, night routines", size=("15 ml", "30 ml", "twin bottle"), strength=("gentle", "standard", "intense")),
        kind("electric toothbrush", "Toothbrushes", (19, 110), "rechargeable, soft bristles, travel size, long lasting, dermatologist tested", "braces, sensitive gums, couples", color=PASTELS, heads=PACKS[:3]),
        kind("lip balm", "Lip Balms", (3, 15), "shea butter, aloe vera, cruelty free, vitamin e, long lasting, travel size", "skiing, chapped lips, handbags", flavor=("wild cherry", "peppermint", "honey", "plain"), pack=PACKS[:4]),
        kind("deodorant stick", "Deodorants", (5, 20), "alcohol free, paraben free, tea tree oil, long lasting, travel size, dermatologist tested", "runners, teenagers, hot summers", scent=SCENTS, pack=PACKS[:3]),
        kind("hair brush", "Hair Brushes", (8, 36), "soft bristles, travel size, rechargeable, cruelty free, long lasting", "thick hair, toddlers, blow drying", shape=("paddle", "round", "vented"), color=PASTELS),
        kind("hand cream", "Hand Creams", (5, 24), "shea butter, vitamin e, fast absorbing, paraben free, a pump bottle, travel size, aloe vera", "gardeners, nurses, cold weather", scent=SCENTS, size=("1 oz", "3 oz", "salon tub")),
        kind("mineral sunscreen", "Sunscreens", (8, 38), "fragrance free, alcohol free, fast absorbing, dermatologist tested, long lasting, aloe vera", "children, sailors, daily wear", factor=("spf 15", "spf 30", "spf 50+"), form=("spray", "milk", "solid stick")),
        kind("makeup brush set", "Makeup Brushes", (10, 55), "cruelty free, soft bristles, travel size, long lasting, dermatologist tested", "beginners, stage artists, powder", pieces=("5", "10", "18"), color=PASTELS),
    ),
    care=(
        "Store below 25 C.",
        "Best used within a year of opening.",
        "Try it on a small patch first.",
    ),
)  # fmt: skip
