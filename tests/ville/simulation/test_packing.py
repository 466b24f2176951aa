"""Hours of steps are packed while a simulation runs and when it is closed, and nobody notices."""

import shutil

import pytest
from step_texts import step_texts

from ville.simulation import stepper
from ville.storage.steps import held_steps, hour_pack, packed_steps, step_store

HOUR, STEPS = 6, 26


@pytest.fixture(autouse=True)
def short_hours(monkeypatch):
    """Hours of six steps, and days of two hours."""
    for module in (held_steps, hour_pack, packed_steps, step_store, stepper):
        monkeypatch.setattr(module, "HOUR", HOUR)
        monkeypatch.setattr(module, "DAY", 2 * HOUR, raising=False)


def files(folder):
    """Return the steps that have files of their own, and the packs."""
    loose = sorted(int(path.stem) for path in (folder / "movement").glob("*.json"))
    return loose, sorted(path.name for path in (folder / "movement").glob("*.pack"))


async def test_an_hour_is_packed_when_the_next_one_is_complete_and_the_last_when_it_is_closed(opened, run_for):
    """Where a page may come, files are left for an hour to those who follow them; without `pack_steps`, all stay."""
    town = opened("new", notice=lambda _: None)
    await run_for(town, HOUR + 5)
    town.save()
    assert files(town.folder.root) == ([*range(HOUR + 5)], [])
    await run_for(town, STEPS - HOUR - 5)
    town.save()
    assert files(town.folder.root) == ([*range(3 * HOUR, STEPS)], ["0.pack", "12.pack"])
    await town.close()
    assert files(town.folder.root) == ([*range(4 * HOUR, STEPS)], ["0.pack", "12.pack"])
    loose = opened("loose", pack_steps=False)
    await run_for(loose, STEPS)
    loose.save()
    await loose.close()
    assert files(loose.folder.root) == ([*range(STEPS)], [])
    assert step_texts(loose.folder.root) == step_texts(town.folder.root)


async def test_without_a_page_an_hour_is_packed_at_once(opened, run_for):
    """One of which steps were written before its end, when the next one is complete."""
    town = opened("new")
    await run_for(town, HOUR + 5)
    assert files(town.folder.root) == ([*range(HOUR, HOUR + 5)], ["0.pack"])
    await run_for(town, HOUR)
    assert files(town.folder.root) == ([*range(HOUR, 2 * HOUR + 5)], ["0.pack"])
    await run_for(town, STEPS - 2 * HOUR - 5)
    assert files(town.folder.root) == ([*range(4 * HOUR, STEPS)], ["0.pack", "12.pack"])


async def test_a_run_goes_on_from_a_save_within_an_hour_that_was_packed_later(opened, run_for, small_town):
    """As a killed one does: what was packed since the save is cut, also where files and pack are both there."""
    town = opened("new")
    await run_for(town, HOUR + 2)
    town.save()
    await run_for(town, 2 * HOUR)
    killed = small_town.root / "storage/killed"
    shutil.copytree(town.folder.root, killed)
    shutil.copytree(killed / "movement", small_town.root / "kept")
    assert files(killed) == ([3 * HOUR, 3 * HOUR + 1], ["0.pack", "12.pack"])
    again = opened("killed", "killed")
    assert (again.clock.step, files(killed)) == (HOUR + 2, ([HOUR, HOUR + 1], ["0.pack"]))
    shutil.copytree(small_town.root / "kept", killed / "movement", dirs_exist_ok=True)
    again.folder.recover()
    await run_for(again, STEPS - HOUR - 2)
    again.save()
    await again.close()
    await run_for(town, STEPS - 3 * HOUR - 2)
    town.save()
    await town.close()
    assert small_town.steps("killed") == small_town.steps("new")
    assert files(killed) == files(town.folder.root)


async def test_packed_people_live_as_others_do(opened, run_for, small_town):
    """Saved, opened again, gone on with, closed and unpacked, all files are those of people with files of their own."""
    found = []
    for name, people in (("loose", 0), ("packed", 1)):
        town = opened(name, pack_people=people)
        await run_for(town, HOUR)
        town.save()
        await town.close()
        again = opened(name, name, pack_people=people)
        await run_for(again, STEPS - HOUR)
        again.save()
        await again.close()
        root = again.folder.root
        assert (root / "reverie/people.json").exists() == (root / "reverie/people.0.pack").exists() == bool(people)
        assert (root / "personas").exists() != bool(people)
        again.folder.people.unpack()
        found.append(small_town.files(name))
    assert found[0] == found[1]


async def test_a_simulation_that_is_only_opened_stays_as_it_is(opened, run_for):
    """One of an older version, with all its files: it is packed when it goes on."""
    town = opened("new", pack_steps=False)
    await run_for(town, 2 * HOUR)
    town.save()
    await town.close()
    looked = opened("new", "new")
    await looked.close()
    assert files(town.folder.root) == ([*range(2 * HOUR)], [])
    again = opened("new", "new")
    await run_for(again, 1)
    again.save()
    await again.close()
    assert files(town.folder.root) == ([2 * HOUR], ["0.pack"])
