"""Undoing an intervention: the simulation goes on as if it had never happened, and what it was can be restored."""

import json
from dataclasses import replace

import pytest

import ville
from ville.api.town_session import TownSession
from ville.errors import BadMoment, SimulationInUse, SimulationNeeded
from ville.storage.files import read_object, write_text
from ville.storage.folder.branches import BRANCH
from ville.storage.folder.storage import fork
from ville.storage.keeping.description import described
from ville.storage.records.intervention_log import read_rows
from ville.storage.records.marks import read_marks, set_mark
from ville.storage.recycle_bin import binned

ADA = "Ada Stone"


def files(root):
    """Files of a run: steps, memories, state."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*.json")
        if not path.name.startswith(("title", "notes", "marks"))
    }


def town(small_town, name, origin="base"):
    settings = small_town.settings if origin == name else replace(small_town.settings, seed=1)
    return TownSession(settings, origin, name)


@pytest.fixture
def undo(small_town):
    storage = small_town.settings
    folders = {"fs_storage": storage.fs_storage, "fs_temp_storage": storage.fs_temp_storage, "assets": storage.assets}
    return lambda name: ville.undo(name, **folders, provider="offline")


@pytest.mark.parametrize("planned", [False, True])
def test_a_run_goes_on_as_if_it_had_never_happened(small_town, undo, planned):
    """Same steps and memories as of a run without the intervention; title and note stay."""
    storage = small_town.settings.fs_storage
    with town(small_town, "plain") as plain:
        plain.run(steps=60)
    with town(small_town, "changed") as changed:
        changed.run(steps=20)
        changed.save()
        if planned:
            path = small_town.settings.fs_temp_storage.parent / "plan.json"
            row = {"step": 30, "kind": "whisper", "who": ADA, "words": "The mill is for sale."}
            path.write_text(json.dumps([row]))
            changed.plan(path)
        changed.run(steps=10)
        if not planned:
            changed.whisper(ADA, "The mill is for sale.")
        changed.run(steps=15)
    described(storage / "changed", title="A mill", note="Sold?")
    for step in (10, 40):
        set_mark(storage / "changed", step, f"Step {step}")
    assert len(read_rows(storage / "changed/reverie/interventions.jsonl")) == 1
    undone = undo("changed")
    assert (undone.number, undone.kind, undone.step) == (1, "whisper", 30)
    with town(small_town, "changed", "changed") as changed:
        assert changed.step == 30
        changed.run(steps=30)
    one, other = files(storage / "changed"), files(storage / "plain")
    assert read_object(storage / "changed/reverie/meta.json") == read_object(storage / "plain/reverie/meta.json")
    assert {name for name in {*one, *other} if one.get(name) != other.get(name)} == set()
    assert described(storage / "changed").title == "A mill"
    assert read_marks(storage / "changed") == [(10, "Step 10")]


def test_what_it_was_can_be_restored(small_town, undo):
    """From the bin, once the name is free."""
    storage = small_town.settings.fs_storage
    with town(small_town, "first") as first:
        first.run(steps=5)
        first.whisper(ADA, "The mill is for sale.")
        first.run(steps=5)
    before = files(storage / "first")
    undo("first")
    with pytest.raises(BadMoment, match="no intervention of its own"):
        undo("first")
    keep = {"fs_storage": storage, "fs_temp_storage": small_town.settings.fs_temp_storage}
    ville.rename("first", "second", **keep)
    ville.restore("first", **keep)
    assert files(storage / "first") == before
    assert [entry.name for entry in binned(storage)] == []


def test_what_is_open_or_needed_stays(small_town, undo):
    """Or has an intervention of its origin only."""
    storage = small_town.settings.fs_storage
    with town(small_town, "first") as first:
        first.run(steps=5)
        first.whisper(ADA, "The mill is for sale.")
        first.run(steps=5)
        first.save()
        with pytest.raises(SimulationInUse):
            undo("first")
    before = files(storage / "first")
    fork(storage, "first", "later")
    with pytest.raises(SimulationNeeded, match="'later'"):
        undo("first")
    with pytest.raises(BadMoment, match="of its own"):
        undo("later")
    assert files(storage / "first") == before
    path = storage / "later/reverie" / BRANCH
    write_text(path, path.read_text().replace('"step": 10', '"step": 3'))
    assert undo("first").step == 5
