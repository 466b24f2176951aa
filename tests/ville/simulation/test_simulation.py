"""A simulation from its fork to its end."""

import json

import pytest

from ville.errors import SimulationNotFound


async def test_a_saved_simulation_goes_on_where_it_stood(opened, run_for, small_town):
    """Resumed in place as often as one likes, its files are those of an uninterrupted run, byte for byte."""
    await run_for(whole := opened("whole"), 900)
    whole.save()
    for steps in (1, 399, 250, 250):
        parts = opened("parts", "base" if steps == 1 else "parts")
        await run_for(parts, steps, autosave=97)
        parts.save()
        await parts.close()
    assert small_town.files("parts") == small_town.files("whole")


async def test_a_fork_goes_on_where_its_origin_was_saved(opened, run_for, small_town):
    """Its steps are those that the origin would have taken; the origin does not change."""
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


async def test_leaving_without_saving_goes_back_to_the_last_save(opened, run_for, small_town):
    """What came after it is gone from disk."""
    simulation = opened("new")
    await run_for(simulation, 10)
    simulation.save()
    saved = small_town.files("new")
    await run_for(simulation, 10)
    simulation.revert()
    assert small_town.files("new") == saved


async def test_leaving_a_simulation_that_was_never_saved_removes_it(opened, run_for):
    """A fork that was only looked at leaves nothing; a resumed one was saved."""
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
    """A fork has its own from the first moment; resumed without a seed it keeps it, with one it takes that."""
    await opened("new", seed=7).close()
    own = json.loads((small_town.root / "storage/new/reverie/run.json").read_text("utf-8"))
    assert own["seed"] == 7
    same = opened("new", "new", seed=None)
    assert same.models.seed == 7
    await same.close()
    assert opened("new", "new", seed=8).models.seed == 8


async def test_saving_changes_nothing_that_is_not_new(opened, small_town):
    """A fork saved untouched has the bytes of its base, side files apart."""
    opened("new").save()
    base, new = small_town.files("base"), small_town.files("new")
    assert {name: new[name] for name in base} == base
