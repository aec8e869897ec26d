"""Pet Supplies."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CLOTHES, EARTHS, PACKS, PASTELS

__all__ = ["PETS"]

PETS = category(
    "Pet Supplies",
    features=(
        "made of sisal rope: Tough plant twine that claws love.",
        "made of orthopedic foam: Spares old joints the hard floor.",
        "made of food grade silicone: Bends, bounces and boils clean.",
        "made of ceramic: Heavy glaze that no tongue can push around.",
        "is chew proof: Survived our own three terriers.",
        "is machine washable: Zip off the cover and wash it warm.",
        "is grain free: Meat and peas, no corn or wheat.",
        "is low dust: Pours without a cloud.",
        "is odor neutral: Charcoal binds the smell for a week.",
        "is fast clumping: Scoop after five minutes.",
        "is biodegradable: Rots away in a garden heap.",
        "is fragrance free: Nothing added that a nose could mind.",
        "is alcohol free: Does not sting on scratched paws.",
        "is soft baked: Easy on baby teeth and old ones.",
        "is low fat: Four percent, for the well fed.",
        "is dishwasher safe: Hot cycle, any rack.",
        "is extra thick: One sheet does the work of two.",
        "has slow feeding ridges: A maze that turns one minute into ten.",
        "has soft padding: No rubbing under the front legs.",
        "has an oat extract: Milled grain soothes itchy skin.",
        "has a bell: Hear where the game has gone.",
        "is reflective: Stitched with thread that shines in headlights.",
        "is escape proof: Three buckles, and no way backwards.",
        "has a non slip base: A rubber ring keeps it from wandering.",
        "has a timer: Set four meals and go to work.",
        "has a squeaker: Bites are answered.",
        "has real chicken: The first item on the label has wings.",
        "has catnip: Filled with the dried leaf that starts the party.",
    ),
    kinds=(
        kind("dog bed", "Dog Beds", (20, 120), "orthopedic foam, machine washable, chew proof, a non slip base, odor neutral", "old dogs, crates, hot summers", size=CLOTHES[1:], color=EARTHS),
        kind("dog harness", "Harnesses", (12, 60), "reflective, escape proof, chew proof, machine washable, soft padding", "pullers, night walks, training", size=CLOTHES, color=BRIGHTS),
        kind("cat scratcher", "Scratchers", (10, 75), "sisal rope, a non slip base, catnip, a bell, biodegradable", "kittens, sofas, apartments", shape=("post", "ramp", "wave lounge"), color=EARTHS),
        kind("cat litter", "Litter", (8, 40), "low dust, odor neutral, fast clumping, biodegradable, fragrance free", "two cats, small flats, allergies", weight=("7 lb", "14 lb", "40 lb"), material=("clay", "corn", "recycled paper")),
        kind("dog treats", "Dog Treats", (5, 34), "grain free, real chicken, soft baked, low fat, fragrance free", "puppies, recall training, picky eaters", flavor=("bacon", "sweet potato", "salmon", "peanut butter"), size=("6 oz", "1 lb", "3 lb tub")),
        kind("pet feeder", "Feeders", (18, 130), "a timer, ceramic, a non slip base, food grade silicone, dishwasher safe, slow feeding ridges", "workdays, diets, holidays", bowls=("one", "two"), capacity=("2 l", "4 l", "7 l")),
        kind("chew toy", "Dog Toys", (6, 30), "food grade silicone, chew proof, a squeaker, a bell, machine washable", "teething, boredom, fetch", size=CLOTHES[1:4], color=BRIGHTS),
        kind("feeding dish", "Dishes", (7, 38), "ceramic, food grade silicone, a non slip base, dishwasher safe, slow feeding ridges", "fast eaters, flat faces, travel", size=CLOTHES[1:4], color=PASTELS),
        kind("cat toy set", "Cat Toys", (6, 32), "catnip, sisal rope, a squeaker, a bell, biodegradable", "hunters, indoor cats, rainy days", pieces=("5", "12", "20"), theme=("mice", "feathers", "fish")),
        kind("grooming wipes", "Grooming", (5, 26), "odor neutral, alcohol free, biodegradable, extra thick, an oat extract", "muddy paws, ears, car rides", scent=("oatmeal", "cucumber", "unscented"), pack=PACKS[:4]),
    ),
    care=(
        "Watch your pet with any new thing.",
        "Send it back if your pet disagrees.",
        "A part of each sale goes to a shelter.",
    ),
)  # fmt: skip
