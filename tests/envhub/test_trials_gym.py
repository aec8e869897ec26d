"""Trials T001 to T006: what Gymnasium's users reported, made impossible here."""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
import textwrap
import threading
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import envhub
from envhub.errors import RegistrationConflict, UnknownEnvironment
from envhub.parsing import Parsed
from envhub.plugins import Plugin
from envhub.registry import Registry
from envhub.vector import PoolVectorEnv

TOYS = Path(__file__).parent / "toys"
ROOT = TOYS.parent.parent.parent

TASK_IDS = """
import random, sys, time
sys.path.insert(0, {toys!r})
import numpy
import envhub
from envhub_toy_lock import Lock

env = Lock()
ids = []
for kwargs in {calls}:
    random.seed(time.time()); numpy.random.seed(None)
    ids.append(env.reset(**kwargs)[1]["task_id"])
print(*ids)
"""


def _run(source: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(source)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_T001_unseeded_resets_follow_the_first_seed_in_every_process() -> None:
    seeded = TASK_IDS.format(toys=str(TOYS), calls=[{"seed": 7}, {}, {}, {}])
    first, second = _run(seeded), _run(seeded)
    assert first == second
    assert len(first.split()) == 4
    assert _run(TASK_IDS.format(toys=str(TOYS), calls=[{}])).startswith("lock-train-")


def test_T001_the_callers_global_generators_are_left_alone() -> None:
    from envhub_toy_lock import Lock

    random.seed(5)
    np.random.seed(5)  # the global generator is the subject
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # the legacy form
    env = Lock()
    env.reset(seed=7)
    env.reset()
    env.step("look")
    after = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # the legacy form
    assert before == after


class Countdown(envhub.Environment):
    """Ends after a number of turns with a distinctive last step."""

    def __init__(self, length: int = 3, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.length = length
        self.tasks = envhub.Tasks.from_list("countdown", [{"n": length}])

    def begin(self, task: envhub.Task) -> str:
        self.left = self.length
        self.length = {3: 3, 5: 5}[self.length]
        return "START"

    def act(self, parsed: Parsed) -> tuple[str, list[envhub.ToolResult]]:
        self.left -= 1
        if not self.left:
            self.finish()
        text = "END" if not self.left else f"{self.left} left"
        return text, [envhub.ToolResult("count", text)]

    def grammar(self, text: str) -> envhub.ToolCall:
        return envhub.ToolCall("count")

    def describe(self) -> dict[str, Any]:
        return {} if self.left else {"score": 9}

    def score(self) -> envhub.Score:
        return envhub.Score(1.0)


def _two_countdowns(mode: AutoresetMode) -> PoolVectorEnv:
    lengths = iter([3, 5])
    registry = Registry(list)

    def create(**kwargs: Any) -> Countdown:
        return Countdown(next(lengths))

    spec = registry.register("countdown", create)
    pool = envhub.Pool(spec, size=2, warm=2, registry=registry)
    return PoolVectorEnv(pool, 2, autoreset_mode=mode)


def _ends(mode: AutoresetMode, steps: int = 7) -> dict[int, list[int]]:
    """The steps (from 1) at which each member showed its own end, completely."""
    envs = _two_countdowns(mode)
    assert envs.metadata["autoreset_mode"] is mode
    envs.reset(seed=0)
    shown: dict[int, list[int]] = {0: [], 1: []}
    for step in range(1, steps + 1):
        observations, rewards, terminated, _, infos = envs.step(["go", "go"])
        for member in (0, 1):
            if not terminated[member]:
                assert rewards[member] == 0, "a step that only resets has no reward"
                continue
            same = mode is AutoresetMode.SAME_STEP
            last = infos["final_obs"][member] if same else observations[member]
            score = infos["final_info"]["score"] if same else infos["score"]
            assert (last, rewards[member], score[member]) == ("END", 1.0, 9)
            shown[member].append(step)
    envs.close()
    return shown


def test_T002_next_step_mode_shows_every_end_once() -> None:
    members = _ends(AutoresetMode.NEXT_STEP)
    assert sorted(members.values()) == [[3, 7], [5]]


def test_T002_same_step_mode_shows_every_end_once() -> None:
    members = _ends(AutoresetMode.SAME_STEP)
    assert sorted(members.values()) == [[3, 6], [5]]


class Configured(Countdown):
    """Keeps, and appends to, what it was made with."""

    def __init__(self, cfg: Any = None, lock: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cfg, self.lock = cfg, lock

    def act(self, parsed: Parsed) -> tuple[str, list[envhub.ToolResult]]:
        self.cfg["hints"].append(len(self.cfg["hints"]))
        return super().act(parsed)


def test_T003_what_a_caller_keeps_or_gives_is_never_shared() -> None:
    registry = Registry(list)
    registry.register("configured", Configured)
    cfg = {"hints": [1]}
    a = registry.make("configured", cfg=cfg)
    b = registry.make("configured", cfg=cfg)
    observation, info = a.reset(seed=1)
    info["log"] = ["mine"]
    kept = json.dumps([observation, info])
    for _ in range(3):
        a.step("go")
    assert json.dumps([observation, info]) == kept
    assert cfg == {"hints": [1]}
    assert b.cfg == {"hints": [1]}  # type: ignore[attr-defined]  # Configured has it


def test_T003_an_argument_that_cannot_be_copied_arrives_as_it_is() -> None:
    registry = Registry(list)
    registry.register("configured", Configured)
    lock = threading.Lock()
    assert registry.make("configured", lock=lock).lock is lock  # type: ignore[attr-defined]  # Configured has it


def test_T004_a_class_of_main_works_in_a_vector_of_workers() -> None:
    source = """
        import envhub
        from envhub.parsing import Parsed

        class Toy(envhub.Environment):
            tasks = envhub.Tasks.from_list("toy", [{}])
            def begin(self, task): return "hello"
            def act(self, parsed): return "ok", []
            def score(self): return envhub.Score(0.0)

        if __name__ == "__main__":
            envhub.register("acme/Toy-v0", entry_point=Toy)
            envs = envhub.make_vec("acme/Toy-v0", 2)
            print(envs.reset(seed=1)[0])
            envs.step(["a", "b"])
            envs.close()
    """
    assert _run(source) == "('hello', 'hello')"


def _plugin(name: str, target: str) -> Plugin:
    point = EntryPoint(name, target, "envhub.environments")
    return Plugin(name, target, "pack", point)


def test_T005_a_broken_plugin_is_listed_and_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "pack_b.py").write_text("import a_module_that_is_not_there\n")
    sys.path.insert(0, str(tmp_path))
    try:
        found = [
            _plugin("toy-lock", "envhub_toy_lock:spec"),
            _plugin("broken", "pack_b:spec"),
        ]
        registry = Registry(lambda: found)
        import envhub_toy_lock

        importlib.reload(envhub_toy_lock)
        rows = registry.list()
    finally:
        sys.path.remove(str(tmp_path))
    assert [row.id for row in rows] == ["broken", "toy-lock"]
    assert rows[0].spec is None
    assert "a_module_that_is_not_there" in rows[0].error
    assert rows[1].spec is not None and not rows[1].error


def test_T005_a_taken_id_is_refused_unless_overridden() -> None:
    registry = Registry(list)
    registry.register("acme/toy", Countdown)
    registry.register("acme/toy", Countdown)
    with pytest.raises(RegistrationConflict, match="override=True"):
        registry.register("Acme/TOY", Configured)
    registry.register("acme/toy", Configured, override=True)
    assert registry.spec("acme/toy").entry_point is Configured


def _idle(env: envhub.Environment, turns: int) -> Sequence[Any]:
    last: Sequence[Any] = ()
    for _ in range(turns):
        last = env.step("I wait.")
    return last


def test_T006_the_callers_turn_limit_wins_and_truncates() -> None:
    env = envhub.make("toy-lock", max_turns=3)
    env.reset(seed=1)
    *_, terminated, truncated, info = _idle(env, 3)
    assert (terminated, truncated) == (False, True)
    assert info["episode"]["stop_reason"] == "max_turns"


def test_T006_the_right_answer_on_the_last_turn_terminates_with_full_reward() -> None:
    env = envhub.make("toy-lock", max_turns=3)
    env.reset(seed=1)
    _idle(env, 2)
    right = envhub.ToolCall("enter", {"code": env.task["code"]})
    _, reward, terminated, truncated, _ = env.step(right)
    assert (reward, terminated, truncated) == (1.0, True, False)


def test_T006_a_larger_limit_than_the_classs_own_is_honoured() -> None:
    env = envhub.make("toy-lock", max_turns=20)
    env.reset(seed=1)
    *_, terminated, truncated, _ = _idle(env, 15)
    assert (terminated, truncated) == (False, False)


def test_names_that_nobody_registered_get_the_nearest_ones() -> None:
    with pytest.raises(UnknownEnvironment, match="did you mean toy-lock"):
        envhub.make("toy-lok")
