"""The providers that work here, each with a warm template for all tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.sandbox import Limits, Sandbox, SandboxProvider, Template, TemplateSpec
from envhub_sandbox import NamespaceProvider, ProcessProvider

TOYS = Path(__file__).parent / "toys"
if str(TOYS) not in sys.path:
    sys.path.append(str(TOYS))


@pytest.fixture(scope="session")
def namespace_provider() -> SandboxProvider:
    """The namespace provider, where it works."""
    return _available(NamespaceProvider())


@pytest.fixture(scope="session")
def process_provider() -> SandboxProvider:
    """The process provider, where it works."""
    return _available(ProcessProvider())


def _available(provider: SandboxProvider) -> SandboxProvider:
    found = provider.isolation()
    if not found.available:
        pytest.skip(found.reason)
    return provider


@pytest.fixture(scope="session", params=["namespace_provider", "process_provider"])
def provider(request: pytest.FixtureRequest) -> SandboxProvider:
    """Each provider in turn."""
    found: SandboxProvider = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def template(provider: SandboxProvider) -> Iterator[Template]:
    """A template without packages or service."""
    with provider.template(TemplateSpec(spares=1)) as made:
        yield made


@pytest.fixture
def sandbox(template: Template) -> Iterator[Sandbox]:
    """A fresh sandbox of each provider."""
    with template.take() as taken:
        yield taken


@pytest.fixture
def isolated(sandbox: Sandbox) -> Sandbox:
    """A fresh sandbox whose files and processes are its own."""
    if sandbox.isolation.provider != "namespace":
        pytest.skip("the process provider does not isolate this, and says so")
    return sandbox


@pytest.fixture(scope="session")
def counter_spec() -> TemplateSpec:
    """A hosted counter of the environment's own."""
    return TemplateSpec(
        service="sandbox_service:make",
        config={"start": 10},
        trusted=True,
        spares=1,
        limits=Limits(wall=10.0),
    )


@pytest.fixture(scope="session")
def counters(
    provider: SandboxProvider, counter_spec: TemplateSpec
) -> Iterator[Template]:
    """A template that hosts the counter."""
    with provider.template(counter_spec) as made:
        yield made


@pytest.fixture
def counter(counters: Template) -> Iterator[Sandbox]:
    """A fresh sandbox that hosts the counter."""
    with counters.take() as taken:
        yield taken
