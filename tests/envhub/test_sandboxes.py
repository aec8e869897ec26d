"""Sharing templates, choosing providers, and an environment's sandbox over episodes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.errors import SandboxLost, SandboxUnavailable, UsageError
from envhub.sandbox import TemplateSpec
from envhub.sandboxes import EpisodeSandbox, Sandboxes


@pytest.fixture
def sandboxes() -> Iterator[Sandboxes]:
    """Providers and templates of this test alone."""
    made = Sandboxes()
    try:
        made.provider()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    yield made
    made.close()


def test_equal_specs_share_a_template(sandboxes: Sandboxes) -> None:
    one = sandboxes.template(TemplateSpec())
    assert sandboxes.template(TemplateSpec()) is one
    assert sandboxes.template(TemplateSpec(spares=1)) is not one
    assert len(sandboxes.templates()) == 2


def test_an_unknown_provider_is_told_with_the_known_ones(sandboxes: Sandboxes) -> None:
    with pytest.raises(UsageError, match="known are namespace, process"):
        sandboxes.provider("moon")


def test_a_renewed_sandbox_holds_nothing_of_the_last_episode(
    sandboxes: Sandboxes,
) -> None:
    place = EpisodeSandbox(TemplateSpec(), sandboxes=sandboxes)
    first = place.use()
    first.write("mark", "1")
    place.renew()
    assert place.use() is first
    with pytest.raises(FileNotFoundError):
        place.use().read("mark")
    place.close()


def test_a_sandbox_that_nobody_touched_is_not_thrown_away(
    sandboxes: Sandboxes,
) -> None:
    place = EpisodeSandbox(TemplateSpec(), sandboxes=sandboxes)
    place.use()
    for _ in range(3):
        place.renew()
    assert sandboxes.template(TemplateSpec()).stats().taken == 2
    place.close()


def test_a_dead_sandbox_is_replaced_and_a_closed_one_is_not(
    sandboxes: Sandboxes,
) -> None:
    place = EpisodeSandbox(TemplateSpec(), sandboxes=sandboxes)
    place.use().close()
    place.renew()
    assert place.use().exec("echo alive").stdout == "alive\n"
    place.close()
    place.close()
    with pytest.raises(SandboxLost, match="was closed"):
        place.use()
