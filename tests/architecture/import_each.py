"""Import each module on the command line first of all, in a child of its own.

The interpreter that forks the children has imported the libraries that the core needs
anyway, and those named by `--with`, so that a child costs milliseconds. Prints JSON:
for each module the names of all modules that it brought in, or an error.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import traceback

__all__ = ["main"]

ALWAYS = ("gymnasium", "numpy", "pydantic")


def main() -> None:
    """Import the modules asked for and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="preloaded", nargs="*", default=[])
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()
    for name in (*ALWAYS, *options.preloaded):
        importlib.import_module(name)
    print(json.dumps({name: _brought_in(name) for name in options.modules}))  # noqa: T201 - its output


def _brought_in(name: str) -> dict[str, list[str] | str]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(_import(name), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"error": "the child died"}


def _import(name: str) -> dict[str, list[str] | str]:
    before = set(sys.modules)
    try:
        importlib.import_module(name)
    except BaseException:  # noqa: BLE001 - whatever it is, it is the finding
        return {"error": traceback.format_exc()}
    return {"loaded": sorted(set(sys.modules) - before)}


if __name__ == "__main__":
    main()
