"""Headless runs."""

import os
import signal

import pytest

from ville.cli import offline_command as reverie_offline
from ville.console import INTERRUPTED
from ville.simulation.running.run_summary import Summary


@pytest.fixture
def offline(small_town, monkeypatch, capsys):
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))

    def run_it(*arguments):
        return reverie_offline.main([str(argument) for argument in arguments]), capsys.readouterr().out

    return run_it


def test_a_run_is_saved_and_summed_up(offline, small_town):
    """The files of every step, and a summary at the end."""
    code, out = offline("-o", "base", "-t", "new", "-s", 30, "--seed", 3)
    assert code == 0
    assert len(small_town.steps("new")) == 30 + 31
    assert "follow offline rules" in out.splitlines()[0]
    assert "30 steps with 3 personas" in out


def test_the_same_name_resumes(offline, small_town):
    """Two runs give the same files as one."""
    offline("-o", "base", "-t", "whole", "-s", 60, "--seed", 3)
    offline("-o", "base", "-t", "parts", "-s", 30, "--seed", 3, "--autosave", 7)
    assert offline("-o", "parts", "-t", "parts", "-s", 30)[0] == 0
    assert small_town.files("parts") == small_town.files("whole")


def test_until_is_a_game_time(offline, small_town):
    """The run ends at whichever end comes first."""
    offline("-o", "base", "-t", "new", "--until", "00:10", "-s", 500)
    assert len(small_town.steps("new")) == 10 + 11
    offline("-o", "new", "-t", "new", "--until", "February 14, 2023, 00:00:00", "-s", 5)
    assert len(small_town.steps("new")) == 15 + 16


def test_a_history_is_whispered_before_the_first_step(offline, small_town):
    """It is saved with the first steps."""
    (small_town.root / "assets/history.csv").write_text("Name,Whisper\nAda Stone,You sing\n", "utf-8")
    code, out = offline("-o", "base", "-t", "new", "-s", 1, "--load-history", "history.csv")
    assert (code, "1 whisper to 1 persona." in out) == (0, True)
    assert b"sing" in small_town.files("new")["personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json"]


def test_answers_that_were_paid_for_a_history_are_kept(offline, small_town, server, monkeypatch):
    """If a limit is reached while it is loaded, the simulation stays, and goes on without asking anything twice."""
    chosen = {"PROVIDER": "llamacpp", "BASE_URL": server.url, "FAST_MODEL": "m", "EMBEDDER": "hashing"}
    for name, value in chosen.items():
        monkeypatch.setenv(f"VILLE_{name}", value)
    people = ("Ada Stone", "Ben Reed", "Cleo Adams Moor")
    lines = "".join(f"{name},You sing on Sunday\n" for name in people)
    (small_town.root / "assets/history.csv").write_text(f"Name,Whisper\n{lines}", "utf-8")
    history = ("-t", "new", "-s", 1, "--load-history", "history.csv")
    code, out = offline("-o", "base", *history, "--max-calls", 2)
    assert (code, "2 answers would be paid again" in out, len(server.requests)) == (1, True, 2)
    assert offline("-o", "new", *history)[0] == 0
    asked = [request for request in server.requests if "These thoughts come to" in str(request.body)]
    assert len(asked) == len(people)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "nowhere", "-t", "new", "-s", 1),
        ("-o", "base", "-t", "new"),
        ("-o", "base", "-t", "new", "--until", "noon"),
        ("-o", "base", "-t", "new", "-s", 1, "--seed", "x"),
        ("-o", "base", "-t", "new", "-s", 1, "--load-history", "no.csv"),
        ("-o", "base", "-t", "new", "-s", -1),
    ],
)
def test_a_fault_is_one_line_and_an_exit_code(offline, small_town, arguments):
    """No folder is left of a simulation that could not start."""
    code, out = offline(*arguments)
    assert code == 1
    assert "Traceback" not in out
    assert not (small_town.root / "storage/new").exists()


def test_an_interrupt_finishes_the_step_and_saves(offline, small_town, monkeypatch):
    """The exit code says so; the run can be resumed."""
    monkeypatch.setattr(Summary, "count", lambda *_: os.kill(os.getpid(), signal.SIGINT))
    code, _ = offline("-o", "base", "-t", "new", "-s", 50)
    assert code == INTERRUPTED
    monkeypatch.undo()
    assert len(small_town.steps("new")) == 1 + 2
