"""Grocery."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import PACKS

__all__ = ["GROCERY"]

GROCERY = category(
    "Grocery",
    features=(
        "is gluten free: Made on a line that never sees wheat.",
        "is vegan: No milk, eggs, honey or anything else from animals.",
        "is sugar free: Sweetened with monk fruit alone.",
        "is low sodium: A third of the usual salt.",
        "is keto friendly: Three grams of carbohydrate in a serving.",
        "is kosher: Certified by an independent board.",
        "is nut free: Packed where no almonds or peanuts are handled.",
        "is non gmo: Seeds are bred the old way.",
        "is fair trade: Growers get a price that covers their costs.",
        "is ready to eat: Open the pack and reach for a spoon.",
        "is high in protein: Fifteen grams in a serving.",
        "is caffeine free: Drink it late and sleep well.",
        "is usda organic: Grown and packed under the federal seal.",
        "has a resealable bag: Press the strip and it stays fresh.",
        "has no artificial colors: The shade comes from fruit and roots.",
    ),
    kinds=(
        kind("dark chocolate bar", "Chocolate", (3, 30), "vegan, sugar free, fair trade, usda organic, kosher, gluten free, nut free", "baking, hikers, gifts", cocoa=("55%", "70%", "85%"), pack=PACKS),
        kind("oat granola", "Cereals", (5, 28), "gluten free, usda organic, nut free, non gmo, a resealable bag, high in protein, vegan", "breakfast, yogurt, trail snacks", flavor=("maple cinnamon", "berry", "cocoa crunch", "plain oat"), size=("12 oz", "24 oz")),
        kind("herbal tea", "Herbal Teas", (4, 26), "caffeine free, usda organic, fair trade, non gmo, kosher, vegan", "bedtime, sore throats, iced pitchers", blend=("chamomile", "ginger & lemon", "rooibos", "hibiscus"), count=("20 ct", "50 ct", "loose tin")),
        kind("coffee beans", "Coffee", (9, 42), "fair trade, usda organic, kosher, non gmo, a resealable bag", "espresso, cold brew, offices", roast=("light", "medium", "extra dark"), size=("10 oz", "2 lb", "5 lb")),
        kind("protein bar", "Protein Bars", (8, 36), "high in protein, gluten free, vegan, keto friendly, sugar free, nut free, no artificial colors", "gyms, hikes, late shifts", flavor=("banana", "salted caramel", "mocha", "coconut"), pack=PACKS[1:]),
        kind("pasta sauce", "Sauces", (4, 22), "low sodium, vegan, gluten free, usda organic, no artificial colors, ready to eat", "lasagna, pizza, weeknights", flavor=("basil", "roasted garlic", "arrabbiata", "porcini"), pack=PACKS[:3]),
        kind("trail mix", "Trail Mixes", (6, 32), "non gmo, vegan, low sodium, gluten free, a resealable bag, high in protein", "road trips, lunch boxes, camping", blend=("tropical", "sweet & salty", "fiery"), size=("8 oz", "1.5 lb", "3 lb")),
        kind("rice crackers", "Crackers", (4, 24), "gluten free, low sodium, vegan, nut free, no artificial colors, kosher, ready to eat", "cheese boards, toddlers, parties", flavor=("sea salt", "black sesame", "wasabi", "tamari"), pack=PACKS),
        kind("soup cup", "Soups", (3, 27), "vegan, gluten free, low sodium, ready to eat, high in protein, no artificial colors", "desks, camping, sick days", flavor=("lentil", "tomato", "miso", "corn chowder"), pack=PACKS),
        kind("drink powder", "Drink Mixes", (6, 34), "sugar free, caffeine free, keto friendly, vegan, no artificial colors, a resealable bag, nut free", "athletes, heat waves, water bottles", flavor=("lemonade", "mixed berry", "mango", "cucumber lime"), servings=("15", "30", "60")),
    ),
    care=(
        "Keep in a cool, dry cupboard.",
        "The date is printed under the lid.",
        "Shipped with ice packs in summer.",
    ),
)  # fmt: skip
