"""Places and objects are found by the words that people use, in both languages, as the search of a page finds them."""

import pytest

from ville.errors import BadIntervention
from ville.home import OUR_ASSETS
from ville.simulation.interventions.addresses import find_object, find_place, find_spot
from ville.storage.other_words import words_for_object
from ville.world.maze_files import load_maze


@pytest.fixture(scope="module")
def maze():
    return load_maze(OUR_ASSETS / "the_ville" / "matrix", "the_ville")


@pytest.mark.parametrize("said", ["hobbs cafe > stove", "cafe, oven", "Hobbs Cafe:cafe:Stoves", "кафе > плита"])
def test_the_stove_is_found_by_any_word_for_it(maze, said):
    """In the singular or plural, with other words for the place, too."""
    assert str(find_object(maze, said)) == "the Ville:Hobbs Cafe:cafe:cooking area"
    assert find_spot(maze, said) == find_spot(maze, "the Ville:Hobbs Cafe:cafe:cooking area")


@pytest.mark.parametrize(("said", "place"), [("аптека", "Pharmacy"), ("паб", "Pub:pub"), ("drugstore", "Pharmacy")])
def test_a_place_is_found_by_any_word_for_it(maze, said, place):
    assert place.casefold() in str(find_place(maze, said)).casefold()


@pytest.mark.parametrize("said", ["stove", "плита"])
def test_a_word_for_several_objects_is_refused_with_them(maze, said):
    """Only objects that it can mean are named, so that one of these can be written."""
    with pytest.raises(BadIntervention, match=rf"^'{said}' can mean .*Write one of these\.$") as refused:
        find_object(maze, said)
    named = str(refused.value).partition(" can mean '")[2].rpartition("'")[0].split("', '")
    assert len(named) > 1
    for address in named:
        assert "stove" in words_for_object(str(find_object(maze, address)).rpartition(":")[2])


def test_a_name_of_the_map_is_stronger_than_another_word(maze):
    """An everyday word for one object means another where that has it as its name."""
    named = next(address for address in maze.address_tiles if address.endswith(":bookshelf"))
    assert str(find_object(maze, named.partition(":")[2])) == named
