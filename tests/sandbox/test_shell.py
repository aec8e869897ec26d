"""The persistent bash session of a sandbox."""

from __future__ import annotations

from envhub.sandbox import Sandbox


def test_folder_variables_and_functions_stay(sandbox: Sandbox) -> None:
    sandbox.shell("mkdir -p a; cd a; v='x  y'; f() { echo f:$1; }; alias g='echo g'")
    done = sandbox.shell('basename "$PWD"; echo "$v"; f 1; g 2')
    assert done.stdout == "a\nx  y\nf:1\ng 2\n"


def test_the_last_status_can_be_asked_for(sandbox: Sandbox) -> None:
    sandbox.shell("(exit 5)")
    assert sandbox.shell("echo $?").stdout == "5\n"


def test_exported_variables_survive_the_end_of_the_session(sandbox: Sandbox) -> None:
    sandbox.shell("cd /usr; export A=$'line one\\nit\\'s \"two\"'; b=2")
    done = sandbox.shell("exit 4")
    assert done.exit_code == 4
    assert "same folder with the exported variables" in done.restarted
    after = sandbox.shell('echo "$A|$b|$PWD"')
    assert after.stdout == 'line one\nit\'s "two"||/usr\n'
    assert not after.restarted


def test_an_unfinished_command_is_an_error_at_once(sandbox: Sandbox) -> None:
    for command in ("if true", "echo 'open", "cat <<EOF", "}"):
        done = sandbox.shell(command, timeout=5)
        assert not done.timed_out
    assert sandbox.shell("echo fine").stdout == "fine\n"


def test_a_here_document_and_several_lines_work(sandbox: Sandbox) -> None:
    done = sandbox.shell("cat <<'E'\n$HOME {\nE\nfor i in 1 2\ndo echo $i\ndone")
    assert done.stdout == "$HOME {\n1\n2\n"


def test_reading_standard_input_does_not_take_the_next_command(
    sandbox: Sandbox,
) -> None:
    assert sandbox.shell("cat; read line; echo [$line]", timeout=5).stdout == "[]\n"
    assert sandbox.shell("echo next").stdout == "next\n"


def test_a_background_job_lives_on_and_speaks_later(sandbox: Sandbox) -> None:
    assert sandbox.shell("(sleep 0.3; echo late) & echo now").stdout == "now\n"
    assert "late" in sandbox.shell("wait; echo done").stdout


def test_a_time_limit_restarts_the_session_where_it_was(sandbox: Sandbox) -> None:
    sandbox.shell("cd /usr; export V=9")
    done = sandbox.shell("echo so far; sleep 60", timeout=0.4)
    assert done.timed_out and done.stdout == "so far\n"
    assert "time limit of 0.4 s" in done.restarted
    assert sandbox.shell("echo $V $PWD").stdout == "9 /usr\n"


def test_binary_output_and_huge_output_are_text(sandbox: Sandbox) -> None:
    done = sandbox.shell("head -c 1000000 /dev/urandom")
    assert done.truncated
    done.stdout.encode()


def test_a_trace_shows_the_command_alone(sandbox: Sandbox) -> None:
    sandbox.shell("set -x")
    done = sandbox.shell("echo hi")
    assert done.stdout == "hi\n"
    assert done.stderr.strip("+ \n") == "echo hi"
    assert sandbox.shell("set +x; echo hi").stdout == "hi\n"
    assert sandbox.shell("echo hi").stderr == ""


def test_the_session_survives_strict_mode(sandbox: Sandbox) -> None:
    assert sandbox.shell("set -euo pipefail; IFS=,; echo on").stdout == "on\n"
    assert sandbox.shell("echo still").stdout == "still\n"
    done = sandbox.shell("echo $undefined")
    assert done.exit_code not in (0, None)
    assert done.restarted
