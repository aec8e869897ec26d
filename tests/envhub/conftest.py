"""The toy environment of these tests, found as a plug-in's would be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import envhub

TOYS = Path(__file__).parent / "toys"
if str(TOYS) not in sys.path:
    sys.path.append(str(TOYS))


@pytest.fixture(scope="session", autouse=True)
def toy_lock() -> envhub.EnvSpec:
    """The spec of the toy, registered."""
    from envhub_toy_lock import spec

    return envhub.register(spec)
