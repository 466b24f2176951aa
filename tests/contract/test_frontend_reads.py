"""The environment server shows all that the engine writes: over the same files, from both shelves."""

import asyncio
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from step_texts import shown_in

from ville.assembly import run as assembly
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.compressed.compression import compress
from ville.storage.folder.simulation_folder import SimulationFolder

ROOT = Path(__file__).resolve().parents[2]
STEPS = 700


@pytest.fixture(scope="module")
def town(tmp_path_factory, write_small_town, talkative):
    """Return the folder of a town that has lived until the first talks of its day; saved, and compressed."""

    async def live():
        simulation = assembly.open_simulation(town.settings, "base", "new")
        await run(simulation, STEPS, autosave=0, watch=lambda _: None, stop=StopRequest())
        simulation.save()
        await simulation.close()

    town = write_small_town(tmp_path_factory.mktemp("town"))
    with talkative():
        asyncio.run(live())
    compress(town.root / "storage" / "new", town.root / "compressed" / "new")
    return town.root


@pytest.fixture
def folder(town, settings):
    """Return its simulation, which the pages read."""
    settings.STORAGE, settings.COMPRESSED_STORAGE = town / "storage", town / "compressed"
    settings.TEMP_STORAGE = town / "temp"
    settings.WHITENOISE_AUTOREFRESH = True
    return town / "storage" / "new"


@pytest.mark.parametrize("store", ["saved", "compressed"])
def test_every_step_is_shown_as_it_was(folder, store):
    """The pieces of a run, laid over one another, are its movement files."""
    shown, step = {}, 0
    while step < STEPS:
        answer = Client().get(f"/frames/new/{step}/{step + 99}/?store={store}").json()
        assert (answer["first"], answer["total"]) == (step, STEPS)
        shown = {}
        for number in range(step, answer["last"] + 1):
            shown |= answer["frames"][str(number)]
            assert shown == shown_in(folder, number)
        step = answer["last"] + 1


@pytest.mark.parametrize("store", ["saved", "compressed"])
def test_a_run_can_be_entered_at_any_step(folder, store):
    """The frame that comes first has everybody, whatever came before it."""
    for step in range(0, STEPS, 50):
        answer = Client().get(f"/frames/new/{step}/{step}/?store={store}").json()
        assert answer["frames"] == {str(step): shown_in(folder, step)}


@pytest.mark.parametrize("store", ["saved", "compressed"])
def test_the_timeline_has_every_talk(folder, store):
    """Exactly the steps in which anybody shows a transcript lie in conversations, and exactly those people talk."""
    line = Client().get(f"/timeline/new/?store={store}").json()
    talking = {(step, name) for step in range(STEPS) for name, move in shown_in(folder, step).items() if move["chat"]}
    noted = {
        (step, name)
        for talk in line["conversations"]
        for step in range(talk["first"], talk["last"] + 1)
        for name in talk["names"]
    }
    assert talking
    assert noted == talking
    meta = SimulationFolder(folder).meta
    assert line["start"] == (meta.curr_time - timedelta(seconds=meta.step * meta.sec_per_step)).isoformat()
    assert [person["name"] for person in line["personas"]] == list(meta.persona_names)


def test_every_memory_is_shown(folder):
    """Of everybody, as they were saved."""
    for name in SimulationFolder(folder).meta.persona_names:
        files = SimulationFolder(folder).read_persona(name)
        shown = Client().get(f"/memories/new/{name.replace(' ', '_')}/").json()
        assert (shown["scratch"], shown["spatial"]) == (files.scratch, files.spatial_memory)
        assert {node["id"]: {key: node[key] for key in node if key != "id"} for node in shown["nodes"]} == files.nodes
        assert shown["nodes"]


@pytest.mark.parametrize("step", [100, 480, 660])
def test_a_moment_knows_nothing_of_its_future(folder, step):
    """The memories of a step are those that were made up to its time."""
    moment = SimulationFolder(folder).meta.curr_time - timedelta(minutes=STEPS - step)
    shown = Client().get(f"/memories/new/Ada_Stone/?step={step}").json()
    nodes = SimulationFolder(folder).read_persona("Ada Stone").nodes
    made = {name for name, node in nodes.items() if node["created"] <= f"{moment:%Y-%m-%d %H:%M:%S}"}
    assert {node["id"] for node in shown["nodes"]} == made
    assert shown["action"] == shown_in(folder, step)["Ada Stone"]


@pytest.mark.parametrize(("name", "stage_name"), [("fs_storage", "STORAGE"), ("fs_temp_storage", "TEMP_STORAGE")])
@pytest.mark.parametrize("given", [None, "../../elsewhere", "absolute"])
def test_both_servers_look_into_the_same_folders(tmp_path, name, stage_name, given):
    """However they are given: from the environment, relative to the engine's folder or not, or not at all."""
    variable = {f"VILLE_{name.upper()}": str(tmp_path) if given == "absolute" else given} if given else {}
    code = {
        "reverie/backend_server": f"from ville import settings; print(settings.load_settings().{name})",
        "environment/frontend_server": f"from frontend_server import settings; print(settings.{stage_name})",
    }
    environment = {**os.environ, "VILLE_SECRET_KEY": "for a test", **variable}
    found = set()
    for folder, line in code.items():
        command = [sys.executable, "-c", line]
        found.add(subprocess.check_output(command, cwd=ROOT / folder, env=environment))
    assert len(found) == 1
