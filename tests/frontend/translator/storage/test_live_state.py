"""What is known of an engine that runs."""

import json
import os
import time

import pytest

from translator.forms import Camera
from translator.storage import live_state

SAID = {
    "sim_code": "run", "state": "running", "step": 7, "until_step": 50, "busy": ["Ada Stone"],
    "curr_time": "February 13, 2023, 00:07:00", "asleep_until": None, "browser": "watching",
}  # fmt: skip


@pytest.mark.usefixtures("stage")
def test_without_an_engine_there_is_none():
    """Nothing was ever started here."""
    assert live_state.status().backend == "none"
    assert live_state.running() is None


def test_the_engine_says_what_it_does(stage):
    """Word for word, as long as it says it again every second."""
    stage.announce("run", 3)
    stage.put("temp/backend_status.json", SAID)
    said = live_state.status().as_json()
    assert said == {key: value for key, value in SAID.items() if key != "state"} | {"backend": "running"}


def test_an_engine_that_falls_silent_has_stopped(stage):
    """It may have been killed: its last words are no news."""
    stage.announce("run")
    stage.put("temp/backend_status.json", SAID)
    old = time.time() - live_state.FRESH - 1
    os.utime(stage.temp / "backend_status.json", (old, old))
    assert (live_state.status().backend, live_state.status().step) == ("stopped", 7)


def test_a_dead_engine_has_stopped_whatever_the_clock_says(stage):
    """Its last words may be from the future; one that says them again is there, by whatever clock."""
    stage.announce("run")
    stage.put("temp/backend_status.json", SAID)
    file, ahead = stage.temp / "backend_status.json", time.time() + 3600
    os.utime(file, (ahead, ahead))
    assert [live_state.status().backend for _ in range(2)] == ["stopped", "stopped"]
    os.utime(file, (ahead + 1, ahead + 1))
    assert live_state.status().backend == "running"


@pytest.mark.parametrize(
    ("show", "file"), [(live_state.show_life, live_state.SIGN_OF_LIFE), (live_state.show_report, live_state.REPORT)]
)
def test_a_sign_from_the_future_is_given_again(stage, show, file):
    """Or the engine would see none until the clock has caught up."""
    stage.announce("run")
    stage.put(f"temp/{file}", {})
    ahead = time.time() + 3600
    os.utime(stage.temp / file, (ahead, ahead))
    show("run")
    assert (stage.temp / file).stat().st_mtime < ahead


def test_a_classic_engine_only_announces_itself(stage):
    """It writes no status: it is there as long as its announcement."""
    stage.announce("run", 3)
    assert (live_state.status().backend, live_state.status().sim_code, live_state.status().step) == (
        "waiting",
        "run",
        3,
    )
    (stage.temp / "curr_step.json").unlink()
    assert live_state.status().backend == "none"
    assert live_state.running() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"state": "dancing"}', '{"busy": null}'])
def test_half_a_status_is_no_fault(stage, text):
    """A page that asks at the wrong moment gets an answer."""
    stage.announce("run")
    stage.put("temp/backend_status.json", text)
    assert live_state.status().backend in {"waiting", "stopped"}
    assert live_state.status().sim_code == "run"


def test_life_is_shown_for_the_simulation_that_runs(stage):
    """And not for another, whose page somebody has left open: the engine would wait for its reports."""
    stage.announce("run")
    live_state.show_life("other")
    assert not (stage.temp / live_state.SIGN_OF_LIFE).exists()
    live_state.show_life("run")
    assert (stage.temp / live_state.SIGN_OF_LIFE).exists()


def test_life_is_shown_again_and_again(stage):
    """As soon as the last sign is a second old."""
    stage.announce("run")
    live_state.show_life("run")
    old = time.time() - live_state.HEARTBEAT - 1
    os.utime(stage.temp / live_state.SIGN_OF_LIFE, (old, old))
    live_state.show_life("run")
    assert (stage.temp / live_state.SIGN_OF_LIFE).stat().st_mtime > old + 1


def test_the_camera_is_a_file_of_three_keys(stage):
    """As the classic server wrote it."""
    live_state.point_camera(Camera(maze="the_ville", x=1600.5, y=384))
    text = (stage.temp / "path_tester_env.json").read_text("utf-8")
    assert text == json.dumps({"maze": "the_ville", "x": 1600.5, "y": 384.0}, indent=2)


def test_what_the_path_tester_saw_is_a_tree(stage):
    """Nothing before it has seen anything."""
    assert live_state.seen() == {}
    stage.put("temp/path_tester_out.json", {"the Town": {}})
    assert live_state.seen() == {"the Town": {}}
