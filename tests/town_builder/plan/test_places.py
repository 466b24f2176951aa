"""Places of things in a town file."""

import pytest

from town_builder.problems import TownError

BENCH = "{stamp: bench, at: [0, 0]}"


def test_a_line_of_things_stands_side_by_side(town):
    """`line` equals `at` with every tile from point to point."""
    town.change(BENCH, "{stamp: hedge, line: [[0, 0], [2, 0], [2, 1]]}")
    drawn = town.compiled().placement
    town.change("line: [[0, 0], [2, 0], [2, 1]]", "at: [[0, 0], [1, 0], [2, 0], [2, 1]]")
    listed = town.compiled().placement
    assert [one.at for one in drawn.stamps] == [one.at for one in listed.stamps]


def test_line_and_at_exclude_each_other(town):
    """A thing with both `line` and `at` is refused."""
    town.change(BENCH, "{stamp: hedge, at: [0, 0], line: [[0, 0], [2, 0]]}")
    with pytest.raises(TownError, match="keep one of them"):
        town.compiled()


def test_a_plant_without_a_colour_is_its_bare_name(town):
    """`oak` and `{stamp: oak}` are equal."""
    (plain,) = town.plan().areas[0].plots
    town.change("plants: [flowers]", "plants: [{stamp: flowers}]")
    (spelt,) = town.plan().areas[0].plots
    assert plain.plants == spelt.plants
