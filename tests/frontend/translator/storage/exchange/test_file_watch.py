"""Many threads that wait for the same file."""

import time
from concurrent.futures import ThreadPoolExecutor

from translator.storage.exchange import file_watch
from translator.storage.exchange.file_watch import FileWatch

MANY = 60
LONG = 300.0
"""Seconds."""


def test_of_many_that_wait_one_looks(tmp_path, monkeypatch):
    """Every waiting thread learns that the file is there. One that watches and has to go hands over to another."""
    watch, file, looks = FileWatch(), tmp_path / "5.json", []
    look = file_watch._look

    def noted(path, until):
        looks.append(until)
        assert len(looks) - ended[0] == 1
        look(path, until)
        ended[0] += 1

    ended = [0]
    monkeypatch.setattr(file_watch, "_look", noted)
    now = time.monotonic()
    with ThreadPoolExecutor(MANY) as threads:
        impatient = threads.submit(watch.wait, file, now + 0.2)
        waiting = [threads.submit(watch.wait, file, now + LONG) for _ in range(MANY - 1)]
        assert not impatient.result()
        while not looks or looks[-1] < now + LONG:
            time.sleep(0.01)
        file.touch()
        assert all(each.result() for each in waiting)
    assert watch._looks == {}


def test_files_are_waited_for_apart(tmp_path):
    """A file that never comes does not hold up those who wait for another."""
    watch, now = FileWatch(), time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        never = threads.submit(watch.wait, tmp_path / "never", now + 5)
        soon = threads.submit(watch.wait, tmp_path / "soon", now + LONG)
        (tmp_path / "soon").touch()
        assert soon.result()
        assert not never.result()
