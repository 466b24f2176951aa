"""The last lines that an engine has shown about a simulation, for pages that show them too."""

from collections import deque

from ville.plain_text import one_line, shortened

KEPT = 20
"""Number of lines that are kept."""
LONGEST = 500
"""Characters of a line."""


class SaidLines:
    """Numbers lines as they are shown, and keeps the last ones. One thread adds; others may read."""

    def __init__(self) -> None:
        self._lines: deque[tuple[int, str]] = deque(maxlen=KEPT)
        self._count = 0

    def add(self, *texts: str) -> None:
        for line in "\n".join(texts).splitlines():
            self._count += 1
            self._lines.append((self._count, shortened(one_line(line), LONGEST)))

    def last(self) -> list[list[int | str]]:
        """Return number and text of the last lines, oldest first."""
        return [list(line) for line in self._lines.copy()]
