"""The shell as AgentBench has it (Liu et al. 2023, arXiv:2308.03688): brief.

Eight turns, and of an output of more than 800 characters the first 780 and a mark. The
exit code is told all the same.

    envhub.register("os-brief", "envhub_os.agentbench:BriefOsEnv")
"""

from __future__ import annotations

import dataclasses

from envhub.sandbox import Completed
from envhub_os.env import OsEnv

__all__ = ["BriefOsEnv", "shortened"]

_LONGEST = 800
_KEPT = 780
_MARK = "\n[truncated because the output is too long]"


class BriefOsEnv(OsEnv):
    """`OsEnv` with AgentBench's limits."""

    max_turns = 8

    def shown(self, done: Completed) -> str:
        """What came of a command, its output cut after its beginning."""
        output = shortened(done.stdout), shortened(done.stderr)
        brief = dataclasses.replace(done, stdout=output[0], stderr=output[1])
        return super().shown(brief)


def shortened(text: str) -> str:
    """The text, or its first 780 characters and a mark."""
    return text if len(text) <= _LONGEST else text[:_KEPT] + _MARK
