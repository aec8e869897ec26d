"""What the shop sells, as values.

Where a catalogue comes from is not decided here: `envhub_webshop.generate` makes one
from a seed. Everything else takes a `Catalogue` as it is handed in, and no part of the
shop changes one, so that all sessions of a process share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["Catalogue", "Product"]


@dataclass(frozen=True, slots=True)
class Product:
    """One product.

    Attributes:
        id: What one clicks on in a list of results.
        name: Title, with brand and highlights.
        query: What people type who want this kind of product.
        path: Category path, from the department down.
        nouns: Nouns of the title, in lower case; the reward compares them.
        price: In dollars.
        price_text: The price as the pages show it; some data have a range.
        description: Text of the Description page.
        bullets: Lines of the Features page.
        attributes: Short facts, in lower case; lines of the Attributes page.
        options: Values to choose from, in lower case, by the option's name.
        reviews: Lines of the Reviews page.
        rating: As the product's page shows it.
    """

    id: str
    name: str
    query: str
    path: tuple[str, ...]
    nouns: frozenset[str]
    price: float
    price_text: str
    description: str = ""
    bullets: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    reviews: tuple[str, ...] = ()
    rating: str = "N.A."

    @property
    def text(self) -> str:
        """What the search index reads."""
        choices = (
            f"{name}: {', '.join(values)}" for name, values in self.options.items()
        )
        parts = (self.name, self.query, self.description, *self.bullets, *choices)
        return " ".join(parts)


class Catalogue:
    """Products in a fixed order, found by id in any case."""

    __slots__ = ("_by_id", "products")

    def __init__(self, products: tuple[Product, ...]) -> None:
        self.products = products
        self._by_id = {product.id.casefold(): product for product in products}
        if len(self._by_id) != len(products):
            raise ValueError("two products have the same id")

    def find(self, id: str) -> Product | None:
        """The product of an id, in any case; None where there is none."""
        return self._by_id.get(id.casefold())

    def __getitem__(self, id: str) -> Product:
        return self._by_id[id.casefold()]

    def __iter__(self) -> Iterator[Product]:
        return iter(self.products)

    def __len__(self) -> int:
        return len(self.products)
