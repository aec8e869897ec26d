"""Pools while calls are on their way: interrupts, closing, hanging, forking."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import envhub
from envhub.errors import DeadlineExceeded, LifecycleError, StepAfterEnd
from envhub.registry import Registry


class Sleeper(envhub.ToolEnv):
    """Sleeps, and notices when two turns are taken at once."""

    tasks = envhub.Tasks.from_list("sleeper", [{}])
    awake = True

    def begin(self, task: envhub.Task) -> str:
        assert self.awake, "a reset during a turn"
        return "ready"

    @envhub.tool
    def sleep(self, seconds: float) -> str:
        """Sleep.

        Args:
            seconds: How long.
        """
        assert self.awake, "two turns at once"
        self.awake = False
        time.sleep(seconds)
        self.awake = True
        return "slept"

    def score(self) -> envhub.Score:
        return envhub.Score(1.0)

    def shutdown(self) -> None:
        raise OSError("the backend is gone")


def _sleep(seconds: float) -> envhub.ToolCall:
    return envhub.ToolCall("sleep", {"seconds": seconds})


def _pool(**kwargs: Any) -> envhub.Pool:
    registry = Registry(list)
    registry.register("sleeper", Sleeper)
    return envhub.Pool("sleeper", registry=registry, placement="in_process", **kwargs)


@pytest.fixture
def pool() -> Iterator[envhub.Pool]:
    with _pool(size=2, warm=2) as made:
        yield made


def test_an_interrupt_ends_what_nobody_waits_for(pool: envhub.Pool) -> None:
    leases = [pool.acquire() for _ in range(2)]
    pool.reset_many(leases)
    interrupt = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        pool.step_many([(lease, _sleep(0.5)) for lease in leases])
    for lease in leases:
        with pytest.raises(StepAfterEnd):
            lease.step(_sleep(0))
        lease.reset()
        assert lease.step(_sleep(0)).observation == "slept"
    assert pool.stats().replaced == 2


def test_a_lease_closed_during_a_turn_leaves_no_instance_in_use(
    pool: envhub.Pool,
) -> None:
    with pool.acquire() as lease:
        lease.reset()
        turn = threading.Thread(target=lease.step, args=(_sleep(0.3),))
        turn.start()
        time.sleep(0.1)
    for _ in range(2):
        other = pool.acquire()
        other.reset()
        other.step(_sleep(0))
    turn.join()


def test_a_lease_in_a_turn_does_not_expire() -> None:
    with _pool(size=1, lease_ttl=0.1) as pool:
        lease = pool.acquire()
        lease.reset()
        other = threading.Timer(0.05, pool.acquire)
        other.start()
        assert lease.step(_sleep(0.4)).observation == "slept"
        lease.close()
        other.join()


def test_a_turn_that_hangs_holds_up_nobody_else() -> None:
    with _pool(size=1, step_timeout=0.2) as pool, pool.acquire() as lease:
        lease.reset()
        with pytest.raises(DeadlineExceeded):
            lease.step(_sleep(30))
        assert lease.reset().observation == "ready"


def test_a_turn_that_hangs_does_not_keep_the_program_from_ending() -> None:
    script = (
        "import time, envhub\n"
        "class Stuck(envhub.ToolEnv):\n"
        "    tasks = envhub.Tasks.from_list('stuck', [{}])\n"
        "    def begin(self, task): time.sleep(60)\n"
        "    def score(self): return envhub.Score(0.0)\n"
        "envhub.register('stuck', Stuck)\n"
        "pool = envhub.Pool('stuck', size=1, reset_timeout=0.2)\n"
        "try: pool.acquire().reset()\n"
        "except TimeoutError: pass\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=30)


def test_a_forked_process_is_told_that_the_pool_is_not_its_own(
    pool: envhub.Pool,
) -> None:
    lease = pool.acquire()
    lease.reset()
    pid = os.fork()
    if pid == 0:
        try:
            lease.step(_sleep(0))
        except LifecycleError:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert lease.step(_sleep(0)).observation == "slept"
