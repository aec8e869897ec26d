"""Every error that envhub raises on purpose, and who is to blame for it.

The tree separates what the *caller* did wrong, what the *agent* did wrong, what an
*environment's* code did wrong and what the *platform* did wrong. Only the agent's
own doing may ever become a reward; the other classes never do.

    EnvhubError
    ├── UsageError                 the caller's mistake; also a ValueError
    │   ├── InvalidId              the id does not follow the grammar
    │   ├── UnknownEnvironment     also a LookupError; carries the nearest names
    │   ├── UnknownTask            also a LookupError; carries the range
    │   ├── RegistrationConflict   the id is taken by another class
    │   ├── MissingExtra           also an ImportError; carries the command to type
    │   └── LifecycleError         a call out of order; also a RuntimeError
    │       ├── StepBeforeReset
    │       ├── StepAfterEnd
    │       └── Closed
    ├── PolicyError                the agent's doing: an observation, trained on
    │   ├── InvalidAction          nothing in the action could be executed
    │   └── ActionTimeout          the agent's own action ran past its limit
    ├── EnvironmentFault           the environment's code is wrong: reward None
    │   ├── InvalidScore           not finite, or outside the declared range
    │   └── BrokenPlugin           an entry point that does not load
    └── InfrastructureError        worker died, sandbox lost: reward None, retried
        ├── SandboxLost            the process tree behind a sandbox is gone
        ├── SandboxUnavailable     the isolation asked for is not to be had here
        ├── DeadlineExceeded       also a TimeoutError; the process tree was ended
        └── PoolExhausted          also a TimeoutError; no instance came free in time
"""

from __future__ import annotations

__all__ = [
    "ActionTimeout",
    "BrokenPlugin",
    "Closed",
    "DeadlineExceeded",
    "EnvhubError",
    "EnvironmentFault",
    "InfrastructureError",
    "InvalidAction",
    "InvalidId",
    "InvalidScore",
    "LifecycleError",
    "MissingExtra",
    "PolicyError",
    "PoolExhausted",
    "RegistrationConflict",
    "SandboxLost",
    "SandboxUnavailable",
    "StepAfterEnd",
    "StepBeforeReset",
    "UnknownEnvironment",
    "UnknownTask",
    "UsageError",
]


class EnvhubError(Exception):
    """Root of everything that envhub raises on purpose."""


class UsageError(EnvhubError, ValueError):
    """The caller asked for something that cannot be; the message says what to type."""


class InvalidId(UsageError):
    """An environment id does not follow the grammar of `envhub.ids`."""


class UnknownEnvironment(UsageError, LookupError):
    """No environment of this name is registered."""


class UnknownTask(UsageError, LookupError):
    """The task source has no such id or index in the split asked for."""


class RegistrationConflict(UsageError):
    """The id already belongs to another entry point."""


class MissingExtra(UsageError, ImportError):
    """A package of an optional extra is not installed."""


class LifecycleError(UsageError, RuntimeError):
    """A call came at a moment of the episode's life where it has no meaning."""


class StepBeforeReset(LifecycleError):
    """`step` was called before the first `reset`."""


class StepAfterEnd(LifecycleError):
    """`step` was called after the episode had ended."""


class Closed(LifecycleError):
    """The environment, sandbox or pool has been closed."""


class PolicyError(EnvhubError):
    """The agent's own doing: becomes an observation and may become a reward."""


class InvalidAction(PolicyError, ValueError):
    """Nothing in the action could be executed; the text is shown to the agent."""


class ActionTimeout(PolicyError, TimeoutError):
    """The agent's own action ran past its limit and was ended."""


class EnvironmentFault(EnvhubError, RuntimeError):
    """The environment's own code is wrong: the episode has no reward."""


class InvalidScore(EnvironmentFault):
    """A score that is not finite or lies outside the range that the spec declares."""


class BrokenPlugin(EnvironmentFault, ImportError):
    """An entry point that could not be loaded; named, and hiding nothing else."""


class InfrastructureError(EnvhubError, RuntimeError):
    """The platform failed: no reward, left out of statistics, retried elsewhere."""


class SandboxLost(InfrastructureError, ConnectionError):
    """The process tree behind a sandbox ended without being asked to."""


class SandboxUnavailable(InfrastructureError):
    """The isolation that was asked for is not to be had on this machine."""


class DeadlineExceeded(InfrastructureError, TimeoutError):
    """A deadline passed and the process tree behind the call was ended."""


class PoolExhausted(InfrastructureError, TimeoutError):
    """No instance came free before the deadline of `acquire`."""
