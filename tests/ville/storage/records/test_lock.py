"""Laws of the lock on a simulation."""

import os
import subprocess
import sys

import pytest

from ville.errors import CannotWrite, SimulationInUse
from ville.storage.records.lock import Lock

HOLDING = """
import sys
from pathlib import Path
from ville.storage.records.lock import Lock
lock = Lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other(storage):
    """Another process that has the simulation `base` open."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, storage / "base"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_the_second_is_told_who_has_it(storage, other):
    """Its process and what to do; other simulations are free."""
    with pytest.raises(SimulationInUse, match=rf"'base' is open in process {other.pid}\. .*'fin'"):
        Lock(storage / "base")
    Lock(storage / "first").release()


def test_a_killed_holder_holds_nobody_back(storage, other):
    """Whatever is left of it on disk."""
    other.kill()
    other.wait()
    Lock(storage / "base").release()


def test_one_process_has_it_once(storage):
    """Until it lets go, as often as it may."""
    lock = Lock(storage / "base")
    with pytest.raises(SimulationInUse, match="in this process"):
        Lock(storage / "base")
    lock.release()
    lock.release()
    with Lock(storage / "base"), pytest.raises(SimulationInUse):
        Lock(storage / "base")


def test_a_lock_that_was_let_go_has_left_nothing(storage, files_below):
    """Neither in the simulation nor beside it."""
    before = files_below(storage)
    with Lock(storage / "base"):
        assert files_below(storage / "base") == {name.removeprefix("base/"): text for name, text in before.items()}
    assert files_below(storage) == before


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
def test_a_link_in_place_of_the_lock_is_not_followed(storage):
    """Otherwise its target would be emptied."""
    (storage / "precious").write_text("all of it", "utf-8")
    (storage / ".base.lock").symlink_to(storage / "precious")
    with pytest.raises(CannotWrite, match="base.lock"):
        Lock(storage / "base")
    assert (storage / "precious").read_text("utf-8") == "all of it"
