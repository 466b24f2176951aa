"""Status of an engine that runs."""

import json
import os
import time

import pytest

from translator.forms import Camera
from translator.storage.runs.live_state import FRESH, reported_status, temp_storage
from ville.storage.exchange.temp_storage import HEARTBEAT, REPORT, SIGN_OF_LIFE

SAID = {
    "sim_code": "run", "state": "running", "step": 7, "until_step": 50, "until_talk": False, "busy": ["Ada Stone"],
    "curr_time": "February 13, 2023, 00:07:00", "asleep_until": None, "browser": "watching", "speed": 60,
    "said": [[4, "Step 7 …"]], "ended": "", "fault": "", "models": "rules", "cost": None, "waiting_for": "",
    "visit": {"name": "Ada", "turn": True, "with": "Ben van Reed", "waiting": False},
    "lasting": [{"kind": "object", "where": "the Town:Green:lawn:tree", "words": "burning", "until": None}],
}  # fmt: skip


@pytest.mark.usefixtures("stage")
def test_without_an_engine_there_is_none():
    """Nothing was ever started here."""
    assert reported_status().backend == "none"
    assert temp_storage().running() is None


def test_the_engine_says_what_it_does(stage):
    """Word for word, as long as it says it again every second."""
    stage.announce("run", 3)
    stage.put("temp/backend_status.json", SAID)
    said = reported_status().as_json()
    assert said == {key: value for key, value in SAID.items() if key != "state"} | {"backend": "running"}


def test_an_engine_that_falls_silent_has_stopped(stage):
    """It may have been killed: its last words are no news."""
    stage.announce("run")
    stage.put("temp/backend_status.json", SAID)
    old = time.time() - FRESH - 1
    os.utime(stage.temp / "backend_status.json", (old, old))
    assert (reported_status().backend, reported_status().step) == ("stopped", 7)


def test_a_dead_engine_has_stopped_whatever_the_clock_says(stage):
    """Its last words may be from the future; one that says them again is there, by whatever clock."""
    stage.announce("run")
    stage.put("temp/backend_status.json", SAID)
    file, ahead = stage.temp / "backend_status.json", time.time() + 3600
    os.utime(file, (ahead, ahead))
    assert [reported_status().backend for _ in range(2)] == ["stopped", "stopped"]
    os.utime(file, (ahead + 1, ahead + 1))
    assert reported_status().backend == "running"


@pytest.mark.parametrize(("show", "file"), [("show_life", SIGN_OF_LIFE), ("show_report", REPORT)])
def test_a_sign_from_the_future_is_given_again(stage, show, file):
    """Or the engine would see none until the clock has caught up."""
    stage.announce("run")
    stage.put(f"temp/{file}", {})
    ahead = time.time() + 3600
    os.utime(stage.temp / file, (ahead, ahead))
    getattr(temp_storage(), show)("run")
    assert (stage.temp / file).stat().st_mtime < ahead


def test_a_classic_engine_only_announces_itself(stage):
    """It writes no status: it is there as long as its announcement."""
    stage.announce("run", 3)
    found = reported_status()
    assert (found.backend, found.sim_code, found.step) == ("waiting", "run", 3)
    (stage.temp / "curr_step.json").unlink()
    assert reported_status().backend == "none"
    assert temp_storage().running() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"state": "dancing"}', '{"busy": null}'])
def test_half_a_status_is_no_fault(stage, text):
    """A page that asks at the wrong moment gets an answer."""
    stage.announce("run")
    stage.put("temp/backend_status.json", text)
    assert reported_status().backend in {"waiting", "stopped"}
    assert reported_status().sim_code == "run"


def test_life_is_shown_for_the_simulation_that_runs(stage):
    """And not for another, whose page was left open: the engine would wait for its reports."""
    stage.announce("run")
    temp_storage().show_life("other")
    assert not (stage.temp / SIGN_OF_LIFE).exists()
    temp_storage().show_life("run")
    assert (stage.temp / SIGN_OF_LIFE).exists()


def test_life_is_shown_again_and_again(stage):
    """As soon as the last sign is a second old."""
    stage.announce("run")
    temp_storage().show_life("run")
    old = time.time() - HEARTBEAT - 1
    os.utime(stage.temp / SIGN_OF_LIFE, (old, old))
    temp_storage().show_life("run")
    assert (stage.temp / SIGN_OF_LIFE).stat().st_mtime > old + 1


def test_the_camera_is_a_file_of_three_keys(stage):
    """As the classic server wrote it."""
    temp_storage().point_camera(Camera(maze="the_ville", x=1600.5, y=384).model_dump())
    text = (stage.temp / "path_tester_env.json").read_text("utf-8")
    assert text == json.dumps({"maze": "the_ville", "x": 1600.5, "y": 384.0}, indent=2)


def test_what_the_path_tester_saw_is_a_tree(stage):
    """Nothing before it has seen anything."""
    assert temp_storage().seen_places() == {}
    stage.put("temp/path_tester_out.json", {"the Town": {}})
    assert temp_storage().seen_places() == {"the Town": {}}
