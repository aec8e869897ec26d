"""Evaluates a language model on an environment, as training samples it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envhub.evaluate import Evaluation
from envhub.pool import Pool
from envhub.rollout import Start
from envhub.trajectory import Trajectory
from envhub_trainers.engine import Engine, Sampling
from envhub_trainers.live import Limits, Rollout
from envhub_trainers.models import load
from envhub_trainers.rollout import Runner
from envhub_trainers.threads import quiet_threads
from envhub_trainers.tokens import ChatFormat
from envhub_trainers.torch_engine import TorchEngine, eos_ids_of

__all__ = ["evaluate", "evaluate_engine"]


def evaluate(
    pool: Pool,
    model: str,
    starts: Sequence[Start],
    *,
    temperature: float = 1.0,
    seed: int = 0,
    turn_tokens: int = 256,
    template_options: Mapping[str, Any] | None = None,
    env_kwargs: Mapping[str, Any] | None = None,
    on_episode: Callable[[Trajectory], None] | None = None,
    on_loading: Callable[[str, float], None] = lambda what, share: None,
) -> Evaluation:
    """Play episodes with a language model.

    Args:
        pool: Where episodes come from.
        model: Name, folder or hub id (`envhub_trainers.models`).
        starts: Where each episode begins.
        temperature: Of the sampling; 0 takes the most probable token.
        seed: Of the sampling.
        turn_tokens: Tokens that one turn may have.
        template_options: Passed to the chat template.
        env_kwargs: Arguments of the environment, for a tiny model built for it.
        on_episode: Told each record as its episode ends.
        on_loading: Told what is done, and the share of it, until the model is there.
    """
    loaded = load(model, env=pool.spec.id, env_kwargs=env_kwargs, progress=on_loading)
    with quiet_threads(loaded.model):
        chat = ChatFormat(
            loaded.tokenizer,
            eos_ids=eos_ids_of(loaded.model),
            template_options=template_options,
        )
        sampling = Sampling(temperature=temperature, seed=seed)
        engine = TorchEngine(loaded.model, eos_ids=chat.eos_ids, sampling=sampling)
        return evaluate_engine(
            pool,
            engine,
            chat,
            starts,
            name=model,
            limits=Limits(turn_tokens=turn_tokens),
            on_episode=on_episode,
        )


def evaluate_engine(
    pool: Pool,
    engine: Engine,
    chat: ChatFormat,
    starts: Sequence[Start],
    *,
    name: str,
    limits: Limits | None = None,
    policy_version: int = 0,
    on_episode: Callable[[Trajectory], None] | None = None,
) -> Evaluation:
    """Play episodes with an engine."""

    def ended(rollout: Rollout) -> None:
        if on_episode is not None:
            on_episode(rollout.trajectory)

    runner = Runner(pool, engine, chat, limits=limits, on_end=ended)
    rollouts = runner.run(starts, policy_version=policy_version)
    records = tuple(rollout.trajectory for rollout in rollouts)
    return Evaluation(env=pool.spec.id, policy=name, episodes=records)
