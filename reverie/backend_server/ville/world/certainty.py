"""Reads of what others do elsewhere, which may not have happened yet where everybody is at a step of their own."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")


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
            await asyncio.shield(wait.change)
