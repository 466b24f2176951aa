"""Terminal output."""

import asyncio
import io
import unicodedata
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.simulation.stepping.step import StepReport
from ville.terminal.terminal import CLEAR, Progress, Terminal, show_waiting

MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def play(out, steps):
    """Run a number of minutes."""
    progress = Progress(Terminal(out), lambda report, pace: f"{report.step} {pace.done}/{pace.total}")
    for step in range(steps):
        progress.step(StepReport(step, MIDNIGHT + timedelta(minutes=step)), steps - step - 1)
    progress.end()
    return out.getvalue()


def test_a_pipe_gets_a_line_an_hour_and_one_at_the_end():
    """Plain text; no line is overwritten or repeated."""
    assert play(io.StringIO(), 90).splitlines() == ["60 61/90", "89 90/90"]
    assert play(io.StringIO(), 61).splitlines() == ["60 61/61"]
    assert play(io.StringIO(), 1).splitlines() == ["0 1/1"]
    assert play(io.StringIO(), 0) == ""


def test_a_terminal_gets_one_line_in_place():
    """It is not updated too often; the last one stays."""
    written = play(Screen(), 90)
    assert written.endswith(f"{CLEAR}89 90/90\n")
    assert written.count("\n") == 1
    assert 1 <= written.count(CLEAR) < 90


def test_a_line_that_stays_on_a_terminal_is_one_line(monkeypatch):
    """It is cut to the width of a terminal, and complete in a pipe."""
    monkeypatch.setenv("COLUMNS", "20")
    for out, length in ((Screen(), 19), (io.StringIO(), 100)):
        progress = Progress(Terminal(out), lambda *_: "x" * 100)
        progress.step(StepReport(0, MIDNIGHT), 0)
        progress.end()
        assert len(out.getvalue().splitlines()[-1].rpartition("\x1b[K")[2]) == length


def test_a_line_that_stays_replaces_the_status():
    """The status line is cleared first, once."""
    screen = Screen()
    terminal = Terminal(screen)
    terminal.status("wait")
    terminal.say("done", "really")
    terminal.clear()
    assert screen.getvalue() == f"{CLEAR}wait{CLEAR}done\nreally\n"


@given(st.text(st.characters(exclude_categories=())), st.sampled_from([Screen, io.StringIO]))
def test_no_text_controls_the_terminal(text, screen):
    """Whatever is printed, the only control characters are those that clear the line."""
    out = screen()
    terminal = Terminal(out)
    terminal.status(text)
    terminal.say(text, f"red \x1b[31m{text}")
    written = out.getvalue().replace(CLEAR, "").replace("\n", "")
    assert not [sign for sign in written if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}]
    assert out.getvalue().count("\n") == 2 + 2 * text.count("\n")


@pytest.mark.parametrize(("screen", "written"), [(Screen, f"{CLEAR}waiting"), (io.StringIO, "waiting\n")])
async def test_waiting_is_shown_while_it_lasts(monkeypatch, screen, written):
    """Repeatedly; nothing if there is nothing to wait for, and nothing afterwards."""
    monkeypatch.setattr("ville.terminal.terminal.LIVE_INTERVAL", 0.001)
    monkeypatch.setattr("ville.terminal.terminal.PLAIN_INTERVAL", 0.001)
    out, words = screen(), ["", "waiting"]
    told = asyncio.Event()

    def waiting():
        if len(words) == 1:
            told.set()
        return words.pop(0) if len(words) > 1 else words[0]

    with show_waiting(Terminal(out), waiting):
        await told.wait()
        await asyncio.sleep(0.01)
    shown = out.getvalue()
    assert shown.startswith(written)
    await asyncio.sleep(0.01)
    assert out.getvalue() == shown
