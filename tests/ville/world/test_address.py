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
    """Reading what was printed gives the same destination, of whatever kind."""
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
def test_the_classic_forms_are_read_and_printed(text, destination):
    """Each form that act_address may have on disk means one destination, and prints as it was."""
    assert parse_destination(text) == destination
    assert str(destination) == text


@pytest.mark.parametrize("text", ["", "<waiting> here", "<waiting> 1", "a:b:c:d:e", ":Cafe"])
def test_a_text_without_meaning_is_refused(text):
    """What is neither a place nor a person nor a tile is one clear fault that quotes it."""
    with pytest.raises(CorruptFile, match="'" + text):
        parse_destination(text)


def test_within_is_the_arena():
    """An object lies within its arena, and an arena within itself."""
    assert str(Address("the Town", "Cafe", "cafe", "piano").arena_address) == "the Town:Cafe:cafe"
    assert Address("the Town", "Cafe", "cafe").arena_address == Address("the Town", "Cafe", "cafe")
