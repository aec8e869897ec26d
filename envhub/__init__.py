"""envhub: Gymnasium for LLM agents.

    env = envhub.make("webshop")
    observation, info = env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step("search[red shoes]")

Importing this package is light: environments, sandboxes and trainers are found by
name and imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from envhub.actions import Action, ChatMessage, ToolCall, ToolResult
from envhub.env import Environment
from envhub.errors import (
    EnvhubError,
    EnvironmentFault,
    InfrastructureError,
    PolicyError,
    UsageError,
)
from envhub.registry import Registry, announce, default_registry
from envhub.score import Score
from envhub.spec import EnvSpec, Placement
from envhub.tasks import Task, Tasks
from envhub.tool_env import ToolEnv
from envhub.tools import tool

if TYPE_CHECKING:
    from envhub.pool import Pool
    from envhub.vector import make_vec

__version__ = "0.1.0"
__all__ = [
    "Action",
    "ChatMessage",
    "EnvSpec",
    "EnvhubError",
    "Environment",
    "EnvironmentFault",
    "InfrastructureError",
    "Placement",
    "PolicyError",
    "Pool",
    "Registry",
    "Score",
    "Task",
    "Tasks",
    "ToolCall",
    "ToolEnv",
    "ToolResult",
    "UsageError",
    "list",
    "make",
    "make_vec",
    "register",
    "spec",
    "tool",
]

make = default_registry().make
register = default_registry().register
spec = default_registry().spec
list = default_registry().list


def __getattr__(name: str) -> Any:
    if name == "Pool":
        from envhub.pool import Pool

        return Pool
    if name == "make_vec":
        from envhub.vector import make_vec

        return make_vec
    raise AttributeError(f"module 'envhub' has no attribute {name!r}")


announce(default_registry())
