"""Reads of what others do elsewhere, which may not have happened yet where everybody is at a step of their own."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

Read = TypeVar("Read")


@dataclass
class Waited:
    """Seconds for which a task has waited for what was not certain."""

    seconds: float = 0.0


WAITED: ContextVar[Waited | None] = ContextVar("waited", default=None)


class NotYetCertain(Exception):  # noqa: N818 - no error: it is waited for
    """Somebody who is at an earlier step may still change what was read."""

    def __init__(self, change: "asyncio.Future[None]") -> None:
        super().__init__("Somebody is at an earlier step.")
        self.change = change
        """Done when that somebody has gone on."""


async def certain(read: Callable[[], Read]) -> Read:
    """Return what a function reads, once nobody who is at an earlier step can change it. The function is called again
    after each change, so until it returns it must change nothing.
    """
    while True:
        try:
            return read()
        except NotYetCertain as wait:
            began, waited = monotonic(), WAITED.get()
            await asyncio.shield(wait.change)
            if waited:
                waited.seconds += monotonic() - began
