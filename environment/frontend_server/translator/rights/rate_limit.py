"""Limits of requests per minute, kept in memory."""

import time
from collections import deque
from collections.abc import Callable, Hashable
from threading import Lock

MINUTE = 60.0
"""Seconds."""


class RateLimit:
    """Allows each client a number of requests within any minute."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = Lock()
        self._taken: dict[Hashable, deque[float]] = {}
        """Times of the requests of the last minute, oldest first, by client."""

    def take(self, client: Hashable) -> bool:
        """Count a request. Return False, and count nothing, if the client has none left."""
        with self._lock:
            self._forget_old()
            times = self._taken.setdefault(client, deque())
            if len(times) >= self._most:
                return False
            times.append(self._clock())
            return True

    def give_back(self, client: Hashable) -> None:
        """Take back the latest request of a client, for example because it turned out not to count."""
        with self._lock:
            if times := self._taken.get(client):
                times.pop()

    def _forget_old(self) -> None:
        before = self._clock() - MINUTE
        for client, times in list(self._taken.items()):
            while times and times[0] <= before:
                times.popleft()
            if not times:
                del self._taken[client]
