"""The engine status that is published to the pages."""

import asyncio
import json

import pytest
from waiting import until

from ville.errors import TimedOut
from ville.simulation.running.heartbeat import BEAT, asleep_until, publish_status, status
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.exchange.temp_storage import STATUS, TempStorage

NAMES = ["Ada Stone", "Ben Reed", "Cleo Adams Moor"]


@pytest.fixture
def temp_storage(small_town):
    return TempStorage(small_town.root / "temp")


@pytest.fixture
def told(small_town):
    """Return the content of the status file, once there is one."""
    file = small_town.root / "temp" / STATUS

    def read():
        assert until(file.exists)
        return json.loads(file.read_text("utf-8"))

    return read


def written(small_town):
    file = small_town.root / "temp" / STATUS
    return file.stat().st_mtime_ns if file.exists() else 0


def test_the_status_is_published_while_the_engine_waits(opened, small_town, temp_storage, told):
    """The file is rewritten regularly while the prompt waits; at the end it says that the engine has stopped."""
    simulation = opened("new", notice=print)
    assert BEAT < 1
    with publish_status(simulation, temp_storage):
        assert until(lambda: written(small_town))
        first = written(small_town)
        assert until(lambda: written(small_town) > first)
        assert told() == {
            "sim_code": "new",
            "state": "waiting",
            "step": 0,
            "until_step": None,
            "until_talk": False,
            "speed": "max",
            "last_request": None,
            "busy": [],
            "fallbacks": 0,
            "curr_time": "February 13, 2023, 00:00:00",
            "asleep_until": None,
            "browser": "none",
            "waiting_for": "",
            "said": [],
            "ended": "",
            "fault": "",
            "cost": None,
            "visit": None,
            "models": "offline rules",
            "lasting": [],
        }
    assert told()["state"] == "stopped"


def test_the_status_says_stopped_after_an_exception(opened, temp_storage, told):
    """Also after an exception."""
    simulation = opened("new", notice=print)
    with pytest.raises(KeyboardInterrupt), publish_status(simulation, temp_storage):
        raise KeyboardInterrupt
    assert told()["state"] == "stopped"


async def test_the_status_lists_who_is_thinking(opened, temp_storage, told, townsfolk):
    """A slow model holds up the step; the status lists the personas that wait."""
    simulation = opened("new", notice=print)
    answer, asked = asyncio.Event(), asyncio.Event()
    complete = townsfolk.complete

    async def slowly(request):
        asked.set()
        await answer.wait()
        return await complete(request)

    townsfolk.complete = slowly
    with publish_status(simulation, temp_storage):
        running = asyncio.create_task(run(simulation, 3, autosave=0, watch=lambda _: None, stop=StopRequest()))
        await asked.wait()
        assert await asyncio.to_thread(until, lambda: (told()["state"], told()["busy"]) == ("running", NAMES))
        assert (told()["step"], told()["until_step"]) == (0, 3)
        answer.set()
        await running
        assert await asyncio.to_thread(until, lambda: told()["state"] == "waiting")
        assert (told()["step"], told()["until_step"], told()["busy"]) == (3, None, [])


async def test_a_failed_call_ends_the_thought(opened, townsfolk):
    """An error ends the thought too."""
    simulation = opened("new")

    async def fail(_):
        raise TimedOut("No answer in time.")

    townsfolk.complete = fail
    await run(simulation, 1, autosave=0, watch=lambda _: None, stop=StopRequest())
    assert not simulation.services.thinking


async def test_the_town_sleeps_while_all_sleep(opened, run_for):
    """Until the first persona gets up; one that is awake is enough."""
    simulation = opened("new")
    await run_for(simulation, 2)
    ends = [simulation.persona(name).scratch.action.ends for name in NAMES]
    assert asleep_until(simulation) == min(ends)
    assert status(simulation, "waiting")["asleep_until"] == f"February 13, 2023, {min(ends):%H:%M:%S}"
    await run_for(simulation, 60 * 12)
    assert asleep_until(simulation) is None
