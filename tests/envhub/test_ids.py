"""Ids: what is accepted, how it is normalised, what a refusal says."""

from __future__ import annotations

import hypothesis
import pytest
from hypothesis import strategies

from envhub.errors import EnvhubError, InvalidId, UnknownEnvironment, UsageError
from envhub.ids import EnvId, is_path, is_url, nearest
from envhub.registry import Registry

GOOD = {
    "webshop": EnvId("webshop"),
    "alice/orders": EnvId("orders", "alice"),
    "alice/orders@1.2.0": EnvId("orders", "alice", "1.2.0"),
    "ORG/My_Env": EnvId("my-env", "org"),
    "webshop-v2": EnvId("webshop", major=2),
    "a/b@1!2.0rc1": EnvId("b", "a", "1!2.0rc1"),
}
BAD = [
    "a/b/c",
    "../x",
    "A B",
    "",
    "org/",
    "/name",
    "org/name@",
    "org/name@latest",
    "org/name@1..2",
    "con",
    "x" * 300,
    "ünï/x",
    "%2e%2e/x",
    "-x",
    "x-",
    "a\n",
]


@pytest.mark.parametrize("text", GOOD)
def test_a_good_id_is_read(text: str) -> None:
    assert EnvId.parse(text) == GOOD[text]
    assert EnvId.parse(str(GOOD[text])) == GOOD[text]


@pytest.mark.parametrize("text", BAD)
def test_a_bad_id_is_refused_with_the_rule(text: str) -> None:
    with pytest.raises(InvalidId, match="an id is NAME, OWNER/NAME"):
        EnvId.parse(text)


@hypothesis.given(strategies.text())
def test_any_text_is_an_id_or_a_typed_refusal(text: str) -> None:
    try:
        parsed = EnvId.parse(text)
    except InvalidId:
        return
    assert EnvId.parse(str(parsed)) == parsed


@hypothesis.given(strategies.text())
def test_asking_a_registry_for_any_text_is_a_typed_error(text: str) -> None:
    with pytest.raises(EnvhubError):
        Registry(list).spec(text)


def test_paths_and_urls_are_told_from_ids() -> None:
    assert is_path("./orders") and is_path("orders.py") and not is_path("a/b")
    assert is_url("http://host:8000/sql") and not is_url("sql")


def test_a_url_says_that_the_client_is_not_here_yet() -> None:
    with pytest.raises(UsageError, match="behind a server"):
        Registry(list).spec("http://localhost:8000/sql")


def test_another_version_than_the_installed_one_names_both() -> None:
    registry = Registry(list)
    registry.register("acme/toy", "m:Toy", version="1.4.0")
    assert registry.spec("acme/toy@1.4.0").version == "1.4.0"
    for asked in ("acme/toy@9.9", "acme/toy-v2"):
        with pytest.raises(UnknownEnvironment, match=r"is here in version 1\.4\.0"):
            registry.spec(asked)


def test_the_nearest_names_come_best_first() -> None:
    assert nearest("webshp", ["sql", "webshop", "os"]) == ["webshop"]
