"""Files of the engine in temp_storage, byte for byte: the environment server and classic tools read them."""

import asyncio
import json
import re

import pytest
from step_texts import step_texts

from ville.assembly import run as assembly
from ville.simulation.running.run_loop import StopRequest, run

STEPS = 700
FIELDS = ["movement", "pronunciatio", "description", "chat"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, write_small_town, talkative):
    """A simulation that has lived until the first talks of its day; it is only looked at."""

    async def live():
        simulation = assembly.open_simulation(town.settings, "base", "new", lambda _: None)
        simulation.announce()
        await run(simulation, STEPS, autosave=0, watch=lambda _: None, stop=StopRequest())
        simulation.save()
        await simulation.close()
        return simulation.folder.root

    town = write_small_town(tmp_path_factory.mktemp("town"))
    with talkative():
        return asyncio.run(live())


@pytest.fixture(scope="module")
def steps(folder):
    """The files of its steps, as `ville steps unpack` writes them."""
    return step_texts(folder)


def classic(content):
    """The value of a file, which is the classic serialisation of just that."""
    text = content.decode("ascii")
    value = json.loads(text)
    assert text == json.dumps(value, indent=2)
    return value


def test_every_step_has_its_movement(folder, steps):
    """People in the order of the roster, four fields in order, the time before the step; nothing else."""
    roster = json.loads((folder / "reverie/meta.json").read_text("utf-8"))["persona_names"]
    for step in range(STEPS):
        shown = classic(steps[f"movement/{step}.json"])
        assert list(shown) == ["persona", "meta"]
        assert list(shown["persona"]) == roster
        assert shown["meta"] == {"curr_time": f"February 13, 2023, {step // 60:02}:{step % 60:02}:00"}
        for record in shown["persona"].values():
            assert list(record) == FIELDS
            assert re.fullmatch(r"[^@]+ @ (the Town:.+|<persona> .+|<waiting> \d+ \d+)", record["description"])
    assert f"movement/{STEPS}.json" not in steps


def test_every_step_is_answered_by_positions(steps):
    """Of everybody, with the map's name and where the movement led."""
    for step in range(STEPS):
        moves = classic(steps[f"movement/{step}.json"])["persona"]
        places = classic(steps[f"environment/{step + 1}.json"])
        expected = {
            name: {"maze": "small", "x": move["movement"][0], "y": move["movement"][1]} for name, move in moves.items()
        }
        assert places == expected


def test_meta_tells_where_the_simulation_stands(folder):
    """Seven keys in order; the time is that of the next step."""
    meta = classic((folder / "reverie/meta.json").read_bytes())
    keys = ["fork_sim_code", "start_date", "curr_time", "sec_per_step", "maze_name", "persona_names", "step"]
    assert list(meta) == keys
    assert (meta["fork_sim_code"], meta["step"], meta["curr_time"]) == ("base", STEPS, "February 13, 2023, 11:40:00")


def test_a_talk_is_a_list_of_who_said_what(steps):
    """Both sides show the same one as long as it lasts."""
    movements = [classic(steps[f"movement/{step}.json"])["persona"] for step in range(STEPS)]
    chats = [move["chat"] for moves in movements for move in moves.values() if move["chat"]]
    assert chats
    assert all(isinstance(speaker, str) and isinstance(said, str) for chat in chats for speaker, said in chat)
    assert all(chats.count(chat) >= 2 for chat in chats)
