"""Every built-in environment passes the public conformance suite."""

from envhub.testing import environment_suite

test_code = environment_suite("code")
test_household = environment_suite("household")
test_os = environment_suite("os")
test_sql = environment_suite("sql")
test_webshop = environment_suite("webshop")
