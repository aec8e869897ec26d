"""A small service to host in a sandbox: a counter, an echo, and every way to fail."""

from __future__ import annotations

import os
import time


class Counter:
    def __init__(self, start: int) -> None:
        self.value = start

    def add(self, by: int = 1) -> int:
        self.value += by
        return self.value

    def echo(self, value: object) -> object:
        return value

    def fail(self) -> None:
        message = "the counter is broken"
        raise ValueError(message)

    def mistake(self) -> None:
        raise InvalidAction

    def named(self) -> None:
        raise NamedError

    def sleep(self, seconds: float) -> str:
        time.sleep(seconds)
        return "awake"

    def leave(self) -> None:
        os._exit(3)

    def lazily(self) -> int:
        import sandbox_service_later

        return int(sandbox_service_later.ANSWER)

    def variables(self) -> dict[str, str]:
        return dict(os.environ)


class InvalidAction(ValueError):
    def __str__(self) -> str:
        return "no such shelf"


class NamedError(Exception):
    envhub_wire = "UnknownTask"

    def __str__(self) -> str:
        return "there are 3 tasks"


def make(start: int = 0) -> Counter:
    return Counter(start)
