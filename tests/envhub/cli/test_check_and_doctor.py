"""`envhub check` and `envhub doctor`: what holds, and what is missing."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable
from typing import Any

import pytest

from envhub import testing
from envhub.cli import doctor
from envhub.cli.doctor import Need, needs
from envhub.cli.status import Status
from envhub.sandbox import Isolation
from envhub.testing import Report, Result
from tests.envhub.cli.conftest import Type


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A suite with the results of one's choice; what it was asked for is kept."""
    results: list[Any] = []

    def check(
        env: str,
        *,
        quick: bool = False,
        on_result: Callable[[Result], None] = lambda result: None,
        **kwargs: Any,
    ) -> Report:
        given = tuple(results)
        results.append((env, quick, kwargs))
        for result in given:
            on_result(result)
        return Report(env, given)

    monkeypatch.setattr(testing, "check", check)
    return results


def test_a_real_environment_keeps_the_contract(type_in: Type) -> None:
    found = type_in("check", "toy-lock", "--quick")
    assert found.status == Status.OK, found.out
    lines = found.out.splitlines()
    assert "toy-lock keeps the contract:" in lines[-1]
    assert all(line.startswith("ok    ") for line in lines[:-2])


def test_a_check_that_fails_is_shown_and_makes_the_answer_no(
    type_in: Type, suite: list[Any]
) -> None:
    suite += [
        Result("seeds_decide", True, 0.1),
        Result("any_text_is_survived", False, 0.2, "AssertionError: [bold]\nat turn 3"),
    ]
    found = type_in("check", "toy-lock", "--set", "max_turns=3")
    assert found.status == Status.NO
    assert found.out.splitlines() == [
        "ok    seeds decide  0.10 s",
        "FAIL  any text is survived  0.20 s",
        "      AssertionError: [bold]",
        "      at turn 3",
        "",
        "toy-lock does not keep the contract: 1 of 2 checks held, in 0.3 s",
    ]
    assert suite[-1] == ("toy-lock", False, {"max_turns": 3})


def test_a_report_is_json_for_programs(type_in: Type, suite: list[Any]) -> None:
    suite += [Result("seeds_decide", False, 0.1, "no")]
    found = type_in("check", "toy-lock", "--quick", "--json")
    assert found.status == Status.NO
    assert json.loads(found.out) == {
        "subject": "toy-lock",
        "ok": False,
        "results": [
            {"name": "seeds_decide", "passed": False, "seconds": 0.1, "message": "no"}
        ],
    }
    assert suite[-1] == ("toy-lock", True, {})


# doctor


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A machine with these sandboxes and versions, and a distribution of two extras."""

    def make(*isolations: Isolation, **versions: str) -> None:
        from envhub.sandboxes import Sandboxes

        requirements = [
            "rich>=13",
            "torch>=2.6; extra == 'train'",
            "trl>=1.16 ; extra == 'train'",
            "envhub-gym[train]; extra == 'vllm'",
            'vllm<=0.31,>=0.22; (sys_platform == "linux") and extra == "vllm"',
        ]
        monkeypatch.setattr(Sandboxes, "isolations", lambda self: list(isolations))
        monkeypatch.setattr(doctor, "_extras", lambda: ["train", "vllm"])
        monkeypatch.setattr(doctor, "_version", versions.get)
        monkeypatch.setattr(importlib.metadata, "requires", lambda name: requirements)

    return make


WORKS = Isolation(
    provider="namespace", available=True, gives=("net namespace",), lacks=("a kernel",)
)
FAILS = Isolation(provider="docker", available=False, reason="start the daemon")


def test_doctor_says_what_works_and_what_to_type(
    type_in: Type, machine: Callable[..., None]
) -> None:
    machine(WORKS, FAILS, torch="2.6.1+cpu", trl="1.9")
    found = type_in("doctor")
    assert found.status == Status.OK
    for words in (
        "namespace  yes  isolates net namespace",
        "does not isolate: a kernel",
        "docker     no   start the daemon",
        "train  no  torch 2.6.1+cpu, trl 1.9 is older than 1.16",
        'Type:  pip install "envhub-gym[train]"',
        "vllm is missing",
        'Type:  pip install "envhub-gym[vllm]"',
    ):
        assert words in found.out


def test_an_extra_that_is_whole_inside_another_goes_by_its_name(
    type_in: Type, machine: Callable[..., None]
) -> None:
    machine(WORKS, torch="3.0", trl="1.16")
    found = type_in("doctor")
    assert "train  yes  torch 3.0, trl 1.16\n" in found.out
    assert "vllm   no   all of train, vllm is missing\n" in found.out


def test_without_a_sandbox_the_answer_is_no(
    type_in: Type, machine: Callable[..., None]
) -> None:
    machine(FAILS)
    found = type_in("doctor", "--json")
    assert found.status == Status.NO
    facts = json.loads(found.out)
    assert facts["sandboxes"] == [
        {
            "provider": "docker",
            "available": False,
            "gives": [],
            "lacks": [],
            "reason": "start the daemon",
        }
    ]
    assert facts["extras"]["train"][0] == {
        "name": "torch",
        "least": "2.6",
        "found": None,
    }
    assert facts["environments"] >= 5


@pytest.mark.parametrize(
    ("found", "least", "met"),
    [
        ("2.0", "2", True),
        ("2", "2.0.0", True),
        ("2.10", "2.9", True),
        ("2.9", "2.10", False),
        ("2.13.0+cpu", "2.6", True),
        ("1.0rc1", "1.0", True),
        ("0.9", "", True),
        (None, "1", False),
    ],
)
def test_versions_are_compared_by_their_numbers(
    found: str | None, least: str, met: bool
) -> None:
    assert Need("x", least, found).met is met


def test_the_extras_of_the_real_distribution_can_be_read() -> None:
    assert [need.name for need in needs("docker")] == ["docker"]
    assert {"torch", "trl"} <= {need.name for need in needs("vllm")}
    assert list(needs("nothing")) == []
