"""Where one goes, and how."""

from dataclasses import replace
from random import Random

import pytest

from ville.persona.cognitive_modules.execute import Walker, execute, needs_path, path_to
from ville.persona.cognitive_modules.view import CarryOn
from ville.world.address import AnywhereIn, AtPlace, AtTile, NearPersona, Tile, parse_destination

ADA, BEN = "Ada Stone", "Ben Reed"
STREET = Tile(3, 4)


def walk(hamlet, here=STREET, seed=1) -> Walker:
    hamlet.person(ADA, here, doing="walking")
    return Walker(ADA, here, "the Town:Ada's flat:main room", hamlet.view(), Random(seed))  # noqa: S311 - a walk, no secret


@pytest.mark.parametrize(
    ("address", "end"),
    [
        ("the Town:Cafe:cafe:table", Tile(6, 1)),
        ("<waiting> 8 4", Tile(8, 4)),
        ("the Town:Bank:vault:safe", None),
        ("the Town:Moon:crater:rock", None),
        ("the Town:Cafe:cafe:throne", "cafe"),
        ("the Town:Park:park:<random>", "park"),
        ("the Town:Moon:crater:<random>", None),
    ],
)
def test_a_way_leads_to_the_place_or_else_to_its_room_or_else_home(hamlet, address, end):
    """What cannot be reached or is unknown is no silent stand-still: one goes to the room, then home (bugs 18, 19)."""
    last = path_to(parse_destination(address), walk(hamlet))[-1]
    assert last == end or hamlet.maze.place(last).arena == (end or "main room")


def test_a_way_is_shortest_and_leaves_out_where_one_stands(hamlet):
    """Every step is to a neighbouring tile, none is too many."""
    way = path_to(parse_destination("the Town:Cafe:cafe:table"), walk(hamlet))
    assert len(way) == hamlet.paths.distance(STREET, Tile(6, 1))
    assert way[0] in {Tile(2, 4), Tile(4, 4), Tile(3, 3)}


@pytest.mark.parametrize("seed", range(5))
def test_taken_tiles_are_avoided_unless_all_are(hamlet, seed):
    """Whoever stands on a tile of the place is not run into; if somebody stands on each, one goes all the same."""
    four = [Tile(9, 4), Tile(10, 4), Tile(11, 4), Tile(12, 4)]
    park = AtPlace(parse_destination("the Town:Park:park").address)
    for number, tile in enumerate(four[:3]):
        hamlet.person(f"Ben Reed{number}", tile)
    assert path_to(park, walk(hamlet, seed=seed))[-1] == four[3]
    hamlet.person("Ben Reed3", four[3])
    assert path_to(park, walk(hamlet, seed=seed))[-1] in four


def test_the_one_free_tile_of_a_full_room_is_found(hamlet):
    """However many are taken, and whatever chance would look at first."""
    cafe = parse_destination("the Town:Cafe:cafe")
    *taken, free = hamlet.maze.address_tiles[str(cafe)]
    for number, tile in enumerate(taken):
        hamlet.person(f"Guest {number}", tile)
    assert {path_to(cafe, walk(hamlet, seed=seed))[-1] for seed in range(9)} == {free}


@pytest.mark.parametrize("start", range(1, 12))
def test_two_who_talk_meet_halfway_and_face_to_face(hamlet, start):
    """Both walk the same way from its two ends, and stop with at most one tile between them."""
    hamlet.person(BEN, Tile(12, 4))
    way = walk(hamlet, Tile(start, 4))
    ben = replace(way, name=BEN, here=Tile(12, 4))
    ends = [path_to(NearPersona(name), side)[-1:] or [side.here] for name, side in ((BEN, way), (ADA, ben))]
    assert 1 <= ends[1][0].x - ends[0][0].x <= 2 or start == 12


def test_somebody_who_cannot_be_reached_is_not_walked_to(hamlet):
    """Behind a wall without a door one stays where one is."""
    hamlet.person(BEN, Tile(11, 1))
    assert path_to(NearPersona(BEN), walk(hamlet)) == []


def test_there_already(hamlet):
    """Who stands there has no way to walk."""
    assert path_to(AtTile(STREET), walk(hamlet)) == []


def test_wandering_never_ends(hamlet):
    """In an arena without objects one goes from tile to tile: at the end of each way the next is chosen."""
    ada = hamlet.person(ADA, Tile(9, 4), doing="strolling")
    ada.scratch.begin(hamlet.action(ADA, "strolling", "the Town:Park:park:<random>"))
    ends = set()
    for _ in range(60):
        if needs_path(ada.scratch):
            ends.add(hamlet.tiles[ADA])
        intent = execute(ada.mind, hamlet.moment(), CarryOn())
        hamlet.pass_time({ADA: intent.next_tile})
    assert len(ends) > 2
    assert {hamlet.maze.place(tile).arena for tile in ends} == {"park"}


def test_only_one_tile_is_taken_in_a_step(hamlet):
    """The rest of the way stays planned."""
    ada = hamlet.person(ADA, STREET)
    ada.scratch.begin(hamlet.action(ADA, "having tea", "the Town:Cafe:cafe:table"))
    intent = execute(ada.mind, hamlet.moment(), CarryOn())
    assert intent.next_tile not in ada.scratch.planned_path
    assert hamlet.paths.distance(STREET, intent.next_tile) == 1
    assert intent.description == "having tea @ the Town:Cafe:cafe:table"


def test_the_same_seed_chooses_the_same_way(hamlet):
    """Chance depends on seed, name and step alone."""
    park = AnywhereIn(parse_destination("the Town:Park:park").address)
    assert path_to(park, walk(hamlet, seed=3)) == path_to(park, walk(hamlet, seed=3))
