"""Laws of addresses and destinations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.world.address import Address, AnywhereIn, AtPlace, AtTile, NearPersona, Tile, parse_destination

names = st.text(st.characters(blacklist_characters=":<>", blacklist_categories=["Cs"]), min_size=1, max_size=12)
tiles = st.builds(Tile, st.integers(0, 999), st.integers(0, 999))
places = st.builds(Address, names, names, names, names)
destinations = st.one_of(
    places.map(AtPlace),
    names.map(NearPersona),
    tiles.map(AtTile),
    places.map(lambda place: AnywhereIn(place.arena_address)),
)


@given(destinations)
def test_a_destination_survives_its_text(destination):
    """Reading what was written gives the same destination."""
    assert parse_destination(str(destination)) == destination


@pytest.mark.parametrize(
    ("text", "destination"),
    [
        ("the Town:Cafe:cafe:piano", AtPlace(Address("the Town", "Cafe", "cafe", "piano"))),
        ("the Town:Park:park", AtPlace(Address("the Town", "Park", "park"))),
        ("the Town:Park:park:<random>", AnywhereIn(Address("the Town", "Park", "park"))),
        ("<persona> Ben Reed", NearPersona("Ben Reed")),
        ("<waiting> 12 34", AtTile(Tile(12, 34))),
    ],
)
def test_the_forms_of_the_released_code_are_read_and_written(text, destination):
    """Each form of act_address is one destination and is written as it was."""
    assert parse_destination(text) == destination
    assert str(destination) == text


@pytest.mark.parametrize("text", ["", "<waiting> here", "<waiting> 1", "a:b:c:d:e", ":Cafe"])
def test_a_malformed_destination_is_refused(text):
    """The message quotes it."""
    with pytest.raises(CorruptFile, match="'" + text):
        parse_destination(text)


def test_the_arena_of_an_address():
    """An arena is its own arena."""
    assert str(Address("the Town", "Cafe", "cafe", "piano").arena_address) == "the Town:Cafe:cafe"
    assert Address("the Town", "Cafe", "cafe").arena_address == Address("the Town", "Cafe", "cafe")
