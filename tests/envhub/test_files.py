"""An environment in a file, named by its path: made, pooled and checked like others."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import envhub
from envhub.pool import Pool
from envhub.testing import check

LOCK = '''
import envhub


class Box(envhub.ToolEnv):
    """A box that opens."""

    tasks = envhub.Tasks.from_list("box", [{}])

    def begin(self, task):
        self.opened = False
        return "A box."

    @envhub.tool
    def open(self) -> str:
        """Open the box."""
        self.opened = True
        self.finish()
        return "It is open."

    def score(self):
        return envhub.Score(float(self.opened))
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "box.py"
    path.write_text(LOCK)
    return str(path)


def test_a_file_passes_gymnasiums_checker(file: str) -> None:
    env = envhub.make(file, max_turns=3)
    check_env(env)
    assert env.spec is not None
    assert env.spec.kwargs == {"max_turns": 3}
    assert env.spec.id not in gymnasium.registry
    env.close()


def test_a_pool_takes_a_file(file: str) -> None:
    with Pool(file, size=2) as pool, pool.acquire() as lease:
        assert lease.reset(seed=0).observation == "A box."
        assert lease.step(envhub.ToolCall("open")).reward == 1.0


def test_a_file_with_the_name_of_a_known_environment_is_not_taken_for_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "household.py"
    path.write_text(LOCK)
    env = envhub.make(str(path))
    assert env.spec is not None
    again = env.spec.make()
    assert type(again.unwrapped) is type(env)
    again.close()
    env.close()


def test_the_suite_checks_a_file(file: str) -> None:
    report = check(file, quick=True)
    assert [r for r in report.results if not r.passed] == []
