"""Placement of plants, scatter and forests."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from town_builder.plan.placement import place_stamps
from town_builder.plan.shapes import rectangle
from town_builder.plan.town_plan import Plan, Plant, Scatter, TerrainPatch
from town_builder.stamps import load_stamps

STAMPS = load_stamps()
SIDE = 24
EVERYWHERE = rectangle((0, 0, SIDE, SIDE))
POND = rectangle((9, 9, 5, 4))
WATER = TerrainPatch("water", POND, solid=True, line=1)
EMPTY = Plan("", "", "meadow", "the Meadow", SIDE, SIDE, (WATER,), (), (), (), ())


def plants(*names, colour=None):
    return tuple(Plant(name, colour, 2) for name in names)


WOODS = Scatter(plants("oak", "bush", "log", "flowers"), EVERYWHERE, 0.5, 0, 1, solid=False, line=2)
BED = "rect: [15, 5, 2, 2], ground: soil, plants: [flowers]"


def strewn(**changes):
    return place_stamps(replace(EMPTY, scatter=(replace(WOODS, **changes),)), STAMPS)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0, 1), st.integers(1, 3))
def test_scattered_things_keep_their_distance(seed, density, clear):
    """Between scattered solid tiles, and between them and water, at least `clear` tiles are free."""
    solids = [one.solid for one in strewn(seed=seed, density=density, clear=clear).stamps if one.solid]
    for place, some in enumerate(solids):
        for other in [POND, *solids[:place]]:
            assert min(max(abs(x - i), abs(y - j)) for x, y in some for i, j in other) > clear


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_scatter_stays_on_free_ground(seed, density):
    """Scattered stamps stand on free ground inside the map."""
    for one in strewn(seed=seed, density=density).stamps:
        assert one.ground_tiles <= EVERYWHERE - POND


def test_seeds_decide_everything():
    """The same seed gives the same meadow, another seed a different one."""
    assert strewn(seed=1) == strewn(seed=1)
    assert strewn(seed=1) != strewn(seed=2)


def test_the_line_does_not_matter():
    """Moving a scatter within the file does not change its trees; only stamps, seed and shape matter."""
    here, there = strewn(line=2).stamps, strewn(line=99).stamps
    assert [(one.stamp, one.at) for one in here] == [(one.stamp, one.at) for one in there]


def test_colours_move_nothing():
    """Colours do not change the positions of stamps, and every stamp has its colour."""
    golden = strewn(stamps=plants("oak", "bush", "log", "flowers", colour="autumn")).stamps
    assert [(one.stamp, one.at) for one in golden] == [(one.stamp, one.at) for one in strewn().stamps]
    assert {one.colour for one in golden} == {"autumn"}


def test_a_forest_closes_its_ground():
    """A solid scatter leaves no free walkable tile in its area."""
    woods = strewn(solid=True)
    solid = {tile for one in woods.stamps for tile in one.solid} | woods.forest
    assert solid == EVERYWHERE - POND


def test_a_forest_grows_up_to_the_edge_of_the_map():
    """Crowns may be cut off by the border, so that forests reach it."""
    assert any(one.at[1] < 0 for one in strewn(solid=True, clear=0).stamps)


@pytest.mark.parametrize("density", [0, 1])
def test_density_is_a_chance(density):
    """Density 0 places nothing, density 1 fills every free tile."""
    flowers = strewn(stamps=plants("flowers"), density=density).stamps
    assert len(flowers) == density * len(EVERYWHERE - POND)


def test_plants_leave_a_way_round_them(town):
    """At any density of bushes, every free tile of the bed is reachable, and some are left."""
    town.change("plants: [flowers]", "plants: [bush], density: 1")
    assert not town.problems()
    bushes = [one for one in town.compiled().placement.stamps if one.stamp.name == "bush" and one.at[0] in {15, 16}]
    assert len(bushes) == 1


def growing(town):
    """Return tile → stamp and colour of the plants on the cottage's flower bed."""
    return {one.at: (one.stamp.name, one.colour) for one in town.compiled().placement.stamps if one.at[0] in {15, 16}}


def test_rows_follow_one_another(town):
    """In rows every tile has a plant, one kind per row, repeating after the last kind."""
    town.change(BED, "rows: {5: [15, 1], 6: [15, 2], 7: [16, 1]}, plants: [lettuce, cabbages], in_rows: true")
    beds = {at: plant for at, plant in growing(town).items() if plant[0] in {"lettuce", "cabbages"}}
    lettuce, cabbages = ("lettuce", None), ("cabbages", None)
    assert beds == {(15, 5): lettuce, (15, 6): cabbages, (16, 6): cabbages, (16, 7): lettuce}


def test_rows_of_the_same_stamp_differ_in_colour(town):
    """A stamp may occur several times with different colours."""
    plant = "{stamp: flower bed, colour: %s}"
    town.change(BED, f"rect: [15, 5, 2, 2], plants: [{plant % 'red'}, {plant % 'white'}], in_rows: true")
    beds = {at: colour for at, (name, colour) in growing(town).items() if name == "flower bed"}
    assert beds == {(15, 5): "red", (16, 5): "red", (15, 6): "white", (16, 6): "white"}


def test_tall_plants_grow_on_their_own_tile(town):
    """Corn two tiles high has its foot on the bed, so that the bed is full to its last row."""
    town.change(BED, "rect: [15, 5, 2, 2], plants: [corn], in_rows: true")
    corn = [one for one in town.compiled().placement.stamps if one.stamp.name == "corn"]
    assert {tile for one in corn for tile in one.ground_tiles} == rectangle((15, 5, 2, 2))


@pytest.mark.parametrize("name", STAMPS["shop sign"].variants)
def test_a_named_variant_is_the_one_that_is_drawn(town, name):
    """A sign shows its named variant at any place."""
    town.change("{stamp: street lamp, at: [15, 9]}", f"{{stamp: shop sign, at: [15, 9], variant: {name}}}")
    (sign,) = (one for one in town.compiled().placement.stamps if one.stamp.name == "shop sign")
    assert STAMPS["shop sign"].variants[sign.variant] == name
