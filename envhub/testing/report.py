"""What a run of a conformance suite found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Report", "Result"]


@dataclass(frozen=True, slots=True)
class Result:
    """One check.

    Attributes:
        name: What it proves, as a sentence in snake case.
        passed: Whether it held.
        seconds: How long it took.
        message: What was found instead; empty when it held.
    """

    name: str
    passed: bool
    seconds: float
    message: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one subject.

    Attributes:
        subject: Id of the environment, or name of the sandbox provider.
        results: One for each check, in order.
    """

    subject: str
    results: tuple[Result, ...]

    @property
    def ok(self) -> bool:
        """Whether every check held."""
        return all(result.passed for result in self.results)

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "subject": self.subject,
            "ok": self.ok,
            "results": [asdict(result) for result in self.results],
        }
