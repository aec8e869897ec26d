"""The goods that the generated catalogue is made of, department by department."""

from __future__ import annotations

from envhub_webshop.stock.beauty import BEAUTY
from envhub_webshop.stock.clothing import CLOTHING
from envhub_webshop.stock.electronics import ELECTRONICS
from envhub_webshop.stock.grocery import GROCERY
from envhub_webshop.stock.home import HOME
from envhub_webshop.stock.kinds import Category, Feature, Kind
from envhub_webshop.stock.kitchen import KITCHEN
from envhub_webshop.stock.office import OFFICE
from envhub_webshop.stock.outdoors import OUTDOORS
from envhub_webshop.stock.pets import PETS
from envhub_webshop.stock.shoes import SHOE

__all__ = ["CATEGORIES", "Category", "Feature", "Kind"]

CATEGORIES: tuple[Category, ...] = (
    KITCHEN,
    HOME,
    CLOTHING,
    SHOE,
    BEAUTY,
    GROCERY,
    ELECTRONICS,
    OUTDOORS,
    OFFICE,
    PETS,
)
