"""Running the suites: as pytest cases, or one after the other with a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from envhub.errors import SandboxUnavailable
from envhub.registry import default_registry
from envhub.sandbox import SandboxProvider
from envhub.sandboxes import default_sandboxes
from envhub.spec import EnvSpec
from envhub.testing import environments, sandboxes
from envhub.testing.report import Report, Result
from envhub.testing.subject import Subject

__all__ = ["check", "check_sandbox", "environment_suite", "sandbox_suite"]

OnResult = Callable[[Result], None]


def check(
    env: str | EnvSpec,
    *,
    quick: bool = False,
    on_result: OnResult | None = None,
    **kwargs: Any,
) -> Report:
    """Run every check on an environment.

    Args:
        env: Id or spec.
        quick: Play fewer episodes and shorter loops.
        on_result: Called after each check.
        kwargs: Arguments of the environment.
    """
    spec = env if isinstance(env, EnvSpec) else default_registry().spec(env)
    subject = Subject(spec, kwargs, thorough=not quick)
    return _run(spec.id, environments.CHECKS, subject, on_result)


def check_sandbox(
    provider: str | SandboxProvider, *, on_result: OnResult | None = None
) -> Report:
    """Run every check on a sandbox provider, named or given."""
    found = _provider(provider)
    return _run(found.name, sandboxes.CHECKS, found, on_result)


def environment_suite(
    env: str | EnvSpec, *, quick: bool = True, **kwargs: Any
) -> Callable[..., None]:
    """A pytest test function with one case for each check of an environment."""
    import pytest

    @pytest.mark.parametrize("check", environments.CHECKS, ids=lambda c: c.__name__)
    def test_conformance(check: Callable[[Subject], None]) -> None:
        spec = env if isinstance(env, EnvSpec) else default_registry().spec(env)
        check(Subject(spec, kwargs, thorough=not quick))

    return test_conformance


def sandbox_suite(provider: str | SandboxProvider) -> Callable[..., None]:
    """A pytest test function with one case for each check of a sandbox provider."""
    import pytest

    @pytest.mark.parametrize("check", sandboxes.CHECKS, ids=lambda c: c.__name__)
    def test_conformance(check: Callable[[SandboxProvider], None]) -> None:
        try:
            found = _provider(provider)
        except SandboxUnavailable as error:
            pytest.skip(str(error))
        check(found)

    return test_conformance


def _provider(provider: str | SandboxProvider) -> SandboxProvider:
    if isinstance(provider, str):
        return default_sandboxes().provider(provider)
    return provider


def _run(
    subject: str,
    checks: Iterable[Callable[[Any], None]],
    given: Any,
    on_result: OnResult | None,
) -> Report:
    results: list[Result] = []
    for one in checks:
        started = time.perf_counter()
        message = ""
        try:
            one(given)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
            message = f"{type(error).__name__}: {error}"
        seconds = time.perf_counter() - started
        results.append(Result(one.__name__, not message, seconds, message))
        if on_result:
            on_result(results[-1])
    return Report(subject, tuple(results))
