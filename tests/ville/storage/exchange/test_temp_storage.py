"""The files in which the two servers meet."""

import json
import os
import time

import pytest

from ville.storage.exchange import temp_storage as temp_storage_module
from ville.storage.exchange.temp_storage import CAMERA, REPORT, SEEN, SIGN_OF_LIFE, SIMULATION, STEP, VISIT, TempStorage


@pytest.fixture
def root(tmp_path):
    return tmp_path / "temp"


def test_the_pages_learn_what_runs(root):
    """The two files of docs/storage.md, in its form; afterwards the step is gone and the name stays."""
    temp = TempStorage(root)
    temp.announce("first", 100)
    assert (root / SIMULATION).read_text("utf-8") == '{\n  "sim_code": "first"\n}'
    assert (root / STEP).read_text("utf-8") == '{\n  "step": 100\n}'
    assert not temp.page_opened()
    temp.withdraw("first")
    assert temp.page_opened()


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
    temp = TempStorage(root)
    temp.announce("first", 0)
    assert temp.last_sign_of_life() == float("inf")
    (root / SIGN_OF_LIFE).touch()
    long_ago = time.time() - 1000
    os.utime(root / SIGN_OF_LIFE, (long_ago, long_ago))
    assert 990 < temp.last_sign_of_life() < 1100


def test_an_age_is_not_negative_and_only_grows(root):
    """Whatever the wall clock does: only a new touch makes a file young, and not younger than the last look."""
    temp = TempStorage(root)
    temp.announce("first", 0)
    began, now = time.monotonic(), time.time()
    for ahead in (3600, 7200, -100_000, 60):
        (root / REPORT).touch()
        os.utime(root / REPORT, (now + ahead, now + ahead))
        first, again = temp.last_page_report(), temp.last_page_report()
        assert 0 <= first <= again
        assert first == float("inf") if ahead == 3600 else first <= time.monotonic() - began


def test_the_camera_is_taken_once(root):
    """A half-written one is left until it is whole."""
    temp = TempStorage(root)
    temp.announce("first", 0)
    (root / CAMERA).write_text('{"maze": "the_v', "utf-8")
    assert temp.take_camera() is None
    (root / CAMERA).write_text('{"maze": "the_ville", "x": 1.5, "y": 2}', "utf-8")
    assert temp.take_camera() == {"maze": "the_ville", "x": 1.5, "y": 2}
    assert temp.take_camera() is None


def test_the_path_tester_is_answered_with_a_tree(root):
    """As the page reads it."""
    temp = TempStorage(root)
    temp.announce("first", 0)
    temp.show_places({"the Town": {}})
    assert json.loads((root / SEEN).read_text("utf-8")) == {"the Town": {}}


def test_the_page_of_a_visitor_counts_while_it_is_open(root, monkeypatch):
    """For its simulation, and for a few seconds; what has changed is told at once."""
    page, engine = TempStorage(root), TempStorage(root)
    assert engine.visit("town") == {}
    page.show_visit("town", "Nora", typing=False)
    page.show_visit("town", "Nora", typing=True)
    assert engine.visit("town") == {"sim_code": "town", "name": "Nora", "typing": True}
    assert engine.visit("other") == {}
    (root / VISIT).write_text('{"sim_code": "town", "name": 5}', "utf-8")
    assert engine.visit("town") == {}
    page.show_visit("town", "Nora", typing=True)
    monkeypatch.setattr(temp_storage_module, "VISIT_FRESH", -1)
    assert engine.visit("town") == {}
