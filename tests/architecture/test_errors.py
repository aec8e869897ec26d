"""Errors cross process boundaries and fit the except clauses that people write."""

from __future__ import annotations

import builtins
import pickle

import pytest

from envhub import errors

CLASSES = [getattr(errors, name) for name in errors.__all__]
BUILTIN = tuple(
    item
    for item in vars(builtins).values()
    if isinstance(item, type) and issubclass(item, Exception) and item is not Exception
)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_an_error_survives_pickling(kind: type[errors.EnvhubError]) -> None:
    """Class, message and details arrive whole on the other side."""
    error = kind("what was asked, what was found, what to type")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_leaf_is_also_a_builtin(kind: type[errors.EnvhubError]) -> None:
    """Code that knows nothing of envhub can still catch it by its nature."""
    is_leaf = not kind.__subclasses__()
    assert not is_leaf or issubclass(kind, BUILTIN)


def test_the_tree_has_one_root() -> None:
    """`except EnvhubError` catches everything that envhub raises on purpose."""
    assert all(issubclass(kind, errors.EnvhubError) for kind in CLASSES)
