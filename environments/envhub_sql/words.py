"""Words that names in the invented worlds are made of."""

__all__ = ["ADJECTIVE", "FIRST", "LAST", "NOUN", "PLACE", "SITE"]


def _words(text: str) -> list[str]:
    return text.split()


FIRST = _words(
    "Ada Bo Cleo Dan Eve Finn Gus Hana Ivo June Kai Lena Max Nora Otto Pia Quinn Rosa "
    "Sam Tess Uma Vic Wren Yara Zeno"
)
LAST = _words(
    "Adler Berg Costa Dorn Engel Frost Gallo Hart Ibsen Jansen Keller Lind Marsh Novak "
    "Olsen Pace Quist Reyes Stone Tran Ueda Vance Weber Young"
)
ADJECTIVE = _words(
    "Amber Brave Calm Distant Early Fabled Golden Hidden Iron Jade Keen Lonely Misty "
    "Narrow Open Pale Quiet Rough Silver Tall"
)
NOUN = _words(
    "Anchor Bridge Candle Door Ember Forest Garden Harbour Island Journey Kettle "
    "Lantern Mirror Nest Orchard Path Quarry River Summit Tower"
)
PLACE = _words(
    "Ash Birch Cedar Dune Elm Fern Glen Hazel Ivy Juniper Kelp Lark Maple Nettle Oak "
    "Pine"
)
SITE = _words("ford bury wick ton ham field mouth stead")
