"""The command line that writes replays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scripts import run_to_end

SHELL = Path(__file__).resolve().parents[3] / "reverie" / "compress_sim_storage.py"
META = {
    "fork_sim_code": "base", "start_date": "February 13, 2023", "curr_time": "February 13, 2023, 00:00:10",
    "sec_per_step": 10, "maze_name": "the_town", "persona_names": ["Ada Stone"], "step": 1,
}  # fmt: skip
RECORD = {"movement": [1, 2], "pronunciatio": "🙂", "description": "a @ b", "chat": None}


@pytest.fixture
def shell(tmp_path):
    """Run the command line on a storage folder with the simulation `first`."""
    first = tmp_path / "storage" / "first"
    for folder in ("reverie", "movement", "personas/Ada Stone"):
        (first / folder).mkdir(parents=True)
    (first / "reverie/meta.json").write_text(json.dumps(META), "utf-8")
    (first / "movement/0.json").write_text(json.dumps({"persona": {"Ada Stone": RECORD}, "meta": {}}), "utf-8")
    where = ["--storage", str(tmp_path / "storage"), "--compressed", str(tmp_path / "compressed")]

    def run(*arguments):
        command = [sys.executable, str(SHELL), *arguments, *where]
        return run_to_end(command, tmp_path)

    return run


def test_a_replay_is_made_under_either_name(shell, tmp_path):
    """With the name of the simulation, or the one given with --out; both contain the steps."""
    for arguments, name in ((("first",), "first"), (("first", "--out", "second"), "second")):
        assert shell(*arguments).code == 0
        master = json.loads((tmp_path / "compressed" / name / "master_movement.json").read_text("utf-8"))
        assert master == {"0": {"Ada Stone": RECORD}}


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [(["furst"], "There are: first."), (["first", "--out", "../escape"], "cannot be the name of a simulation")],
)
def test_a_fault_is_one_line(shell, arguments, fault):
    """On standard error, with exit code 1."""
    outcome = shell(*arguments)
    assert outcome.code == 1
    assert fault in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("shelf", ["compressed_storage", "elsewhere"])
def test_where_simulations_and_replays_are_is_a_setting(tmp_path, monkeypatch, shelf):
    """The settings are those of engine and pages; by default replays are stored beside the simulations."""
    monkeypatch.setenv("VILLE_FS_STORAGE", str(tmp_path / "storage"))
    if shelf != "compressed_storage":
        monkeypatch.setenv("VILLE_FS_COMPRESSED_STORAGE", str(tmp_path / shelf))
    command = [sys.executable, str(SHELL), "first"]
    assert run_to_end(command, tmp_path).code == 0
    assert (tmp_path / shelf / "first/master_movement.json").exists()


def in_python(lines, tmp_path, **settings):
    """Run a script that imports the shell as a module."""
    house = {**os.environ, "PYTHONPATH": str(SHELL.parent), "VILLE_FS_STORAGE": str(tmp_path / "storage"), **settings}
    return subprocess.run(
        [sys.executable, "-c", lines], check=False, capture_output=True, text=True, cwd=tmp_path, env=house
    )


@pytest.mark.usefixtures("shell")
def test_scripts_call_it_by_its_old_name(tmp_path):
    """`compress("first")` writes the replay of that name, a second argument names it; errors are raised."""
    lines = "from compress_sim_storage import compress\ncompress('first')\nprint(compress('first', 'second'))"
    outcome = in_python(lines, tmp_path)
    assert (outcome.stderr, outcome.returncode) == ("", 0)
    assert outcome.stdout.strip() == str(tmp_path / "compressed_storage/second")
    for name in ("first", "second"):
        master = json.loads((tmp_path / "compressed_storage" / name / "master_movement.json").read_text("utf-8"))
        assert master == {"0": {"Ada Stone": RECORD}}
    again = in_python("from compress_sim_storage import compress\ncompress('first')", tmp_path)
    assert again.stderr.splitlines()[-1].startswith("ville.errors.SimulationExists: ")
