"""What the telephone is waiting for at this moment, so that whoever watches can be told."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PATIENCE = 2.0
"""Seconds after which an open call is worth a word."""


@dataclass(frozen=True)
class Pause:
    """A wait before something is tried again."""

    why: str
    until: float


class CallMonitor:
    """A board on which every call under way and every pause is noted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[object, float] = {}
        """Since when each is open."""
        self._pauses: dict[object, Pause] = {}

    @contextmanager
    def call(self) -> Iterator[None]:
        """Inside, an answer is being waited for."""
        token = object()
        self._calls[token] = self._clock()
        try:
            yield
        finally:
            del self._calls[token]

    async def pause(self, seconds: float, why: str) -> None:
        """Sleep, visibly."""
        token = object()
        self._pauses[token] = Pause(why, self._clock() + seconds)
        try:
            await asyncio.sleep(seconds)
        finally:
            del self._pauses[token]

    @property
    def reasons(self) -> list[str]:
        """Why pauses are being made, each once."""
        return list(dict.fromkeys(pause.why for pause in self._pauses.values()))

    def status(self) -> str:
        """What is being waited for and how long; empty if nothing is worth telling."""
        now = self._clock()
        parts = []
        if self._calls and (longest := now - min(self._calls.values())) >= PATIENCE:
            count = len(self._calls)
            parts.append(f"{count} {'answer' if count == 1 else 'answers'} awaited, the longest for {longest:.0f} s")
        if self._pauses:
            soonest = min(self._pauses.values(), key=lambda pause: pause.until)
            parts.append(f"trying again in {max(0.0, soonest.until - now):.0f} s: {soonest.why}")
        return " · ".join(parts)
