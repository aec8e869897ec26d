"""A true `gymnasium.vector.VectorEnv` over a pool."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from envhub.actions import Action
from envhub.errors import StepBeforeReset, UsageError
from envhub.pool import Failure, Lease, Pool, Reset, Step
from envhub.spaces import ActionSpace, UnicodeText
from envhub.spec import EnvSpec

__all__ = ["PoolVectorEnv", "make_vec"]

_LARGEST_SEED = 2**63 - 1  # infos hold the members' seeds in one array
Observations = tuple[str, ...]
Infos = dict[str, Any]


class PoolVectorEnv(VectorEnv[Observations, Sequence[Action], NDArray[Any]]):
    """Episodes of one environment, stepped together.

    Observations are a tuple of texts; rewards, terminations and truncations are arrays.
    A member whose environment or platform failed is truncated with reward NaN, and its
    ``info["failure"]`` says why: a failure is never a reward of 0.

    Args:
        pool: Where the members come from; closed with this object.
        num_envs: Number of members.
        autoreset_mode: ``NEXT_STEP`` (the step after the end resets and carries no
            reward), ``SAME_STEP`` (the last observation and info are in
            ``final_obs`` and ``final_info``), or ``DISABLED``.
    """

    def __init__(
        self,
        pool: Pool,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        self._pool = pool
        self._mode = autoreset_mode
        self.num_envs = num_envs
        self.metadata = {
            "render_modes": ["ansi"],
            "autoreset_mode": autoreset_mode,
        }
        self.spec = gymnasium.registry.get(pool.spec.gymnasium_id)
        self.single_observation_space = UnicodeText()
        self.single_action_space = ActionSpace()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._leases: list[Lease] = []
        self._ended = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, Infos]:
        """Begin an episode in every member.

        Args:
            seed: One for each, or one number from which members count upwards.
            options: As for one environment; with ``reset_mask`` (booleans) only those
                members are reset.
        """
        options = dict(options or {})
        mask = self._mask(options.pop("reset_mask", None))
        while len(self._leases) < self.num_envs:
            self._leases.append(self._pool.acquire())
        seeds = self._seeds(seed)
        chosen = _positions(mask)
        outcomes = self._pool.reset_many(
            [self._leases[i] for i in chosen],
            seeds=[seeds[i] for i in chosen],
            options=[options or None] * len(chosen),
        )
        infos: Infos = {}
        for i, outcome in zip(chosen, outcomes, strict=True):
            if isinstance(outcome, Failure):
                raise outcome.error
            infos = self._add_info(infos, outcome.info, i)
        self._ended[mask] = False
        return self._observations(), infos

    def step(
        self, actions: Sequence[Action]
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Take one turn in every member, or reset those that ended in the last one."""
        if not self._leases:
            raise StepBeforeReset("there are no episodes yet; call reset() first")
        self._check(actions)
        ended = self._ended.copy()
        if self._mode is AutoresetMode.DISABLED and ended.any():
            raise UsageError("some members have ended; reset them with reset_mask")
        stepping = _positions(~ended)
        moves = [(self._leases[i], actions[i]) for i in stepping]
        turn = _Turn(self.num_envs)
        for i, outcome in zip(stepping, self._pool.step_many(moves), strict=True):
            turn.record(i, outcome)
        for i, reset in self._reset(_positions(ended)):
            turn.begin(i, reset)
        self._ended = turn.ended.copy()
        if self._mode is AutoresetMode.SAME_STEP and self._ended.any():
            turn.keep_finals(self._ended)
            for i, reset in self._reset(_positions(self._ended)):
                turn.begin(i, reset)
            self._ended[:] = False
        return self._report(turn)

    def close_extras(self, **kwargs: Any) -> None:
        """Give every lease back and close the pool."""
        leases, self._leases = self._leases, []
        for lease in leases:
            lease.close()
        self._pool.close()

    def _reset(self, members: Sequence[int]) -> list[tuple[int, Reset]]:
        outcomes = self._pool.reset_many([self._leases[i] for i in members])
        resets: list[tuple[int, Reset]] = []
        for i, outcome in zip(members, outcomes, strict=True):
            reset = self._leases[i].reset() if isinstance(outcome, Failure) else outcome
            resets.append((i, reset))
        return resets

    def _report(
        self, turn: _Turn
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        infos: Infos = {}
        for i, info in enumerate(turn.infos):
            infos = self._add_info(infos, info, i)
        for i, observation in turn.observations.items():
            self._leases[i].observation = observation
        return (
            self._observations(),
            turn.rewards,
            turn.terminated,
            turn.truncated,
            infos,
        )

    def _observations(self) -> Observations:
        return tuple(lease.observation for lease in self._leases)

    def _mask(self, given: Any) -> NDArray[np.bool_]:
        if given is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype.kind not in "bui":
            raise UsageError(
                f"reset_mask is {given!r:.60}, not {self.num_envs} booleans"
            )
        return mask.astype(np.bool_)

    def _check(self, actions: Any) -> None:
        """All at once, lest some members take their turn and others do not."""
        if not isinstance(actions, Sequence | np.ndarray) or isinstance(actions, str):
            kind = type(actions).__name__
            raise UsageError(f"actions come in a sequence, one a member; found {kind}")
        if len(actions) != self.num_envs:
            raise UsageError(f"{len(actions)} actions for {self.num_envs} environments")
        for i, action in enumerate(actions):
            if not self.single_action_space.contains(action):
                raise UsageError(
                    f"member {i}: {type(action).__name__} is no action; give text, a "
                    "ToolCall, a list of them, or a chat message"
                )

    def _seeds(self, seed: Any) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            seeds: list[Any] = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed) if isinstance(seed, Sequence | np.ndarray) else [seed]
        if len(seeds) != self.num_envs:
            raise UsageError(f"{len(seeds)} seeds for {self.num_envs} environments")
        if any(isinstance(each, int) and each > _LARGEST_SEED for each in seeds):
            raise UsageError(f"seeds of a vector are at most {_LARGEST_SEED}")
        return seeds


class _Turn:
    """What one vector step gathers, member by member."""

    def __init__(self, size: int) -> None:
        self.rewards = np.zeros(size)
        self.terminated = np.zeros(size, dtype=np.bool_)
        self.truncated = np.zeros(size, dtype=np.bool_)
        self.infos: list[dict[str, Any]] = [{} for _ in range(size)]
        self.observations: dict[int, str] = {}

    @property
    def ended(self) -> NDArray[Any]:
        ended: NDArray[Any] = self.terminated | self.truncated
        return ended

    def record(self, i: int, outcome: Step | Failure) -> None:
        if isinstance(outcome, Failure):
            self.rewards[i], self.truncated[i] = np.nan, True
            error = outcome.error
            self.infos[i] = {"failure": f"{type(error).__name__}: {error}"}
            return
        self.observations[i] = outcome.observation
        self.rewards[i] = outcome.reward
        self.terminated[i] = outcome.terminated
        self.truncated[i] = outcome.truncated
        self.infos[i] = dict(outcome.info)

    def begin(self, i: int, reset: Reset) -> None:
        self.observations[i] = reset.observation
        self.infos[i] |= deepcopy(reset.info)

    def keep_finals(self, ended: NDArray[Any]) -> None:
        for i in _positions(ended):
            final = self.infos[i]
            self.infos[i] = {
                "final_obs": self.observations.get(i, ""),
                "final_info": final,
            }


def _positions(mask: NDArray[Any]) -> list[int]:
    return [int(i) for i in np.flatnonzero(mask)]


def make_vec(
    id: str | EnvSpec,
    num_envs: int = 1,
    *,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    **kwargs: Any,
) -> PoolVectorEnv:
    """A vector environment over a pool of its own.

    Args:
        id: Id or spec of the environment.
        num_envs: Number of members.
        autoreset_mode: What a step after the end of an episode does.
        kwargs: Arguments of `envhub.Pool` and of the environment.
    """
    mode = AutoresetMode(autoreset_mode)
    pool = Pool(id, size=num_envs, **{"warm": num_envs, **kwargs})
    return PoolVectorEnv(pool, num_envs, autoreset_mode=mode)
