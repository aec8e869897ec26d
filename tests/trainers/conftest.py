"""Toy environments, a tiny tokenizer and a tiny model for the trainers' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub

pytest.importorskip("torch", reason="needs the extra [train]")
pytest.importorskip("trl", reason="needs the extra [train]")

from envhub_trainers.tiny import make_tokenizer
from envhub_trainers.tokens import ChatFormat
from tests.trainers.toys import Doors, Entrance, Parrot


@pytest.fixture(scope="session", autouse=True)
def toys() -> None:
    """The toys under their names, in the default registry, as a user's would be."""
    envhub.register("toy-doors", Doors, placement="in_process")
    envhub.register("toy-entrance", Entrance, placement="in_process")
    envhub.register("toy-parrot", Parrot, placement="in_process")


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Threads of a tiny model cost more than they save."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def qwen() -> Any:
    """A tokenizer whose class is Qwen's, with tags that are added but not special."""
    texts = ["Find the right door. The note says red.", "open blue look <door>"] * 5
    return make_tokenizer(texts, 384)


@pytest.fixture(scope="session")
def fast(qwen: Any) -> Any:
    """The same vocabulary in the generic class of fast tokenizers."""
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=qwen.backend_tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
    )
    tokenizer.chat_template = qwen.chat_template
    return tokenizer


@pytest.fixture(scope="session")
def chat(qwen: Any) -> ChatFormat:
    return ChatFormat(qwen)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tests build their models anew."""
    folder = tmp_path_factory.mktemp("cache")
    patch = pytest.MonkeyPatch()
    patch.setenv("ENVHUB_CACHE", str(folder))
    yield folder
    patch.undo()
