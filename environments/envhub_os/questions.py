"""Levels 1 and 2: questions about files, answered by one look or by a pipeline."""

from __future__ import annotations

import random
from collections.abc import Callable

from envhub_os.company import COMPONENTS, ORDERS, REGIONS, shop_logs
from envhub_os.jobs import Job
from envhub_os.tree import NOW, File, Tree

__all__ = ["LOOKS", "PIPELINES", "Maker"]

Maker = Callable[[random.Random, Tree], tuple[Tree, Job]]
"""Makes a job in a tree, which it may add to."""


def _question(
    tree: Tree, request: str, answer: int | str, script: str
) -> tuple[Tree, Job]:
    return tree, Job(
        request=request, answer=answer, script=f"cd {tree.root} && {script}"
    )


def count_by_ending(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Files with an ending, at any depth."""
    folder = rng.choice(("", "docs", "logs", "data", "public", "scripts"))
    endings = sorted({path.rpartition(".")[2] for path in tree.within(folder)})
    ending = rng.choice(endings)
    where = f"{tree.root}/{folder}".rstrip("/")
    return _question(
        tree,
        f"How many files whose name ends with .{ending} are there in {where}, "
        "subfolders included?",
        len(tree.within(folder, f".{ending}")),
        f"find {where} -type f -name '*.{ending}' | wc -l",
    )


def count_lines(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Lines of a log at a level; other lines hold the word inside of another."""
    path = rng.choice(sorted(tree.within("logs", ".log").keys() - {"logs/access.log"}))
    level = rng.choice(("ERROR", "WARN", "INFO"))
    lines = tree.files[path].lines
    return _question(
        tree,
        f"Every line of {tree.root}/{path} has a date, a time, a level, a component "
        f"and a message. How many lines have the level {level}?",
        sum(line.split()[2] == level for line in lines),
        f"awk '$3 == \"{level}\"' {path} | wc -l",
    )


def setting(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The value of a setting."""
    path = rng.choice(sorted(tree.within("config")))
    key = rng.choice(("host", "port", "workers", "timeout", "owner"))
    values = [
        line.partition(" = ")[2]
        for line in tree.files[path].lines
        if line.startswith(f"{key} = ")
    ]
    return _question(
        tree,
        f"What is the value of the setting {key} in {tree.root}/{path}?",
        values[0],
        f"sed -n 's/^{key} = //p' {path}",
    )


def largest(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The largest or smallest picture, by its name."""
    which, flag = rng.choice((("largest", ""), ("smallest", "r")))
    files = tree.within("public/img")
    order = sorted(files, key=lambda path: len(files[path].content))
    path = order[-1] if which == "largest" else order[0]
    return _question(
        tree,
        f"Which file in {tree.root}/public/img is the {which}, in bytes? Answer with "
        "its name.",
        path.rpartition("/")[2],
        f"ls -S{flag} public/img | head -n 1",
    )


def newest(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The file of a folder that was changed last, or longest ago."""
    which, flag = rng.choice((("last", ""), ("longest ago", "r")))
    folder = rng.choice(("logs", "config", "scripts"))
    files = tree.within(folder)
    order = sorted(files, key=lambda path: files[path].changed)
    path = order[-1] if which == "last" else order[0]
    return _question(
        tree,
        f"Which file in {tree.root}/{folder} was changed {which}? Answer with its "
        "name.",
        path.rpartition("/")[2],
        f"ls -t{flag} {folder} | head -n 1",
    )


def permissions(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Permissions as an octal number."""
    files = {**tree.within("scripts"), **tree.within("config")}
    path = rng.choice(sorted(files))
    return _question(
        tree,
        f"What are the permissions of {tree.root}/{path} as an octal number of three "
        "digits?",
        int(f"{files[path].mode:o}"),
        f"stat -c %a {path}",
    )


def count_folders(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Folders at any depth."""
    names = rng.sample(("2027", "2028", "drafts", "inbox", "press", "old", "misc"), 4)
    above = rng.choice(("docs", "public", "reports"))
    added = Tree(
        tree.name,
        tree.files,
        (
            *tree.empty,
            f"{above}/{names[0]}/{names[1]}",
            f"{above}/{names[2]}",
            f"data/{names[3]}",
        ),
    )
    folder = rng.choice(("", above, "data"))
    start = f"{folder}/" if folder else ""
    where = f"{tree.root}/{folder}".rstrip("/")
    return _question(
        added,
        f"How many folders are there in {where}, those inside of others included, but "
        "not itself?",
        sum(path.startswith(start) for path in added.folders()),
        f"find {where} -mindepth 1 -type d | wc -l",
    )


def table_cell(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """One field of one row of a table."""
    path = rng.choice(ORDERS)
    row = rng.choice(tree.files[path].lines[1:]).split(",")
    column = rng.choice((1, 2, 3, 4))
    name = tree.files[path].lines[0].split(",")[column]
    return _question(
        tree,
        f"What is the {name} of the order with the id {row[0]} in {tree.root}/{path}?",
        row[column],
        f"grep '^{row[0]},' {path} | cut -d, -f{column + 1}",
    )


def busy_component(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The component with most lines of a level over all logs of the shop."""
    level = rng.choice(("ERROR", "WARN", "DEBUG"))
    seen = [
        line.split()[3]
        for file in shop_logs(tree).values()
        for line in file.lines
        if line.split()[2] == level
    ]
    answer = max(sorted(COMPONENTS), key=seen.count)
    return _question(
        tree,
        f"Every line of the files {tree.root}/logs/shop-*.log has a date, a time, a "
        "level, a component and a message. Over all of these files, which component "
        f"has most lines of the level {level}? Among equals, give the first in "
        "alphabetical order.",
        answer,
        f"cat logs/shop-*.log | awk '$3 == \"{level}\" {{print $4}}' | sort | uniq -c "
        "| sort -k1,1nr -k2,2 | awk 'NR == 1 {print $2}'",
    )


def sum_of_column(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Pieces, or cents, over some rows of a table."""
    path = rng.choice(ORDERS)
    region = rng.choice(REGIONS)
    name, column = rng.choice((("pieces", 4), ("cents", 5)))
    rows = [line.split(",") for line in tree.files[path].lines[1:]]
    return _question(
        tree,
        f"What is the sum of the column {name} in {tree.root}/{path} over the orders "
        f"whose region is {region}?",
        sum(int(row[column]) for row in rows if row[2] == region),
        f"awk -F, '$3 == \"{region}\" {{s += ${column + 1}}} END {{print s + 0}}' "
        f"{path}",
    )


def distinct_clients(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Different addresses with a status."""
    status = rng.choice(("200", "304", "404", "500", "503"))
    rows = [line.split() for line in tree.files["logs/access.log"].lines]
    return _question(
        tree,
        f"Every line of {tree.root}/logs/access.log has an address, a method, a path, "
        "a status and a number of bytes. How many different addresses have at least "
        f"one line with the status {status}?",
        len({row[0] for row in rows if row[3] == status}),
        f"awk '$4 == {status} {{print $1}}' logs/access.log | sort -u | wc -l",
    )


def total_size(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Bytes of all files with an ending."""
    ending = rng.choice(("log", "csv", "png", "txt", "sh", "conf"))
    files = tree.within("", f".{ending}").values()
    return _question(
        tree,
        f"How many bytes do all files in {tree.root} (subfolders included) whose name "
        f"ends with .{ending} hold together?",
        sum(len(file.content) for file in files),
        f"find . -type f -name '*.{ending}' -printf '%s\\n' | awk '{{s += $1}} END "
        "{print s + 0}'",
    )


def hidden_word(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The one file that holds a word."""
    word = f"ticket-{rng.randrange(10_000, 99_999)}"
    places = {**tree.within("docs", ".txt"), **tree.within("docs", ".md")}
    path = rng.choice(sorted({**places, **tree.within("config")}))
    old = tree.files[path]
    lines = old.lines
    lines.insert(rng.randrange(len(lines)), f"# see {word}")
    new = File("".join(f"{line}\n" for line in lines).encode(), old.mode, old.changed)
    return _question(
        tree.with_files({path: new}),
        f"Which file in {tree.root} (subfolders included) holds the text {word}? "
        f"Answer with its path, relative to {tree.root}.",
        path,
        f"grep -rlF {word} . | sed 's|^\\./||'",
    )


def count_empty(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Empty files."""
    known = ("lock", "done.flag", "empty.txt", "x.log", "keep", "nil", "a.csv", "zero")
    names = rng.sample(known, rng.randrange(1, len(known)))
    folders = rng.choices(("tmp", "data/old", "docs/team", "public"), k=len(names))
    added = {
        f"{folder}/{name}": File(b"", changed=NOW - rng.randrange(9000))
        for folder, name in zip(folders, names, strict=True)
    }
    whole = tree.with_files(added)
    return _question(
        whole,
        f"How many empty files are there in {tree.root}, subfolders included?",
        sum(not file.content for file in whole.files.values()),
        "find . -type f -empty | wc -l",
    )


def twin(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """A picture that is there twice, under another name."""
    path = rng.choice(sorted(tree.within("public/img")))
    folder = rng.choice(("docs/team", "data/old", "tmp", "reports"))
    name = f"{folder}/{rng.choice(('scan', 'copy of it', 'image', 'new'))}.png"
    copy = File(tree.files[path].content, changed=NOW - rng.randrange(90_000))
    return _question(
        tree.with_files({name: copy}),
        f"One other file in {tree.root} (subfolders included) has exactly the content "
        f"of {tree.root}/{path}. Answer with its path, relative to {tree.root}.",
        name,
        f"find . -type f ! -path ./{path} -exec cmp -s {path} {{}} \\; -print | "
        "sed 's|^\\./||'",
    )


def changed_since(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Files changed after a moment."""
    import datetime

    order = sorted(file.changed for file in tree.files.values())
    position = rng.randrange(4, len(order) - 4)
    moment = (order[position - 1] + order[position]) // 2
    told = datetime.datetime.fromtimestamp(moment, datetime.UTC)
    return _question(
        tree,
        f"How many files in {tree.root} (subfolders included) were changed after "
        f"{told:%Y-%m-%d %H:%M:%S} UTC?",
        len(order) - position,
        f"find . -type f -newermt '{told:%Y-%m-%d %H:%M:%S} UTC' | wc -l",
    )


def not_executable(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Scripts that their owner may, or may not, execute."""
    may = rng.random() < 0.5
    files = tree.within("scripts").values()
    return _question(
        tree,
        f"How many of the files in {tree.root}/scripts {'may' if may else 'may not'} "
        "be executed by their owner, going by their permissions?",
        sum(bool(file.mode & 0o100) is may for file in files),
        f"find scripts -type f {'' if may else '! '}-perm -u=x | wc -l",
    )


def heaviest_path(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """The path with most bytes over all requests."""
    method = rng.choice(("GET", "POST"))
    total: dict[str, int] = {}
    for line in tree.files["logs/access.log"].lines:
        _, used, path, _, size = line.split()
        if used == method:
            total[path] = total.get(path, 0) + int(size)
    return _question(
        tree,
        f"Every line of {tree.root}/logs/access.log has an address, a method, a path, "
        "a status and a number of bytes. For which path is the sum of the bytes over "
        f"all {method} requests largest? Answer with the path.",
        max(sorted(total), key=lambda path: total[path]),
        f"awk '$2 == \"{method}\" {{s[$3] += $5}} END {{for (p in s) print s[p], p}}' "
        "logs/access.log | sort -nr | awk 'NR == 1 {print $2}'",
    )


LOOKS: tuple[Maker, ...] = (
    count_by_ending,
    count_lines,
    setting,
    largest,
    newest,
    permissions,
    count_folders,
    table_cell,
)
"""Level 1: one look."""

PIPELINES: tuple[Maker, ...] = (
    busy_component,
    sum_of_column,
    distinct_clients,
    total_size,
    hidden_word,
    count_empty,
    twin,
    changed_since,
    not_executable,
    heaviest_path,
)
"""Level 2: a pipeline of several commands."""
