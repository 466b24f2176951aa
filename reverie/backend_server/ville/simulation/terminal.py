"""One line of a terminal that is written again and again, and lines that stay; plain text elsewhere.

Only what is written here controls the terminal: memories and names that come from elsewhere cannot.
"""

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from ville.plain_text import one_line, printable
from ville.simulation.progress import Pace, cut
from ville.simulation.step import StepReport

REDRAW_INTERVAL = 0.1
"""Seconds between two rewritings."""
LIVE_INTERVAL, PLAIN_INTERVAL = 0.5, 30.0
"""Seconds between two words about what is being waited for, on a terminal and elsewhere."""
CLEAR = "\r\x1b[K"
STOPPING = "Finishing this step, then saving. Ctrl-C again leaves at once; the last save stands."
LEFT = "Left at once; the last save stands."

FormatProgress = Callable[[StepReport, Pace], str]
"""How a run stands, in words."""


class Terminal:
    """Where a shell writes."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.live = out.isatty()
        self._status = False
        """Whether a line stands that is to be overwritten."""

    def say(self, *lines: str) -> None:
        """Lines that stay."""
        if lines:
            self.clear()
            self._write("".join(f"{printable(line)}\n" for line in lines))

    def fitted(self, line: str) -> str:
        """As much of it as there are columns; all of it where nobody counts them."""
        return cut(line, shutil.get_terminal_size().columns - 1) if self.live else line

    def status(self, line: str) -> None:
        """A line for the moment; only on a terminal."""
        self._write(CLEAR + self.fitted(one_line(line)))
        self._status = True

    def clear(self) -> None:
        if self._status:
            self._write(CLEAR)
            self._status = False

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


@contextmanager
def show_waiting(terminal: Terminal, waiting: Callable[[], str]) -> Iterator[None]:
    """Inside, what is being waited for is shown as long as it lasts; where nothing can be overwritten, once a while."""
    ticking = asyncio.ensure_future(_show(terminal, waiting))
    try:
        yield
    finally:
        ticking.cancel()


async def _show(terminal: Terminal, waiting: Callable[[], str]) -> None:
    while True:
        await asyncio.sleep(LIVE_INTERVAL if terminal.live else PLAIN_INTERVAL)
        if line := waiting():
            (terminal.status if terminal.live else terminal.say)(line)


class Progress:
    """Shows how a run goes: on a terminal in place, elsewhere a line for every hour of game time and for the end."""

    def __init__(self, terminal: Terminal, total: int, line: FormatProgress) -> None:
        self._terminal = terminal
        self._total = total
        self._line = line
        self._done = 0
        self._began = time.monotonic()
        self._shown = 0.0
        self._unprinted: StepReport | None = None
        """The last step, unless a line that stays tells of it."""

    def step(self, report: StepReport) -> None:
        """Another step is done."""
        self._done += 1
        self._unprinted = report
        if self._terminal.live:
            now = time.monotonic()
            if now - self._shown >= REDRAW_INTERVAL:
                self._shown = now
                self._terminal.status(self._progress_line(report))
        elif self._done > 1 and (report.now.minute, report.now.second) == (0, 0):
            self.end()

    def end(self) -> None:
        """Leave a line that stays."""
        self._terminal.clear()
        if self._unprinted:
            self._terminal.say(self._terminal.fitted(self._progress_line(self._unprinted)))
            self._unprinted = None

    def _progress_line(self, report: StepReport) -> str:
        speed = self._done / max(1e-3, time.monotonic() - self._began)
        return self._line(report, Pace(self._done, self._total, speed))
