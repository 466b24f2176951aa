"""Waiting for what is to come, with an end that only a fault reaches."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 300
"""Seconds to wait for anything, on a machine that has others to serve."""
PAUSE = 0.02
Seen = TypeVar("Seen")


def until(true: Callable[[], Seen], seconds: float = PATIENCE) -> Seen:
    """Return what something comes to that is true, or what it is in the end."""
    end = time.monotonic() + seconds
    while not (came := true()) and time.monotonic() < end:
        time.sleep(PAUSE)
    return came


def comes_to(read: Callable[[], object], wanted: object) -> None:
    """Wait until a reading is as wanted, and fail with what it was at last."""
    until(lambda: read() == wanted)
    seen = read()
    assert seen == wanted, f"{seen!r} has not become {wanted!r}"
