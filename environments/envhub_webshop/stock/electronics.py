"""Electronics."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CABLES, CLASSICS, EARTHS, STORAGE

__all__ = ["ELECTRONICS"]

ELECTRONICS = category(
    "Electronics",
    features=(
        "is water resistant: Survives rain and a splash from the sink.",
        "is noise cancelling: Four microphones listen and hush the engine.",
        "is plug and play: No driver, no account, no set-up disk.",
        "is hands free: Answer with your voice.",
        "is wall mountable: Screws and a paper template are in the box.",
        "is ultra slim: Thinner than a pencil.",
        "is shock proof: Falls from the table do it no harm.",
        "is energy efficient: Sleeps at a tenth of a watt.",
        "has fast charging: Half full in twenty minutes.",
        "has a long battery life: Thirty hours between two visits to the socket.",
        "has bluetooth: Pairs with phone and laptop at once.",
        "has a backlight: Letters glow in three strengths.",
        "has a pen holder: A loop on the spine for the stylus.",
        "has a folding stand: Bends into a prop for films and typing.",
        "has gold plated contacts: Connectors stay bright and the signal clean.",
        "has a braided jacket: Woven nylon outlives plain plastic.",
        "has a privacy shutter: Slide it shut and nobody looks in.",
        "has surround sound: Voices in front, rain behind you.",
    ),
    kinds=(
        kind("wireless earbuds", "Earbuds", (20, 140), "noise cancelling, bluetooth, water resistant, fast charging, a long battery life, hands free", "jogging, calls, flights", color=CLASSICS, tips=("silicone", "foam")),
        kind("usb cable", "Cables", (5, 28), "fast charging, a braided jacket, gold plated contacts, plug and play, shock proof", "phones, cars, nightstands", length=CABLES, color=BRIGHTS),
        kind("portable charger", "Power Banks", (16, 75), "fast charging, ultra slim, shock proof, water resistant, energy efficient, plug and play", "festivals, camping, tablets", capacity=("5k mah", "10k mah", "27k mah"), color=CLASSICS),
        kind("mechanical keyboard", "Keyboards", (35, 160), "a backlight, bluetooth, plug and play, a long battery life, ultra slim, water resistant", "programmers, gamers, writers", switch=("clicky blue", "silent red", "tactile brown"), layout=("60%", "compact 75%", "full size")),
        kind("video webcam", "Webcams", (22, 120), "plug and play, a privacy shutter, noise cancelling, wall mountable, ultra slim", "meetings, streaming, classrooms", resolution=("720p", "1080p", "4k"), mount=("clip", "mini tripod")),
        kind("bluetooth speaker", "Speakers", (18, 150), "water resistant, a long battery life, surround sound, shock proof, hands free, fast charging", "showers, barbecues, bikes", color=BRIGHTS, size=("pocket", "bottle", "boombox")),
        kind("memory card", "Memory Cards", (8, 60), "water resistant, shock proof, plug and play, energy efficient, gold plated contacts", "drones, dash cams, cameras", capacity=STORAGE, format=("micro", "full sd")),
        kind("tablet case", "Tablet Cases", (12, 55), "shock proof, ultra slim, water resistant, a pen holder, a folding stand", "kids, sketching, kitchens", size=('8"', '10.2"', '12.9"'), color=EARTHS),
        kind("smart plug", "Smart Plugs", (9, 45), "energy efficient, plug and play, hands free, bluetooth, ultra slim", "lamps, heaters, holidays", pack=("single", "2-pack", "4-pack"), rating=("10 amp", "15 amp")),
        kind("tv soundbar", "Soundbars", (45, 190), "surround sound, bluetooth, wall mountable, a long battery life, plug and play, energy efficient", "films, small flats, consoles", length=("16 in", "24 in", "36 in"), color=CLASSICS),
    ),
    care=(
        "One year of warranty.",
        "The manual is in six languages.",
        "Recycle the old one at any depot.",
    ),
)  # fmt: skip
