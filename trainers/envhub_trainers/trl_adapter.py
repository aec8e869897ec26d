"""envhub's environments in a trainer of TRL's, at one seam: its ``rollout_func``.

    spec = TRLSpec("household", split="train")
    trainer = GRPOTrainer(model, args=GRPOConfig(...), **spec.trainer_arguments())
    trainer.train()

The trainer stays what it is: loss types, PEFT, vLLM modes, logging and checkpoints are
set as in TRL's own documentation. This module gives it prompts that say which episode
to roll out, and rollouts whose tokens, mask and rewards are exact.

A rollout function is shown prompts and no other column, so environment, task and seed
travel inside the prompt's message. TRL repeats each row for the members of its group:
they get the same task and seed, and an instance each.
"""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, Self

from envhub import make
from envhub.errors import UsageError
from envhub.pool import Pool
from envhub.rollout import Start
from envhub_trainers.extras import need
from envhub_trainers.live import Limits, Rollout
from envhub_trainers.rollout import Runner
from envhub_trainers.tokens import ChatFormat
from envhub_trainers.trl_engine import check_trainer, engine_of

__all__ = ["ClippedTurns", "TRLSpec", "env_reward", "rows_for"]

_KEYS = ("env", "task", "seed", "split")


class ClippedTurns(UserWarning):
    """Most turns are cut by the token limit: the policy cannot finish what it says."""


class TRLSpec:
    """Environments as a dataset, a rollout function and a reward function.

    Args:
        env: Environment id, or several: rows of all of them are mixed evenly.
        split: Split that tasks come from.
        tasks: Use these tasks (ids or indices) alone.
        rows: Rows of the dataset; by default one for each task. More rows than tasks
            repeat the tasks under other seeds.
        seed: Seed of the first row; the others count on from it.
        turn_tokens: Tokens that one turn may have.
        max_turns: Turns; by default what the environment says.
        pool_size: Episodes alive at once.
        template_options: Passed to the chat template.
        on_rollouts: Called with the rollouts of every batch and the policy's version.
        env_kwargs: Arguments of the environments.
        pool_kwargs: Arguments of the pools, such as ``placement``.

    Raises:
        UnknownEnvironment: No environment has this name; the nearest are told.
    """

    def __init__(
        self,
        env: str | Sequence[str],
        *,
        split: str = "train",
        tasks: Sequence[str | int] | None = None,
        rows: int | None = None,
        seed: int = 0,
        turn_tokens: int = 256,
        max_turns: int | None = None,
        pool_size: int = 32,
        template_options: Mapping[str, Any] | None = None,
        on_rollouts: Callable[[list[Rollout], int], None] | None = None,
        env_kwargs: Mapping[str, Any] | None = None,
        pool_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        names = [env] if isinstance(env, str) else list(env)
        self.turn_tokens = turn_tokens
        self.max_turns = max_turns
        self._template_options = dict(template_options or {})
        self._on_rollouts = on_rollouts or (lambda rollouts, version: None)
        self._kwargs = dict(env_kwargs or {})
        self._pool_kwargs = {"size": pool_size, "warm": 0, **(pool_kwargs or {})}
        self._pools: dict[str, Pool] = {}
        self._chats: dict[int, ChatFormat] = {}
        self._checked = False
        self._first = True
        parts = [rows_for(n, split=split, tasks=tasks, **self._kwargs) for n in names]
        self.rows = _mixed(parts, rows, seed)
        self._names = frozenset(names)

    @property
    def train_dataset(self) -> Any:
        """The rows as a `datasets.Dataset`."""
        return need("datasets").Dataset.from_list(self.rows)

    @property
    def reward_funcs(self) -> list[Callable[..., list[float | None]]]:
        """Reads the reward that the rollout found."""
        return [env_reward]

    def trainer_arguments(self) -> dict[str, Any]:
        """What a `GRPOTrainer` takes from here."""
        return {
            "train_dataset": self.train_dataset,
            "rollout_func": self.rollout_func,
            "reward_funcs": self.reward_funcs,
        }

    def rollout_func(self, prompts: list[Any], trainer: Any) -> dict[str, Any]:
        """Roll out one episode for each prompt; TRL's seam."""
        if not self._checked:
            check_trainer(trainer)
            self._checked = True
        asked = [self._read(prompt) for prompt in prompts]
        version = int(trainer.state.global_step)
        chat = self._chat(trainer)
        done: dict[int, Rollout] = {}
        with engine_of(trainer, eos_ids=chat.eos_ids) as engine:
            for name in sorted({env for env, _ in asked}):
                places = [n for n, (env, _) in enumerate(asked) if env == name]
                runner = Runner(
                    self._pool(name), engine, chat, limits=self._limits(trainer)
                )
                rollouts = runner.run(
                    [asked[n][1] for n in places], policy_version=version
                )
                done.update(zip(places, rollouts, strict=True))
        rollouts = [done[n] for n in range(len(prompts))]
        self._on_rollouts(rollouts, version)
        self._warn(rollouts)
        cut = bool(trainer.mask_truncated_completions)
        return _columns(rollouts, min(chat.eos_ids), mask_truncated=cut)

    def close(self) -> None:
        """Close the pools; idempotent."""
        while self._pools:
            self._pools.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _read(self, prompt: Any) -> tuple[str, Start]:
        last = prompt[-1] if isinstance(prompt, list) and prompt else {}
        if last.get("env") not in self._names:
            known = ", ".join(sorted(self._names))
            message = (
                f"A row names the environment {last.get('env')!r}; this spec has "
                f"{known}. Use spec.train_dataset, or rows made by rows_for()."
            )
            raise UsageError(message)
        env, task, seed, split = (last[key] for key in _KEYS)
        return env, Start(task=task, seed=int(seed), split=split)

    def _pool(self, env: str) -> Pool:
        if env not in self._pools:
            self._pools[env] = Pool(env, **self._pool_kwargs, **self._kwargs)
        return self._pools[env]

    def _chat(self, trainer: Any) -> ChatFormat:
        tokenizer = trainer.processing_class
        if id(tokenizer) not in self._chats:
            self._chats[id(tokenizer)] = ChatFormat(
                tokenizer,
                eos_ids=trainer.eos_token_ids,
                template_options=self._template_options,
            )
        return self._chats[id(tokenizer)]

    def _limits(self, trainer: Any) -> Limits:
        return Limits(
            turn_tokens=self.turn_tokens,
            completion_tokens=trainer.max_completion_length,
            max_turns=self.max_turns,
        )

    def _warn(self, rollouts: Sequence[Rollout]) -> None:
        """Once, at the first batch, when limits are too small to be meant."""
        share = _clipped(rollouts)
        if self._first and share > 0.5:
            message = (
                f"{share:.0%} of the first batch's turns were cut by the token limit "
                f"(turn_tokens={self.turn_tokens}): the policy cannot finish what it "
                "says. Raise turn_tokens or max_completion_length."
            )
            warnings.warn(message, ClippedTurns, stacklevel=2)
        self._first = False


def rows_for(
    env: str,
    *,
    split: str = "train",
    tasks: Sequence[str | int] | None = None,
    **env_kwargs: Any,
) -> list[dict[str, Any]]:
    """One row for each task of an environment, for a dataset of TRL's.

    Raises:
        UnknownEnvironment: No environment has this name.
        UnknownTask: The environment has no such task or split.
    """
    with closing(make(env, **env_kwargs)) as made:
        chosen = made.tasks.ids(split) if tasks is None else tasks
        ids = [made.tasks.get(task, split).id for task in chosen]
    return [_row(env, task, 0, split) for task in ids]


def env_reward(
    completions: Sequence[Any],
    env_reward: Sequence[float | None] | None = None,
    *,
    log_metric: Callable[[str, float], None] = lambda name, value: None,
    **columns: Any,
) -> list[float | None]:
    """The reward that each rollout found; None where the episode is void."""
    if env_reward is None:
        message = "env_reward needs TRLSpec.rollout_func in the same trainer."
        raise UsageError(message)
    for name, value in _metrics(columns).items():
        log_metric(name, value)
    return list(env_reward)


def _metrics(columns: Mapping[str, Any]) -> dict[str, float]:
    valid = columns.get("env_valid") or []
    found = {"env/void": float(len(valid) - sum(valid))}
    for name in ("env_success", "env_turns", "env_truncated", "env_clipped"):
        column = columns.get(name) or [0.0] * len(valid)
        values = [value for value, ok in zip(column, valid, strict=True) if ok]
        if values and name in columns:
            found[name.replace("_", "/")] = statistics.fmean(values)
    return found


def _columns(
    rollouts: Sequence[Rollout], filler: int, *, mask_truncated: bool
) -> dict[str, Any]:
    """What TRL reads. A void episode is one token with mask 0: no loss, no baseline."""
    columns: dict[str, list[Any]] = {}
    for rollout in rollouts:
        for name, value in _column(rollout, filler, mask_truncated).items():
            columns.setdefault(name, []).append(value)
    return columns


def _column(rollout: Rollout, filler: int, mask_truncated: bool) -> dict[str, Any]:
    trajectory, transcript = rollout.trajectory, rollout.transcript
    row: dict[str, Any] = {
        "prompt_ids": list(transcript.prompt) or [filler],
        "completion_ids": [filler],
        "logprobs": [0.0],
        "env_mask": [0],
        "env_reward": trajectory.reward,
        "env_valid": trajectory.valid,
        "env_success": trajectory.success,
        "env_turns": trajectory.turns,
        "env_truncated": trajectory.truncated,
        "env_clipped": _clipped([rollout]),
    }
    if trajectory.valid and transcript.spans:
        row["completion_ids"] = transcript.completion
        row["logprobs"] = transcript.logprobs
        row["env_mask"] = transcript.mask
        if mask_truncated and trajectory.truncated:
            row["env_mask"] = [0] * len(transcript.mask)
    return row


def _clipped(rollouts: Iterable[Rollout]) -> float:
    """Share of turns that a token limit cut."""
    cut = [
        float(step.response.finish_reason == "length")
        for rollout in rollouts
        for step in rollout.trajectory.steps
    ]
    return statistics.fmean(cut) if cut else 0.0


def _mixed(
    parts: Sequence[list[dict[str, Any]]], count: int | None, seed: int
) -> list[dict[str, Any]]:
    """Rows of all parts in turn, each with a seed of its own."""
    empty = [part for part in parts if not part]
    if empty or not parts:
        raise UsageError("There are no tasks to train on in this split.")
    count = count or sum(map(len, parts))
    rows: list[dict[str, Any]] = []
    for number in range(count):
        part = parts[number % len(parts)]
        row = part[number // len(parts) % len(part)]
        message = row["prompt"][0]
        rows.append(
            _row(message["env"], message["task"], seed + number, message["split"])
        )
    return rows


def _row(env: str, task: str, seed: int, split: str) -> dict[str, Any]:
    message = {"role": "user", "content": f"{env} {task}", "env": env}
    return {"prompt": [{**message, "task": task, "seed": seed, "split": split}]}
