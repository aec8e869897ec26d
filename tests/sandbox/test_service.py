"""A service hosted in a sandbox: calls, deadlines, and whose fault a failure is."""

from __future__ import annotations

import math
import select
import threading
import time

import pytest

from envhub.errors import (
    Closed,
    DeadlineExceeded,
    EnvironmentFault,
    InvalidAction,
    LifecycleError,
    SandboxLost,
    UnknownTask,
    UsageError,
)
from envhub.sandbox import Sandbox, SandboxProvider, Template, TemplateSpec


def test_state_is_of_one_sandbox_and_starts_as_it_was_built(
    counter: Sandbox, counters: Template
) -> None:
    assert counter.call("add") == 11
    assert counter.call("add", 5) == 16
    assert counter.call("add", by=2) == 18
    with counters.take() as other:
        assert other.call("add") == 11
    counter.reset()
    assert counter.call("add") == 11


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, 2.5, "ü🙂", True],
        b"\x00\xff",
        {"deep": [{"bytes": b"x", "$bytes": "not bytes"}]},
        {"$dict": [["a", 1]], "$int": 3},
        {"$bytes": "x"},
        -(7**6000),
        math.inf,
        "\ud800",
        "x" * 300_000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_come_back_as_they_went(counter: Sandbox, value: object) -> None:
    assert counter.call("echo", value) == value


def test_nan_passes_and_tuples_become_lists(counter: Sandbox) -> None:
    assert math.isnan(counter.call("echo", math.nan))
    assert counter.call("echo", (1, (2,))) == [1, [2]]


def test_what_has_no_json_form_is_the_callers_mistake(counter: Sandbox) -> None:
    with pytest.raises(UsageError, match="cannot be sent as JSON"):
        counter.call("echo", {1, 2})
    assert counter.call("add") == 11


def test_an_exception_is_the_environments_fault_with_its_traceback(
    counter: Sandbox,
) -> None:
    with pytest.raises(EnvironmentFault, match="the counter is broken") as caught:
        counter.call("fail")
    assert "sandbox_service.py" in str(caught.value)
    assert counter.call("add") == 11


def test_errors_of_envhub_stay_what_they_are(counter: Sandbox) -> None:
    with pytest.raises(InvalidAction, match="no such shelf"):
        counter.call("mistake")
    with pytest.raises(UnknownTask, match="there are 3 tasks"):
        counter.call("named")


@pytest.mark.parametrize("method", ["nothing", "_value", "value"])
def test_only_public_methods_can_be_called(counter: Sandbox, method: str) -> None:
    with pytest.raises(UsageError, match=method):
        counter.call(method)


def test_a_call_needs_a_service(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="no service"):
        sandbox.call("add")


def test_a_deadline_ends_the_tree_and_reset_makes_a_fresh_one(counter: Sandbox) -> None:
    counter.call("add")
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded, match=r"0\.3 s"):
        counter.call("sleep", 60, timeout=0.3)
    assert time.monotonic() - began < 3
    assert not counter.alive
    with pytest.raises(SandboxLost):
        counter.call("add")
    counter.reset()
    assert counter.alive
    assert counter.call("add") == 11


def test_a_shorter_wait_for_a_result_is_a_deadline_too(counter: Sandbox) -> None:
    with pytest.raises(DeadlineExceeded):
        counter.start("sleep", 60).result(timeout=0.2)


def test_a_service_that_ends_itself_is_a_lost_sandbox(counter: Sandbox) -> None:
    with pytest.raises(SandboxLost):
        counter.call("leave")


def test_many_calls_are_waited_for_with_a_selector(counters: Template) -> None:
    with counters.take() as first, counters.take() as second:
        slow, quick = first.start("sleep", 0.6), second.start("sleep", 0.1)
        ready, _, _ = select.select([slow, quick], [], [], 5)
        assert ready == [quick]
        assert quick.result() == slow.result() == "awake"
        assert quick.result() == "awake"


def test_one_call_at_a_time(counter: Sandbox) -> None:
    call = counter.start("sleep", 0.2)
    with pytest.raises(LifecycleError, match="'sleep'"):
        counter.call("add")
    assert call.result() == "awake"
    assert counter.call("add") == 11


def test_closing_from_another_thread_ends_a_call(counters: Template) -> None:
    sandbox = counters.take()
    threading.Timer(0.2, sandbox.close).start()
    began = time.monotonic()
    with pytest.raises(SandboxLost, match="closed"):
        sandbox.call("sleep", 60, timeout=60)
    assert time.monotonic() - began < 5
    with pytest.raises(Closed):
        sandbox.call("add")


def test_a_reset_drops_the_call_on_its_way(counter: Sandbox) -> None:
    call = counter.start("sleep", 60)
    counter.reset()
    with pytest.raises(SandboxLost, match="reset"):
        call.result()
    assert counter.call("add") == 11


def test_modules_are_found_when_they_are_first_used(counter: Sandbox) -> None:
    assert counter.call("lazily") == 42


def test_an_untrusted_service_runs_alone(provider: SandboxProvider) -> None:
    spec = TemplateSpec(service="sandbox_service:make", spares=1)
    with provider.template(spec) as template, template.take() as sandbox:
        assert sandbox.call("add") == 1
        with pytest.raises(EnvironmentFault, match="sandbox_service_later"):
            sandbox.call("lazily")
        with pytest.raises(EnvironmentFault, match="raise ValueError"):
            sandbox.call("fail")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (TemplateSpec(preload=("no_such_module",)), "no_such_module"),
        (TemplateSpec(service="sandbox_service:absent"), "absent"),
        (TemplateSpec(service="sandbox_service:make", config={"x": 1}), "'x'"),
    ],
)
def test_a_template_that_cannot_be_built_quotes_the_traceback(
    provider: SandboxProvider, spec: TemplateSpec, words: str
) -> None:
    with pytest.raises(EnvironmentFault, match=words) as caught:
        provider.template(spec)
    assert "Traceback" in str(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        TemplateSpec(packages=("no_such_package",)),
        TemplateSpec(service="no_such_module:make"),
        TemplateSpec(config={"no_such_form": {1}}),
    ],
)
def test_what_cannot_be_found_or_sent_is_the_callers_mistake(
    provider: SandboxProvider, spec: TemplateSpec
) -> None:
    with pytest.raises(UsageError, match=r"no_such|JSON"):
        provider.template(spec)


def test_preloaded_packages_are_there_and_others_are_not(
    provider: SandboxProvider,
) -> None:
    spec = TemplateSpec(preload=("numpy",), packages=("numpy",), spares=1)
    with provider.template(spec) as template, template.take() as sandbox:
        began = time.monotonic()
        done = sandbox.python("import numpy as np; print(np.arange(4).sum())")
        assert done.stdout == "6\n"
        assert time.monotonic() - began < 3
        script = sandbox.exec("python3 -c 'import numpy; print(numpy.ones(2).sum())'")
        assert script.stdout == "2.0\n"
        for program in ("import gymnasium", "import envhub", "import pandas"):
            assert "ModuleNotFoundError" in sandbox.python(program).stderr
        assert not sandbox.exec("python3 -c 'import gymnasium'").ok
