"""Waits for files on behalf of many threads: of those that wait for the same file, only one looks for it."""

import time
from pathlib import Path
from threading import Event, Lock

POLL = 0.01
"""Seconds between two looks."""


class FileWatch:
    """Waits for files to appear."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._looks: dict[Path, Event] = {}
        """An event for each file that a thread looks for, set when that thread ends its look."""

    def wait(self, path: Path, until: float) -> bool:
        """Wait for a file up to a monotonic time. Return whether it is there."""
        while not path.exists():
            remaining = until - time.monotonic()
            if remaining <= 0:
                return False
            with self._lock:
                ended = self._looks.get(path)
                if ended is None:
                    mine = self._looks[path] = Event()
            if ended:
                ended.wait(remaining)
                continue
            try:
                _look(path, until)
            finally:
                with self._lock:
                    del self._looks[path]
                mine.set()
        return True


def _look(path: Path, until: float) -> None:
    while not path.exists() and time.monotonic() < until:
        time.sleep(POLL)
