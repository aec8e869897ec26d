"""What a training run is made of: every number that decides its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from envhub.errors import UsageError
from envhub_trainers.tiny import TinyRecipe

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A training run.

    Attributes:
        env: Environment id.
        env_kwargs: Its arguments.
        model: Name, folder or hub id.
        recipe: How a tiny model is built, or any model is warmed up.
        warm_steps: Steps of imitating weak demonstrations before anything is measured,
            for a model that would never succeed by itself; `recipe` says how.
        steps: Optimizer steps.
        groups: Tasks in a step.
        group_size: Episodes of each task in a step.
        micro_batch: Episodes that are back-propagated at once; None takes all of them.
        learning_rate: Constant. A tiny model forgets how to end a turn at 5e-4.
        max_grad_norm: Longer gradients are scaled down to this length.
        temperature: Of sampling, in training and in evaluation.
        turn_tokens: Tokens that one turn may have.
        completion_tokens: Tokens that an episode may have after its first prompt.
        max_turns: Turns; None leaves it to the environment.
        lora: Rank of low-rank adapters; 0 trains all weights.
        lora_layers: Put adapters into the last so many layers alone; None into all.
        train_split: Split that is trained on.
        test_split: Split that is evaluated on, before and after.
        test_episodes: Episodes of each evaluation.
        checkpoint_steps: Steps between checkpoints; 0 keeps none.
        seed: Of everything.
        vllm: Sample with vLLM, in this process.
        trainer: Further arguments of TRL's `GRPOConfig`; they win.
    """

    env: str
    env_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    model: str = "tiny"
    recipe: TinyRecipe = field(default_factory=TinyRecipe)
    warm_steps: int = 0
    steps: int = 30
    groups: int = 4
    group_size: int = 8
    micro_batch: int | None = None
    learning_rate: float = 2e-4
    max_grad_norm: float = 0.3
    temperature: float = 1.0
    turn_tokens: int = 64
    completion_tokens: int = 512
    max_turns: int | None = None
    lora: int = 0
    lora_layers: int | None = None
    train_split: str = "train"
    test_split: str = "test"
    test_episodes: int = 60
    checkpoint_steps: int = 20
    seed: int = 0
    vllm: bool = False
    trainer: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        for name in ("steps", "groups", "turn_tokens", "completion_tokens"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}; at least 1")
        if self.group_size < 2:
            message = (
                f"group_size is {self.group_size}; GRPO compares the members of a "
                "group and needs at least 2"
            )
            raise UsageError(message)
        if self.micro_batch and self.batch % self.micro_batch:
            message = f"micro_batch {self.micro_batch} does not divide {self.batch}"
            raise UsageError(message)

    @property
    def batch(self) -> int:
        """Episodes in a step."""
        return self.groups * self.group_size

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; the recipe only where it matters."""
        values = asdict(self)
        if self.model.partition(":")[0] != "tiny" and not self.warm_steps:
            del values["recipe"]
        return values
