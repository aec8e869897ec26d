"""The engine inside a trainer of TRL's: its own vLLM, or its model in this process."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from envhub.errors import UsageError
from envhub_trainers.engine import Engine, Generation, Request, Sampling
from envhub_trainers.extras import need
from envhub_trainers.torch_engine import TorchEngine

__all__ = ["TRLVLLMEngine", "check_trainer", "engine_of"]


class TRLVLLMEngine:
    """Samples with the vLLM that a trainer of TRL's runs, weights in step.

    Args:
        trainer: A `GRPOTrainer` with ``use_vllm=True``.
        eos_ids: Tokens that end a turn.
    """

    name = "vllm"

    def __init__(self, trainer: Any, *, eos_ids: Iterable[int]) -> None:
        self._trainer = trainer
        self.eos_ids = frozenset(eos_ids)
        limit = trainer.args.vllm_max_model_length
        self.max_context = int(limit or trainer.model.config.max_position_embeddings)

    def generate(self, requests: Sequence[Request]) -> list[Generation]:
        """Continue every context; answers in the order of the requests."""
        fits = [len(r.ids) < self.max_context for r in requests]
        asked = [r for r, ok in zip(requests, fits, strict=True) if ok]
        answers = iter(self._generate(asked)) if asked else iter(())
        nothing = Generation((), (), "overflow")
        return [next(answers) if ok else nothing for ok in fits]

    def forget(self, keys: Iterable[Hashable]) -> None:
        """Nothing is kept by key: vLLM's own prefix cache knows what it has seen."""

    def _generate(self, requests: Sequence[Request]) -> list[Generation]:
        most = max(request.max_new_tokens for request in requests)
        with self._capped(most):
            ids, logprobs = self._trainer._generate_single_turn(
                [list(request.ids) for request in requests], None, {}, 1
            )
        rows = zip(requests, ids, logprobs, strict=True)
        return [self._answer(request, *row) for request, *row in rows]

    def _answer(
        self, request: Request, ids: list[int], logprobs: list[float | None]
    ) -> Generation:
        ids, logprobs = (
            ids[: request.max_new_tokens],
            logprobs[: request.max_new_tokens],
        )
        known = [p for p in logprobs if p is not None]
        ended = bool(ids) and ids[-1] in self.eos_ids
        return Generation(
            tuple(ids),
            tuple(known) if len(known) == len(ids) else (),
            "stop" if ended else "length" if ids else "overflow",
        )

    @contextmanager
    def _capped(self, most: int) -> Iterator[None]:
        """TRL has no argument for the length of one turn; its extras override it."""
        extras = self._trainer.vllm_generation.generation_kwargs
        before = dict(extras)
        extras["max_tokens"] = most
        try:
            yield
        finally:
            extras.clear()
            extras.update(before)


@contextmanager
def engine_of(trainer: Any, *, eos_ids: Iterable[int]) -> Iterator[Engine]:
    """The engine to sample with at this moment of a trainer's life."""
    if trainer.use_vllm:
        yield TRLVLLMEngine(trainer, eos_ids=eos_ids)
        return
    unwrap = need("trl.models.utils").unwrap_model_for_generation
    with (
        unwrap(
            trainer.model_wrapped,
            trainer.accelerator,
            gather_deepspeed3_params=trainer.args.ds3_gather_for_generation,
            gradient_checkpointing_kwargs=trainer.args.gradient_checkpointing_kwargs,
        ) as model,
        need("torch").no_grad(),
    ):
        sampling = Sampling(
            temperature=trainer.temperature,
            top_k=trainer.args.top_k or 0,
            top_p=trainer.args.top_p,
        )
        yield TorchEngine(model, eos_ids=eos_ids, sampling=sampling)


def check_trainer(trainer: Any) -> None:
    """Refuse what would train on the wrong tokens or hang, and say what to change.

    Raises:
        UsageError: The trainer is set up so that multi-turn rollouts cannot be right.
    """
    problem = next(_problems(trainer), None)
    if problem is not None:
        raise UsageError(f"GRPOTrainer with envhub: {problem}")


def _problems(trainer: Any) -> Iterator[str]:
    args, many = trainer.args, trainer.accelerator.num_processes > 1
    if trainer.use_vllm:
        if args.vllm_mode == "server" and many:
            yield (
                'vllm_mode="server" with more than one trainer process gives a process '
                "another one's completions when their episodes differ in length. Use "
                'vllm_mode="colocate", or one process.'
            )
        if args.vllm_mode == "colocate" and args.vllm_tensor_parallel_size > 1:
            yield (
                "vllm_tensor_parallel_size > 1 in colocate mode needs as many live "
                "episodes in every process, which multi-turn rollouts do not have. "
                "Use 1."
            )
        return
    if getattr(args, "use_transformers_continuous_batching", False):
        yield (
            "use_transformers_continuous_batching gives no logprobs and is slower here "
            "than envhub's own engine. Leave it out."
        )
    sharded = trainer.is_fsdp_enabled or trainer.is_deepspeed_enabled
    if many and sharded:
        yield (
            "a sharded model (FSDP, DeepSpeed) sampled without vLLM hangs as soon as "
            "one process has no live episode left. Use use_vllm=True, "
            'vllm_mode="colocate".'
        )
    if args.min_p or args.repetition_penalty != 1.0:
        yield (
            "min_p and repetition_penalty are not part of the distribution that "
            "envhub's own engine draws from. Leave them out, or use vLLM."
        )
