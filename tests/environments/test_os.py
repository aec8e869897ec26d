"""The shell environment with a real sandbox: sessions, checks, and reward integrity."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub import Task, ToolCall, UsageError
from envhub.errors import SandboxUnavailable
from envhub.sandboxes import default_sandboxes
from envhub.testing.leaks import Census
from envhub_os import catalogue
from envhub_os.agentbench import BriefOsEnv
from envhub_os.env import OsEnv
from envhub_os.jobs import Job
from envhub_os.tree import Tree
from tests.architecture import run_page

Outcome = tuple[float, dict[str, Any]]


@pytest.fixture(scope="module")
def env() -> Iterator[OsEnv]:
    """One environment for the tests of this module."""
    try:
        default_sandboxes().provider()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    made = OsEnv(max_turns=40)
    yield made
    made.close()


def indices() -> dict[str, int]:
    """The first training task of every kind."""
    found: dict[str, int] = {}
    for index in range(200):
        level = index % len(catalogue.LEVELS) + 1
        makers = catalogue.LEVELS[level - 1]
        maker = makers[index // len(catalogue.LEVELS) % len(makers)]
        found.setdefault(maker.__name__, index)
    assert len(found) == sum(map(len, catalogue.LEVELS))
    return found


INDICES = indices()


def begin(env: OsEnv, kind: str = "count_lines") -> Task:
    """Begin the first task of a kind."""
    env.reset(seed=1, options={"task": INDICES[kind]})
    return env.task


def bash(env: OsEnv, command: str, timeout: float = 20.0) -> str:
    """The observation of a command."""
    env.timeout = timeout
    observation, _, ended, cut, _ = env.step(ToolCall("bash", {"command": command}))
    assert not (ended or cut)
    return observation


def submit(env: OsEnv, answer: str = "done") -> Outcome:
    """Reward and components of ending the task."""
    _, reward, terminated, _, info = env.step(ToolCall("submit", {"answer": answer}))
    assert terminated
    return reward, info["reward_components"]


def solve(env: OsEnv) -> str:
    """Do what the oracle does before it submits; what it would submit."""
    action = env.oracle()
    bash(env, action.arguments["command"])
    return str(env.oracle().arguments["answer"])


@pytest.mark.parametrize("kind", INDICES)
def test_the_oracle_does_every_kind_of_job(env: OsEnv, kind: str) -> None:
    """A script in the sandbox, then submit, is worth 1 and keeps all other files."""
    begin(env, kind)
    assert submit(env, solve(env)) == (
        1.0,
        {"done": 1.0, "kept": 1.0, "submitted": 1.0},
    )


@pytest.mark.parametrize("provider", ["namespace", "process"])
def test_every_sandbox_provider_will_do(provider: str) -> None:
    """Tasks name no path that one provider has and another has not."""
    try:
        default_sandboxes().provider(provider)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    env = OsEnv(sandbox=provider)
    try:
        for kind in ("count_folders", "changed_since", "copy_folder", "release"):
            begin(env, kind)
            assert submit(env, solve(env))[0] == 1.0
    finally:
        env.close()


@pytest.mark.parametrize("kind", ["count_lines", "twin", "rename_ending", "release"])
def test_doing_nothing_earns_nothing(env: OsEnv, kind: str) -> None:
    """Silence, and saying that it is done, are worth 0; and no file was harmed."""
    begin(env, kind)
    env.step("")
    reward, components = submit(env)
    assert (reward, components["done"], components["kept"]) == (0.0, 0.0, 1.0)


def test_half_of_a_chore_is_worth_its_share(env: OsEnv) -> None:
    """Every check counts the same."""
    job: Job = begin(env, "rename_ending")["job"]
    first = job.checks[0].path
    old = next(path for path in sorted(job.free) if first.startswith(path[:-4]))
    bash(env, f"cd ~/{env.task['tree'].name}; mv '{old}' '{first}'")
    reward, _ = submit(env)
    assert reward == pytest.approx(2 / len(job.checks))


def test_harming_other_files_costs_half_or_more(env: OsEnv) -> None:
    """Deleting everything is no way to clean up."""
    begin(env, "remove_leavings")
    solve(env)
    bash(env, "rm ~/*/data/stock.csv")
    reward, components = submit(env)
    assert 0.4 < reward < 0.5
    assert components["done"] == 1.0
    assert 0.9 < components["kept"] < 1.0
    begin(env, "remove_leavings")
    bash(env, "rm -rf ~/*")
    assert submit(env)[0] == 0.0


@pytest.mark.parametrize(
    "harm",
    [
        "echo more >> docs/$(ls docs | head -n 1)",
        "chmod 777 data/stock.csv",
        "ln -sf stock.csv data/customers.csv",
        "mv data/stock.csv data/stocks.csv",
        "rm data/stock.csv; mkfifo data/stock.csv",
        "head -c 30000000 /dev/zero > data/stock.csv",
    ],
)
def test_every_change_of_another_file_is_seen(env: OsEnv, harm: str) -> None:
    """Content, permissions, kind and place of a file are its own."""
    begin(env, "make_folders")
    solve(env)
    bash(env, f"cd ~/{env.task['tree'].name}; rm -f docs/hosts.md; {harm}")
    reward, components = submit(env)
    assert components["done"] == 1.0
    assert 0.4 < reward < 0.5


def test_the_files_are_as_described(env: OsEnv) -> None:
    """Times, permissions and contents are the description's, in UTC."""
    tree: Tree = begin(env)["tree"]
    path = "data/stock.csv"
    told = bash(
        env, f"stat -c '%a %Y %s' {path}; date -d @{tree.files[path].changed} +%Z"
    )
    file = tree.files[path]
    assert told == f"{file.mode:o} {file.changed} {len(file.content)}\nUTC"
    assert bash(env, "find . -type f | wc -l") == str(len(tree.files))
    assert bash(env, "pwd").endswith(f"/{tree.name}")


def test_the_end_of_a_shell_is_told_and_its_state_is_kept(env: OsEnv) -> None:
    """exit, set -e, exec, a signal: the true status, then the same folder."""
    begin(env)
    bash(env, "cd /tmp; export V=9")
    for command, status in (
        ("exit 7", 7),
        ("set -e; false", 1),
        ("exec true", 0),
        ("kill -9 $$", 137),
        ("return 3", 3),
    ):
        started = time.monotonic()
        told = bash(env, command)
        assert time.monotonic() - started < 3
        assert not status or f"[exit code {status}]" in told
        assert "shell session" in told or command == "return 3"
        assert bash(env, 'echo "$V $PWD"') == "9 /tmp" or "tmp" in bash(env, "pwd")


def test_every_status_is_told(env: OsEnv) -> None:
    """A missing status never becomes success, and errors are shown."""
    begin(env)
    assert "[exit code 1]" in bash(env, "false")
    assert "[exit code 127]" in bash(env, "nosuchcmd")
    assert "[exit code 137]" in bash(env, "sh -c 'kill -9 $$'")
    boom = bash(env, "python3 -c \"import sys; sys.exit('boom')\"")
    assert boom == "boom\n[exit code 1]"
    told = bash(env, "ls /nope | cat")
    assert "/nope" in told
    assert "exit code" not in told
    late = bash(env, "echo begun; sleep 60", timeout=0.5)
    assert late.startswith("begun\n[time limit: ended after 0.5 seconds]")
    assert bash(env, "printf abc") == "abc"
    assert bash(env, "true") == "(no output)"


def test_long_output_keeps_both_ends(env: OsEnv) -> None:
    """What is missing in the middle is counted."""
    begin(env)
    told = bash(env, "echo HEAD; yes filler | head -n 90000; echo TAIL")
    assert told.startswith("HEAD")
    assert told.endswith("TAIL")
    assert told.count("bytes left out") == 1
    assert len(told) < 5000


def test_files_that_claim_a_reward_claim_it_in_vain(env: OsEnv) -> None:
    """No path is read for a reward."""
    begin(env, "release")
    bash(
        env,
        "for f in reward reward.txt score.json /tmp/reward /tmp/result; do "
        "for v in 1.0 nan 7; do echo $v > $f; done; done; chmod 555 .",
    )
    assert submit(env)[0] == 0.0


SHADOWS = r"""
mkdir -p ~/bin
for c in stat b2sum readlink tar bash sh; do
  printf '#!/bin/sh\necho fine; exit 0\n' > ~/bin/$c; chmod +x ~/bin/$c
  alias $c='echo fine'; eval "$c() { echo fine; }"
done
export PATH=~/bin:$PATH BASH_ENV=~/bin/sh LD_LIBRARY_PATH=~/bin
kill() { :; }; trap '' TERM HUP; set +m
"""


def test_shadowed_commands_have_no_effect(env: OsEnv) -> None:
    """Functions, aliases, PATH and BASH_ENV of the agent do not reach the checks."""
    begin(env, "set_permissions")
    bash(env, SHADOWS)
    assert submit(env)[0] == 0.0
    begin(env, "set_permissions")
    solve(env)
    bash(env, SHADOWS)
    assert submit(env)[0] == 1.0


def test_a_folder_without_rights_earns_nothing(env: OsEnv) -> None:
    """What cannot be looked at was not done, and is no fault of the platform."""
    begin(env, "make_folders")
    solve(env)
    bash(env, "cd; chmod 000 ~/*")
    assert submit(env)[0] == 0.0


def test_jobs_of_the_agent_end_before_the_files_are_read(env: OsEnv) -> None:
    """A loop that goes on writing changes nothing after the task is over."""
    begin(env, "change_setting")
    answer = solve(env)
    path = env.task["job"].checks[0].path
    bash(env, f"(sleep 0.3; while :; do echo x > {path}; done) > /dev/null 2>&1 &")
    assert submit(env, answer)[0] == 1.0


def test_a_crowd_of_processes_is_no_obstacle(env: OsEnv) -> None:
    """With every process used up, the files can still be looked at."""
    begin(env, "make_folders")
    solve(env)
    bash(env, "for i in $(seq 200); do sleep 300 & done 2> /dev/null", timeout=1.0)
    assert submit(env)[0] == 1.0


def test_nothing_survives_a_reset(env: OsEnv) -> None:
    """Files, variables and processes of an episode are gone in the next."""
    begin(env)
    bash(env, "export MINE=1; touch ~/mine; sleep 778 &")
    begin(env)
    assert bash(env, 'echo "[$MINE]"; ls ~') == f"[]\n{env.task['tree'].name}"
    assert bash(
        env, "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c 'sleep 77[8]'"
    ) == ("0\n[exit code 1]")


def test_the_sandbox_holds_neither_generator_nor_gold(
    env: OsEnv, repository: Path
) -> None:
    """The package of the environment is nowhere to be found."""
    begin(env, "hidden_word")
    told = bash(env, "python3 -c 'import envhub_os' 2>&1 | tail -n 1")
    assert told.startswith("ModuleNotFoundError")
    assert "No such file" in bash(env, f"ls -d '{repository}'")


def test_text_is_an_action_too(env: OsEnv) -> None:
    """A fenced block runs; a label ends the task; other blocks are no action."""
    task = begin(env)
    assert env.step("```bash\necho a\necho b\n```")[0] == "a\nb"
    assert "no action" in env.step("```python\nprint(1)\n```")[0]
    _, reward, terminated, *_ = env.step(f"So:\n**Answer:** {task['job'].answer}")
    assert (reward, terminated) == (1.0, True)


def test_a_task_that_is_done_counts_even_when_turns_run_out() -> None:
    """The files are graded at every end; only an answer has to be handed in."""
    env = OsEnv(max_turns=1)
    try:
        begin(env, "change_setting")
        _, reward, terminated, truncated, _ = env.step(env.oracle())
        assert (reward, terminated, truncated) == (1.0, False, True)
        begin(env)
        assert env.step(env.oracle())[1] == 0.0
    finally:
        env.close()


def test_agentbench_limits_are_to_be_had() -> None:
    """Eight turns, 800 characters, and the exit code all the same."""
    env = BriefOsEnv()
    try:
        begin(env)
        told = bash(env, "yes | head -n 1000; false")
        assert told.endswith(
            "[truncated because the output is too long]\n[exit code 1]"
        )
        assert env.max_turns == 8
    finally:
        env.close()


def test_the_page_does_what_it_shows(repository: Path, env: OsEnv) -> None:
    """The program in the README runs, and gets the reward that it claims."""
    run_page.run(repository / "environments/envhub_os/README.md")


def test_bad_settings_are_refused() -> None:
    """A command without time could not do anything."""
    with pytest.raises(UsageError, match="timeout"):
        OsEnv(timeout=-1)


def test_the_registry_knows_it() -> None:
    """It is found by name, and by level."""
    env = envhub.make("os", level=3)
    try:
        _, info = env.reset(seed=3)
        assert info["level"] == 3
        names = [tool["function"]["name"] for tool in info["tools"]]
        assert names == ["bash", "submit"]
    finally:
        env.close()


def test_thirty_lives_leave_nothing_behind() -> None:
    """No process, thread or descriptor stays after close."""

    def life() -> None:
        env = OsEnv()
        env.reset(seed=1)
        env.step("```bash\nsleep 60 &\nsetsid sleep 60 &\n```")
        env.close()

    life()
    before = Census.take()
    for _ in range(30):
        life()
    before.compare(Census.take())
