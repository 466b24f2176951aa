"""Any moment of a run can be returned to: what is there, and what follows, is what was."""

import asyncio
import json
import random
from dataclasses import replace
from datetime import datetime

import pytest
from short_runs import different, timeless, went
from simulation_content import content_of

from ville.assembly import forking
from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.cli.past_minds import minds_at
from ville.errors import BadIntervention, CorruptFile, SavedMeanwhile, SimulationExists
from ville.simulation.clock import Clock
from ville.simulation.interventions.intervention_file import planned_rows
from ville.storage.compressed.compression import compress
from ville.storage.compressed.unpacking import unpack_once

TWO_DAYS = 1440 + 720
"""Steps until the noon of the second day, when everything that was planned has happened."""
ADA, BEN, CLEO = "Ada Stone", "Ben Reed", "Cleo Adams Moor"
PLAN = [
    {"step": 0, "kind": "history", "rows": [[ADA, "You want to write a song"], [BEN, "You know Ada Stone"]]},
    {"step": 400, "kind": "object", "where": "piano", "state": "out of tune", "until": 460},
    {"step": 430, "kind": "visitor_in", "name": "Dora", "look": "visitor 1", "about": "a painter", "tile": [7, 5]},
    {"step": 431, "kind": "visitor_walk", "name": "Dora", "to": [7, 8]},
    {"step": 500, "kind": "whisper", "who": CLEO, "words": "You want to run for mayor"},
    {"step": 500, "kind": "memory_add", "who": ADA, "words": "Ada Stone lost her keys"},
    {"step": 612, "kind": "event", "where": "the Town", "words": "the bells ring", "steps": 3},
    {"step": 1450, "kind": "trait", "who": BEN, "field": "currently", "now": "Ben Reed is learning to swim."},
    {"step": 1900, "kind": "whisper", "who": BEN, "words": "You like Cleo Adams Moor"},
    {"step": 2000, "kind": "resident_out", "who": CLEO},
]


@pytest.fixture
def stopped_at(settings, small_town):
    """Run from moment to moment, and return the files of a run that stopped there, by step."""

    async def run_to(moments, settings=settings):
        files, origin, before = {}, "base", 0
        for step in sorted({*moments}):
            plan = small_town.root / "plan.yaml" if origin == "base" else None
            files[step] = await went(settings, origin, "stopped", step - before, plan=plan)
            origin, before = "stopped", step
        return files

    return run_to


@pytest.fixture
def settings(small_town):
    (small_town.root / "plan.yaml").write_text(json.dumps(PLAN), "utf-8")
    return replace(small_town.settings, fsync=False)


@pytest.fixture
def model(settings, server):
    """Settings for the server of these tests."""
    return replace(
        settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="llamacpp", embedding_model="v"
    )


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
async def test_a_branch_is_a_run_that_stopped_there_and_goes_on_as_its_origin(settings, small_town, stopped_at, seed):
    """At any moment of two days with people who come and go, whenever they were saved: the branch has the files of a
    run that stopped there, and those of the origin when it has run on to its end.
    """
    chance, plan = random.Random(seed), small_town.root / "plan.yaml"  # noqa: S311 - any moments will do
    whole = await went(settings, "base", "whole", TWO_DAYS, autosave=chance.choice([60, 200, 360]), plan=plan)
    stopped = await stopped_at([0, TWO_DAYS, chance.randrange(TWO_DAYS), chance.choice([500, 2000])])
    for number, step in enumerate(stopped):
        branch = await went(settings, f"whole@{step}", f"branch_{number}", 0)
        assert different(branch, stopped[step]) == [], step
        later = await went(
            settings, f"branch_{number}", f"branch_{number}", TWO_DAYS - step, autosave=chance.choice([0, 77])
        )
        assert different(later, whole) == [], step


async def test_a_moment_is_copied_again_of_a_run_that_an_older_engine_saves_meanwhile(settings, monkeypatch):
    """Into an emptied folder: rows stand once. What is damaged for good is said at once, and names its file."""
    rain = {"step": 4, "kind": "memory_add", "who": ADA, "words": "It rains"}
    (settings.fs_storage.parent / "rain.yaml").write_text(json.dumps([rain]), "utf-8")
    whole = await went(settings, "base", "whole", 900, autosave=200, plan=settings.fs_storage.parent / "rain.yaml")
    tries, copy = [], forking.copy_moment

    async def troubled(settings, source, folder, **named):
        await copy(settings, source, folder, **named)
        tries.append(folder)
        if len(tries) < 3:
            raise SavedMeanwhile("It is being saved.")

    monkeypatch.setattr(forking, "copy_moment", troubled)
    monkeypatch.setattr(forking, "PAUSE", 0)
    branch = await went(settings, "whole@end", "branch", 0)
    assert len(tries) == 3
    assert different(branch, whole) == []
    damaged = settings.fs_storage / "whole" / "reverie/checkpoints/900.json.gz"
    damaged.write_bytes(b"")
    with pytest.raises(CorruptFile, match="is not a checkpoint") as raised:
        await went(settings, "whole@899", "other", 0)
    assert str(raised.value).startswith(str(damaged))
    assert len(tries) == 3


@pytest.mark.parametrize("recording", ["nobody", "../base", "branch"])
async def test_a_pin_on_a_recording_that_is_not_there_is_refused_before_anything_is_made(settings, recording):
    """A simulation that could not go on is not begun; nor can one repeat itself."""
    await went(settings, "base", "whole", 60)
    rule = {"kind": "rule", "rule": "pin", "who": ADA, "recording": recording, "step": 40}
    begins = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
    added = planned_rows([rule], Clock(begins.date(), begins, 30, 60), "a test")
    with pytest.raises(BadIntervention, match="recording"):
        await open_at(settings, "whole@30", "branch", beginning=Beginning(added=added))
    assert not (settings.fs_storage / "branch").exists()


async def test_minds_of_the_past_are_those_of_a_run_that_stopped_there(settings, small_town, stopped_at):
    """Scratch and spatial memory of everyone, at moments between two saves; nothing is written."""
    chance, plan = random.Random(7), small_town.root / "plan.yaml"  # noqa: S311 - any moments will do
    await went(settings, "base", "whole", 1440, autosave=200, plan=plan)
    before = content_of(settings.fs_storage / "whole")
    stopped = await stopped_at([432, *chance.sample(range(1440), 3)])
    for step in stopped:
        minds = await asyncio.to_thread(minds_at, settings, "whole", str(step))
        for name, mind in minds.items():
            folder = f"personas/{name}/bootstrap_memory"
            assert json.loads(json.dumps(mind["scratch"])) == json.loads(stopped[step][f"{folder}/scratch.json"])
            assert mind["spatial_memory"] == json.loads(stopped[step][f"{folder}/spatial_memory.json"])
    assert content_of(settings.fs_storage / "whole") == before


@pytest.mark.slow
async def test_with_the_cheaper_ways_of_thinking_a_branch_in_a_talk_is_its_origin(settings, small_town, stopped_at):
    """Memories written with a whole conversation are in the saved state until they are remembered."""
    plan = small_town.root / "plan.yaml"
    cheap = replace(settings, social_memory=True, conversations="whole", reflections="direct")
    whole = await went(cheap, "base", "whole", TWO_DAYS, autosave=200, plan=plan)
    talks = [step for step in range(1, TWO_DAYS) if b'"chat": [' in whole[f"movement/{step}.json"]]
    moments = [step + 1 for step in random.Random(7).sample(talks, 3)]  # noqa: S311 - any moments will do
    stopped = await stopped_at(moments, cheap)
    for number, step in enumerate(moments):
        branch = await went(settings, f"whole@{step}", f"branch_{number}", 0)
        assert different(branch, stopped[step]) == [], step
        later = await went(cheap, f"branch_{number}", f"branch_{number}", TWO_DAYS - step, autosave=77)
        assert different(later, whole) == [], step
    last = stopped[moments[-1]]
    assert b"chatting_kept" in b"".join(last[name] for name in last if name.endswith("scratch.json"))


@pytest.mark.slow
async def test_a_compressed_run_can_be_taken_up_again(settings, small_town, tmp_path):
    """Unpacked, it has the files that it had; a branch of it is a branch of the run."""
    plan = small_town.root / "plan.yaml"
    whole = await went(settings, "base", "whole", TWO_DAYS, autosave=200, plan=plan)
    compress(settings.fs_storage / "whole", tmp_path / "packed")
    unpack_once(tmp_path / "packed", settings.fs_storage / "again")
    unpack_once(tmp_path / "packed", settings.fs_storage / "again")
    found = different(timeless(settings.fs_storage / "again"), whole)
    assert found == [], str(found)
    one = await went(settings, "again@1999", "one", 30)
    other = await went(settings, "whole@1999", "other", 30)
    assert different(one, other) in ([], ["reverie/branch.json"])
    with pytest.raises(SimulationExists, match="Rename"):
        unpack_once(tmp_path / "packed", settings.fs_storage / "base")


async def test_a_recorded_run_is_returned_to_without_a_call(model, small_town, server, stopped_at):
    """With a model: at any moment nothing is asked, until the branch does something of its own. When a whisper is all
    that is new, everything before is the same; an untouched branch shares all answers, and a fresh one asks again.
    """
    chance, plan, day = random.Random(5), small_town.root / "plan.yaml", 720  # noqa: S311 - any moments will do
    whole = await went(model, "base", "whole", day, autosave=120, plan=plan)
    asked = len(server.requests)
    stopped = await stopped_at(chance.sample(range(day), 2), model)
    for number, step in enumerate(stopped):
        branch = await went(model, f"whole@{step}", f"branch_{number}", 0)
        assert different(branch, stopped[step]) == [], step
        server.requests.clear()
        later = await went(model, f"branch_{number}", f"branch_{number}", day - step)
        assert different(later, whole) == [], step
        assert server.requests == []
    assert asked > 0
    fresh = await went(replace(model, branch_answers="fresh"), "whole@480", "fresh", day - 480)
    assert different(fresh, whole) == []
    assert server.chats
