"""The checks that every environment passes. Each is a function of a `Subject`."""

from __future__ import annotations

import copy
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import check_env

from envhub.env import Environment
from envhub.errors import Closed, StepAfterEnd, StepBeforeReset, UnknownTask, UsageError
from envhub.pool import Pool
from envhub.testing.leaks import Census
from envhub.testing.subject import Subject, play, random_texts
from envhub.testing.transcript import digests

__all__ = ["CHECKS"]

Check = Callable[[Subject], None]


def passes_gymnasiums_own_checker(subject: Subject) -> None:
    """`check_env` finds nothing, not even a warning."""
    with subject.open() as env, warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


def same_seed_gives_the_same_bytes(subject: Subject) -> None:
    """Two instances, same seed: everything they give is equal."""
    with subject.open() as one, subject.open() as two:
        for seed in range(subject.some(5, 2)):
            for oracle in (_has_oracle(subject), False):
                left = play(one, seed=seed, oracle=oracle)
                right = play(two, seed=seed, oracle=oracle)
                assert left == right, f"seed {seed}: {_first_difference(left, right)}"


def every_process_gives_the_same_bytes(subject: Subject) -> None:
    """Fresh processes with other hash seeds and folders agree with this one."""
    if not subject.spec.importable:
        return
    seeds, oracle = [3, 4], _has_oracle(subject)
    here = digests(subject, seeds, oracle=oracle)
    for hash_seed in ("1", "2"):
        there = _digests_elsewhere(subject, seeds, oracle, hash_seed)
        assert here == there, f"PYTHONHASHSEED={hash_seed} gave another episode"


def unseeded_resets_follow_from_the_seed(subject: Subject) -> None:
    """`reset(seed)` fixes the tasks of the resets without a seed after it."""
    chains: list[list[str]] = []
    for _ in range(2):
        with subject.open() as env:
            infos = [env.reset(seed=7)[1], *(env.reset()[1] for _ in range(3))]
            chains.append([info["task_id"] for info in infos])
    assert chains[0] == chains[1], f"{chains[0]} is not {chains[1]}"


def an_episode_begins_again_from_its_info(subject: Subject) -> None:
    """``info["seed"]`` and ``info["task_id"]`` begin the same episode anywhere."""
    with subject.open() as one, subject.open() as two:
        observation, info = one.reset()
        options = {"task": info["task_id"]}
        again, _ = two.reset(seed=info["seed"], options=options)
        assert again == observation, "the first observation differs"


def callers_random_state_is_untouched(subject: Subject) -> None:
    """Python's and NumPy's global generators stand where they stood."""
    random.seed(1)
    before = random.getstate(), repr(np.random.get_state())  # the subject
    with subject.open() as env:
        play(env, seed=1, oracle=False, most=5)
    after = random.getstate(), repr(np.random.get_state())  # the subject
    assert before == after, "a global random generator was used"


def instances_do_not_disturb_each_other(subject: Subject) -> None:
    """Steps of two instances interleaved give what each alone gives."""
    with subject.open() as alone, subject.open() as one, subject.open() as two:
        expected = _observations(alone, 11)
        one.reset(seed=11)
        two.reset(seed=12)
        seen: list[str] = []
        for text in random_texts(11, len(expected)):
            seen.append(one.step(text)[0])
            if two.step("something else")[2:4] != (False, False):
                two.reset(seed=13)
        assert seen == expected, "another instance's steps changed the observations"


def nothing_is_shared_with_the_caller(subject: Subject) -> None:
    """A caller's changes do not reach the environment, nor its changes the caller."""
    with subject.open() as env, subject.open() as fresh:
        _, info = env.reset(seed=5)
        kept = copy.deepcopy(info)
        texts = random_texts(5, 3)
        steps = [env.step(text) for text in texts]
        assert info == kept, "a later step changed the info of the reset"
        for taken in (info, *(step[4] for step in steps)):
            _vandalise(taken)
        fresh_again = [fresh.reset(seed=5), *(fresh.step(text) for text in texts)]
        again = [env.reset(seed=5), *(env.step(text) for text in texts)]
        assert _plain(again) == _plain(fresh_again), "a caller's change came back"


def info_is_strict_json(subject: Subject) -> None:
    """Everything in info crosses a wire: JSON values, no NaN, UTF-8."""
    with subject.open() as env:
        play(env, seed=2, oracle=False)
        if _has_oracle(subject):
            play(env, seed=2)


def tasks_have_stable_disjoint_ids(subject: Subject) -> None:
    """Ids are unique, splits disjoint, and both ways to ask give the same task."""
    with subject.open() as env:
        ids = {split: env.tasks.ids(split) for split in env.tasks.splits}
        every = [id for split in ids.values() for id in split]
        assert len(set(every)) == len(every), "two tasks share an id"
        for split, names in ids.items():
            for index in sorted({0, len(names) - 1} if names else ()):
                by_index = env.reset(options={"task": index, "split": split})[1]
                assert by_index["task_id"] == names[index]
                assert env.reset(options={"task": names[index]})[1]["split"] == split


def unknown_tasks_are_refused_with_the_range(subject: Subject) -> None:
    """An id, index or split that is not there is an `UnknownTask`, not a crash."""
    with subject.open() as env:
        for options in ({"task": "no-such-task"}, {"task": 10**9}, {"split": "moon"}):
            _expect(UnknownTask, partial(env.reset, options=options))
        _expect(UsageError, partial(env.reset, options={"tusk": 1}))


def oracle_reaches_the_maximum(subject: Subject) -> None:
    """The oracle solves tasks of every level and split with the largest outcome."""
    if not _has_oracle(subject):
        return
    with subject.open() as env:
        for split, count in env.tasks.splits.items():
            for index in _spread(count, subject.some(24, 6)):
                record = play(env, seed=1, options={"task": index, "split": split})
                episode = record[-1][-1]["episode"]
                assert episode.get("success"), f"{split} {index}: {record[-1]}"
                assert episode["return"] >= env.reward_range[1] - 1e-9, episode


def doing_nothing_earns_little(subject: Subject) -> None:
    """Neither silence nor random text solves a task."""
    with subject.open() as env:
        solved = 0
        tries = subject.some(20, 5)
        for seed in range(tries):
            record = play(env, seed=seed, oracle=False)
            solved += record[-1][-1]["episode"].get("success", False)
            assert not _silence(env, seed), f"seed {seed}: silence succeeds"
        assert solved <= tries // 4, f"random text solved {solved} of {tries}"


def rewards_are_finite_and_in_range(subject: Subject) -> None:
    """Every reward is a finite float; the outcome lies in the declared range."""
    with subject.open() as env:
        for seed in range(subject.some(10, 3)):
            for _, _, reward, *_ in play(env, seed=seed, oracle=False)[1:]:
                assert isinstance(reward, float | int) and math.isfinite(reward)


def any_text_is_survived(subject: Subject) -> None:
    """Whatever an agent writes becomes an observation that encodes as UTF-8."""
    hostile = ["", "\ud800", "a\0b", "[" * 2000, "x" * 100_000, "<think>", "click[]"]
    with subject.open() as env:
        env.reset(seed=1)
        for text in [*hostile, *random_texts(9, subject.some(50, 10))]:
            observation, _, terminated, truncated, _ = env.step(text)
            observation.encode()
            if terminated or truncated:
                env.reset(seed=1)


def turn_limit_truncates(subject: Subject) -> None:
    """`max_turns` truncates and does not terminate."""
    with subject.open(max_turns=2) as env:
        env.reset(seed=1)
        assert env.step("")[2:4] == (False, False)
        *_, terminated, truncated, info = env.step("")
        assert (terminated, truncated) == (False, True)
        assert info["episode"]["stop_reason"] == "max_turns"


def calls_out_of_order_are_typed_errors(subject: Subject) -> None:
    """Step before reset, step after the end, and any call after close."""
    env = subject.make(max_turns=1)
    _expect(StepBeforeReset, lambda: env.step(""))
    env.reset(seed=1)
    env.step("")
    _expect(StepAfterEnd, lambda: env.step(""))
    env.close()
    env.close()
    _expect(Closed, lambda: env.reset(seed=1))


def a_pool_gives_the_same_episodes(subject: Subject) -> None:
    """Episodes of a pool are byte-equal to those of an instance in this process."""
    oracle = _has_oracle(subject)
    with (
        subject.open() as env,
        Pool(subject.spec, size=2, **subject.kwargs) as pool,
        pool.acquire() as lease,
    ):
        for seed in range(2):
            expected = play(env, seed=seed, oracle=oracle)
            found = play(lease, seed=seed, oracle=oracle)
            assert found == expected, _first_difference(expected, found)


def nothing_is_left_behind(subject: Subject) -> None:
    """Many instances later: no more processes, threads, descriptors or files."""
    _one_life(subject)
    before = Census.take()
    for _ in range(subject.some(100, 20)):
        _one_life(subject)
    before.compare(Census.take())


CHECKS: tuple[Check, ...] = (
    passes_gymnasiums_own_checker,
    same_seed_gives_the_same_bytes,
    every_process_gives_the_same_bytes,
    unseeded_resets_follow_from_the_seed,
    an_episode_begins_again_from_its_info,
    callers_random_state_is_untouched,
    instances_do_not_disturb_each_other,
    nothing_is_shared_with_the_caller,
    info_is_strict_json,
    tasks_have_stable_disjoint_ids,
    unknown_tasks_are_refused_with_the_range,
    oracle_reaches_the_maximum,
    doing_nothing_earns_little,
    rewards_are_finite_and_in_range,
    any_text_is_survived,
    turn_limit_truncates,
    calls_out_of_order_are_typed_errors,
    a_pool_gives_the_same_episodes,
    nothing_is_left_behind,
)


def _has_oracle(subject: Subject) -> bool:
    create = subject.spec.load()
    own = getattr(create, "oracle", None)
    return own is not None and own is not Environment.oracle


def _one_life(subject: Subject) -> None:
    with subject.open() as env:
        env.reset(seed=1)
        env.step("")
        env.step("look")


def _silence(env: Environment, seed: int) -> bool:
    env.reset(seed=seed)
    while True:
        *_, terminated, truncated, info = env.step("")
        if terminated or truncated:
            return bool(info["episode"]["success"])


def _observations(env: Environment, seed: int) -> list[str]:
    env.reset(seed=seed)
    seen: list[str] = []
    for text in random_texts(seed, 5):
        observation, _, terminated, truncated, _ = env.step(text)
        seen.append(observation)
        if terminated or truncated:
            break
    return seen


def _digests_elsewhere(
    subject: Subject, seeds: list[int], oracle: bool, hash_seed: str
) -> list[str]:
    spec = subject.spec
    named = {"id": spec.id, "version": spec.version, "entry_point": spec.importable}
    request = {
        "spec": {**named, "kwargs": dict(spec.kwargs)},
        "kwargs": dict(subject.kwargs),
        "seeds": seeds,
        "oracle": oracle,
    }
    path = os.pathsep.join(filter(None, sys.path))
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-m", "envhub.testing.transcript", json.dumps(request)],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr[-2000:]
    found: list[str] = json.loads(ran.stdout)
    return found


def _vandalise(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _vandalise(item)
        value["vandal"] = "was here"
    elif isinstance(value, list):
        for item in value:
            _vandalise(item)
        value.append("vandal was here")


def _plain(calls: list[Any]) -> str:
    for *_, info in calls:
        info.get("episode", {}).pop("seconds", None)
    return json.dumps(calls)


def _spread(count: int, most: int) -> list[int]:
    """Positions spread over a split; neighbours, so that all levels are met."""
    starts = range(0, count, max(1, count // max(1, most // 6)))
    return sorted({i for s in starts for i in range(s, min(s + 6, count))})[:most]


def _first_difference(left: list[Any], right: list[Any]) -> str:
    for turn, (a, b) in enumerate(zip(left, right, strict=False)):
        if a != b:
            return f"turn {turn}: {a!r} is not {b!r}"[:2000]
    return f"{len(left)} turns against {len(right)}"


def _expect(kind: type[Exception], call: Callable[[], Any]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"expected {kind.__name__}, but nothing was raised")
