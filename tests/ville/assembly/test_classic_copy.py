"""A simulation goes on as it would have, whatever files it was kept in."""

import json

import pytest

from ville.assembly.run import open_at
from ville.cli.export_command import main
from ville.errors import BadMoment, SimulationExists
from ville.storage.folder.classic_copy import write_classic
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.moments import check_memories
from ville.storage.records.memory_files import EMBEDDINGS, VECTORS


async def lived(settings, origin, name, steps):
    """Go on for some steps, save, and return the folder."""
    simulation = await open_at(settings, origin, name)
    for _ in range(steps):
        await simulation.advance()
    simulation.save()
    await simulation.close()
    return simulation.folder.root


async def test_a_classic_copy_goes_on_to_the_same_files(small_town, capsys):
    """As does the simulation itself, resumed or not: steps and memories are the same, and vectors bit for bit."""
    settings, storage = small_town.settings, small_town.root / "storage"
    begun = await lived(settings, "base", "begun", 5)
    assert main(["begun", "--to", "classic", "--out", str(storage / "classic"), "--storage", str(storage)]) == 0
    assert "Exported" in capsys.readouterr().out
    copied = small_town.files("classic")
    assert not [name for name in copied if name.endswith((VECTORS, ".pack", "vectors.json"))]
    store = json.loads(copied[f"personas/Ada Stone/{EMBEDDINGS}"])
    assert {len(vector) for vector in store.values()} == {1536}
    whole = await lived(settings, "base", "whole", 40)
    roots = [whole, await lived(settings, "begun", "begun", 35), await lived(settings, "classic", "classic", 35)]
    assert begun == roots[1]
    own = ("reverie/meta", "reverie/branch", "reverie/checkpoints", "reverie/vectors", "reverie/run", "reverie/inter")
    files = [
        {name: text for name, text in small_town.files(root.name).items() if not name.startswith(own)} for root in roots
    ]
    assert files[0] == files[1]
    for name in ("Ada Stone", "Ben Reed"):
        assert files[2].pop(f"personas/{name}/{EMBEDDINGS}")
    common = {name: text for name, text in files[0].items() if not name.endswith(VECTORS)}
    assert {name: text for name, text in files[2].items() if name in common} == common
    towns = [(await open_at(settings, root.name, root.name)) for root in roots]
    directions = [
        town.persona("Ada Stone").mind.stream.vectors.directions([*SimulationFolder(whole).vectors.read("Ada Stone")])
        for town in towns
    ]
    for town in towns:
        await town.close()
    assert directions[0].tobytes() == directions[1].tobytes() == directions[2].tobytes()
    with pytest.raises(SimulationExists):
        write_classic(whole, storage / "classic")


async def test_what_is_remembered_is_compared_in_whichever_form_it_is_kept(small_town):
    """Runs of older releases have vectors in the older form, those that are computed again in the newer one."""
    begun, whole = [
        await lived(small_town.settings, "base", name, steps) for name, steps in (("begun", 5), ("whole", 9))
    ]
    classic = small_town.root / "storage" / "classic"
    write_classic(whole, classic)
    check_memories(begun, whole)
    check_memories(begun, classic)
    path = classic / "personas" / "Ada Stone" / EMBEDDINGS
    store = json.loads(path.read_bytes())
    first = next(iter(store))
    path.write_text(json.dumps(store | {first: store[first][::-1]}), "utf-8")
    with pytest.raises(BadMoment, match="Ada Stone"):
        check_memories(begun, classic)
