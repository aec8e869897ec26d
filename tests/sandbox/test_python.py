"""The persistent interpreter of a sandbox."""

from __future__ import annotations

import pytest

from envhub.sandbox import Sandbox


def test_variables_stay_and_the_last_value_is_printed(sandbox: Sandbox) -> None:
    assert sandbox.python("x = 20\nx + 1").stdout == "21\n"
    assert sandbox.python("x * 2").stdout == "40\n"
    assert sandbox.python("_").stdout == "40\n"
    assert sandbox.python("None").stdout == ""


def test_an_error_gives_a_traceback_with_its_source_line(sandbox: Sandbox) -> None:
    sandbox.python("def divide(a, b):\n    return a / b  # here")
    done = sandbox.python("print('before')\ndivide(1, 0)")
    assert done.exit_code == 1
    assert done.stdout == "before\n"
    assert "return a / b  # here" in done.stderr
    assert "divide(1, 0)" in done.stderr
    assert "envhub" not in done.stderr
    assert not done.restarted


def test_a_syntax_error_is_shown_as_python_shows_it(sandbox: Sandbox) -> None:
    done = sandbox.python("def f(:\n    pass")
    assert done.exit_code == 1
    assert 'File "<cell 1>", line 1' in done.stderr and "SyntaxError" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("cell", "code", "words"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit('boom')", 1, "boom"),
        ("exit()", 0, ""),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt"),
        ("import os; os.fork() and os.wait()", 0, ""),
    ],
)
def test_leaving_a_cell_does_not_leave_the_interpreter(
    sandbox: Sandbox, cell: str, code: int, words: str
) -> None:
    sandbox.python("kept = 1")
    done = sandbox.python(cell)
    assert done.exit_code == code
    assert words in done.stderr
    assert sandbox.python("print(kept)").stdout == "1\n"


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("import os; print('bye', flush=True); os._exit(3)", 3),
        ("import os; print('bye', flush=True); os.kill(os.getpid(), 9)", 137),
        ("import ctypes; print('bye', flush=True); ctypes.string_at(0)", 139),
    ],
)
def test_the_end_of_the_interpreter_is_stated(
    sandbox: Sandbox, cell: str, code: int
) -> None:
    sandbox.python("kept = 1")
    sandbox.write("kept.txt", "yes")
    done = sandbox.python(cell)
    assert done.exit_code == code
    assert done.stdout == "bye\n"
    assert "variables are lost, files are kept" in done.restarted
    after = sandbox.python("print(open('kept.txt').read(), 'kept' in globals())")
    assert after.stdout == "yes False\n"
    assert not after.restarted


def test_children_and_plain_writes_are_captured(sandbox: Sandbox) -> None:
    done = sandbox.python(
        "import os, subprocess\n"
        "print('one', flush=True)\n"
        "os.write(1, b'two\\n')\n"
        "subprocess.run(['echo', 'three'])\n"
        "os.system('echo four >&2')\n"
    )
    assert done.stdout == "one\ntwo\nthree\n0\n"
    assert done.stderr == "four\n"


def test_input_finds_nothing_instead_of_waiting(sandbox: Sandbox) -> None:
    assert "EOFError" in sandbox.python("input()", timeout=5).stderr


def test_the_working_folder_is_importable(sandbox: Sandbox) -> None:
    sandbox.write("mine.py", "VALUE = 7")
    assert sandbox.python("import mine; mine.VALUE").stdout == "7\n"


def test_source_of_a_cells_function_can_be_asked_for(sandbox: Sandbox) -> None:
    sandbox.python("def f():\n    return 'source'")
    done = sandbox.python("import inspect; print(inspect.getsource(f))")
    assert "return 'source'" in done.stdout


def test_hash_seed_is_fixed(sandbox: Sandbox) -> None:
    first = sandbox.python("hash('envhub')").stdout
    sandbox.reset()
    assert sandbox.python("hash('envhub')").stdout == first


def test_random_numbers_differ_between_sandboxes(sandbox: Sandbox) -> None:
    first = sandbox.python("import random; random.random()").stdout
    sandbox.reset()
    assert sandbox.python("import random; random.random()").stdout != first


def test_closing_the_private_channel_costs_a_stated_restart(sandbox: Sandbox) -> None:
    done = sandbox.python("import os; os.closerange(0, 256)")
    assert done.restarted
    assert sandbox.python("print('back')").stdout == "back\n"


def test_forged_answers_are_not_believed(sandbox: Sandbox) -> None:
    forge = (
        "import os\n"
        "for fd in range(3, 256):\n"
        "    try: os.write(fd, b'\\0' * 21)\n"
        "    except OSError: pass\n"
        "raise ValueError('mine')"
    )
    done = sandbox.python(forge)
    assert not done.ok
    assert done.restarted
    assert sandbox.python("print('back')").stdout == "back\n"


def test_a_daemon_ends_with_its_cell_and_a_child_does_not(isolated: Sandbox) -> None:
    isolated.python(
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '701'])\n"
        "subprocess.run('(setsid sleep 702 &)', shell=True)"
    )
    left = isolated.exec("pgrep -a sleep").stdout
    assert "sleep 701" in left and "sleep 702" not in left
