"""Laws of spatial memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.world.address import Address

TREE = {"the Town": {"Cafe": {"cafe": ["piano", "kitchen sink"]}, "Park": {"park": []}, "Hill": {}}}
parts = st.sampled_from(["", "a", "b", "c"])


def plain_tree(places):
    tree = {}
    for world, sector, arena, thing in places:
        for depth, named in enumerate((world, sector, arena, thing)):
            if not named:
                break
            if depth == 0:
                tree.setdefault(world, {})
            elif depth == 1:
                tree[world].setdefault(sector, {})
            elif depth == 2:
                tree[world][sector].setdefault(arena, [])
            elif thing not in tree[world][sector][arena]:
                tree[world][sector][arena].append(thing)
    return tree


@given(st.lists(st.tuples(parts, parts, parts, parts)))
def test_places_are_added_in_the_order_of_first_sight(places):
    """Down to their last named part; a place is new if the tree grows."""
    memory = SpatialMemory()
    for number, place in enumerate(places):
        grew = plain_tree(places[: number + 1]) != plain_tree(places[:number])
        assert memory.add(*place) == grew
    assert memory.tree == plain_tree(places)
    assert [str(memory.tree)] == [str(plain_tree(places))]


def test_known_places_are_listed_by_level():
    """Unknown ones have no parts."""
    memory = SpatialMemory.load("Ada Stone", TREE)
    assert memory.tree == TREE
    assert memory.sectors("the Town") == ["Cafe", "Park", "Hill"]
    assert memory.arenas("the Town", "Cafe") == ["cafe"]
    assert memory.objects(Address("the Town", "Cafe", "cafe")) == ["piano", "kitchen sink"]
    assert memory.objects(Address("the Town", "Moon", "crater")) == []
    assert memory.arenas("Mars", "Cafe") == memory.sectors("Mars") == []


@pytest.mark.parametrize(
    ("place", "known"),
    [
        ("the Town:Cafe:cafe:piano", True),
        ("the Town:Hill", True),
        ("the Town:Cafe:cafe:organ", False),
        ("the Town:Hill:top", False),
        ("Mars", False),
    ],
)
def test_a_known_address_has_all_its_parts_in_the_tree(place, known):
    """Otherwise it is unknown."""
    assert SpatialMemory.load("Ada Stone", TREE).knows(Address.parse(place)) == known


@pytest.mark.parametrize(
    ("tree", "place"), [({"t": []}, "t"), ({"t": {"s": 1}}, "t:s"), ({"t": {"s": {"a": {}}}}, "t:s:a")]
)
def test_a_malformed_place_is_named(tree, place):
    """With the persona."""
    with pytest.raises(CorruptFile, match=f"Ada Stone: spatial_memory.json: '{place}' should be"):
        SpatialMemory.load("Ada Stone", tree)
