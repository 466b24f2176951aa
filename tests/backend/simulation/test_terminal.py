"""Where the shells write."""

import io
from datetime import datetime, timedelta

from simulation.step import StepReport
from simulation.terminal import CLEAR, Progress, Terminal

MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def play(out, steps):
    """A run of so many minutes."""
    progress = Progress(Terminal(out), steps, lambda report, pace: f"{report.step} {pace.done}/{pace.total}")
    for step in range(steps):
        progress.step(StepReport(step, MIDNIGHT + timedelta(minutes=step)))
    return out.getvalue()


def test_a_pipe_gets_a_line_an_hour_and_one_at_the_end():
    """Plain text, nothing is overwritten."""
    assert play(io.StringIO(), 90).splitlines() == ["0 1/90", "60 61/90", "89 90/90"]


def test_a_terminal_gets_one_line_in_place():
    """Not more often than the eye can follow."""
    written = play(Screen(), 90)
    assert "\n" not in written
    assert 1 <= written.count(CLEAR) < 90


def test_a_line_that_stays_takes_the_place_of_the_status():
    """The status is wiped out first, once."""
    screen = Screen()
    terminal = Terminal(screen)
    terminal.status("wait")
    terminal.say("done", "really")
    terminal.clear()
    assert screen.getvalue() == f"{CLEAR}wait{CLEAR}done\nreally\n"
