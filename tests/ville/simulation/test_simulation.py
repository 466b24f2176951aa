"""The life of a simulation: fork, save, resume, revert."""

import json

import pytest

from ville.errors import SimulationNotFound


async def test_a_resumed_simulation_equals_an_uninterrupted_one(opened, run_for, small_town):
    """Resumed any number of times, its files equal those of an uninterrupted run, byte for byte."""
    await run_for(whole := opened("whole"), 900)
    whole.save()
    for steps in (1, 399, 250, 250):
        parts = opened("parts", "base" if steps == 1 else "parts")
        await run_for(parts, steps, autosave=97)
        parts.save()
        await parts.close()
    assert small_town.files("parts") == small_town.files("whole")


async def test_a_fork_continues_from_the_save_of_its_origin(opened, run_for, small_town):
    """Its steps are those the origin would have taken; the origin does not change."""
    await run_for(whole := opened("whole"), 600)
    whole.save()
    await run_for(first := opened("first"), 400)
    first.save()
    before = small_town.files("first")
    second = opened("second", "first")
    await run_for(second, 200)
    second.save()
    assert small_town.files("second") == small_town.files("whole")
    assert small_town.files("first") == before


async def test_revert_goes_back_to_the_last_save(opened, run_for, small_town):
    """Everything after it is removed from disk."""
    simulation = opened("new")
    await run_for(simulation, 10)
    simulation.save()
    saved = small_town.files("new")
    await run_for(simulation, 10)
    simulation.revert()
    assert small_town.files("new") == saved


async def test_revert_deletes_a_simulation_that_was_never_saved(opened, run_for):
    """A fork without a save leaves no files; a resumed simulation has a save."""
    simulation = opened("new")
    await run_for(simulation, 3)
    simulation.revert()
    with pytest.raises(SimulationNotFound):
        opened("new", "new")
    await simulation.close()
    kept = opened("kept")
    kept.save()
    await kept.close()
    again = opened("kept", "kept")
    again.revert()
    await again.close()
    assert opened("kept", "kept").clock.step == 0


async def test_the_seed_stays_with_the_simulation(opened, small_town):
    """A fork stores its seed at once; resumed without a seed it keeps it, with one it takes the new one."""
    await opened("new", seed=7).close()
    own = json.loads((small_town.root / "storage/new/reverie/run.json").read_text("utf-8"))
    assert own["seed"] == 7
    same = opened("new", "new", seed=None)
    assert same.models.seed == 7
    await same.close()
    assert opened("new", "new", seed=8).models.seed == 8


async def test_saving_a_new_fork_changes_no_bytes(opened, small_town):
    """A fork saved at once equals its base byte for byte, except for side files."""
    opened("new").save()
    base, new = small_town.files("base"), small_town.files("new")
    assert {name: new[name] for name in base} == base
