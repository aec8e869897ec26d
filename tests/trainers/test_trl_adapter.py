"""The seam to TRL: rows, groups, unknown rewards, refusals; no model is trained."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import envhub
from envhub.errors import InfrastructureError, UnknownEnvironment, UsageError
from envhub_trainers.tiny import TinyRecipe, new_model
from envhub_trainers.trl_adapter import ClippedTurns, TRLSpec, env_reward
from envhub_trainers.trl_engine import TRLVLLMEngine, check_trainer
from tests.trainers.toys import Parrot

CONFIG: dict[str, Any] = {
    "per_device_train_batch_size": 8,
    "num_generations": 4,
    "max_completion_length": 60,
    "max_steps": 1,
    "report_to": [],
    "use_cpu": True,
    "bf16": False,
    "gradient_checkpointing": False,
    "save_strategy": "no",
    "disable_tqdm": True,
    "dataloader_pin_memory": False,
    "logging_steps": 1,
}


@pytest.fixture
def trainer_of(qwen: Any, tmp_path: Path) -> Any:
    """A real GRPOTrainer with an untrained model around a spec."""
    from trl import GRPOConfig, GRPOTrainer

    def make(spec: TRLSpec, **config: Any) -> Any:
        model = new_model(qwen, TinyRecipe(hidden=32, layers=1, context=256))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*experimental feature.*")
            return GRPOTrainer(
                model=model,
                processing_class=qwen,
                args=GRPOConfig(output_dir=str(tmp_path), **{**CONFIG, **config}),
                **spec.trainer_arguments(),
            )

    return make


@pytest.fixture
def fails() -> dict[str, Any]:
    """Arguments of a parrot that loses the platform on every second instance."""

    def fail(task: int, instance: int, turn: int) -> None:
        if instance % 2 == 0:
            raise InfrastructureError("gone")

    Parrot.made = 0
    return {"fail": fail}


def batch(spec: TRLSpec, groups: int, size: int) -> list[Any]:
    return [row["prompt"] for row in spec.rows[:groups] for _ in range(size)]


def test_an_unknown_environment_is_reported_at_set_up() -> None:
    with pytest.raises(UnknownEnvironment, match="toy-doors"):
        TRLSpec(["toy-doors", "toy-dors"])


def test_rows_say_which_episode_and_mix_environments_evenly() -> None:
    spec = TRLSpec(["toy-doors", "toy-parrot"], rows=6, seed=100)
    messages = [row["prompt"][0] for row in spec.rows]
    assert [m["env"] for m in messages] == ["toy-doors", "toy-parrot"] * 3
    assert [m["seed"] for m in messages] == [100, 101, 102, 103, 104, 105]
    assert messages[2]["task"] == "doors-train-00001"
    assert spec.rows == TRLSpec(["toy-doors", "toy-parrot"], rows=6, seed=100).rows
    assert spec.train_dataset[0]["prompt"][0]["task"] == "doors-train-00000"


def test_a_group_shares_task_seed_and_first_prompt(trainer_of: Any) -> None:
    with TRLSpec("toy-doors", turn_tokens=8) as spec:
        trainer = trainer_of(spec)
        rollouts: list[Any] = []
        spec._on_rollouts = lambda made, version: rollouts.extend(made)
        with pytest.warns(ClippedTurns, match="cut by the token limit"):
            columns = spec.rollout_func(batch(spec, 2, 4), trainer)
    tasks = [(r.trajectory.task_id, r.trajectory.seed) for r in rollouts]
    assert tasks == [tasks[0]] * 4 + [tasks[4]] * 4
    assert tasks[0] != tasks[4]
    assert len({tuple(ids) for ids in columns["prompt_ids"][:4]}) == 1
    for ids, mask, logprobs, rollout in zip(
        columns["completion_ids"],
        columns["env_mask"],
        columns["logprobs"],
        rollouts,
        strict=True,
    ):
        assert len(ids) == len(mask) == len(logprobs)
        assert sum(mask) == rollout.trajectory.sampled_tokens


def test_a_row_of_another_dataset_is_refused(trainer_of: Any) -> None:
    with TRLSpec("toy-doors") as spec:
        trainer = trainer_of(spec)
        with pytest.raises(UsageError, match="names the environment None"):
            spec.rollout_func([[{"role": "user", "content": "hi"}]], trainer)


@pytest.mark.filterwarnings("ignore::envhub_trainers.trl_adapter.ClippedTurns")
def test_an_unknown_reward_has_no_advantage_and_no_token_in_the_loss(
    trainer_of: Any, fails: dict[str, Any]
) -> None:
    """Known rewards alone make the baseline; metrics stay finite and count the void."""
    with TRLSpec("toy-parrot", turn_tokens=6, env_kwargs=fails) as spec:
        trainer = trainer_of(spec)
        trainer.model.train()
        scored = trainer._generate_and_score_completions(
            [dict(row) for row in spec.rows[:2] for _ in range(4)]
        )
    void = (scored["completion_mask"] * scored["tool_mask"]).sum(-1) == 0
    assert 0 < int(void.sum()) < 8
    assert scored["advantages"][void].abs().max() == 0
    metrics = trainer._metrics["train"]
    assert metrics["env/void"] == [float(void.sum())]
    assert math.isfinite(metrics["reward"][0])


def test_trl_leaves_unknown_rewards_out_of_the_baseline(trainer_of: Any) -> None:
    rewards = [1.0, 0.0, None, 1.0, None, None, None, None]
    with TRLSpec("toy-parrot", turn_tokens=6) as spec:
        trainer = trainer_of(spec)
        trainer.model.train()

        def rollout(prompts: list[Any], trainer: Any) -> dict[str, Any]:
            one = [[5]] * 8
            masks = [[int(reward is not None)] for reward in rewards]
            return {
                "prompt_ids": one,
                "completion_ids": one,
                "logprobs": [[0.0]] * 8,
                "env_mask": masks,
                "env_reward": rewards,
                "env_valid": [reward is not None for reward in rewards],
            }

        trainer.rollout_func = rollout
        scored = trainer._generate_and_score_completions(
            [dict(row) for row in spec.rows[:2] for _ in range(4)]
        )
    advantages = scored["advantages"].tolist()
    mean, deviation = 2 / 3, math.sqrt(1 / 3)
    good, bad = (1 - mean) / (deviation + 1e-4), -mean / (deviation + 1e-4)
    assert advantages == pytest.approx([good, bad, 0, good, 0, 0, 0, 0], abs=1e-5)
    assert int(scored["num_items_in_batch"]) == 3


def test_the_reward_function_counts_and_never_averages_the_void() -> None:
    logged: dict[str, float] = {}
    rewards = env_reward(
        ["", ""],
        [1.0, None],
        log_metric=logged.__setitem__,
        env_valid=[True, False],
        env_success=[True, False],
    )
    assert rewards == [1.0, None]
    assert logged == {"env/void": 1.0, "env/success": 1.0}


def test_the_reward_function_alone_says_what_it_needs() -> None:
    with pytest.raises(UsageError, match="needs TRLSpec"):
        env_reward([""])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"use_vllm": True, "vllm_mode": "server", "processes": 2}, "one process"),
        ({"use_vllm": True, "vllm_tensor_parallel_size": 2}, "Use 1"),
        ({"use_transformers_continuous_batching": True}, "Leave it out"),
        ({"processes": 2, "fsdp": True}, "hangs"),
        ({"min_p": 0.1}, "min_p"),
    ],
)
def test_set_ups_that_cannot_be_right_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    values = {
        "vllm_mode": "colocate",
        "vllm_tensor_parallel_size": 1,
        "min_p": None,
        "repetition_penalty": 1.0,
        **changes,
    }
    trainer = SimpleNamespace(
        args=SimpleNamespace(**values),
        accelerator=SimpleNamespace(num_processes=values.get("processes", 1)),
        use_vllm=values.get("use_vllm", False),
        is_fsdp_enabled=values.get("fsdp", False),
        is_deepspeed_enabled=False,
    )
    with pytest.raises(UsageError, match=message):
        check_trainer(trainer)


def test_vllm_is_asked_for_token_ids_with_a_cap_for_each_turn() -> None:
    asked: list[Any] = []
    extras = {"stop": ["x"]}

    def generate(prompts: Any, *others: Any) -> Any:
        asked.append((prompts, others, dict(extras)))
        return [[7, 8, 9], [7, 2]], [[-0.1, -0.2, -0.3], [-0.1, None]]

    trainer = SimpleNamespace(
        args=SimpleNamespace(vllm_max_model_length=10),
        vllm_generation=SimpleNamespace(generation_kwargs=extras),
        _generate_single_turn=generate,
    )
    engine = TRLVLLMEngine(trainer, eos_ids=[2])
    from envhub_trainers.engine import Generation, Request

    answers = engine.generate(
        [Request([1] * 4, 2), Request([1] * 10, 5), Request([1] * 3, 5)]
    )
    assert answers == [
        Generation((7, 8), (-0.1, -0.2), "length"),
        Generation((), (), "overflow"),
        Generation((7, 2), (), "stop"),
    ]
    assert asked == [
        ([[1] * 4, [1] * 3], (None, {}, 1), {"stop": ["x"], "max_tokens": 5})
    ]
    assert extras == {"stop": ["x"]}


def test_there_must_be_tasks() -> None:
    with pytest.raises(envhub.UsageError):
        TRLSpec("toy-doors", tasks=[])
