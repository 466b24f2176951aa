"""The Ville has every place that base simulations and published recordings mention."""

import json
import os
from pathlib import Path

import pytest

from town_builder.grid.compile import compile_plan
from town_builder.plan.town_file import load_plan
from town_builder.stamps import load_stamps

THE_VILLE = Path(__file__).resolve().parents[2] / "environment/town_builder/towns/the_ville.yaml"


@pytest.fixture(scope="module")
def required():
    if "REQUIRED_ADDRESSES" not in os.environ:
        pytest.skip("REQUIRED_ADDRESSES is not set: the Ville was NOT compared with the addresses it must have")
    return json.loads(Path(os.environ["REQUIRED_ADDRESSES"]).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ville():
    return compile_plan(load_plan(THE_VILLE), load_stamps()).grids


@pytest.mark.reference
def test_every_required_address_is_in_the_ville(required, ville):
    """The addresses of the Ville are exactly the required ones."""
    wanted = {
        path
        for sector, arenas in required["tree"].items()
        for arena, objects in arenas.items()
        for path in [(sector,), (sector, arena), *((sector, arena, one["object"]) for one in objects)]
    }
    assert ville.world == required["world"]
    assert set(ville.addresses) == wanted


@pytest.mark.reference
def test_every_required_spawn_is_in_the_ville(required, ville):
    """Each room has its required number of spawn tiles."""
    spawns = {(ville.sectors[tile], ville.arenas[tile], name) for tile, name in ville.spawns.items()}
    assert spawns == {tuple(spawn) for spawn in required["spawns"]}


@pytest.mark.reference
def test_everyone_starts_in_their_own_bed(required, ville):
    """All start tiles of the bases are walkable bed tiles in the person's living area."""
    for name, tile in required["anchors_n25"].items():
        home = tuple(required["living_areas"][name].split(":"))[1:]
        assert ville.walkable(tuple(tile)), name
        assert ville.address(tuple(tile)) == (*home, "bed"), name
