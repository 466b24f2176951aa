"""Sessions at the prompt, typed line by line."""

import io
import signal

import pytest

from ville.assembly import run as assembly
from ville.cli import prompt_command as reverie
from ville.errors import CannotWrite
from ville.prompt import interview_dialogue, prompt_session
from ville.simulation.simulation import Simulation
from ville.storage.exchange.temp_storage import CAMERA, SEEN
from ville.terminal.terminal import Terminal


@pytest.fixture
def typed(small_town, monkeypatch, capsys):
    """Type lines at the prompt; return its exit code and its output."""
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
    """The session starts with the disclaimer, and everything is saved at its end."""
    code, out = typed("base", "first", "run 20", "print current time", "fin")
    assert code == 0
    assert out.index("computational agents") < out.index("follow offline rules") < out.index(prompt_session.ORIGIN)
    assert "February 13, 2023, 00:20:00\nsteps: 20" in out
    assert len(small_town.steps("first")) == 20 + 21
    code, out = typed("first", "first", "print current time", "exit")
    assert (code, "steps: 20" in out) == (0, True)


def test_a_fault_is_one_line_and_the_prompt_goes_on(typed):
    """After an error in a command, the next command is carried out."""
    code, out = typed(
        "base", "first", "dance", "run -1", "print tile event 99, 99", "call -- load history no.csv", "fin"
    )
    assert code == 0
    assert out.count(prompt_session.OPTION) == 5
    assert "Traceback" not in out


def test_running_until_a_past_time_is_refused(typed):
    """The message states the game time. A time without a date means the next day."""
    _, out = typed("base", "first", "run 20", "run until February 13, 2023, 00:10:00", "run until 00:20", "exit")
    assert "February 13, 2023, 00:10:00 is in the past: game time is February 13, 2023, 00:20:00." in out
    assert "(1,440 of 1,440)" in out


def test_a_long_copy_is_announced(typed, monkeypatch):
    """Only for simulations with thousands of files, and not when resuming."""
    monkeypatch.setattr(assembly, "MANY_STEPS", 5)
    assert "Copying" not in typed("base", "first", "run 5", "fin")[1]
    assert "Copying the 5 steps of first ..." in typed("first", "second", "exit")[1]
    assert "Copying" not in typed("first", "first", "exit")[1]


@pytest.mark.parametrize("lines", [("nowhere", "first"), ("base", "base/x"), ()])
def test_without_a_simulation_there_is_no_session(typed, lines):
    """The exit code is 1."""
    code, out = typed(*lines)
    assert code == 1
    assert prompt_session.OPTION not in out


def test_exit_reverts_to_the_last_save(typed, small_town):
    """A simulation that was never saved is deleted."""
    assert typed("base", "first", "run 5", "exit")[0] == 0
    assert not (small_town.root / "storage/first").exists()
    typed("base", "first", "run 5", "save", "run 5", "exit")
    assert len(small_town.steps("first")) == 5 + 6


def test_the_end_of_input_saves(typed):
    """A script need not end with `fin`."""
    assert typed("base", "first", "run 5")[0] == 0
    assert "steps: 5" in typed("first", "first", "print current time", "exit")[1]


def test_an_interview_and_a_whisper(typed):
    """Each line is answered until the dialogue ends; whispers become thoughts."""
    _, out = typed(
        "base", "first", "call -- whisper ada", "You sing", "call -- analysis Ada", "Who are you?", "end_convo",
        "print persona associative memory (thought) Ada", "fin",
    )  # fmt: skip
    assert out.count(interview_dialogue.INPUT) == 3
    assert "('Thought', 1, ': '" in out


def test_a_user_speaks_as_somebody_and_sees_what_answers_draw_on(typed):
    """In an interview, ids and scores of memories follow the answer; a talk needs a persona who is awake."""
    _, out = typed(
        "base", "first", "call -- whisper ada", "You sing", "call -- analysis Ada as a news reporter", "Who are you?",
        "x" * 2001, "end_convo", "call -- talk Ada as a news reporter", "run until 09:00",
        "call -- talk Ada as a news reporter", "What is new?", "end_convo", "call -- analysis Ada as <b>", "fin",
    )  # fmt: skip
    assert "Interview with Ada Stone as a news reporter" in out
    assert "node_1 0.50 0.50 0.50  1.50  Feb 13, 00:00" in out
    assert "2,001 characters" in out
    assert "Ada Stone has not begun the day, and cannot talk now" in out
    assert "Ada Stone and a news reporter are conversing about" in out
    assert "'<b>' is not a role" in out


def test_the_path_tester_ends_with_what_is_typed(typed, small_town):
    """At the end of piped input the camera is answered once more, and the remaining commands are carried out."""
    (small_town.root / "temp").mkdir()
    (small_town.root / "temp" / CAMERA).write_text('{"maze": "small", "x": 48, "y": 16}', "utf-8")
    code, out = typed("base", "first", "start path tester mode", "print current time", "exit")
    assert (code, "steps: 0" in out) == (0, True)
    assert "Ada's flat" in (small_town.root / "temp" / SEEN).read_text("utf-8")


def test_help_lists_everything(typed):
    """Including the commands with arguments."""
    assert "call -- load history the_ville/FILE.csv" in typed("base", "first", "help", "exit")[1]


def test_names_may_come_from_the_command_line(typed):
    """Then the prompt does not ask for them."""
    code, out = typed("exit", arguments=["--origin", "base", "--name", "first"])
    assert (code, prompt_session.ORIGIN in out) == (0, False)


def test_fin_that_cannot_save_does_not_leave(typed, monkeypatch):
    """With a full disk, the prompt prints the error and continues; at the end of input the exit code is 1."""
    save = Simulation.save

    def full(simulation):
        if (simulation.folder.root.parent / "first").exists():
            raise CannotWrite("No room.")
        save(simulation)

    monkeypatch.setattr(Simulation, "save", full)
    code, out = typed("base", "first", "fin", "print current time")
    assert code == 1
    assert out.count("No room.") == 2
    assert "steps: 0" in out


def test_debugging_shows_more(typed, monkeypatch):
    """Questions by persona, and the types of errors."""
    monkeypatch.setenv("VILLE_DEBUG", "yes")
    _, out = typed("base", "first", "run 1", "dance", "exit")
    assert "step 0: Ada Stone: " in out
    assert "UnknownCommand: " in out


def test_an_interrupt_at_the_prompt_tells_how_to_leave(small_town, monkeypatch, capsys):
    """Ctrl-C alone does not leave."""
    answers = iter([KeyboardInterrupt(), "exit"])

    async def ask(*_):
        if isinstance(answer := next(answers), BaseException):
            raise answer
        return answer

    monkeypatch.setattr(prompt_session, "line_reader", lambda **_: ask)
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    monkeypatch.setenv("VILLE_FS_TEMP_STORAGE", str(small_town.root / "temp"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))
    before = signal.getsignal(signal.SIGINT)
    assert reverie.main(["--origin", "base", "--name", "first"]) == 0
    signal.signal(signal.SIGINT, before)
    assert prompt_session.LEAVING in capsys.readouterr().out


async def test_a_wrong_name_is_asked_for_again_at_a_terminal(small_town):
    """Both names are asked for again."""
    answers = iter(["nowhere", "first", "base", "first"])

    async def ask(*_):
        return next(answers)

    terminal = Terminal(io.StringIO())
    terminal.live = True
    names = await prompt_session._names(small_town.settings, terminal, ask, (None, None))
    assert names == ("base", "first")
