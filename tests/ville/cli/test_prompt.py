"""The prompt, as somebody types at it."""

import io
import signal

import pytest

from ville.assembly import run as assembly
from ville.cli import prompt as reverie
from ville.errors import CannotWrite
from ville.simulation.simulation import Simulation
from ville.simulation.terminal import Terminal
from ville.storage.temp_storage import CAMERA, SEEN


@pytest.fixture
def typed(small_town, monkeypatch, capsys):
    """Types lines into a prompt; returns its exit code and what it wrote."""
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    monkeypatch.setenv("VILLE_FS_TEMP_STORAGE", str(small_town.root / "temp"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))
    before = signal.getsignal(signal.SIGINT)

    def type_in(*lines, arguments=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return reverie.main(list(arguments)), "".join(capsys.readouterr())

    yield type_in
    signal.signal(signal.SIGINT, before)


def test_a_session_from_the_two_questions_to_fin(typed, small_town):
    """It begins with what these people are, and ends with everything saved."""
    code, out = typed("base", "first", "run 20", "print current time", "fin")
    assert code == 0
    assert out.index("computational constructs") < out.index("follow offline rules") < out.index(reverie.ORIGIN)
    assert "February 13, 2023, 00:20:00\nsteps: 20" in out
    assert len(small_town.steps("first")) == 20 + 21
    code, out = typed("first", "first", "print current time", "exit")
    assert (code, "steps: 20" in out) == (0, True)


def test_a_fault_is_one_line_and_the_prompt_goes_on(typed):
    """Whatever was wrong with a command, the next one is served."""
    code, out = typed(
        "base", "first", "dance", "run -1", "print tile event 99, 99", "call -- load history no.csv", "fin"
    )
    assert code == 0
    assert out.count(reverie.OPTION) == 5
    assert "Traceback" not in out


def test_nobody_lives_in_the_past(typed):
    """A moment that is over is said to be, with the time it is; the hour of a clock comes again tomorrow."""
    _, out = typed("base", "first", "run 20", "run until February 13, 2023, 00:10:00", "run until 00:20", "exit")
    assert "February 13, 2023, 00:10:00 is past: it is February 13, 2023, 00:20:00." in out
    assert "(1,440 of 1,440)" in out


def test_a_long_copy_is_announced(typed, monkeypatch):
    """Thousands of files take their time, and somebody waits; a base and a resumed one begin at once."""
    monkeypatch.setattr(assembly, "MANY_STEPS", 5)
    assert "Copying" not in typed("base", "first", "run 5", "fin")[1]
    assert "Copying the 5 steps of first ..." in typed("first", "second", "exit")[1]
    assert "Copying" not in typed("first", "first", "exit")[1]


@pytest.mark.parametrize("lines", [("nowhere", "first"), ("base", "base/x"), ()])
def test_without_a_simulation_there_is_no_session(typed, lines):
    """One line, and an exit code that says so."""
    code, out = typed(*lines)
    assert code == 1
    assert reverie.OPTION not in out


def test_exit_forgets_what_was_not_saved(typed, small_town):
    """A new simulation is gone; an old one is as it was saved."""
    assert typed("base", "first", "run 5", "exit")[0] == 0
    assert not (small_town.root / "storage/first").exists()
    typed("base", "first", "run 5", "save", "run 5", "exit")
    assert len(small_town.steps("first")) == 5 + 6


def test_the_end_of_input_saves(typed):
    """What a script has run is not lost because it forgot to say so."""
    assert typed("base", "first", "run 5")[0] == 0
    assert "steps: 5" in typed("first", "first", "print current time", "exit")[1]


def test_an_interview_and_a_whisper(typed):
    """Lines go to somebody until they are ended; one that only a human being should be told does not."""
    _, out = typed(
        "base", "first", "call -- whisper ada", "You sing", "call -- analysis Ada", "Who are you?", "end_convo",
        "print persona associative memory (thought) Ada", "fin",
    )  # fmt: skip
    assert out.count(reverie.INPUT) == 3
    assert "('Thought', 1, ': '" in out


def test_the_path_tester_ends_with_what_is_typed(typed, small_town):
    """Nobody is there to press Ctrl-C: the camera is answered once more, and the rest is obeyed."""
    (small_town.root / "temp").mkdir()
    (small_town.root / "temp" / CAMERA).write_text('{"maze": "small", "x": 48, "y": 16}', "utf-8")
    code, out = typed("base", "first", "start path tester mode", "print current time", "exit")
    assert (code, "steps: 0" in out) == (0, True)
    assert "Ada's flat" in (small_town.root / "temp" / SEEN).read_text("utf-8")


def test_help_lists_everything(typed):
    """All the words one may type."""
    assert "call -- load history the_ville/FILE.csv" in typed("base", "first", "help", "exit")[1]


def test_names_may_come_from_the_command_line(typed):
    """Then nothing is asked."""
    code, out = typed("exit", arguments=["--origin", "base", "--name", "first"])
    assert (code, reverie.ORIGIN in out) == (0, False)


def test_fin_that_cannot_save_does_not_leave(typed, monkeypatch):
    """The disk is full: it is said, and the prompt stays; at the end of input the exit code tells."""

    def full(_):
        raise CannotWrite("No room.")

    monkeypatch.setattr(Simulation, "save", full)
    monkeypatch.setattr(Simulation, "save_seed", lambda _: None)
    code, out = typed("base", "first", "fin", "print current time")
    assert code == 1
    assert out.count("No room.") == 2
    assert "steps: 0" in out


def test_debugging_shows_more(typed, monkeypatch):
    """Who asked what, and the kinds of faults."""
    monkeypatch.setenv("VILLE_DEBUG", "yes")
    _, out = typed("base", "first", "run 1", "dance", "exit")
    assert "step 0: Ada Stone asked" in out
    assert "UnknownCommand: " in out


def test_an_interrupt_at_the_prompt_tells_how_to_leave(small_town, monkeypatch, capsys):
    """It does not leave by itself."""
    answers = iter([KeyboardInterrupt(), "exit"])

    async def ask(*_):
        if isinstance(answer := next(answers), BaseException):
            raise answer
        return answer

    monkeypatch.setattr(reverie, "line_reader", lambda **_: ask)
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    monkeypatch.setenv("VILLE_FS_TEMP_STORAGE", str(small_town.root / "temp"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))
    before = signal.getsignal(signal.SIGINT)
    assert reverie.main(["--origin", "base", "--name", "first"]) == 0
    signal.signal(signal.SIGINT, before)
    assert reverie.LEAVING in capsys.readouterr().out


async def test_somebody_at_a_terminal_is_asked_again(small_town):
    """After a wrong name, both questions come once more."""
    answers = iter(["nowhere", "first", "base", "first"])

    async def ask(*_):
        return next(answers)

    terminal = Terminal(io.StringIO())
    terminal.live = True
    names = await reverie._names(small_town.settings, terminal, ask, (None, None))
    assert names == ("base", "first")
