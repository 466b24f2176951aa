"""The same town, whatever the parallelism, however often it is interrupted, whether or not somebody watches."""

import json
import os
import random
import threading
import time
from dataclasses import replace

import pytest

DAY = 1440
MOMENTS = int(os.environ.get("KILLS", "3"))
"""How often a run is killed; set KILLS=30 for the long way."""


@pytest.fixture
def whole(storage):
    """A day of the small town."""
    assert storage.run("reverie_offline", "-o", "base", "-t", "whole", "-s", DAY)[0] == 0
    return storage.files("whole")


def test_the_same_seed_gives_the_same_files(storage, whole):
    """Twice, in two processes; another seed gives others."""
    storage.run("reverie_offline", "-o", "base", "-t", "again", "-s", DAY)
    storage.run("reverie_offline", "-o", "base", "-t", "other", "-s", DAY, "--seed", 2)
    assert storage.files("again") == whole
    assert storage.files("other") != whole


def test_one_line_or_twenty_five(storage, whole):
    """How many questions may be open at the same time changes nothing."""
    for lines in ("1", "25"):
        narrow = replace(storage, settings=storage.settings | {"VILLE_LINES": lines})
        assert narrow.run("reverie_offline", "-o", "base", "-t", f"lines{lines}", "-s", DAY)[0] == 0
        assert storage.files(f"lines{lines}") == whole


def test_a_killed_run_resumes_as_if_nothing_had_happened(storage, whole):
    """Killed at random moments, saved every seven steps: what is on disk always loads, and ends in the same files."""
    chance = random.Random(7)  # noqa: S311 - any moments will do
    assert storage.run("reverie_offline", "-o", "base", "-t", "parts", "-s", 0)[0] == 0
    for kill in range(MOMENTS):
        goal = (kill + 1) * DAY // (MOMENTS + 1)
        process = storage.start("reverie_offline", "-o", "parts", "-t", "parts", "-s", DAY, "--autosave", 7)
        movement = storage.folder("parts") / "movement"
        while len(list(movement.glob("[0-9]*.json"))) < goal and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.communicate()
    step = json.loads((storage.folder("parts") / "reverie/meta.json").read_text("utf-8"))["step"]
    assert 0 < step < DAY
    assert storage.run("reverie_offline", "-o", "parts", "-t", "parts", "-s", DAY - step)[0] == 0
    assert storage.files("parts") == whole


def test_a_watched_run_gives_the_files_of_an_unwatched_one(storage):
    """A browser walks everybody from tile to tile and reports what it was told."""
    steps = 60
    assert storage.run("reverie", typed=f"base\nalone\nrun {steps}\nfin\n")[0] == 0
    over = threading.Event()
    page = threading.Thread(target=browse, args=(storage, "shown", over))
    page.start()
    try:
        code, out = storage.run("reverie", typed=f"base\nshown\nrun {steps}\nfin\n")
    finally:
        over.set()
        page.join()
    assert (code, "A browser is watching." in out) == (0, True)
    assert storage.files("shown") == storage.files("alone")


def browse(storage, name, over):
    """A page and its environment server: ask for a step, walk, report."""
    step, folder = 0, storage.folder(name)
    while not over.is_set():
        if folder.exists():
            (storage.root / "temp").mkdir(exist_ok=True)
            (storage.root / "temp" / "last_poll.json").touch()
        if (movement := folder / "movement" / f"{step}.json").exists():
            moves = json.loads(movement.read_text("utf-8"))["persona"]
            places = {
                name: {"maze": "small", "x": m["movement"][0], "y": m["movement"][1]} for name, m in moves.items()
            }
            step += 1
            (folder / "environment" / f"{step}.json").write_text(json.dumps(places, indent=2), "utf-8")
        time.sleep(0.002)
