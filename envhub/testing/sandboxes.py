"""The checks that every sandbox provider passes. Each is a function of a provider."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from envhub.errors import EnvironmentFault
from envhub.sandbox import Limits, Sandbox, SandboxProvider, TemplateSpec
from envhub.testing.leaks import Census

__all__ = ["CHECKS"]

Check = Callable[[SandboxProvider], None]
_SPEC = TemplateSpec(limits=Limits(wall=10.0))


def says_what_it_isolates(provider: SandboxProvider) -> None:
    """The provider names itself, and says what it gives or why it does not work."""
    isolation = provider.isolation()
    assert isolation.provider == provider.name
    assert isolation.gives if isolation.available else isolation.reason


def runs_commands_and_tells_their_status(provider: SandboxProvider) -> None:
    """Exit codes, both streams, standard input and environment are exact."""
    with _Opened(provider) as box:
        ran = box.exec("cat; echo err >&2; exit 7", stdin="in")
        assert (ran.exit_code, ran.stdout, ran.stderr) == (7, "in", "err\n"), ran
        assert box.exec(["printf", "%s", "a b"]).stdout == "a b"
        assert box.exec("echo $SHAPE", env={"SHAPE": "round"}).stdout == "round\n"
        assert box.exec("nosuchcommand").exit_code == 127
        assert box.exec("kill -9 $$").exit_code == 137


def ends_the_whole_tree_at_the_time_limit(provider: SandboxProvider) -> None:
    """Partial output is kept; no process of the command survives."""
    with _Opened(provider) as box:
        started = time.monotonic()
        ran = box.exec("echo begun; setsid sleep 654 & sleep 654", timeout=0.5)
        assert ran.timed_out and ran.exit_code is None, ran
        assert ran.stdout == "begun\n", ran
        assert time.monotonic() - started < 5
        left = box.exec("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").stdout
        assert "sleep 654" not in left, left


def bounds_the_output_and_says_what_is_missing(provider: SandboxProvider) -> None:
    """Head and tail are kept, the bytes left out are counted."""
    with _Opened(provider) as box:
        ran = box.exec("echo HEAD; head -c 3000000 /dev/zero | tr '\\0' x; echo TAIL")
        assert ran.truncated and ran.omitted > 2_000_000, ran.omitted
        assert ran.stdout.startswith("HEAD\n") and ran.stdout.endswith("TAIL\n")
        assert len(ran.stdout) < 2 * _SPEC.limits.output


def keeps_an_interpreter_between_cells(provider: SandboxProvider) -> None:
    """Names live on, a last expression is shown, an error has its traceback."""
    with _Opened(provider) as box:
        assert box.python("x = 20").ok
        assert box.python("x + 1").stdout == "21\n"
        failed = box.python("1 / 0")
        assert failed.exit_code == 1 and "ZeroDivisionError" in failed.stderr
        ended = box.python("import os; os._exit(3)")
        assert ended.restarted, ended
        assert box.python("print('again')").stdout == "again\n"


def keeps_a_shell_between_commands(provider: SandboxProvider) -> None:
    """Folder and variables live on; the end of the shell is told."""
    with _Opened(provider) as box:
        assert box.shell("cd /tmp && A=1").ok
        assert box.shell("echo $A; printf abc").stdout == "1\nabc"
        assert box.shell("exit 5").exit_code == 5


def keeps_files_until_reset(provider: SandboxProvider) -> None:
    """Written files are read back; a reset leaves none of them."""
    with _Opened(provider) as box:
        box.write("notes/a.bin", b"\x00\xff")
        assert box.read("notes/a.bin") == b"\x00\xff"
        box.python("x = 1")
        box.reset()
        _expect(FileNotFoundError, lambda: box.read("notes/a.bin"))
        assert "NameError" in box.python("x").stderr


def shows_nothing_of_the_callers_environment(provider: SandboxProvider) -> None:
    """No variable of the caller is visible, by no road."""
    os.environ["ENVHUB_SECRET_PROBE"] = "dont-tell"
    try:
        with _Opened(provider) as box:
            seen = box.exec(
                "env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'"
            )
            assert "dont-tell" not in seen.stdout
            inside = box.python("import os; print(dict(os.environ))")
            assert "dont-tell" not in inside.stdout
    finally:
        del os.environ["ENVHUB_SECRET_PROBE"]


def siblings_do_not_meet(provider: SandboxProvider) -> None:
    """What one sandbox writes, another of the same template does not see."""
    with (
        provider.template(_SPEC) as template,
        template.take() as one,
        template.take() as two,
    ):
        one.write("secret.txt", "mine")
        _expect(FileNotFoundError, lambda: two.read("secret.txt"))


def hosts_a_service(provider: SandboxProvider) -> None:
    """A hosted object answers, its errors are told, each child has its own copy."""
    spec = TemplateSpec(service="collections:Counter", trusted=True)
    with (
        provider.template(spec) as template,
        template.take() as one,
        template.take() as two,
    ):
        one.call("update", ["a", "a"])
        assert one.call("most_common") == [["a", 2]]
        assert two.call("total") == 0
        _expect(EnvironmentFault, lambda: one.call("most_common", "many"))


def leaves_nothing_behind(provider: SandboxProvider) -> None:
    """Many sandboxes later: no process, descriptor or file is left."""
    with _Opened(provider) as box:
        box.python("1")
    before = Census.take()
    with provider.template(_SPEC) as template:
        for _ in range(30):
            with template.take() as box:
                box.exec("sleep 100 & echo $!")
    before.compare(Census.take())


CHECKS: tuple[Check, ...] = (
    says_what_it_isolates,
    runs_commands_and_tells_their_status,
    ends_the_whole_tree_at_the_time_limit,
    bounds_the_output_and_says_what_is_missing,
    keeps_an_interpreter_between_cells,
    keeps_a_shell_between_commands,
    keeps_files_until_reset,
    shows_nothing_of_the_callers_environment,
    siblings_do_not_meet,
    hosts_a_service,
    leaves_nothing_behind,
)


class _Opened:
    """One sandbox with a template of its own."""

    def __init__(self, provider: SandboxProvider) -> None:
        self._template = provider.template(_SPEC)

    def __enter__(self) -> Sandbox:
        self._box = self._template.take()
        return self._box

    def __exit__(self, *exc_info: object) -> None:
        self._box.close()
        self._template.close()


def _expect(kind: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"expected {kind.__name__}, but nothing was raised")
