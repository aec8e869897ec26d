"""Level 3: one thing to be done to the files."""

from __future__ import annotations

import random
import re

from envhub_os.company import shop_logs
from envhub_os.jobs import Check, Folder, Gone, Holds, Job, Runs
from envhub_os.questions import Maker
from envhub_os.tree import NOW, File, Tree

__all__ = ["CHORES"]


def _chore(
    tree: Tree, request: str, script: str, checks: list[Check], free: set[str]
) -> tuple[Tree, Job]:
    return tree, Job(
        request=request,
        script=f"cd {tree.root} && {script}",
        checks=tuple(checks),
        free=frozenset(free),
    )


def rename_ending(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Another ending for all files of a folder."""
    folder, old, new = rng.choice(
        (("docs", "txt", "md"), ("scripts", "sh", "bash"), ("config", "conf", "ini"))
    )
    files = tree.within(folder, f".{old}")
    checks: list[Check] = []
    for path, file in files.items():
        renamed = path.removesuffix(old) + new
        checks += [Holds(renamed, file.content, exact=True), Gone(path)]
    return _chore(
        tree,
        f"Rename every file in {tree.root}/{folder} (subfolders included) whose name "
        f"ends with .{old} so that it ends with .{new} instead.",
        f"find {folder} -name '*.{old}' | while IFS= read -r f; do "
        f'mv "$f" "${{f%.{old}}}.{new}"; done',
        checks,
        set(files),
    )


def set_permissions(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The same permissions for some files."""
    folder, ending, mode = rng.choice(
        (
            ("scripts", "sh", 0o750),
            ("scripts", "py", 0o555),
            ("config", "conf", 0o600),
            ("logs", "log", 0o440),
        )
    )
    files = tree.within(folder, f".{ending}")
    return _chore(
        tree,
        f"Set the permissions of all files in {tree.root}/{folder} whose name ends "
        f"with .{ending} to {mode:o}. Leave the permissions of all other files as they "
        "are.",
        f"chmod {mode:o} {folder}/*.{ending}",
        [Runs(path, mode) for path, file in files.items() if file.mode != mode],
        set(files),
    )


def remove_leavings(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Delete by name, or what is empty."""
    ending, other = rng.choice((("tmp", "bak"), ("bak", "tmp")))
    kept = File(b"keep me\n", changed=NOW - rng.randrange(9000))
    whole = tree.with_files(
        {
            f"docs/old.{ending}": kept,
            f"data/notes.{ending}.txt": kept,
            f"tmp/last.{other}": kept,
        }
    )
    gone = whole.within("", f".{ending}")
    return _chore(
        whole,
        f"Delete all files in {tree.root} (subfolders included) whose name ends with "
        f".{ending}, and no other file.",
        f"find . -type f -name '*.{ending}' -delete",
        [Gone(path) for path in gone],
        set(gone),
    )


def change_setting(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """One setting in one file."""
    path = rng.choice(sorted(tree.within("config")))
    key, value = rng.choice(
        (
            ("workers", str(rng.randrange(40, 99))),
            ("port", str(rng.randrange(9001, 9900))),
            ("timeout", str(rng.randrange(100, 400))),
            ("owner", rng.choice(("kira", "leon", "mona"))),
        )
    )
    text = tree.files[path].text
    changed = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
    return _chore(
        tree,
        f"Set {key} to {value} in {tree.root}/{path}. Change nothing else.",
        f"sed -i 's/^{key} = .*/{key} = {value}/' {path}",
        [Holds(path, changed.encode())],
        {path},
    )


def replace_host(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """One word by another in several files."""
    files = tree.within("config")
    host = next(iter(files.values())).lines[1].removeprefix("host = ")
    near = File(f"{host}.old is not {host}\n".encode(), changed=NOW - 5000)
    whole = tree.with_files({"docs/hosts.md": near})
    new = f"db{rng.randrange(5, 10)}.{rng.choice(('internal', 'local', 'lan'))}"
    return _chore(
        whole,
        f"In all files in {tree.root}/config, replace {host} by {new}. Leave files in "
        "other folders as they are.",
        f"sed -i 's/{re.escape(host)}/{new}/g' config/*",
        [
            Holds(path, file.content.replace(host.encode(), new.encode()))
            for path, file in files.items()
        ],
        set(files),
    )


def move_month(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Files of a month into a new folder."""
    month = rng.choice(sorted({path[10:17] for path in shop_logs(tree)}))
    moved = [path for path in shop_logs(tree) if path[10:17] == month]
    checks: list[Check] = []
    for path in moved:
        there = f"logs/{month}/{path.rpartition('/')[2]}"
        checks += [Holds(there, tree.files[path].content, exact=True), Gone(path)]
    return _chore(
        tree,
        f"Move the logs of the shop of the month {month}, "
        f"{tree.root}/logs/shop-{month}-*.log, into a new folder "
        f"{tree.root}/logs/{month}.",
        f"mkdir logs/{month} && mv logs/shop-{month}-*.log logs/{month}/",
        checks,
        set(moved),
    )


def copy_folder(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """A copy of a folder with all that is in it."""
    folder = rng.choice(("config", "data", "docs", "scripts"))
    name = f"backup/{folder}-{rng.randrange(100, 999)}"
    files = tree.within(folder)
    return _chore(
        tree,
        f"Copy the folder {tree.root}/{folder} with everything in it to "
        f"{tree.root}/{name}, so that {tree.root}/{folder}/x becomes "
        f"{tree.root}/{name}/x as well. Keep the permissions.",
        f"mkdir -p backup && cp -a {folder} {name}",
        [
            check
            for path, file in files.items()
            for check in (
                Holds(f"{name}{path.removeprefix(folder)}", file.content, exact=True),
                Runs(f"{name}{path.removeprefix(folder)}", file.mode),
            )
        ],
        set(),
    )


def unique_addresses(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """A sorted list without repeats."""
    column, what = rng.choice(((1, "email addresses"), (0, "names")))
    rows = [line.split(",") for line in tree.files["data/customers.csv"].lines[1:]]
    values = sorted({row[column] for row in rows})
    path = f"reports/{rng.choice(('customers', 'people', 'known', 'contacts'))}.txt"
    return _chore(
        tree,
        f"Write the {what} in {tree.root}/data/customers.csv to {tree.root}/{path}: "
        "one a line, in alphabetical order, each once, without the heading.",
        f"tail -n +2 data/customers.csv | cut -d, -f{column + 1} | LC_ALL=C sort -u > "
        f"{path}",
        [Holds(path, "\n".join(values).encode())],
        set(),
    )


def empty_logs(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Empty some files without deleting them."""
    month = rng.choice(sorted({path[10:17] for path in shop_logs(tree)}))
    paths = [path for path in shop_logs(tree) if path[10:17] == month]
    paths.append(rng.choice(("logs/worker.log", "logs/access.log")))
    return _chore(
        tree,
        f"Empty {tree.root}/{paths[-1]} and all of "
        f"{tree.root}/logs/shop-{month}-*.log, without deleting them.",
        f"for f in {paths[-1]} logs/shop-{month}-*.log; do : > $f; done",
        [Holds(path, b"", exact=True) for path in paths],
        set(paths),
    )


def make_folders(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Folders inside of folders, and a file that says what they are for."""
    year = rng.randrange(2025, 2032)
    quarters = [f"reports/{year}/q{n}" for n in range(1, 5)]
    word = rng.choice(("planned", "open", "to do", "empty so far"))
    checks: list[Check] = [Folder(path) for path in quarters]
    checks += [Holds(f"{path}/status.txt", word.encode()) for path in quarters]
    return _chore(
        tree,
        f"Make the folders q1, q2, q3 and q4 in {tree.root}/reports/{year}, and in "
        f"each of them a file status.txt with the line: {word}",
        f"for q in 1 2 3 4; do mkdir -p reports/{year}/q$q && "
        f"echo '{word}' > reports/{year}/q$q/status.txt; done",
        checks,
        set(),
    )


CHORES: tuple[Maker, ...] = (
    rename_ending,
    set_permissions,
    remove_leavings,
    change_setting,
    replace_host,
    move_month,
    copy_folder,
    unique_addresses,
    empty_logs,
    make_folders,
)
"""Level 3."""
