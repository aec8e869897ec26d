"""Trains a language model on an environment, from its name to a report.

    load ──▶ evaluate ──▶ train (TRL's GRPO) ──▶ evaluate ──▶ report
              held-out tasks          │            same tasks, same seeds
                                      ├─ log.jsonl, train.jsonl: every step and episode
                                      └─ checkpoints/: what `resume` goes on from

Everything is written into one folder while the run goes on, so that a run that is
interrupted has lost at most the steps since its last checkpoint.
"""

from __future__ import annotations

import importlib.metadata
import json
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import envhub
from envhub.errors import UsageError
from envhub.evaluate import Evaluation
from envhub.pool import Pool
from envhub.rollout import Start, starts
from envhub.trajectory import Trajectory, read, write
from envhub_trainers.demonstrations import demonstrate
from envhub_trainers.engine import Sampling
from envhub_trainers.evaluation import evaluate_engine
from envhub_trainers.extras import need
from envhub_trainers.live import Limits, Rollout
from envhub_trainers.models import Loaded, load, quiet_library
from envhub_trainers.progress import Screen, Silent, Watcher
from envhub_trainers.report import Report, write_report
from envhub_trainers.settings import Settings
from envhub_trainers.steplog import make_callback, read_log
from envhub_trainers.threads import quiet_threads
from envhub_trainers.tiny import imitate, spell
from envhub_trainers.tokens import ChatFormat
from envhub_trainers.torch_engine import TorchEngine
from envhub_trainers.trl_adapter import TRLSpec
from envhub_trainers.trl_engine import engine_of

__all__ = ["run", "train"]

_PACKAGES = ("envhub-gym", "torch", "transformers", "trl", "peft")


def train(
    env: str,
    *,
    model: str = "tiny",
    output: str | Path = "runs/train",
    resume: bool = False,
    show: bool = True,
    **settings: Any,
) -> Report:
    """Train a model on an environment and report what it learnt.

    Args:
        env: Environment id.
        model: ``tiny``, ``smollm2-135m``, a folder, or a hub id.
        output: Folder that everything is written into.
        resume: Go on from the last checkpoint in `output`.
        show: Show progress on standard error.
        settings: Fields of `Settings`.

    Raises:
        UsageError: A setting is wrong, or `output` holds another run.
        MissingExtra: A package is missing; the message carries the command.
    """
    try:
        chosen = Settings(env=env, model=model, **settings)
    except TypeError as error:
        known = ", ".join(Settings.__dataclass_fields__)
        raise UsageError(f"{error}; the settings are {known}") from error
    return run(chosen, output, resume=resume, watcher=Screen() if show else Silent())


def run(
    settings: Settings,
    output: str | Path,
    *,
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Report:
    """Carry out a run; see `train`."""
    need("trl")
    with ExitStack() as stack:
        work = _Run(settings, _folder(Path(output), settings, resume), stack)
        return work.carry_out(resume=resume, watcher=watcher or Silent())


@dataclass(slots=True)
class _Run:
    """One run and what it has open."""

    settings: Settings
    folder: Path
    stack: ExitStack
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    watcher: Watcher = field(default_factory=Silent)

    def carry_out(self, *, resume: bool, watcher: Watcher) -> Report:
        self.watcher = watcher
        self.stack.enter_context(quiet_library())
        with self._timed("model"):
            loaded = self._load()
        self.stack.enter_context(quiet_threads(loaded.model))
        spec = self.stack.enter_context(self._spec())
        trainer = self._trainer(loaded, spec)
        with self._timed("warm start"):
            self._warm(trainer)
        before = self._evaluate("before", trainer, loaded, kept=resume)
        with self._timed("training"):
            self._train(trainer, resume)
        after = self._evaluate("after", trainer, loaded, kept=False)
        trainer.save_model(str(self.folder / "model"))
        report = Report.of(
            before,
            after,
            settings=self.settings,
            model={**loaded.facts, "trainable": _trainable(trainer.model)},
            steps=read_log(self.folder / "log.jsonl"),
            seconds=self.seconds,
            folder=self.folder,
            versions=_versions(),
        )
        write_report(report)
        self.watcher.say(report.headline())
        self.watcher.say(f"Report: {report.page}")
        return report

    def _load(self) -> Loaded:
        settings = self.settings
        with self.watcher.phase(f"model {settings.model}", 100) as advance:
            return load(
                settings.model,
                env=settings.env,
                env_kwargs=settings.env_kwargs,
                recipe=settings.recipe,
                progress=lambda what, share: advance(round(100 * share), what),
            )

    def _spec(self) -> TRLSpec:
        settings = self.settings
        return TRLSpec(
            settings.env,
            split=settings.train_split,
            rows=settings.steps * settings.groups,
            seed=1000 * settings.seed,
            turn_tokens=settings.turn_tokens,
            max_turns=settings.max_turns,
            pool_size=settings.batch,
            env_kwargs=settings.env_kwargs,
            on_rollouts=self._keep_rollouts,
        )

    def _keep_rollouts(self, rollouts: list[Rollout], version: int) -> None:
        write(
            self.folder / "train.jsonl",
            (rollout.trajectory for rollout in rollouts),
            append=True,
        )

    def _trainer(self, loaded: Loaded, spec: TRLSpec) -> Any:
        trl = need("trl")
        # rollout_func is marked experimental by TRL; this adapter exists to follow it.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*experimental feature.*")
            trainer = trl.GRPOTrainer(
                model=loaded.model,
                processing_class=loaded.tokenizer,
                args=trl.GRPOConfig(**self._arguments()),
                peft_config=_lora(self.settings, loaded.model),
                **spec.trainer_arguments(),
            )
        trainer.remove_callback(need("transformers").PrinterCallback)
        return trainer

    def _arguments(self) -> dict[str, Any]:
        settings = self.settings
        micro = settings.micro_batch or settings.batch
        gpu = bool(need("torch").cuda.is_available())
        every = settings.checkpoint_steps
        return {
            "output_dir": str(self.folder / "checkpoints"),
            "max_steps": settings.steps,
            "per_device_train_batch_size": micro,
            "gradient_accumulation_steps": settings.batch // micro,
            "num_generations": settings.group_size,
            "max_completion_length": settings.completion_tokens,
            "learning_rate": settings.learning_rate,
            "lr_scheduler_type": "constant",
            "max_grad_norm": settings.max_grad_norm,
            "temperature": settings.temperature,
            "beta": 0.0,
            "seed": settings.seed,
            "use_vllm": settings.vllm,
            "logging_steps": 1,
            "save_strategy": "steps" if every else "no",
            "save_steps": every or settings.steps,
            "save_total_limit": 2,
            "report_to": [],
            "disable_tqdm": True,
            "use_cpu": not gpu,
            "bf16": gpu,
            "gradient_checkpointing": gpu,
            "dataloader_pin_memory": gpu,
            **settings.trainer,
        }

    def _warm(self, trainer: Any) -> None:
        """Imitate weak demonstrations; a run that is resumed does the same again."""
        settings = self.settings
        if not settings.warm_steps:
            return
        recipe, steps = settings.recipe, settings.warm_steps
        chat = self._chat(trainer)
        with closing(envhub.make(settings.env, **settings.env_kwargs)) as made:
            shown = demonstrate(
                made, recipe.demonstrations, skill=recipe.skill, seed=recipe.seed
            )
        spelled = [spell(chat, trainer.processing_class, one) for one in shown]
        model = trainer.accelerator.unwrap_model(trainer.model)
        losses = imitate(
            model, spelled, recipe, steps=steps, learning_rate=recipe.learning_rate
        )
        with self.watcher.phase("warm start", steps) as advance:
            for step, loss in enumerate(losses, start=1):
                advance(step, f"loss {loss:.2f}")

    def _train(self, trainer: Any, resume: bool) -> None:
        folder = self.folder / "checkpoints"
        found = need("transformers.trainer_utils").get_last_checkpoint
        last = found(str(folder)) if resume and folder.is_dir() else None
        with self.watcher.phase("training", self.settings.steps) as advance:

            def told(row: Mapping[str, Any]) -> None:
                advance(int(row["step"]), _word(row.get("reward"), row.get("success")))

            trainer.add_callback(make_callback(self.folder / "log.jsonl", told))
            trainer.train(resume_from_checkpoint=last)

    def _evaluate(
        self, name: str, trainer: Any, loaded: Loaded, *, kept: bool
    ) -> Evaluation:
        path, chosen = self.folder / f"{name}.jsonl", self._starts()
        if kept and path.is_file():
            records = tuple(read(path))
            if len(records) == len(chosen):
                return Evaluation(env=self.settings.env, policy=name, episodes=records)
        with self._timed(f"evaluation {name}"), self._engine(trainer) as (engine, chat):
            evaluation = self._play(name, engine, chat, chosen)
        write(path, evaluation.episodes)
        return evaluation

    def _play(
        self, name: str, engine: Any, chat: ChatFormat, chosen: list[Start]
    ) -> Evaluation:
        settings = self.settings
        limits = Limits(
            turn_tokens=settings.turn_tokens,
            completion_tokens=settings.completion_tokens,
            max_turns=settings.max_turns,
        )
        with (
            Pool(
                settings.env,
                size=min(32, len(chosen)),
                warm=0,
                **settings.env_kwargs,
            ) as pool,
            self.watcher.phase(f"evaluation {name}", len(chosen)) as advance,
        ):
            done: list[Trajectory] = []

            def ended(record: Trajectory) -> None:
                done.append(record)
                solved = sum(record.success for record in done)
                advance(len(done), f"success {solved / len(done):.0%}")

            return evaluate_engine(
                pool, engine, chat, chosen, name=name, limits=limits, on_episode=ended
            )

    @contextmanager
    def _engine(self, trainer: Any) -> Iterator[tuple[Any, ChatFormat]]:
        """What evaluation samples with: the same draws before and after."""
        chat = self._chat(trainer)
        if trainer.use_vllm:
            with engine_of(trainer, eos_ids=chat.eos_ids) as engine:
                yield engine, chat
            return
        settings = self.settings
        sampling = Sampling(temperature=settings.temperature, seed=settings.seed)
        model = trainer.accelerator.unwrap_model(trainer.model)
        yield TorchEngine(model, eos_ids=chat.eos_ids, sampling=sampling), chat

    def _chat(self, trainer: Any) -> ChatFormat:
        return ChatFormat(trainer.processing_class, eos_ids=trainer.eos_token_ids)

    def _starts(self) -> list[Start]:
        settings = self.settings
        with closing(envhub.make(settings.env, **settings.env_kwargs)) as made:
            return starts(
                made.tasks,
                episodes=settings.test_episodes,
                split=settings.test_split,
                seed=settings.seed,
            )

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.seconds[phase] = time.perf_counter() - started


def _folder(path: Path, settings: Settings, resume: bool) -> Path:
    """The folder of a run; refuses to mix two runs."""
    note = path / "settings.json"
    now = json.dumps(settings.to_dict(), indent=2, default=str)
    if note.is_file():
        if not resume:
            message = (
                f"{path} holds a run already. Choose another output, remove it, or go "
                "on with it (resume)."
            )
            raise UsageError(message)
        then, today = json.loads(note.read_text()), json.loads(now)
        changed = sorted(k for k in today if today[k] != then.get(k) and k != "steps")
        if changed:
            message = (
                f"{path} was begun with other settings ({', '.join(changed)}). A run "
                "goes on with its own; only steps may change."
            )
            raise UsageError(message)
    path.mkdir(parents=True, exist_ok=True)
    note.write_text(now + "\n", encoding="utf-8")
    return path


def _lora(settings: Settings, model: Any) -> Any:
    if not settings.lora:
        return None
    depth = model.config.num_hidden_layers
    last = settings.lora_layers or depth
    return need("peft").LoraConfig(
        r=settings.lora,
        lora_alpha=2 * settings.lora,
        target_modules=["q_proj", "k_proj", "v_proj", "o_proj"],
        layers_to_transform=list(range(max(0, depth - last), depth)),
        task_type="CAUSAL_LM",
    )


def _trainable(model: Any) -> int:
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def _word(reward: float | None, success: float | None) -> str:
    parts = [("reward", reward, "{:.2f}"), ("success", success, "{:.0%}")]
    return "  ".join(f"{n} {form.format(v)}" for n, v, form in parts if v is not None)


def _versions() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
