"""Pools: leases, groups, batches, failures, order and limits."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import envhub
from envhub.errors import (
    Closed,
    EnvironmentFault,
    PoolExhausted,
    StepAfterEnd,
    StepBeforeReset,
    UsageError,
)
from envhub.parsing import Parsed
from envhub.pool import Failure, Reset, Step
from envhub.registry import Registry


class Fragile(envhub.Environment):
    """Fails where it is told to; counts what is alive."""

    tasks = envhub.Tasks.from_list("fragile", [{"n": n} for n in range(10)])
    alive = 0
    fail_resets = 0

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        type(self).alive += 1

    def begin(self, task: envhub.Task) -> str:
        if type(self).fail_resets > 0:
            type(self).fail_resets -= 1
            raise OSError("the backend refuses")
        return f"task {task['n']}"

    def grammar(self, text: str) -> envhub.ToolCall:
        return envhub.ToolCall(text)

    def act(self, parsed: Parsed) -> tuple[str, list[envhub.ToolResult]]:
        word = parsed.calls[0].name
        if word == "crash":
            raise ZeroDivisionError("by the environment")
        if word == "sleep":
            time.sleep(0.2)
        if word == "done":
            self.finish()
        return word, [envhub.ToolResult(word, word)]

    def score(self) -> envhub.Score:
        return envhub.Score(1.0)

    def shutdown(self) -> None:
        type(self).alive -= 1


@pytest.fixture
def registry() -> Registry:
    registry = Registry(list)
    kind = type("Fragile", (Fragile,), {"alive": 0, "fail_resets": 0})
    registry.register("fragile", kind)
    return registry


@pytest.fixture
def kind(registry: Registry) -> Any:
    return registry.spec("fragile").entry_point


def _pool(registry: Registry, **kwargs: Any) -> envhub.Pool:
    return envhub.Pool("fragile", registry=registry, **kwargs)


def test_T008_failed_resets_neither_shrink_nor_clog_the_pool(
    registry: Registry, kind: Any
) -> None:
    kind.fail_resets = 3
    with _pool(registry, size=2) as pool:
        for _ in range(3):
            lease = pool.acquire()
            with pytest.raises(EnvironmentFault, match="the backend refuses"):
                lease.reset(seed=1)
            lease.close()

        def episode() -> None:
            with pool.acquire(timeout=30) as lease:
                lease.reset()
                lease.step("done")

        threads = [threading.Thread(target=episode) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stats = pool.stats()
        assert (stats.size, stats.reset_failures, stats.episodes) == (2, 3, 20)
        assert kind.alive <= 2
    assert kind.alive == 0


def test_a_group_begins_from_one_state_and_goes_separate_ways(
    registry: Registry,
) -> None:
    with _pool(registry, size=4) as pool:
        group = pool.acquire_group(4, seed=3)
        assert len({lease.observation for lease in group}) == 1
        assert len({lease.info["seed"] for lease in group}) == 1
        group[0].step("done")
        with pytest.raises(StepAfterEnd):
            group[0].step("more")
        assert not group[1].step("more").terminated
        for lease in group:
            lease.close()
        assert pool.stats().live == 0


def test_a_batch_gives_failures_in_place_and_leaves_the_others_alone(
    registry: Registry,
) -> None:
    with _pool(registry, size=3) as pool:
        leases = [pool.acquire() for _ in range(3)]
        resets = pool.reset_many(leases, seeds=[1, 2, 3])
        assert all(isinstance(reset, Reset) for reset in resets)
        one, two, three = pool.step_many(
            list(zip(leases, ["a", "crash", "b"], strict=True))
        )
        assert isinstance(one, Step) and isinstance(three, Step)
        assert isinstance(two, Failure)
        assert isinstance(two.error, EnvironmentFault)
        assert leases[1].reset(seed=2).observation
        assert pool.stats().replaced == 1


def test_a_batch_of_steps_takes_as_long_as_its_slowest(registry: Registry) -> None:
    with _pool(registry, size=8) as pool:
        leases = pool.acquire_group(8, seed=1)
        started = time.perf_counter()
        pool.step_many([(lease, "sleep") for lease in leases])
        assert time.perf_counter() - started < 8 * 0.2 / 2


def test_waiting_is_first_come_first_served(registry: Registry) -> None:
    order: list[int] = []
    with _pool(registry, size=1) as pool:
        held = pool.acquire()

        def wait(number: int) -> None:
            with pool.acquire(timeout=30):
                order.append(number)

        threads = []
        for number in range(5):
            threads.append(threading.Thread(target=wait, args=(number,)))
            threads[-1].start()
            while len(pool._queue) <= number:
                threading.Event().wait(0.001)
        held.close()
        for thread in threads:
            thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_a_full_pool_says_so_at_the_deadline(registry: Registry) -> None:
    with _pool(registry, size=1) as pool:
        pool.acquire()
        with pytest.raises(PoolExhausted, match="all 1 instances"):
            pool.acquire(timeout=0.05)


def test_a_lease_nobody_uses_is_taken_back_for_those_who_wait(
    registry: Registry,
) -> None:
    with _pool(registry, size=1, lease_ttl=0.05) as pool:
        forgotten = pool.acquire()
        with pool.acquire(timeout=10) as lease:
            lease.reset(seed=1)
        with pytest.raises(Closed, match="expired"):
            forgotten.reset(seed=1)
        assert pool.stats().expired == 1


def test_calls_out_of_order_are_told(registry: Registry) -> None:
    with _pool(registry, size=1) as pool:
        lease = pool.acquire()
        with pytest.raises(StepBeforeReset):
            lease.step("x")
        with pytest.raises(UsageError, match="does not fit"):
            pool.acquire_group(2)
    with pytest.raises(Closed):
        lease.reset()
    with pytest.raises(Closed):
        pool.acquire()
    pool.close()


def test_a_pool_of_nothing_is_refused(registry: Registry) -> None:
    with pytest.raises(UsageError, match="at least one"):
        _pool(registry, size=0)
