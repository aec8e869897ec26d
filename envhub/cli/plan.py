"""What `envhub run` is going to play, on what, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from envhub.cli.trainers import trainer
from envhub.errors import UsageError
from envhub.ids import nearest
from envhub.policies import POLICIES
from envhub.registry import default_registry

if TYPE_CHECKING:
    from envhub.rollout import Start
    from envhub.spec import EnvSpec
    from envhub.trajectory import Trajectory

__all__ = ["MODEL", "Plan"]

MODEL = "model:"
"""What the name of a language model stands behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run before it is made.

    Attributes:
        spec: The environment.
        kwargs: Its arguments.
        policy: Name of the policy.
        starts: Where the episodes begin.
        jobs: Episodes at once.
        in_process: Whether the environment runs in this process.
        temperature: Of a model's sampling.
    """

    spec: EnvSpec
    kwargs: Mapping[str, Any]
    policy: str
    starts: Sequence[Start]
    jobs: int
    in_process: bool
    temperature: float

    @classmethod
    def make(
        cls,
        env: str,
        policy: str,
        *,
        kwargs: Mapping[str, Any],
        episodes: int,
        split: str | None,
        seed: int,
        jobs: int,
        in_process: bool,
        temperature: float,
    ) -> Self:
        """Look everything up, so that a mistake shows before the first episode.

        Raises:
            UsageError: There is no such environment, policy, split or argument.
        """
        from envhub.rollout import starts

        spec = default_registry().spec(env)
        _check_policy(policy)
        made = default_registry().make(spec, **kwargs)
        try:
            split = split or ("test" if "test" in made.tasks.splits else None)
            chosen = starts(made.tasks, episodes=episodes, split=split, seed=seed)
        finally:
            made.close()
        return cls(
            spec=spec,
            kwargs=kwargs,
            policy=policy,
            starts=chosen,
            jobs=1 if in_process else min(jobs, len(chosen)),
            in_process=in_process,
            temperature=temperature,
        )

    def play(
        self,
        on_episode: Callable[[Trajectory], None],
        on_loading: Callable[[str, float], None],
    ) -> None:
        """Play the episodes.

        Args:
            on_episode: Told each record as its episode ends.
            on_loading: Told how the loading of a model goes: what, and the share of it.
        """
        from envhub.evaluate import evaluate
        from envhub.pool import Pool

        if self.policy.startswith(MODEL):
            # Looked up first: what is missing shows before a pool is filled.
            play_model = trainer("evaluate")
            with Pool(self.spec, size=self.jobs, warm=0, **self.kwargs) as pool:
                play_model(
                    pool,
                    self.policy.removeprefix(MODEL),
                    self.starts,
                    temperature=self.temperature,
                    seed=self.starts[0].seed,
                    env_kwargs=self.kwargs,
                    on_episode=on_episode,
                    on_loading=on_loading,
                )
            return
        maker, name = POLICIES[self.policy], self.policy
        if self.in_process:
            made = default_registry().make(self.spec, **self.kwargs)
            try:
                evaluate(made, maker, self.starts, name=name, on_episode=on_episode)
            finally:
                made.close()
            return
        with Pool(self.spec, size=self.jobs, warm=self.jobs, **self.kwargs) as pool:
            evaluate(pool, maker, self.starts, name=name, on_episode=on_episode)

    def summary(self) -> dict[str, Any]:
        """What was asked for, as JSON values."""
        return {
            "version": self.spec.version,
            "split": self.starts[0].split,
            "seed": self.starts[0].seed,
            "asked": len(self.starts),
            "jobs": self.jobs,
            "arguments": dict(self.kwargs),
        }


def _check_policy(name: str) -> None:
    if name in POLICIES or (name.startswith(MODEL) and name != MODEL):
        return
    close = nearest(name, [*POLICIES, MODEL])
    hint = f"did you mean {close[0]}? " if close else ""
    raise UsageError(
        f"there is no policy {name!r}; {hint}There are {', '.join(POLICIES)}, and "
        "model:PATH_OR_ID for a language model"
    )
