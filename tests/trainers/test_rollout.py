"""Many episodes at once: what is kept, what is masked, what is tried again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.errors import EnvironmentFault, InfrastructureError, UnknownTask
from envhub.rollout import Start
from envhub.trajectory import problems
from envhub_trainers.engine import Generation, Request
from envhub_trainers.rollout import (
    Limits,
    PromptTooLong,
    Rollout,
    Runner,
    TooManyFailures,
)
from envhub_trainers.tokens import ChatFormat
from tests.trainers.test_tokens import FORGED
from tests.trainers.toys import Parrot, Script

Roll = Callable[..., list[Rollout]]


@pytest.fixture
def roll(qwen: Any, chat: ChatFormat) -> Roll:
    """Rolls parrots out with an engine that follows a script."""

    def roll(
        say: Callable[[int, Request], str | Generation],
        starts: list[Start] | None = None,
        *,
        size: int = 8,
        max_context: int = 10_000,
        limits: Limits | None = None,
        **parrot: Any,
    ) -> list[Rollout]:
        Parrot.made = 0
        engine = Script(qwen, say, max_context=max_context)
        with envhub.Pool("toy-parrot", size=size, warm=0, **parrot) as pool:
            return Runner(pool, engine, chat, limits=limits).run(
                starts or [Start(task=0)]
            )

    return roll


def tokens_of(chat: ChatFormat, rollout: Rollout) -> list[str]:
    """The sampled turns as text, read back from ids and mask alone."""
    turns: list[list[int]] = [[]]
    transcript = rollout.transcript
    for id_, mask in zip(transcript.completion, transcript.mask, strict=True):
        if mask:
            turns[-1].append(id_)
        elif turns[-1]:
            turns.append([])
    return [chat.text(turn) for turn in turns if turn]


def test_an_episode_is_recorded_turn_by_turn(roll: Roll, chat: ChatFormat) -> None:
    [rollout] = roll(lambda turn, _: ["red", "blue", "stop"][turn - 1])
    trajectory, transcript = rollout.trajectory, rollout.transcript
    assert [s.response.text for s in trajectory.steps] == ["red", "blue", "stop"]
    assert tokens_of(chat, rollout) == ["red", "blue", "stop"]
    assert (trajectory.reward, trajectory.success, trajectory.terminated) == (
        1,
        True,
        True,
    )
    assert sum(transcript.mask) == trajectory.sampled_tokens
    parts = [(*s.context.ids, *s.response.ids) for s in trajectory.steps]
    assert [id_ for part in parts for id_ in part] == transcript.context
    assert problems(trajectory.to_dict()) == []


def test_more_episodes_than_instances_take_turns(roll: Roll) -> None:
    starts = [Start(task=n % 4, seed=n) for n in range(9)]
    rollouts = roll(lambda turn, _: "stop", starts, size=2)
    assert [r.trajectory.seed for r in rollouts] == list(range(9))
    assert Parrot.made == 2


def test_a_member_of_a_group_does_not_see_another_ones_state(roll: Roll) -> None:
    said = iter(["red", "stop", "blue", "stop"])
    starts = [Start(task=3, seed=5)] * 2
    rollouts = roll(lambda turn, _: "stop" if turn == 2 else next(said), starts)
    prompts = {r.transcript.prompt for r in rollouts}
    assert len(prompts) == 1
    assert {r.trajectory.task_id for r in rollouts} == {"parrot-train-00003"}
    assert {r.trajectory.group for r in rollouts} == {"3/5"}


def test_a_turn_limit_truncates_and_keeps_every_sampled_token(
    roll: Roll, chat: ChatFormat
) -> None:
    [own] = roll(lambda turn, _: "more")
    assert (own.trajectory.truncated, own.trajectory.stop_reason) == (True, "max_turns")
    assert tokens_of(chat, own) == ["more"] * 4
    [ours] = roll(lambda turn, _: "more", limits=Limits(max_turns=2))
    assert (ours.trajectory.truncated, ours.trajectory.turns) == (True, 2)
    assert ours.trajectory.stop_reason == "max_turns"


def test_a_long_observation_ends_the_episode_without_half_of_it(
    roll: Roll, chat: ChatFormat
) -> None:
    says = ("Go on.", "x " * 5000)
    [rollout] = roll(lambda turn, _: "more", says=says, max_context=2000)
    trajectory = rollout.trajectory
    assert (trajectory.truncated, trajectory.stop_reason) == (True, "context")
    assert tokens_of(chat, rollout) == ["more", "more"]
    assert rollout.transcript.mask[-1] == 1
    assert trajectory.reward == 0
    assert problems(trajectory.to_dict()) == []


def test_a_server_that_refuses_a_long_context_truncates_the_same_way(
    roll: Roll, chat: ChatFormat
) -> None:
    def say(turn: int, request: Request) -> str | Generation:
        return Generation((), (), "overflow") if len(request.ids) > 60 else "more"

    [rollout] = roll(say)
    assert rollout.trajectory.stop_reason == "context"
    assert rollout.transcript.mask[-1] == 1


def test_a_first_prompt_that_does_not_fit_is_reported_before_sampling(
    roll: Roll,
) -> None:
    asked: list[Request] = []

    def say(turn: int, request: Request) -> str:
        asked.append(request)
        return "x"

    with pytest.raises(PromptTooLong, match=r"parrot-train-00000 has \d+ tokens"):
        roll(say, begins="y " * 3000, max_context=2000)
    assert asked == []


def test_a_completion_budget_counts_observations_and_cuts_the_last_turn(
    roll: Roll,
) -> None:
    [rollout] = roll(lambda turn, _: "a b c d e f", limits=Limits(completion_tokens=40))
    assert len(rollout.transcript.completion) <= 40
    assert rollout.trajectory.truncated


def test_a_cut_turn_is_marked_and_closed_by_the_frame(roll: Roll, qwen: Any) -> None:
    [rollout] = roll(lambda turn, _: "a b c d e f", limits=Limits(turn_tokens=3))
    step = rollout.trajectory.steps[0]
    assert step.response.finish_reason == "length"
    assert qwen.eos_token_id not in step.response.ids
    assert rollout.trajectory.steps[1].context.ids[0] == qwen.eos_token_id
    assert rollout.transcript.mask[:4] == [1, 1, 1, 0]


def test_forged_structure_in_an_observation_is_neither_executed_nor_trained_on(
    roll: Roll, qwen: Any
) -> None:
    [rollout] = roll(lambda turn, _: "red" if turn < 3 else "stop", says=(FORGED,))
    transcript = rollout.transcript
    start = qwen.convert_tokens_to_ids("<|im_start|>")
    assert transcript.context.count(start) == 2 + 2 * 2  # user, assistant; twice more
    assert sum(transcript.mask) == rollout.trajectory.sampled_tokens
    assert rollout.trajectory.turns == 3


def test_a_lost_platform_is_tried_once_more_on_a_fresh_instance(roll: Roll) -> None:
    def fail(task: int, instance: int, turn: int) -> None:
        if task == 1 and instance <= 3 and turn == 2:
            raise InfrastructureError("gone")

    starts = [Start(task=n) for n in range(3)]
    rollouts = roll(lambda t, _: "stop" if t == 3 else "red", starts, fail=fail)
    assert [r.trajectory.attempts for r in rollouts] == [1, 2, 1]
    assert all(r.trajectory.valid and r.trajectory.success for r in rollouts)
    assert [r.trajectory.turns for r in rollouts] == [3, 3, 3]


def test_an_episode_lost_twice_is_void_and_has_no_reward(roll: Roll) -> None:
    def fail(task: int, instance: int, turn: int) -> None:
        if task == 1:
            raise InfrastructureError("gone")

    starts = [Start(task=n) for n in range(4)]
    rollouts = roll(lambda t, _: "stop", starts, fail=fail)
    assert [r.trajectory.reward for r in rollouts] == [1, None, 1, 1]
    void = rollouts[1].trajectory
    assert (void.valid, void.attempts) == (False, 2)
    assert "gone" in void.error
    assert problems(void.to_dict()) == []


def test_a_fault_of_the_environment_is_void_at_once(roll: Roll) -> None:
    def fail(task: int, instance: int, turn: int) -> None:
        if task == 1:
            raise EnvironmentFault("a bug")

    starts = [Start(task=n) for n in range(4)]
    rollouts = roll(lambda t, _: "stop", starts, fail=fail)
    assert rollouts[1].trajectory.attempts == 1
    assert not rollouts[1].trajectory.valid


def test_a_run_with_too_many_void_episodes_stops_loudly(roll: Roll) -> None:
    def fail(task: int, instance: int, turn: int) -> None:
        raise InfrastructureError("gone")

    with pytest.raises(TooManyFailures, match=r"2 of 2 .* gone"):
        roll(lambda t, _: "stop", [Start(task=0), Start(task=1)], fail=fail)


def test_a_start_without_a_task_is_the_callers_mistake(roll: Roll) -> None:
    with pytest.raises(UnknownTask, match="range is 0 to 7"):
        roll(lambda t, _: "stop", [Start(task=99)])
