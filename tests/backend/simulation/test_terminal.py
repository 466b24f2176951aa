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
    progress.end()
    return out.getvalue()


def test_a_pipe_gets_a_line_an_hour_and_one_at_the_end():
    """Plain text, nothing is overwritten, nothing is said twice."""
    assert play(io.StringIO(), 90).splitlines() == ["60 61/90", "89 90/90"]
    assert play(io.StringIO(), 61).splitlines() == ["60 61/61"]
    assert play(io.StringIO(), 1).splitlines() == ["0 1/1"]
    assert play(io.StringIO(), 0) == ""


def test_a_terminal_gets_one_line_in_place():
    """Not more often than the eye can follow; the last one stays."""
    written = play(Screen(), 90)
    assert written.endswith(f"{CLEAR}89 90/90\n")
    assert written.count("\n") == 1
    assert 1 <= written.count(CLEAR) < 90


def test_a_line_that_stays_on_a_terminal_is_one_line(monkeypatch):
    """It is cut where the terminal ends; a pipe gets all of it."""
    monkeypatch.setenv("COLUMNS", "20")
    for out, length in ((Screen(), 19), (io.StringIO(), 100)):
        progress = Progress(Terminal(out), 1, lambda *_: "x" * 100)
        progress.step(StepReport(0, MIDNIGHT))
        progress.end()
        assert len(out.getvalue().splitlines()[-1].rpartition("\x1b[K")[2]) == length


def test_a_line_that_stays_takes_the_place_of_the_status():
    """The status is wiped out first, once."""
    screen = Screen()
    terminal = Terminal(screen)
    terminal.status("wait")
    terminal.say("done", "really")
    terminal.clear()
    assert screen.getvalue() == f"{CLEAR}wait{CLEAR}done\nreally\n"
