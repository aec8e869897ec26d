"""Office & School."""

# ruff: noqa: E501  # a table reads best with one kind a line

from __future__ import annotations

from envhub_webshop.stock.kinds import category, kind
from envhub_webshop.stock.pools import BRIGHTS, CLASSICS, EARTHS, PACKS, PASTELS

__all__ = ["OFFICE"]

OFFICE = category(
    "Office & School",
    features=(
        "made of recycled paper: Pulped from old newspapers, pleasantly off white.",
        "made of tempered glass: Safe edges and a surface that wipes clean.",
        "made of powder coated steel: Painted dry and baked, so it will not chip.",
        "made of cork: Stripped bark that heals over pin holes.",
        "is acid free: Pages will not turn yellow.",
        "is bleed proof: Ink stays on its own side.",
        "is refillable: Change the inside and keep the outside.",
        "is stackable: One sits firmly on the next.",
        "is smudge free: Dries before a left hand arrives.",
        "is heavy duty: Built for a copy room, not for a drawer.",
        "has dotted pages: Faint points guide a ruler and a pen.",
        "has locking wheels: Roll it over and press the lever.",
        "has lumbar support: A curved pad fills the small of the back.",
        "is dimmable: Tap for five levels of light.",
        "is quick drying: Touch the line after two seconds.",
        "is flicker free: Easy on tired eyes.",
        "has a soft grip: A ribbed sleeve for long sentences.",
        "has a usb port: Feed a phone while you work.",
        "has a magnetic back: Holds on to any metal door.",
        "has a pen loop: The writer stays with the writing.",
    ),
    kinds=(
        kind("lined notebook", "Notebooks", (5, 32), "recycled paper, acid free, bleed proof, dotted pages, a pen loop, refillable", "journals, lectures, sketches", size=("pocket", "a5", "letter"), color=PASTELS),
        kind("gel pens", "Pens", (4, 26), "smudge free, quick drying, refillable, bleed proof, acid free, a soft grip", "left handers, planners, exams", tip=("0.38 mm", "0.5 mm", "bold"), ink=("black", "royal blue", "rainbow")),
        kind("desk organizer", "Desk Organizers", (12, 55), "powder coated steel, cork, stackable, a usb port, heavy duty, a magnetic back", "bills, dorm rooms, receptions", color=EARTHS, drawers=("open top", "one", "three")),
        kind("office chair", "Office Chairs", (70, 195), "lumbar support, locking wheels, heavy duty, powder coated steel, stackable", "home offices, tall people, call centers", color=CLASSICS, armrest=("fixed", "flip up", "without")),
        kind("dry erase board", "Whiteboards", (16, 120), "tempered glass, a magnetic back, powder coated steel, locking wheels, smudge free, a pen loop", "meetings, homework, grocery lists", size=('11 x 14"', '24 x 36"', '48 x 72"'), frame=("silver", "oak", "frameless")),
        kind("desk lamp", "Desk Lamps", (17, 80), "dimmable, flicker free, a usb port, powder coated steel, a magnetic back", "night study, sewing, drafting", color=CLASSICS, arm=("short", "double joint", "gooseneck")),
        kind("file cabinet", "File Cabinets", (50, 190), "powder coated steel, locking wheels, heavy duty, stackable, a magnetic back", "tax papers, clinics, contracts", drawers=("two", "three", "four"), color=EARTHS),
        kind("sticky notes", "Sticky Notes", (3, 20), "recycled paper, bleed proof, acid free, refillable, smudge free, dotted pages", "bookmarks, brainstorming, reminders", color=BRIGHTS, pack=PACKS),
        kind("paper shredder", "Shredders", (38, 185), "heavy duty, locking wheels, powder coated steel, a usb port, stackable", "old statements, schools, law firms", cut=("strip", "cross", "micro"), bin=("3 gal", "6 gal")),
        kind("pencil case", "Pencil Cases", (6, 28), "cork, heavy duty, a pen loop, stackable, recycled paper, smudge free", "art class, makeup, first graders", color=BRIGHTS, size=("slim", "roomy")),
    ),
    care=(
        "Packed without plastic.",
        "Ask us for a quote on larger orders.",
        "Fits standard supplies.",
    ),
)  # fmt: skip
