"""How many threads a small model gets.

Threads of one computation wait for each other after every operation. For operations of
microseconds that costs more than they save, and on a busy machine many times more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from envhub_trainers.extras import need

__all__ = ["quiet_threads"]

_SMALL = 50_000_000


@contextmanager
def quiet_threads(model: Any) -> Iterator[None]:
    """One thread for a small model on a CPU, unless ``OMP_NUM_THREADS`` decides."""
    torch = need("torch")
    if "OMP_NUM_THREADS" in os.environ or model.num_parameters() > _SMALL:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
