"""Monitor calls in flight and pauses between retries, for the status line of a run."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SHOWN_AFTER = 2.0
"""Seconds after which a call in flight is reported."""


@dataclass(frozen=True)
class Pause:
    """A pause before a retry."""

    reason: str
    until: float


class CallMonitor:
    """Keeps track of all calls in flight and all pauses."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[object, float] = {}
        """Start of each call in flight."""
        self._pauses: dict[object, Pause] = {}

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call as in flight for the duration of the context."""
        token = object()
        self._calls[token] = self._clock()
        try:
            yield
        finally:
            del self._calls[token]

    async def pause(self, seconds: float, reason: str) -> None:
        """Sleep, and report the reason meanwhile."""
        token = object()
        self._pauses[token] = Pause(reason, self._clock() + seconds)
        try:
            await asyncio.sleep(seconds)
        finally:
            del self._pauses[token]

    @property
    def reasons(self) -> list[str]:
        """Reasons of the current pauses, without duplicates."""
        return list(dict.fromkeys(pause.reason for pause in self._pauses.values()))

    def status(self) -> str:
        """Return in one line what is being waited for, and how long; empty if there is nothing to report."""
        now = self._clock()
        parts = []
        if self._calls and (longest := now - min(self._calls.values())) >= SHOWN_AFTER:
            count = len(self._calls)
            parts.append(f"waiting for {count} {'answer' if count == 1 else 'answers'}, {longest:.0f} s so far")
        if self._pauses:
            soonest = min(self._pauses.values(), key=lambda pause: pause.until)
            parts.append(f"retrying in {max(0.0, soonest.until - now):.0f} s: {soonest.reason}")
        return " · ".join(parts)
