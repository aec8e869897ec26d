"""Level 4: several things to be done, the result of one being needed for the next."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

from envhub_os.company import ORDERS, REGIONS, shop_logs
from envhub_os.jobs import Archive, Check, Gone, Holds, Job, PointsTo, Runs
from envhub_os.questions import Maker
from envhub_os.tree import NOW, File, Tree

__all__ = ["PROJECTS"]


def _project(
    tree: Tree, request: str, steps: list[str], checks: list[Check], free: set[str]
) -> tuple[Tree, Job]:
    return tree, Job(
        request=request,
        script="\n".join([f"cd {tree.root}", *steps]),
        checks=tuple(checks),
        free=frozenset(free),
    )


def archive_logs(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Old logs into an archive, and away."""
    month = rng.choice(sorted({path[10:17] for path in shop_logs(tree)}))
    paths = [path for path in shop_logs(tree) if path[10:17] == month]
    name = f"archive/logs-{month}.tar.gz"
    members = {path.rpartition("/")[2]: tree.files[path].content for path in paths}
    return _project(
        tree,
        f"Pack the logs {tree.root}/logs/shop-{month}-*.log into a gzipped tar archive "
        f"{tree.root}/{name} (the folder is new) that holds these files and no others, "
        "then delete the logs that are in it.",
        [
            "mkdir -p archive",
            f"(cd logs && tar -czf ../{name} shop-{month}-*.log)",
            f"rm logs/shop-{month}-*.log",
        ],
        [Archive(name, members), *(Gone(path) for path in paths)],
        set(paths),
    )


def report_levels(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """A table of counts, sorted."""
    level = rng.choice(("ERROR", "WARN", "DEBUG"))
    path = f"reports/{level.lower()}-{rng.randrange(10, 99)}.csv"
    seen = Counter(
        line.split()[3]
        for file in shop_logs(tree).values()
        for line in file.lines
        if line.split()[2] == level
    )
    rows = sorted(seen.items(), key=lambda row: (-row[1], row[0]))
    count = f'$3 == "{level}" {{n[$4]++}} END {{for (c in n) print c "," n[c]}}'
    order = "-t, -k2,2nr -k1,1"
    table = ["component,lines", *(f"{name},{count}" for name, count in rows)]
    return _project(
        tree,
        f"Every line of the files {tree.root}/logs/shop-*.log has a date, a time, a "
        f"level, a component and a message. Count the lines of the level {level} over "
        f"all of these files for each component and write {tree.root}/{path}: first "
        "the heading component,lines and then a line like cart,7 for each component "
        "that has such lines, the largest count first, equals in alphabetical order.",
        [
            f"echo component,lines > {path}",
            f"cat logs/shop-*.log | awk '{count}' | LC_ALL=C sort {order} >> {path}",
        ],
        [Holds(path, "\n".join(table).encode())],
        set(),
    )


def split_table(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """One table into several."""
    source = rng.choice(ORDERS)
    folder = f"data/{rng.choice(('by-region', 'regions', 'split'))}"
    heading, *rows = tree.files[source].lines
    return _project(
        tree,
        f"Split {tree.root}/{source} by region: for every region that occurs in it "
        f"write a file {tree.root}/{folder}/<region>.csv (the folder is new) with the "
        "heading of the table and the rows of that region in their order. Leave the "
        "table as it is.",
        [
            f"mkdir -p {folder}",
            f"for r in $(tail -n +2 {source} | cut -d, -f3 | sort -u); do",
            f"  head -n 1 {source} > {folder}/$r.csv",
            f"  awk -F, -v r=$r 'NR > 1 && $3 == r' {source} >> {folder}/$r.csv",
            "done",
        ],
        [
            Holds(f"{folder}/{region}.csv", "\n".join([heading, *found]).encode())
            for region in REGIONS
            if (found := [row for row in rows if row.split(",")[2] == region])
        ],
        set(),
    )


def release(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """A release with a link to it."""
    version = f"{rng.randrange(1, 9)}.{rng.randrange(20)}.{rng.randrange(30)}"
    checks: list[Check] = [
        Holds(f"releases/{version}/{path.removeprefix('public/')}", file.content, True)
        for path, file in tree.within("public").items()
        if not path.endswith((".tmp", ".bak"))
    ]
    checks.append(Holds(f"releases/{version}/VERSION", version.encode()))
    checks.append(PointsTo("current", f"releases/{version}"))
    return _project(
        tree,
        f"Make a release: copy everything in {tree.root}/public, except for files "
        "whose name ends with .tmp or .bak, to the new folder "
        f"{tree.root}/releases/{version}, write the line {version} into a file VERSION "
        f"in it, and make {tree.root}/current a symbolic link to that folder.",
        [
            "mkdir -p releases",
            f"cp -a public releases/{version}",
            f"find releases/{version} -name '*.tmp' -delete -o -name '*.bak' -delete",
            f"echo {version} > releases/{version}/VERSION",
            f"ln -s releases/{version} current",
        ],
        checks,
        set(),
    )


def merge_settings(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """All settings in one file."""
    path = f"config/{rng.choice(('all', 'merged', 'everything'))}.list"
    lines = sorted(
        f"{name.removeprefix('config/').removesuffix('.conf')}.{line}"
        for name, file in tree.within("config", ".conf").items()
        for line in file.lines
        if not line.startswith("#")
    )
    return _project(
        tree,
        f"Write all settings of {tree.root}/config/*.conf into {tree.root}/{path}: a "
        "line like cart.port = 3000 for every setting, that is the name of the file "
        "without .conf, a dot, and the line as it is; no comments, in alphabetical "
        "order (as LC_ALL=C sort has it).",
        [
            "for f in config/*.conf; do",
            "  n=$(basename $f .conf); grep -v '^#' $f | sed \"s/^/$n./\"",
            f"done | LC_ALL=C sort > {path}.new && mv {path}.new {path}",
        ],
        [Holds(path, "\n".join(lines).encode())],
        set(),
    )


def rotate(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """A log and its predecessors, each one further."""
    name = rng.choice(("logs/worker.log", "logs/access.log"))
    count = rng.randrange(2, 5)
    older = {
        f"{name}.{n}": File(
            f"{n} back, {rng.randrange(9999)}\n".encode(), 0o640, NOW - n
        )
        for n in range(1, count + 1)
    }
    whole = tree.with_files(older)
    checks: list[Check] = [
        Holds(f"{name}.{n + 1}", older[f"{name}.{n}"].content, exact=True)
        for n in range(1, count + 1)
    ]
    checks.append(Holds(f"{name}.1", tree.files[name].content, exact=True))
    checks += [Holds(name, b"", exact=True), Runs(name, 0o640)]
    return _project(
        whole,
        f"Rotate {tree.root}/{name}: {name}.{count} becomes {name}.{count + 1}, and so "
        f"on down to {name}.1, which becomes {name}.2; {name} itself becomes {name}.1. "
        f"Then make a new, empty {name} with the permissions 640.",
        [
            f"for n in $(seq {count} -1 1); do mv {name}.$n {name}.$((n + 1)); done",
            f"mv {name} {name}.1",
            f": > {name}",
            f"chmod 640 {name}",
        ],
        checks,
        {name, *older},
    )


def clean_by_list(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Delete what a list does not name, and write down what."""
    pictures = [path.rpartition("/")[2] for path in tree.within("public/img")]
    pictures += [f"old-{rng.randrange(10, 99)}.png", "unused.png"]
    kept = sorted(rng.sample(pictures, rng.randrange(2, 5)))
    old = File(rng.randbytes(60), changed=NOW - 8000)
    listed = File("".join(f"{name}\n" for name in kept).encode(), changed=NOW - 500)
    whole = tree.with_files(
        {f"public/img/{name}": old for name in pictures[-2:]}
        | {"public/keep.list": listed}
    )
    removed = sorted(set(pictures) - set(kept))
    paths = [f"public/img/{name}" for name in removed]
    return _project(
        whole,
        f"{tree.root}/public/keep.list names the files that are to stay in "
        f"{tree.root}/public/img. Delete all others there, and write their names to "
        f"{tree.root}/reports/removed.txt, one a line, in alphabetical order.",
        [
            "cd public/img",
            "ls | grep -vxFf ../keep.list | LC_ALL=C sort > ../../reports/removed.txt",
            "while read -r f; do rm $f; done < ../../reports/removed.txt",
        ],
        [
            *(Gone(path) for path in paths),
            Holds("reports/removed.txt", "\n".join(removed).encode()),
        ],
        set(paths),
    )


def checksums(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Checksums of a folder, in a file that a tool can check."""
    folder, ending = rng.choice((("public/img", "png"), ("data/old", "csv")))
    tool, make = rng.choice((("sha256sum", hashlib.sha256), ("sha1sum", hashlib.sha1)))
    path = f"reports/{tool.removesuffix('sum')}-{rng.randrange(100, 999)}.txt"
    lines = [
        f"{make(file.content).hexdigest()}  {name.rpartition('/')[2]}"
        for name, file in sorted(tree.within(folder, f".{ending}").items())
    ]
    return _project(
        tree,
        f"Write {tree.root}/{path} with the checksums of all *.{ending} files in "
        f"{tree.root}/{folder}, as {tool} prints them when it is run in that folder: "
        "bare names, in alphabetical order.",
        [f"(cd {folder} && LC_ALL=C {tool} *.{ending}) > {path}"],
        [Holds(path, "\n".join(lines).encode())],
        set(),
    )


def summary(rng: random.Random, tree: Tree) -> tuple[Tree, Job]:
    """Figures of a table, each on a line of its own."""
    person = rng.choice(tree.files["data/orders.csv"].lines[1:]).split(",")[1]
    path = f"reports/{person}.txt"
    rows = [line.split(",") for line in tree.files["data/orders.csv"].lines[1:]]
    mine = [row for row in rows if row[1] == person]
    value = sum(int(row[4]) * int(row[5]) for row in mine)
    lines = [
        f"orders: {len(mine)}",
        f"pieces: {sum(int(row[4]) for row in mine)}",
        f"cents: {value}",
    ]
    program = (
        f'$2 == "{person}" {{n++; p += $5; c += $5 * $6}} '
        'END {printf "orders: %d\\npieces: %d\\ncents: %d\\n", n, p, c}'
    )
    return _project(
        tree,
        f"Write {tree.root}/{path} with three lines about the orders of the customer "
        f"{person} in {tree.root}/data/orders.csv: orders: and their number; pieces: "
        "and the sum of the pieces; cents: and the sum of pieces times cents.",
        [f"awk -F, '{program}' data/orders.csv > {path}"],
        [Holds(path, "\n".join(lines).encode())],
        set(),
    )


PROJECTS: tuple[Maker, ...] = (
    archive_logs,
    report_levels,
    split_table,
    release,
    merge_settings,
    rotate,
    clean_by_list,
    checksums,
    summary,
)
"""Level 4."""
