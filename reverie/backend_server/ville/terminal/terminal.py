"""Terminal output: a status line that is overwritten, and lines that stay. Without a terminal, plain lines only.

Only this module writes control sequences; they are removed from everything that is printed.
"""

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from ville.plain_text import one_line, printable
from ville.simulation.running.progress import Pace, bar_line, cut
from ville.simulation.stepping.step import StepReport

REDRAW_INTERVAL = 0.1
"""Seconds between two updates of the progress line."""
LIVE_INTERVAL, PLAIN_INTERVAL = 0.5, 30.0
"""Seconds between two updates of the waiting line, on a terminal and elsewhere."""
CLEAR = "\r\x1b[K"
CLEAR_BELOW = "\r\x1b[J"
UP = "\x1b[A"
STOPPING = "Finishing this step, then saving. Press Ctrl-C again to leave at once without saving."
LEFT = "Left without saving. The last save is unchanged."

FormatProgress = Callable[[StepReport, Pace], str]
"""Formats the progress line."""


class Terminal:
    """Output of a command line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.live = out.isatty()
        self._status = 0
        """Number of status lines above the cursor or at it, to be overwritten."""
        self._redraw: Callable[[], None] | None = None
        """Draws the prompt again; None if the user is not typing at a prompt."""
        self.status_line = ""
        """The status, for the prompt to show above itself."""

    def say(self, *lines: str) -> None:
        """Print lines that stay."""
        if lines:
            self.clear()
            self._write("".join(f"{printable(line)}\n" for line in lines))

    def fitted(self, line: str) -> str:
        """Return a line cut to the width of the terminal; unchanged if the output is not a terminal."""
        return cut(line, shutil.get_terminal_size().columns - 1) if self.live else line

    def ask(self, prompt: str) -> None:
        """Print a prompt, without ending the line."""
        self.clear()
        self._write(prompt)

    def status(self, line: str) -> None:
        """Replace the status line."""
        self.status_line = self.fitted(one_line(line))
        if self._redraw:
            self._redraw()
        else:
            self._write(self._erased() + self.status_line)
            self._status = 1

    def block(self, lines: Sequence[str]) -> None:
        """Replace the status by several lines, as many as fit on the terminal."""
        rows = max(1, shutil.get_terminal_size().lines - 1)
        shown = [self.fitted(one_line(line)) for line in lines[:rows]]
        self._write(self._erased() + "\n".join(shown))
        self._status = len(shown)

    def clear(self) -> None:
        """Remove the status line."""
        self.status_line = ""
        if self._redraw:
            self._redraw()
        elif self._status:
            self._write(self._erased())
            self._status = 0

    def _erased(self) -> str:
        """Return what removes the status lines."""
        return UP * (self._status - 1) + CLEAR_BELOW if self._status > 1 else CLEAR

    @contextmanager
    def above_prompt(self, out: TextIO, redraw: Callable[[], None]) -> Iterator[None]:
        """Inside, print lines to a stream that puts them above the prompt at which the user types, which `redraw` draws
        again with the `status_line`.
        """
        self.clear()
        before, self._out, self._redraw = self._out, out, redraw
        try:
            yield
        finally:
            self.status_line, self._redraw, self._out = "", None, before

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


@contextmanager
def show_waiting(terminal: Terminal, waiting: Callable[[], str]) -> Iterator[None]:
    """Show regularly what the program is waiting for; where lines cannot be overwritten, print a line now and then."""
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
    """Shows the progress of a run: in place on a terminal, elsewhere one line for each hour of game time and one at the
    end.
    """

    def __init__(self, terminal: Terminal, format_progress: FormatProgress) -> None:
        self._terminal = terminal
        self._format = format_progress
        self._done = self._left = 0
        self._began = time.monotonic()
        self._shown = 0.0
        self._unprinted: StepReport | None = None
        """The last step, unless a line that stays already covers it."""

    def step(self, report: StepReport, left: int) -> None:
        """Count a step, and update the display. `left` is the number of steps still to come."""
        self._done += 1
        self._left = left
        self._unprinted = report
        if self._terminal.live:
            now = time.monotonic()
            if now - self._shown >= REDRAW_INTERVAL:
                self._shown = now
                self._terminal.status(self._text(report))
        elif self._done > 1 and (report.now.minute, report.now.second) == (0, 0):
            self.end()

    def end(self) -> None:
        """Print the current progress as a line that stays."""
        self._terminal.clear()
        if self._unprinted:
            self._terminal.say(self._terminal.fitted(self._text(self._unprinted)))
            self._unprinted = None

    def _text(self, report: StepReport) -> str:
        speed = self._done / max(1e-3, time.monotonic() - self._began)
        return self._format(report, Pace(self._done, self._done + self._left, speed))


@contextmanager
def returning(terminal: Terminal) -> Iterator[Callable[[StepReport, int], None]]:
    """Show the progress of steps that are computed again on the way to an earlier moment."""
    progress = Progress(terminal, bar_line)
    try:
        yield progress.step
    finally:
        progress.end()
