"""Every built-in environment passes the public conformance suite."""

from __future__ import annotations

from dataclasses import replace

import pytest

import envhub
from envhub.testing import environment_suite
from envhub.testing.environments import a_pool_gives_the_same_episodes
from envhub.testing.subject import Subject

test_code = environment_suite("code")
test_household = environment_suite("household")
test_os = environment_suite("os")
test_sql = environment_suite("sql")
test_webshop = environment_suite("webshop")


@pytest.mark.parametrize("name", ["household", "webshop"])
@pytest.mark.parametrize("placement", ["in_process", "own_process"])
def test_an_episode_is_the_same_wherever_it_runs(
    name: str, placement: envhub.Placement
) -> None:
    spec = replace(envhub.spec(name), placement=placement)
    a_pool_gives_the_same_episodes(Subject(spec))
