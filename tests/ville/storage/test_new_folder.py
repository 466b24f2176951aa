"""Laws of folders that are there whole or not at all, and of what killed programs leave."""

import subprocess
import sys

import pytest

from ville.errors import CorruptFile, SimulationInUse
from ville.storage.files import write_text
from ville.storage.new_folder import new_folder

FILLING = """
import sys
from contextlib import nullcontext
from pathlib import Path
from ville.storage.records.lock import Lock, between_saves
from ville.storage.new_folder import new_folder
target = Path(sys.argv[1])
with Lock(target), between_saves(target), new_folder(target) if sys.argv[2] == "fills" else nullcontext():
    print("begun", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def begun(tmp_path):
    """Start programs that fill a folder, or hold its lock because they are about to."""
    started = []

    def start(name, does="fills"):
        command = [sys.executable, "-c", FILLING, tmp_path / "all" / name, does]
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(program)
        assert program.stdout.readline() == "begun\n"
        return program

    (tmp_path / "all").mkdir()
    yield start
    for program in started:
        program.kill()
        program.communicate()


def test_a_folder_appears_whole_or_not_at_all(tmp_path):
    """Whatever fails while a folder is filled, nothing of it is left; otherwise all of it is there."""
    with pytest.raises(CorruptFile), new_folder(tmp_path / "fork") as folder:
        write_text(folder / "a", "1")
        raise CorruptFile("half way")
    assert not list(tmp_path.iterdir())
    with new_folder(tmp_path / "fork") as folder:
        write_text(folder / "a", "1")
        assert not (tmp_path / "fork").exists()
    assert [path.name for path in tmp_path.rglob("*")] == ["fork", "a"]


def test_what_killed_programs_have_left_is_removed_by_the_next_one(tmp_path, begun):
    """Whatever it makes itself. What a living program fills, or is about to begin, stays."""
    folder, here = tmp_path / "all", lambda: sorted(path.name for path in (tmp_path / "all").iterdir())
    left, filling, beginning = begun("left"), begun("filling"), begun("beginning", "waits")
    (folder / ".chosen.lock").touch()  # start.py has chosen a name
    every = here()
    left.kill()
    left.wait()
    with new_folder(folder / "fork"):
        pass
    assert [name for name in every if "left" not in name] == [name for name in here() if name != "fork"]
    assert len([name for name in every if "left" in name]) > 2
    for program in (filling, beginning):
        program.kill()
        program.wait()
    with new_folder(folder / "other"):
        pass
    assert here() == [".chosen.lock", "fork", "other"]


def test_two_programs_do_not_fill_one_folder(tmp_path, begun):
    """The second is told who does."""
    begun("fork")
    with pytest.raises(SimulationInUse, match="'fork'"), new_folder(tmp_path / "all" / "fork"):
        pass
