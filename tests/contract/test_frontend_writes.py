"""The engine understands what the environment server writes, step by step, in one temp_storage."""

import asyncio
import json
from dataclasses import replace

import pytest
from django.test import Client

from ville.assembly import models
from ville.assembly import run as assembly
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.stepping.stage import BACK
from ville.storage.exchange.temp_storage import SIGN_OF_LIFE
from ville.storage.folder.simulation_folder import SimulationFolder

STEPS = 12


@pytest.fixture
def notices():
    """Notices of the engine about browsers."""
    return []


@pytest.fixture
def simulation(small_town, townsfolk, monkeypatch, settings, notices):
    """An engine that waits for a browser, and our server over its folders."""
    monkeypatch.setattr(models, "offline_chat", lambda *_: townsfolk)
    settings.STORAGE, settings.TEMP_STORAGE = small_town.root / "storage", small_town.root / "temp"
    settings.WHITENOISE_AUTOREFRESH = True
    settings.STATICFILES_DIRS = [("assets", small_town.root / "assets")]
    visuals = small_town.root / "assets" / "small" / "visuals"
    visuals.mkdir()
    (visuals / "small.json").write_text("{}", "utf-8")
    patient = replace(small_town.settings, patience=1000.0)
    simulation = assembly.open_simulation(patient, "base", "new", notices.append)
    simulation.announce()
    return simulation


def tell(address, body):
    return Client().post(address, json.dumps(body), content_type="application/json")


def page(steps, reload_at=None):
    """The three-phase loop of a live page; it may be closed and opened again in the middle of a step."""
    done = 0
    while done < steps:
        step = Client().get("/live/new/").json()["step"]
        done = exchange(step, steps, reload_at)
        reload_at = None


def exchange(step, steps, reload_at):
    while step < steps:
        question = {"step": step, "sim_code": "new", "wait": 5}
        shown = tell("/update_environment/", question).json()
        if shown["<step>"] == step:
            step += 1
            if step == reload_at:
                return step - 1
            moves = shown["persona"].items()
            places = {name: {"maze": "small", "x": m["movement"][0], "y": m["movement"][1]} for name, m in moves}
            body = {"step": step, "sim_code": "new", "environment": places}
            assert tell("/process_environment/", body).content == b"received"
    return step


def reports(folder):
    """For every step what was shown, and what the engine reads of the positions after it."""
    archive = SimulationFolder(folder)
    for step in range(STEPS):
        shown = json.loads((folder / "movement" / f"{step}.json").read_text("utf-8"))["persona"]
        led = {name: tuple(move["movement"]) for name, move in shown.items()}
        yield led, archive.read_environment(step + 1)


async def lived(simulation, *pages):
    tabs = [asyncio.create_task(asyncio.to_thread(one)) for one in pages]
    sign = simulation.folder.root.parents[1] / "temp" / SIGN_OF_LIFE
    while not sign.exists():  # noqa: ASYNC110 - a file cannot be awaited
        await asyncio.sleep(0.01)
    await run(simulation, STEPS, autosave=0, watch=lambda _: None, stop=StopRequest())
    await asyncio.gather(*tabs)
    simulation.save()
    return simulation.folder.root


async def test_a_page_walks_everybody_where_they_were_led(simulation, notices):
    """The positions before step N+1, written through the page, are those that movement N leads to."""
    folder = await lived(simulation, lambda: page(STEPS))
    assert notices == [BACK]
    assert all(led == reported for led, reported in reports(folder))


async def test_what_the_page_writes_is_what_the_engine_would(simulation, small_town):
    """Byte for byte: a run that was watched leaves the files of one that was not."""
    folder = await lived(simulation, lambda: page(STEPS))
    watched = {path.name: path.read_bytes() for path in (folder / "environment").iterdir()}
    alone = assembly.open_simulation(small_town.settings, "base", "alone")
    await run(alone, STEPS, autosave=0, watch=lambda _: None, stop=StopRequest())
    unwatched = {path.name: path.read_bytes() for path in (alone.folder.root / "environment").iterdir()}
    assert watched == unwatched


async def test_two_pages_and_a_reload_change_nothing(simulation, notices):
    """One page reports first, and one leaves in mid-walk: the other goes on, and so does the engine."""
    folder = await lived(simulation, lambda: page(STEPS), lambda: page(STEPS, reload_at=5))
    assert notices == [BACK]
    assert all(led == reported for led, reported in reports(folder))
