"""Files of a sandbox, read and written by the host."""

from __future__ import annotations

import pytest

from envhub.sandbox import Sandbox


def test_a_file_is_written_with_its_folders_and_read_back(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 100
    sandbox.write("a/b/c.bin", data)
    assert sandbox.read("a/b/c.bin") == data
    assert sandbox.read("/work/a/b/c.bin") == data
    assert sandbox.exec("wc -c < a/b/c.bin").stdout.strip() == "25600"


def test_text_is_written_as_utf8_and_mode_is_kept(sandbox: Sandbox) -> None:
    sandbox.write("run.sh", "#!/bin/bash\necho ü", mode=0o755)
    assert sandbox.exec(["./run.sh"]).stdout == "ü\n"


def test_the_temporary_folder_has_one_name_everywhere(sandbox: Sandbox) -> None:
    sandbox.write("/tmp/note", "x")
    assert sandbox.exec('cat "$TMPDIR/note"').stdout == "x"
    assert sandbox.read("/tmp/note") == b"x"


def test_what_is_no_regular_file_is_not_found(sandbox: Sandbox) -> None:
    sandbox.exec("mkdir folder; mkfifo pipe")
    for path in ("nothing", "folder", "pipe", "folder/x/y"):
        with pytest.raises(FileNotFoundError, match=path):
            sandbox.read(path)


def test_a_file_beyond_the_limit_is_not_read(sandbox: Sandbox) -> None:
    sandbox.exec("head -c 100 /dev/zero > file")
    assert len(sandbox.read("file", limit=100)) == 100
    with pytest.raises(ValueError, match="limit of 99 bytes"):
        sandbox.read("file", limit=99)


@pytest.mark.parametrize("path", ["/etc/new", "/usr/new", "/new", "/proc/new"])
def test_nothing_is_written_outside_writable_places(
    sandbox: Sandbox, path: str
) -> None:
    with pytest.raises(OSError, match=path):
        sandbox.write(path, "x")
    assert not sandbox.exec(f"echo x > {path}").ok


def test_a_link_leads_no_further_than_the_sandbox(
    sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("gold")
    sandbox.exec(f"ln -s {outside} way; ln -s {outside}/secret direct")
    for path in ("way/secret", "direct", f"{outside}/secret", "../../../etc/shadow"):
        with pytest.raises(OSError, match=r"secret|direct|shadow"):
            sandbox.read(path)
    with pytest.raises(OSError, match="way"):
        sandbox.write("way/new", "x")
    assert [path.name for path in outside.iterdir()] == ["secret"]


def test_files_are_gone_after_a_reset(sandbox: Sandbox) -> None:
    sandbox.exec("echo 1 > /work/a 2>/dev/null; echo 1 > a; echo 1 > $TMPDIR/b")
    sandbox.reset()
    assert sandbox.exec("ls -A; ls -A $TMPDIR").stdout == ""
