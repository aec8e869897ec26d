"""``python -m envhub.testing.transcript``: print an episode's digest, for comparison.

Run in processes of their own, under different hash seeds and in different folders, it
shows whether an environment gives the same bytes everywhere.
"""

from __future__ import annotations

import hashlib
import json
import sys

from envhub.spec import EnvSpec
from envhub.testing.subject import Subject, play

__all__ = ["digests", "main"]


def digests(subject: Subject, seeds: list[int], *, oracle: bool) -> list[str]:
    """One digest for each seed of everything that an episode gave."""
    found: list[str] = []
    with subject.open() as env:
        for seed in seeds:
            record = play(env, seed=seed, oracle=oracle, most=20)
            text = json.dumps(record, sort_keys=True)
            found.append(hashlib.sha256(text.encode()).hexdigest())
    return found


def main() -> None:
    """Read a request from the arguments and print the digests as JSON."""
    request = json.loads(sys.argv[1])
    spec = EnvSpec(**request["spec"])
    subject = Subject(spec, request["kwargs"])
    found = digests(subject, request["seeds"], oracle=request["oracle"])
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
