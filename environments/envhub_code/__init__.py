"""Solve problems with a Python interpreter, or write a function that passes tests."""

from envhub.spec import EnvSpec

__all__ = ["spec"]

spec = EnvSpec(
    id="code",
    entry_point="envhub_code.env:CodeEnv",
    version="1.0.0",
    summary="solve problems with a Python interpreter",
    placement="in_process",
    levels=4,
)
