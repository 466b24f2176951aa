"""The files in which the two servers meet."""

import json
import os
import time

import pytest

from archive.temp_storage import CAMERA, SEEN, SIGN_OF_LIFE, SIMULATION, STEP, TempStorage


@pytest.fixture
def root(tmp_path):
    return tmp_path / "temp"


def test_the_pages_learn_what_runs(root):
    """The two files of docs/storage.md, in its form; afterwards the step is gone and the name stays."""
    mailbox = TempStorage(root)
    mailbox.announce("first", 100)
    assert (root / SIMULATION).read_text("utf-8") == '{\n  "sim_code": "first"\n}'
    assert (root / STEP).read_text("utf-8") == '{\n  "step": 100\n}'
    assert not mailbox.page_opened()
    mailbox.withdraw("first")
    assert mailbox.page_opened()


def test_nobody_withdraws_what_another_has_announced(root):
    """Of two engines, the one that leaves first leaves the pages with the other."""
    one, other = TempStorage(root), TempStorage(root)
    one.announce("first", 100)
    other.announce("second", 0)
    assert other.announces("second")
    assert not one.announces("first")
    one.withdraw("first")
    assert json.loads((root / STEP).read_text("utf-8")) == {"step": 0}


def test_a_poll_is_a_sign_of_life(root):
    """Its age is that of the file; without a file there never was one."""
    mailbox = TempStorage(root)
    mailbox.announce("first", 0)
    assert mailbox.last_sign_of_life() == float("inf")
    (root / SIGN_OF_LIFE).touch()
    long_ago = time.time() - 1000
    os.utime(root / SIGN_OF_LIFE, (long_ago, long_ago))
    assert 990 < mailbox.last_sign_of_life() < 1100


def test_the_camera_is_taken_once(root):
    """A half-written one is left until it is whole."""
    mailbox = TempStorage(root)
    mailbox.announce("first", 0)
    (root / CAMERA).write_text('{"maze": "the_v', "utf-8")
    assert mailbox.take_camera() is None
    (root / CAMERA).write_text('{"maze": "the_ville", "x": 1.5, "y": 2}', "utf-8")
    assert mailbox.take_camera() == {"maze": "the_ville", "x": 1.5, "y": 2}
    assert mailbox.take_camera() is None


def test_the_path_tester_is_answered_with_a_tree(root):
    """As the page reads it."""
    mailbox = TempStorage(root)
    mailbox.announce("first", 0)
    mailbox.show_places({"the Town": {}})
    assert json.loads((root / SEEN).read_text("utf-8")) == {"the Town": {}}
