"""A tiny language model, built here for one environment in about a minute.

It is a real causal language model with a real tokenizer: Qwen 3's architecture with
some hundred thousand parameters, and byte-pair merges learnt from the environment's
own texts. It first imitates the environment's oracle, which teaches it to read and to
copy names, and then weak demonstrations, which leave it a poor but not hopeless policy:
from there reinforcement learning can be watched, and tested, on any machine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envhub_trainers.demonstrations import Demonstration
from envhub_trainers.extras import need
from envhub_trainers.threads import quiet_threads
from envhub_trainers.tokens import ChatFormat
from envhub_trainers.transcript import Transcript

__all__ = [
    "TEMPLATE",
    "TinyRecipe",
    "build",
    "imitate",
    "make_tokenizer",
    "new_model",
    "spell",
]

TEMPLATE = (
    "{% for m in messages %}"
    "{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
"""Chat template of a tiny model: ChatML, and no room spent on tool schemas."""

_STRUCTURE = ("<|im_start|>", "<|im_end|>")
_TAGS = ("<tool_call>", "</tool_call>", "<think>", "</think>")


@dataclass(frozen=True, slots=True, kw_only=True)
class TinyRecipe:
    """How a tiny model is made. Every field goes into the name of the cached result.

    Attributes:
        demonstrations: Episodes to imitate, of each kind.
        skill: Share of turns in the weak ones that are the oracle's.
        steps: Optimizer steps on the oracle's own episodes.
        weak_steps: Optimizer steps on weak ones after that, at a quarter of the rate.
        batch: Episodes a step.
        learning_rate: At the start; it falls to a tenth.
        vocabulary: Tokens.
        hidden: Width; a multiple of 32.
        layers: Depth. Two layers can copy what they read; three learn it much sooner.
        context: Tokens a context may hold.
        seed: Of everything.
    """

    demonstrations: int = 800
    skill: float = 0.5
    steps: int = 220
    weak_steps: int = 50
    batch: int = 16
    learning_rate: float = 2e-3
    vocabulary: int = 512
    hidden: int = 128
    layers: int = 3
    context: int = 512
    seed: int = 0


def build(
    folder: Path,
    expert: Sequence[Demonstration],
    weak: Sequence[Demonstration],
    recipe: TinyRecipe,
    *,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Make tokenizer and model from demonstrations and save both into a folder.

    Args:
        folder: Where to.
        expert: What to imitate first.
        weak: What to imitate then.
        recipe: How.
        progress: Called with the step and its loss.
    """
    tokenizer = make_tokenizer(_texts([*expert, *weak]), recipe.vocabulary)
    model = new_model(tokenizer, recipe)
    chat = ChatFormat(tokenizer)
    rate, done = recipe.learning_rate, 0
    for shown, steps, start in (
        (expert, recipe.steps, rate),
        (weak, recipe.weak_steps, rate / 4),
    ):
        spelled = [spell(chat, tokenizer, one) for one in shown]
        fitting = [t for t in spelled if len(t) <= recipe.context]
        losses = imitate(model, fitting, recipe, steps=steps, learning_rate=start)
        with quiet_threads(model):
            for loss in losses:
                progress(done := done + 1, loss)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """A byte-level tokenizer for these texts.

    It is made with the class that loading gives a model of this architecture: another
    class's tokenizer would encode differently once saved and loaded.
    """
    transformers = need("transformers")
    tokenizers = need("tokenizers")
    seed = transformers.Qwen2Tokenizer(vocab={"<|endoftext|>": 0}, merges=[])
    tokenizer = seed.train_new_from_iterator(
        texts,
        vocabulary - len(_TAGS),
        new_special_tokens=list(_STRUCTURE),
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    added = tokenizers.AddedToken
    tokenizer.add_tokens([added(tag, special=False, normalized=False) for tag in _TAGS])
    tokenizer.eos_token = "<|im_end|>"
    tokenizer.pad_token = "<|endoftext|>"
    tokenizer.padding_side = "left"
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def spell(chat: ChatFormat, tokenizer: Any, demonstration: Demonstration) -> Transcript:
    """A demonstration in tokens, as a rollout would have recorded it."""
    transcript = Transcript(tuple(chat.prompt(demonstration.messages)))
    last = len(demonstration.actions) - 1
    pairs = zip(demonstration.actions, demonstration.observations, strict=True)
    for number, (action, observation) in enumerate(pairs):
        ids = tokenizer.encode(action, add_special_tokens=False)
        transcript = transcript.sampled([*ids, tokenizer.eos_token_id])
        if number < last:
            turn = chat.turn([observation], closed=True)
            transcript = transcript.observed(turn)
    return transcript


def imitate(
    model: Any,
    transcripts: Sequence[Transcript],
    recipe: TinyRecipe,
    *,
    steps: int,
    learning_rate: float,
) -> Iterator[float]:
    """Train on what was sampled in the transcripts; yields the loss of each step."""
    torch = need("torch")
    rng = random.Random(f"imitate/{recipe.seed}")
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=learning_rate, weight_decay=0.0)
    model.train()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * _schedule(step, steps)
        ids, labels = _batch(torch, rng.choices(transcripts, k=recipe.batch))
        ids, labels = ids.to(model.device), labels.to(model.device)
        mask = (ids >= 0).long()
        loss = model(
            input_ids=ids.clamp(min=0), attention_mask=mask, labels=labels
        ).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        yield float(loss.detach())
    model.eval()


def _schedule(step: int, steps: int) -> float:
    warm = min(1.0, (step + 1) / 10)
    return warm * (0.1 + 0.45 * (1 + math.cos(math.pi * step / max(1, steps))))


def _batch(torch: Any, transcripts: Sequence[Transcript]) -> tuple[Any, Any]:
    """Ids with -1 for padding, and labels with -100 where nothing was sampled."""
    width = max(len(transcript) for transcript in transcripts)
    ids = torch.full((len(transcripts), width), -1)
    labels = torch.full((len(transcripts), width), -100)
    for n, transcript in enumerate(transcripts):
        context = torch.tensor(transcript.context)
        sampled = torch.tensor([0] * len(transcript.prompt) + transcript.mask).bool()
        ids[n, : len(context)] = context
        labels[n, : len(context)] = torch.where(sampled, context, -100)
    return ids, labels


def new_model(tokenizer: Any, recipe: TinyRecipe) -> Any:
    """An untrained model for a tokenizer; equal seeds give equal weights."""
    torch, transformers = need("torch"), need("transformers")
    heads = recipe.hidden // 32
    config = transformers.Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=recipe.hidden,
        intermediate_size=2 * recipe.hidden,
        num_hidden_layers=recipe.layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=32,
        max_position_embeddings=recipe.context,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        model = transformers.AutoModelForCausalLM.from_config(config)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    return model


def _texts(demonstrations: Iterable[Demonstration]) -> Iterator[str]:
    for demonstration in demonstrations:
        for message in demonstration.messages:
            yield f"{message['role']}\n{message['content']}"
        yield from (f"assistant\n{action}" for action in demonstration.actions)
        yield from demonstration.observations
