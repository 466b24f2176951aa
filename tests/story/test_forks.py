"""A new simulation appears with everything or not at all, whenever its program is killed, also of a running town."""

import asyncio
import json
import random
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from short_runs import went
from simulation_content import content_of
from step_texts import has_step

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.cli.offline_command import main as offline
from ville.errors import SimulationNotFound
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.planned import Planned
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.folder.storage import simulations
from ville.storage.past.checkpoints import digest_at, stems
from ville.storage.records.intervention_log import read_ahead, read_rows

ADA, BEN = "Ada Stone", "Ben Reed"
SCRIPT = Path(__file__).parents[1] / "servers" / "dying_forks.py"
ENOUGH = 100_000
"""More file operations than a fork takes."""


@pytest.fixture
def settings(small_town):
    return replace(small_town.settings, fsync=False)


def killed(town, origin, numbers):
    """Make a fork in several storages, in each of which its program is killed before one more file operation."""
    subprocess.run([sys.executable, SCRIPT, town, origin, *map(str, numbers)], check=True)


@pytest.mark.parametrize("origin", ["base", "whole@30"])
async def test_a_fork_appears_with_everything_or_not_at_all(settings, small_town, origin):
    """Killed before any of its file operations, it is resumed by its name alone with its seed, its plan, its past and
    its title; or there is none, which is said in a line, nothing stands in the way of its name, and what is left is
    hidden.
    """
    town = small_town.root
    rain = {"step": 40, "kind": "memory_add", "who": ADA, "words": "It rains"}
    (town / "plan.yaml").write_text(json.dumps([rain]), "utf-8")
    (town / "past.csv").write_text(f'Name,Whispers\n{BEN},"You know Ada Stone"\n', "utf-8")
    await went(settings, "base", "whole", 60, autosave=20)
    chance = random.Random(origin)  # noqa: S311 - any moments will do
    numbers = [*range(0, 12, 3), *(chance.randrange(12, 260) for _ in range(8)), ENOUGH]
    killed(town, origin, numbers)
    right = content_of(town / "killed" / str(ENOUGH) / "storage" / "fork")
    assert b"Rain" in right["reverie/title.json"]
    outcomes = Counter()
    for number in numbers:
        storage = town / "killed" / str(number) / "storage"
        there = "fork" in simulations(storage)
        outcomes[there] += 1
        if there:
            assert content_of(storage / "fork") == right, number
            assert [row["kind"] for row in read_ahead(storage / "fork/reverie")] == ["history", "memory_add"]
        else:
            with pytest.raises(SimulationNotFound, match="no simulation 'fork' .*Fork one of them to begin it"):
                await open_at(replace(settings, fs_storage=storage), "fork", "fork")
            assert all(path.name.startswith(".") for path in storage.iterdir() if path.name not in {"base", "whole"})
            await went(replace(settings, fs_storage=storage), origin, "fork", 0)
            assert sorted(path.name for path in storage.iterdir()) == ["base", "fork", "whole"]
    assert outcomes[False] >= 4
    resumed = replace(settings, fs_storage=town / "killed" / str(ENOUGH) / "storage", seed=None)
    await went(resumed, "fork", "fork", 60 if origin == "base" else 30)
    rows = read_rows(resumed.fs_storage / "fork/reverie/interventions.jsonl")
    assert [row["kind"] for row in rows] == ["history", "memory_add"]


def test_resuming_what_is_not_there_is_refused_in_a_line_that_helps(small_town, capsys, monkeypatch):
    """Which names there are, and how Fork one of them to begin it."""
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    assert offline(["-o", "k", "-t", "k", "-s", "1"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "no simulation 'k'" in line
    assert "There are: base" in line
    assert "Fork one of them to begin it" in line


@pytest.mark.parametrize("count", [12, pytest.param(200, marks=pytest.mark.slow)])
async def test_a_branch_of_a_town_at_full_speed_is_always_a_future(settings, small_town, count):
    """It is saved at each step, and keeps few checkpoints: each branch, also of moments that it may just forget, is the
    save that it names, with each intervention once.
    """
    plan = small_town.root / "plan.yaml"
    rows = [{"step": step, "kind": "memory_add", "who": ADA, "words": f"It rains {step}"} for step in range(0, 5000, 3)]
    plan.write_text(json.dumps(rows), "utf-8")
    await went(settings, "base", "town", 10, autosave=1, plan=plan)
    stop = StopRequest()
    running = threading.Thread(target=_runs, args=(replace(settings, checkpoints=40), stop))
    running.start()
    try:
        for number in range(count):
            name = f"future_{number}"
            branch = await open_at(settings, "town@end", name)
            await branch.close()
            root = settings.fs_storage / name
            numbers = [row["n"] for row in read_rows(root / "reverie/interventions.jsonl")]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) == -(-branch.clock.step // 3)
            assert has_step(root, branch.clock.step - 1)()
            assert stems(root)[-1].step == branch.clock.step
    finally:
        stop.request()
        running.join()
    town = settings.fs_storage / "town"
    for number in range(count):
        root = settings.fs_storage / f"future_{number}"
        for each in {*stems(town)} & {stems(root)[-1]}:
            assert digest_at(town, each) == digest_at(root, each)
    assert sum(".partial" in path.name for path in settings.fs_storage.iterdir()) == 0


async def test_a_save_at_a_step_that_has_its_checkpoint_leaves_it_as_it_is(settings):
    """Byte for byte, in whichever process, also if an intervention that was planned is recorded, and was not saved."""
    words = parse_intervention({"kind": "memory_add", "who": ADA, "words": "It rains"})
    rain = Planned(20, words, {"door": "file", "by": "", "id": "rain"})
    await went(settings, "base", "town", 40, autosave=10)
    town = await open_at(settings, "town@20", "branch", beginning=Beginning(added=[rain]))
    await town.close()
    root = settings.fs_storage / "branch"
    before = {path.name: path.read_bytes() for path in (root / "reverie/checkpoints").iterdir()}
    town = await open_at(settings, "branch", "branch")
    assert await town.apply_due()
    await town.close()  # as if it had been killed
    for _ in range(2):
        town = await open_at(settings, "branch", "branch")
        town.save()
        town.save()
        await town.close()
    assert {path.name: path.read_bytes() for path in (root / "reverie/checkpoints").iterdir()} == before
    assert [row["id"] for row in read_ahead(root / "reverie")] == ["rain"]


def _runs(settings, stop):
    """Run the town until it is told to stop, in a thread of its own as in a process of its own."""

    async def forever():
        town = await open_at(settings, "town", "town")
        await run(town, 100_000, autosave=1, watch=lambda _: None, stop=stop)
        await town.close()

    asyncio.run(forever())
