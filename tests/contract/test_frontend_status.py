"""Pages show the status of the engine."""

import pytest
from django.test import Client

from ville.assembly import models
from ville.assembly import run as assembly
from ville.simulation.running.heartbeat import publish_status
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.exchange.temp_storage import TempStorage


@pytest.fixture
def temp_storage(small_town, settings):
    settings.STORAGE, settings.TEMP_STORAGE = small_town.root / "storage", small_town.root / "temp"
    settings.WHITENOISE_AUTOREFRESH = True
    return TempStorage(small_town.root / "temp")


def told():
    return Client().get("/status/").json()


async def test_the_pages_know_what_the_engine_does(small_town, townsfolk, monkeypatch, temp_storage):
    """Before its first step, between two commands, and when it has left."""
    monkeypatch.setattr(models, "offline_chat", lambda *_: townsfolk)
    simulation = assembly.open_simulation(small_town.settings, "base", "new", lambda _: None)
    simulation.announce()
    assert (told()["sim_code"], told()["backend"]) == ("new", "waiting")
    with publish_status(simulation, temp_storage):
        await run(simulation, 3, autosave=0, watch=lambda _: None, stop=StopRequest())
    status = told()
    assert (status["sim_code"], status["backend"], status["step"]) == ("new", "stopped", 3)
    assert status["curr_time"] == "February 13, 2023, 00:03:00"
    assert status["busy"] == []


async def test_the_pages_know_that_the_engine_waits(small_town, townsfolk, monkeypatch, temp_storage):
    """While its prompt is open; and the page is there as long as it is."""
    monkeypatch.setattr(models, "offline_chat", lambda *_: townsfolk)
    simulation = assembly.open_simulation(small_town.settings, "base", "new", lambda _: None)
    simulation.announce()
    with publish_status(simulation, temp_storage):
        while not (small_town.root / "temp" / "backend_status.json").exists():
            pass
        assert (told()["backend"], told()["step"], told()["until_step"]) == ("waiting", 0, None)
        simulation.control.go(9)
        simulation.control.paused = True
        while told()["backend"] != "paused":
            pass
        assert told()["until_step"] == 9
    await simulation.close()
    assert Client().get("/simulator_home").templates[0].name == "start_backend.html"
