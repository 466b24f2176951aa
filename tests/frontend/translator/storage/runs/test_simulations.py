"""Which simulations there are."""

import pytest

from translator.errors import NotFound
from translator.storage.runs import simulations
from translator.storage.runs.stored_simulation import Store


def test_both_shelves_are_looked_through(stage):
    """Saved simulations first; one who names the shelf gets that one."""
    stage.save("both")
    stage.compress("both", stage.walk(2))
    stage.compress("packed", stage.walk(2))
    assert simulations.find("both").store is Store.SAVED
    assert simulations.find("both", Store.COMPRESSED).store is Store.COMPRESSED
    assert simulations.find("packed").store is Store.COMPRESSED
    with pytest.raises(NotFound):
        simulations.find("packed", Store.SAVED)
    with pytest.raises(NotFound):
        simulations.find_saved("packed")


def test_what_is_not_compressed_is_not_denied(stage):
    """Who looks for a demo of a saved simulation is told how to make one."""
    stage.save("run")
    with pytest.raises(NotFound, match=r"compress_sim_storage\.py run"):
        simulations.find_compressed("run")
    with pytest.raises(NotFound, match="There is no simulation called packed"):
        simulations.find_compressed("packed")


@pytest.mark.parametrize("code", ["..", "../storage/run", ".hidden", "link", "file", "run/", "", "x" * 300])
def test_only_folders_on_the_shelf_are_found(stage, code):
    """Neither what lies beside it, nor what a link leads to, nor a plain file."""
    stage.save("run")
    (stage.root / "outside").mkdir()
    (stage.storage / "link").symlink_to(stage.root / "outside")
    stage.put("storage/file", "")
    stage.put("storage/.hidden/reverie/meta.json", stage.meta("x", 0))
    with pytest.raises(NotFound):
        simulations.find(code)


def test_the_list_has_every_simulation_that_can_be_read(stage):
    """A damaged one is left out rather than the whole list."""
    stage.save("base")
    stage.save("run", stage.walk(3))
    stage.compress("packed", stage.walk(4))
    stage.put("storage/broken/reverie/meta.json", "{")
    stage.put("storage/endless/reverie/meta.json", stage.meta("endless", 0) | {"step": 10**20})
    stage.put("storage/empty/nothing", "")
    found = [(entry.code, entry.store, entry.steps) for entry in simulations.listing().entries]
    assert found == [("base", "saved", 0), ("run", "saved", 3), ("packed", "compressed", 4)]
    told = [
        "broken/reverie/meta.json is not a JSON object.",
        "endless/reverie/meta.json: step has an impossible value.",
    ]
    assert simulations.listing().damage == tuple(f"{what} Restore it." for what in told)


def test_without_folders_there_is_nothing(stage):
    """A fresh house has no compressed runs yet."""
    stage.compressed.rmdir()
    assert simulations.listing() == simulations.Listing((), ())
    with pytest.raises(NotFound):
        simulations.find("run")
