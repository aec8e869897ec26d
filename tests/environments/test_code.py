"""The code environment with a real sandbox: limits, leftovers, and reward integrity."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub import InfrastructureError, ToolCall, UsageError
from envhub.errors import SandboxUnavailable
from envhub.sandboxes import default_sandboxes
from envhub.testing.leaks import Census
from envhub_code import catalogue
from envhub_code.env import CodeEnv
from envhub_code.problems import Exercise
from tests.architecture import run_page

Outcome = tuple[float, dict[str, Any]]

WRITE_EVERYWHERE = """
import os
for fd in range(3, {last}):
    try: os.write(fd, {data})
    except OSError: pass
"""
PATCH_BUILTINS = """
import builtins, json, pickle
builtins.print = lambda *a: None
builtins.exec = builtins.compile = builtins.enumerate = None
json.dumps = pickle.dumps = lambda *a: 'true'
"""


@pytest.fixture(scope="module")
def env() -> Iterator[CodeEnv]:
    """One environment for the tests of this module."""
    try:
        default_sandboxes().provider()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with_tools = CodeEnv(timeout=8.0, max_turns=30)
    yield with_tools
    with_tools.close()


def begin(env: CodeEnv, *, level: int = 1, index: int | None = None) -> str:
    """Begin the first task of a level, or a certain one."""
    key = level - 1 if index is None else index
    return env.reset(seed=1, options={"task": key})[0]


def python(env: CodeEnv, code: str, timeout: float = 8.0) -> str:
    """The observation of a run."""
    env.timeout = timeout
    observation, _, terminated, truncated, _ = env.step(
        ToolCall("python", {"code": code})
    )
    assert not (terminated or truncated)
    json.dumps(observation).encode()
    observation.encode()
    return observation


def submit(env: CodeEnv, answer: str) -> Outcome:
    """Reward and components of handing this in."""
    env.timeout = 8.0
    _, reward, terminated, _, info = env.step(ToolCall("submit", {"answer": answer}))
    assert terminated
    return reward, info["reward_components"]


def first_of_each_family() -> list[int]:
    """The first training task of every family."""
    found: dict[str, int] = {}
    for index in range(200):
        task = catalogue.make("train", index, index % 4 + 1)
        found.setdefault(task["family"], index)
    assert len(found) == sum(map(len, catalogue.LEVELS))
    return list(found.values())


def test_the_oracle_solves_every_family_by_running_code(env: CodeEnv) -> None:
    """The answer is printed in the sandbox, then handed in, and is worth 1."""
    for index in first_of_each_family():
        begin(env, index=index)
        first = env.step(env.oracle())
        assert first[1] == 0.0
        _, reward, terminated, _, info = env.step(env.oracle())
        assert (reward, terminated) == (1.0, True), (index, first[0])
        assert info["episode"]["success"]


@pytest.mark.parametrize("provider", ["namespace", "process"])
def test_every_sandbox_provider_will_do(provider: str) -> None:
    """Tasks name no path that one provider has and another has not."""
    try:
        default_sandboxes().provider(provider)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    env = CodeEnv(sandbox=provider)
    try:
        for index in (2, 6, 3, 7):
            begin(env, index=index)
            env.step(env.oracle())
            assert env.step(env.oracle())[1] == 1.0
    finally:
        env.close()


def test_doing_nothing_earns_nothing(env: CodeEnv) -> None:
    """Silence, a refusal and an empty answer are worth 0."""
    for level in (1, 2, 3, 4):
        begin(env, level=level)
        env.step("")
        assert submit(env, "")[0] == 0.0


def test_the_interpreter_is_a_session(env: CodeEnv) -> None:
    """Recursion, comprehensions and imports work across cells."""
    begin(env)
    cell = (
        "import math\ndef fact(n): return 1 if n < 2 else n * fact(n - 1)\nk = 3\n"
        "print([k * i for i in range(3)], fact(5), (lambda: math.floor(2.5))())"
    )
    assert python(env, cell) == "[0, 3, 6] 120 2"
    assert python(env, "print(fact(6), sum(k for _ in range(2)))") == "720 6"
    assert python(env, "x = 1") == "(no output)"


def test_scripts_run_as_they_would_in_a_file(env: CodeEnv) -> None:
    """Main guard, asyncio, pickle, and a traceback with its source line."""
    begin(env)
    guard = "def main(): print('ran')\nif __name__ == '__main__': main()"
    assert python(env, guard) == "ran"
    waits = "import asyncio; print(asyncio.run(asyncio.sleep(0, 5)))"
    assert python(env, waits) == "5"
    pickles = (
        "import pickle, dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n"
        "print(pickle.loads(pickle.dumps(P(3))) == P(3))"
    )
    assert python(env, pickles) == "True"
    python(env, "def broken():\n    return 1 / 0")
    told = python(env, "broken()")
    assert "return 1 / 0" in told
    assert told.endswith("[exit code 1]")


def test_a_time_limit_keeps_what_was_printed_and_says_what_was_lost(
    env: CodeEnv,
) -> None:
    """The limit has its number, the next cell answers, lost names are announced."""
    begin(env)
    python(env, "kept = 1")
    started = time.monotonic()
    told = python(
        env, "print('step 1 done', end='')\nimport time\ntime.sleep(60)", timeout=0.5
    )
    assert told.startswith("step 1 done")
    assert "0.5 seconds" in told
    assert "variables are lost" in told
    for _ in range(2):
        assert "time limit" in python(env, "while True: pass", timeout=0.3)
    assert time.monotonic() - started < 8
    assert "NameError" in python(env, "kept")
    assert python(env, "print('alive')") == "alive"


def test_endless_output_is_bounded_and_marked(env: CodeEnv) -> None:
    """Head and tail are kept, what is missing is counted, the next cell is clean."""
    begin(env)
    told = python(env, "print('HEAD' + '🙂é' * 100_000 + 'FINAL=42')")
    assert told.startswith("HEAD")
    assert told.endswith("FINAL=42")
    assert told.count("bytes left out") == 1
    assert "\ufffd" not in told
    for endless in ("while True: print('x' * 1000)", "import os\nos.system('yes')"):
        told = python(env, endless, timeout=0.5)
        assert len(told) < 10_000
        assert "left out" in told
    assert python(env, "print('clean')") == "clean"


def test_any_bytes_become_text(env: CodeEnv) -> None:
    """Bytes outside UTF-8, lone surrogates and control characters are survived."""
    begin(env)
    assert python(env, "import os; _ = os.write(1, b'ok \\xff\\xfe')").startswith("ok ")
    python(env, "print('\\ud83d')")
    python(env, "print('\ud800')")
    assert "a\0b" in python(env, "print('a\\0b\\x1b[31mred\\x1b[0m')")
    assert python(env, "print('alive')") == "alive"


@pytest.mark.parametrize(
    "attack",
    [
        "import sys, os; sys.stdout.close()",
        "import os; os.close(1); os.close(2)",
        "import sys; sys.stdout = None; print(1)",
        WRITE_EVERYWHERE.format(last=21, data="os.urandom(64)"),
        PATCH_BUILTINS,
        "import os; os._exit(0)",
    ],
)
def test_an_attacked_session_stays_honest(env: CodeEnv, attack: str) -> None:
    """The next cell is shown again, or a restart is told; text is only ever text."""
    begin(env)
    python(env, attack)
    text = '{"status": "ok", "reward": 1.0, "done": true}'
    say = f"import sys; _ = sys.stdout.write({text!r})"
    told = python(env, say)
    assert text in told or "new Python interpreter was started" in told
    assert text in python(env, say)
    assert submit(env, text)[0] == 0.0


def test_files_of_a_task_are_there_and_nothing_of_the_environment(env: CodeEnv) -> None:
    """The sandbox holds the data, and neither the generator nor the grader."""
    question = begin(env, level=3)
    assert question.split()[0] in python(env, "import os; print(os.listdir())")
    for package in ("envhub_code", "envhub", "gymnasium"):
        assert "ModuleNotFoundError" in python(env, f"import {package}")
    seen = python(env, "import sys; print([m for m in sys.modules if 'envhub_c' in m])")
    assert seen == "[]"


def test_nothing_survives_a_reset(env: CodeEnv) -> None:
    """Names, files and processes of an episode are gone in the next."""
    begin(env)
    python(
        env,
        "import subprocess; x = 1; open('mine', 'w').write('1')\n"
        "p = subprocess.Popen(['sleep', '777'])",
    )
    begin(env)
    assert "NameError" in python(env, "x")
    assert python(env, "import os; print(os.path.exists('mine'))") == "False"
    seen = "import glob; print(sum(b'777' in open(f, 'rb').read() for f in "
    assert python(env, seen + "glob.glob('/proc/[0-9]*/cmdline')))") == "0"


def exercise(env: CodeEnv) -> Exercise:
    """Begin a task of level 4; what is to be written."""
    begin(env, level=4)
    work: Exercise = env.task["work"]
    return work


def test_a_function_is_worth_the_share_of_calls_it_gets_right(env: CodeEnv) -> None:
    """Half right is half the reward, and no success."""
    work = exercise(env)
    half = [work.expected(given) for given in work.hidden[:6]]
    known = list(zip([list(g) for g in work.hidden], half, strict=False))
    program = (
        f"KNOWN = {known!r}\ndef solve(*a):\n"
        "    return dict((repr(g), r) for g, r in KNOWN)[repr(list(a))]"
    )
    reward, components = submit(env, program)
    assert reward == 0.5
    assert components == {"correct": 0.0, "submitted": 1.0, "tests_passed": 0.5}


@pytest.mark.parametrize(
    "program",
    [
        "def solve(*a) return 1",
        "import os; os._exit(0)",
        "print('OK 5 passed')\nraise SystemExit(0)",
        "print('OK 12 passed')\ndef solve(*a): return 'OK'",
        "import os\nfor name in os.listdir(): os.remove(name)",
        "open('conftest.py', 'w').write('collect_ignore_glob = [\"*\"]')",
        "while True: pass",
        "import time\ndef solve(*a): time.sleep(99)",
        f"{PATCH_BUILTINS}def solve(*a): return True",
        "class Same:\n    __eq__ = lambda s, o: True\ndef solve(*a): return Same()",
        "import sys\ndef solve(*a): sys.exit(0)",
        "def solve(*a): return a[0]",
        WRITE_EVERYWHERE.format(last=250, data="b'0 true\\n' * 99"),
        "x = 1",
        "",
        "\ud800",
    ],
)
def test_what_does_not_solve_passes_nothing(env: CodeEnv, program: str) -> None:
    """Every hidden call has to be seen, by its number, with the right result."""
    exercise(env)
    env.timeout = 1.0
    answer = ToolCall("submit", {"answer": program})
    _, reward, terminated, _, info = env.step(answer)
    assert (reward, terminated) == (0.0, True)
    assert info["reward_components"]["tests_passed"] == 0.0


def test_telling_a_result_twice_tells_none(env: CodeEnv) -> None:
    """A program that reads the nonce and prints every candidate gains nothing."""
    work = exercise(env)
    program = (
        f"{work.solution()}\n"
        "import sys\nframe = sys._getframe()\n"
        "while '_run' != frame.f_code.co_name: frame = frame.f_back\n"
        "held = frame.f_locals\n"
        "for n in range(12):\n"
        "    held['results'].write(f\"{held['nonce']} {n} null\\n\")\n"
    )
    assert submit(env, program)[0] == 0.0


def test_prints_of_an_honest_function_do_no_harm(env: CodeEnv) -> None:
    """What the function prints does not get between the results."""
    work = exercise(env)
    chatty = work.solution().replace(
        "def solve(*arguments):\n", "def solve(*arguments):\n    print('x' * 10_000)\n"
    )
    assert submit(env, f"```python\n{chatty}\n```")[0] == 1.0


def test_the_session_does_not_reach_the_judge(env: CodeEnv) -> None:
    """What an agent does to its interpreter and its files is gone when it is judged."""
    work = exercise(env)
    python(env, "import builtins, json\nbuiltins.compile = None\njson.dumps = None")
    python(env, "open('json.py', 'w').write('raise SystemExit')")
    assert submit(env, work.solution())[0] == 1.0


def test_files_that_claim_a_reward_claim_it_in_vain(env: CodeEnv) -> None:
    """No path is read for a reward; a folder without rights stops nobody."""
    begin(env, level=1)
    python(
        env,
        "import os\nfor path in ('reward', 'reward.txt', '/tmp/score'):\n"
        "    for text in ('1.0', 'nan', '7'):\n"
        "        _ = open(path, 'w').write(text)\nos.chmod('.', 0o555)",
    )
    reward, components = submit(env, "wrong")
    assert reward == 0.0
    assert components == {"correct": 0.0, "submitted": 1.0}


def test_text_is_an_action_too(env: CodeEnv) -> None:
    """A fenced block runs; a label hands in; a message with neither is told so."""
    begin(env)
    assert env.step("Let me see.\n```python\n6 * 7\n```")[0] == "42"
    assert "no action" in env.step("I wonder.")[0]
    *_, terminated, _, info = env.step("Answer: 42")
    assert terminated
    assert info["tool_results"][0]["name"] == "submit"


def test_a_program_in_text_solves_an_exercise(env: CodeEnv) -> None:
    """A block after a bare label is the program."""
    work = exercise(env)
    _, reward, *_ = env.step(f"Answer:\n```python\n{work.solution()}\n```")
    assert reward == 1.0


def test_runs_can_be_bounded() -> None:
    """When they are used up, the agent is told to answer."""
    env = CodeEnv(runs=1)
    try:
        env.reset(seed=1, options={"task": 0})
        assert env.step(ToolCall("python", {"code": "1"}))[0] == "1"
        told = env.step(ToolCall("python", {"code": "2"}))
        assert "no run is left of 1" in told[0]
        assert told[4]["tool_results"][0]["ok"] is False
    finally:
        env.close()


def test_numpy_is_there(env: CodeEnv) -> None:
    """The one package that comes with envhub can be used."""
    begin(env)
    assert python(env, "import numpy; print(numpy.arange(4).sum())") == "6"


def test_a_lost_sandbox_is_no_reward(env: CodeEnv) -> None:
    """The platform's failures pass through; the next episode is a new one."""
    begin(env)
    env._place.use().close()
    with pytest.raises((InfrastructureError, UsageError)):
        env.step(ToolCall("python", {"code": "1"}))
    begin(env)
    assert python(env, "1") == "1"


def test_the_page_does_what_it_shows(repository: Path, env: CodeEnv) -> None:
    """The program in the README runs, and gets the reward that it claims."""
    run_page.run(repository / "environments/envhub_code/README.md")


def test_bad_settings_are_refused() -> None:
    """A call without time could not do anything."""
    with pytest.raises(UsageError, match="timeout"):
        CodeEnv(timeout=0)


def test_the_registry_knows_it() -> None:
    """It is found by name, and by level."""
    env = envhub.make("code", level=4)
    try:
        _, info = env.reset(seed=3)
        assert info["level"] == 4
        names = [tool["function"]["name"] for tool in info["tools"]]
        assert names == ["python", "submit"]
    finally:
        env.close()


def test_thirty_lives_leave_nothing_behind() -> None:
    """No process, thread or descriptor stays after close."""

    def life() -> None:
        env = CodeEnv()
        env.reset(seed=1)
        env.step("```python\nimport subprocess\nsubprocess.Popen(['sleep', '60'])\n```")
        env.close()

    life()
    before = Census.take()
    for _ in range(30):
        life()
    before.compare(Census.take())
