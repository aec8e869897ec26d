"""Imported by the bare mechanism: loads what the template of an environment has loaded.

The environment's id stands in ENVHUB_BENCH_ENV. For one whose code runs beside the
pool, the template holds nothing of it, and neither does this.
"""

import os

_ID = os.environ["ENVHUB_BENCH_ENV"]

import envhub  # noqa: E402  # only when there is an environment to load
from envhub.pool.host import EpisodeHost  # noqa: E402

_spec = envhub.spec(_ID)
HOST = EpisodeHost(_spec.id, _spec.version, _spec.importable, dict(_spec.kwargs))
