"""The public conformance suites: what every environment and sandbox must do.

Built-in and third-party environments pass the same suite. In a test module:

    from envhub.testing import environment_suite

    test_orders = environment_suite("acme/orders")

gives one pytest case for each check. `check` runs them without pytest and gives a
report; `envhub check` shows it.
"""

from envhub.testing.report import Report, Result
from envhub.testing.suites import (
    check,
    check_sandbox,
    environment_suite,
    sandbox_suite,
)

__all__ = [
    "Report",
    "Result",
    "check",
    "check_sandbox",
    "environment_suite",
    "sandbox_suite",
]
