"""Do what takes longer the larger a study is less often, so that it takes a small part of the time."""

import time
from collections.abc import Callable

SHARE = 0.05
"""Part of the time that may be spent on it."""


class Sparing:
    """Something that is done whenever it is called, unless it was done a moment ago."""

    def __init__(self, act: Callable[[], object], longest: float) -> None:
        """`longest`: seconds after which it is done again in any case."""
        self._act, self._longest = act, longest
        self._again = 0.0

    def __call__(self) -> None:
        """Do it, or leave it out: whoever needs it to be done calls what it does itself, in the end."""
        began = time.monotonic()
        if began >= self._again:
            self._act()
            now = time.monotonic()
            self._again = now + min(self._longest, (now - began) / SHARE)
