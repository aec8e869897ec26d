"""Pools: many isolated episodes of one environment, handed out warm.

Pool ── acquire() ──▶ Lease ── reset / step ──▶ Body ── in_process │ own_process
  │                     └─ close(): back to the pool       │
  ├── acquire_group(n): n copies of one initial state      └─ dead or raising:
  ├── reset_many, step_many: all at once                      closed and replaced
  └── stats()
"""

from envhub.pool.lease import Failure, Lease, Reset, Step
from envhub.pool.pool import Pool
from envhub.pool.stats import PoolStats

__all__ = ["Failure", "Lease", "Pool", "PoolStats", "Reset", "Step"]
