"""`envhub play`: what a person types, sees, and keeps."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from envhub import trajectory
from envhub.actions import Action, ChatMessage, ToolCall
from envhub.cli.calling import Misread, as_typed, read_call, signature
from envhub.cli.reading import unfinished
from envhub.cli.status import Status
from tests.envhub.cli.conftest import PROGRAM, Type


def tool(
    name: str, required: str = "", optional: str = "", kind: str = "string"
) -> dict[str, Any]:
    names = [*required.split(), *optional.split()]
    parameters = {
        "properties": {n: {"type": kind} for n in names},
        "required": required.split(),
    }
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


TOOLS = [
    tool("look"),
    tool("enter", "code"),
    tool("say", "", "words"),
    tool("paint", "what colour", "coats"),
    tool("wait", "seconds", kind="integer"),
]


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("look", ToolCall("look", {})),
        (" look ", ToolCall("look", {})),
        ("look()", ToolCall("look", {})),
        ("enter 0123", ToolCall("enter", {"code": "0123"})),
        ('enter it\'s "5"', ToolCall("enter", {"code": 'it\'s "5"'})),
        ("enter code=5", ToolCall("enter", {"code": "5"})),
        ('enter {"code": "5"}', ToolCall("enter", {"code": "5"})),
        ("enter(5)", ToolCall("enter", {"code": "5"})),
        ("enter('5')", ToolCall("enter", {"code": "5"})),
        ("enter(code='5')", ToolCall("enter", {"code": "5"})),
        ("enter(007)", ToolCall("enter", {"code": "007"})),
        ("enter a=b", ToolCall("enter", {"code": "a=b"})),
        ("say", ToolCall("say", {})),
        ("say hello there", ToolCall("say", {"words": "hello there"})),
        ("paint wall red", ToolCall("paint", {"what": "wall", "colour": "red"})),
        (
            "paint 'the wall' red",
            ToolCall("paint", {"what": "the wall", "colour": "red"}),
        ),
        ("paint colour=red what=x", ToolCall("paint", {"colour": "red", "what": "x"})),
        ("paint('a', colour='b')", ToolCall("paint", {"what": "a", "colour": "b"})),
        ("wait 3", ToolCall("wait", {"seconds": 3})),
        ("wait seconds=3", ToolCall("wait", {"seconds": 3})),
        ("wait soon", ToolCall("wait", {"seconds": "soon"})),
        ("search[red]", None),
        ("looking", None),
        ("", None),
        ("go to shelf 1", None),
    ],
)
def test_a_call_can_be_typed_in_many_ways(line: str, call: ToolCall | None) -> None:
    assert read_call(line, TOOLS) == call


@pytest.mark.parametrize(
    "line", ["enter", "enter(5", "paint wall", "paint a b c", "paint(1, 2, 3, 4)"]
)
def test_a_call_that_cannot_be_read_costs_nothing_and_says_how(line: str) -> None:
    found = read_call(line, TOOLS)
    assert isinstance(found, Misread)
    assert "=..." in found.message


def test_a_signature_shows_what_may_be_left_out() -> None:
    assert [signature(t) for t in TOOLS[:4]] == [
        "look()",
        "enter(code)",
        "say(words=null)",
        "paint(what, colour, coats=null)",
    ]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("go north", "go north"),
        (ToolCall("look"), "look"),
        (ToolCall("enter", {"code": "12"}), "enter 12"),
        (ToolCall("wait", {"seconds": 3}), 'wait {"seconds": 3}'),
        (ToolCall("say", {"words": "a\nb"}), 'say {"words": "a\\nb"}'),
        ([ToolCall("look"), ToolCall("enter", {"code": "1"})], "look\nenter 1"),
        (ChatMessage("hm"), "hm"),
        ({"name": "enter", "arguments": {"code": "1"}}, "enter 1"),
        ({"content": "hm"}, "hm"),
    ],
)
def test_an_action_is_shown_as_it_would_be_typed(action: Action, text: str) -> None:
    assert as_typed(action) == text
    if isinstance(action, ToolCall):
        assert read_call(text, TOOLS) == action


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("look", False),
        ("```sql", True),
        ("```sql\nselect 1", True),
        ("```sql\nselect 1\n```", False),
        ("````\n```\n", True),
        ("````\n```\n````", False),
        ("~~~\n```\n~~~", False),
        ("use `x` and ```y``` here", False),
        ("```inline```", False),
        ("<tool_call>", True),
        ('<tool_call>{"name": "look"}</tool_call>', False),
    ],
)
def test_a_block_goes_on_until_it_is_closed(text: str, more: bool) -> None:
    assert unfinished(text) is more


# Through a pipe


def test_an_episode_is_played_to_its_end(type_in: Type) -> None:
    found = type_in("play", "toy-lock", "--task", "3", "--seed", "7", stdin="look\n")
    code = found.out.partition("The note says ")[2].partition(".")[0]
    found = type_in(
        "play",
        "toy-lock",
        "--task",
        "3",
        "--seed",
        "7",
        "--must-solve",
        stdin=f"look\nenter {code}\n",
    )
    assert found.status == Status.OK
    for words in (
        "lock-train-00003 · level 2 · seed 7 · at most 6 turns",
        "Open the door.",
        "Tools: look(), enter(code)",
        "1/6> look\n",
        f"2/6> enter {code}\n",
        "The door opens.",
        "Solved in 2 turns: the environment ended the episode.",
        "return  1\n",
        "looked  1\n",
        "envhub play toy-lock --task lock-train-00003 --seed 7",
    ):
        assert words in found.out


def test_what_is_not_solved_is_a_no_only_where_that_was_asked(type_in: Type) -> None:
    wrong = "enter 99999\n"
    found = type_in("play", "toy-lock", stdin=wrong)
    assert found.status == Status.OK
    assert "Not solved in 1 turn:" in found.out
    assert type_in("play", "toy-lock", "--must-solve", stdin=wrong).status == Status.NO


def test_input_that_ends_early_leaves_the_episode(type_in: Type) -> None:
    found = type_in("play", "toy-lock", stdin="look")
    assert "Not solved in 1 turn: it was left before its end." in found.out
    assert type_in("play", "toy-lock", stdin=":quit\nlook\n").out.count("> ") == 1


def test_the_turn_limit_is_told_as_such(type_in: Type) -> None:
    found = type_in(
        "play", "toy-lock", "--set", "max_turns=2", stdin="look\nlook\nlook\n"
    )
    assert "Not solved in 2 turns: all turns are used." in found.out


def test_our_own_commands_cost_no_turn(type_in: Type) -> None:
    lines = ":help\n:tools\n:actions\n:oracle\n:look\n:orcle\nenter\n\n"
    found = type_in("play", "toy-lock", "--seed", "1", stdin=lines)
    assert "Not solved in 0 turns" in found.out
    assert "The environment does not tell." in found.out
    assert "The oracle would say:  look" in found.out
    assert "There is no command :orcle; did you mean :oracle?" in found.out
    assert "write enter code=..." in found.out
    assert found.out.count("door with a lock of") == 2


def test_possible_actions_are_listed_where_the_environment_tells_them(
    type_in: Type,
) -> None:
    found = type_in("play", "household", "--task", "0", stdin=":actions\n")
    assert "\ngo to " in found.out


def test_an_action_may_begin_with_a_colon(type_in: Type) -> None:
    found = type_in("play", "toy-lock", stdin="::) hello\n")
    assert "1/6> ::) hello\nNothing was done" in found.out


def test_a_fenced_block_is_one_action(type_in: Type) -> None:
    block = "```sql\nselect 40 + 2\n  as answer;\n```\n"
    found = type_in("play", "sql", "--task", "0", stdin=block)
    assert "in 1 turn:" in found.out
    assert "42" in found.out


def test_rewards_on_the_way_are_shown_and_added_up(type_in: Type) -> None:
    found = type_in("play", "moody", stdin="touch\ntouch 3\nopen gold\n")
    assert "touched 3 times\nreward +0.25 (touched)" in found.out
    assert "Solved in 3 turns" in found.out
    assert "return   1\ntouched  0.5\nopened   1\n" in found.out


def test_an_environment_cannot_steer_the_terminal(type_in: Type) -> None:
    found = type_in("play", "moody")
    assert "A box ␛[31mred␛[0m [bold]and[/bold] shut :smile:." in found.out


def test_records_are_added_to_a_file(type_in: Type, tmp_path: Path) -> None:
    for line in ("open gold\n", "touch\n"):
        found = type_in(
            "play", "moody", "--task", "1", "--record", "me.jsonl", stdin=line
        )
        assert "The episode was added to me.jsonl." in found.err
    solved, left = trajectory.read(tmp_path / "me.jsonl")
    assert (solved.engine, solved.task_id, solved.success) == (
        "human",
        "moody-train-00001",
        True,
    )
    assert solved.steps[0].response.tool_calls[0]["function"]["name"] == "open"
    assert (left.stop_reason, left.turns, left.reward) == ("quit", 1, 0.25)


def test_a_fault_ends_the_episode_and_is_recorded_as_void(
    type_in: Type, tmp_path: Path
) -> None:
    found = type_in(
        "play",
        "moody",
        "--set",
        "mode=crash",
        "--record",
        "me.jsonl",
        stdin="touch\nopen gold\n",
    )
    assert found.status == Status.ENVIRONMENT
    assert "ZeroDivisionError: a slip" in found.err
    assert "Traceback" not in found.err
    (record,) = trajectory.read(tmp_path / "me.jsonl")
    assert (record.valid, record.reward, record.turns) == (False, None, 1)


def test_what_the_platform_lost_has_a_status_of_its_own(type_in: Type) -> None:
    words = ("play", "moody", "--set", "mode=lost", "--task", "3")
    found = type_in(*words, stdin="open gold\n")
    assert found.status == Status.INFRASTRUCTURE
    assert "the platform failed: the sandbox is gone" in found.err


def test_a_record_that_cannot_be_written_is_told_before_the_episode(
    type_in: Type,
) -> None:
    found = type_in("play", "moody", "--record", "/dev/null/me.jsonl", stdin="touch\n")
    assert found.status == Status.USAGE
    assert found.out == ""


def test_the_command_to_play_again_repeats_the_settings(type_in: Type) -> None:
    found = type_in("play", "moody", "--set", "max_turns=2", "--seed", "5")
    assert "--seed 5 --set max_turns=2\n" in found.out


# In a terminal


ESCAPE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


def in_terminal(folder: Path, *words: str, keys: list[str]) -> str:
    """Type keys into the program in a real terminal; all that it showed."""
    here, there = pty.openpty()
    child = subprocess.Popen(
        [PROGRAM, *words],
        cwd=folder,
        stdin=there,
        stdout=there,
        stderr=there,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"},
        start_new_session=True,
    )
    os.close(there)
    shown = ""
    waiting = list(keys)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([here], [], [], 0.1)[0]:
            if child.poll() is not None:
                break
            continue
        try:
            shown += os.read(here, 65536).decode(errors="replace")
        except OSError:
            break
        if waiting and ESCAPE.sub("", shown).endswith("> "):
            os.write(here, waiting.pop(0).encode())
    child.wait(10)
    os.close(here)
    assert child.returncode == 0, shown
    return shown


def test_a_person_plays_in_a_terminal(tmp_path: Path) -> None:
    shown = in_terminal(
        tmp_path,
        *("play", "household", "--task", "0", "--seed", "1"),
        keys=["invent\t\r", ":orac\t\r", "\x04"],
    )
    assert "Type an action, or :help." in shown
    assert "inventory" in shown
    assert "The oracle would say:" in shown
    assert "in 1 turn: it was left before its end." in shown
    assert "\x1b[" in shown
