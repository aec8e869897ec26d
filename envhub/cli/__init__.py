"""The command line: `envhub`.

    __init__  main: runs a command, turns what it raises into a message and a status
    app       the commands in order
    listing, info, play, run, train, check, doctor     one module for each
    status    what an exit status means, and whose fault an error is
    screen    where output goes: terminal or pipe, colour or none, text or JSON
    options   arguments that commands share; reference renders docs/cli.md

A command imports what is heavy when it is run, so that `envhub list` is quick.
"""

from __future__ import annotations

from envhub.cli.app import main

__all__ = ["main"]
