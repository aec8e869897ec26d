"""Every built-in sandbox provider passes the public conformance suite."""

from envhub.testing import sandbox_suite

test_namespace = sandbox_suite("namespace")
test_process = sandbox_suite("process")
