"""Laws of paths to destinations."""

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
def test_a_path_leads_to_the_place_or_its_arena_or_home(hamlet, address, end):
    """Unknown and unreachable places have a fallback (docs/migration/faults.md,s 18 and 19)."""
    last = path_to(parse_destination(address), walk(hamlet))[-1]
    assert last == end or hamlet.maze.place(last).arena == (end or "main room")


def test_a_path_is_shortest_and_excludes_the_current_tile(hamlet):
    """Every step leads to an adjacent tile."""
    way = path_to(parse_destination("the Town:Cafe:cafe:table"), walk(hamlet))
    assert len(way) == hamlet.paths.distance(STREET, Tile(6, 1))
    assert way[0] in {Tile(2, 4), Tile(4, 4), Tile(3, 3)}


@pytest.mark.parametrize("seed", range(5))
def test_occupied_tiles_are_avoided_unless_all_are(hamlet, seed):
    """Otherwise one of them is chosen."""
    four = [Tile(9, 4), Tile(10, 4), Tile(11, 4), Tile(12, 4)]
    park = AtPlace(parse_destination("the Town:Park:park").address)
    for number, tile in enumerate(four[:3]):
        hamlet.person(f"Ben Reed{number}", tile)
    assert path_to(park, walk(hamlet, seed=seed))[-1] == four[3]
    hamlet.person("Ben Reed3", four[3])
    assert path_to(park, walk(hamlet, seed=seed))[-1] in four


def test_the_last_free_tile_is_found(hamlet):
    """However many tiles are occupied, and whatever the random order is."""
    cafe = parse_destination("the Town:Cafe:cafe")
    *taken, free = hamlet.maze.address_tiles[str(cafe)]
    for number, tile in enumerate(taken):
        hamlet.person(f"Guest {number}", tile)
    assert {path_to(cafe, walk(hamlet, seed=seed))[-1] for seed in range(9)} == {free}


@pytest.mark.parametrize("start", range(1, 12))
def test_two_personas_meet_halfway(hamlet, start):
    """Both walk the same path from its two ends, and stop with at most one tile between them."""
    hamlet.person(BEN, Tile(12, 4))
    way = walk(hamlet, Tile(start, 4))
    ben = replace(way, name=BEN, here=Tile(12, 4))
    ends = [path_to(NearPersona(name), side)[-1:] or [side.here] for name, side in ((BEN, way), (ADA, ben))]
    assert 1 <= ends[1][0].x - ends[0][0].x <= 2 or start == 12


def test_no_path_to_an_unreachable_persona(hamlet):
    """For example behind a wall without a door."""
    hamlet.person(BEN, Tile(11, 1))
    assert path_to(NearPersona(BEN), walk(hamlet)) == []


def test_no_path_at_the_destination(hamlet):
    """The persona is there already."""
    assert path_to(AtTile(STREET), walk(hamlet)) == []


def test_a_wandering_persona_never_stops(hamlet):
    """In an arena without objects, a new tile is chosen at the end of each path."""
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


def test_a_step_takes_one_tile(hamlet):
    """The rest of the path stays planned."""
    ada = hamlet.person(ADA, STREET)
    ada.scratch.begin(hamlet.action(ADA, "having tea", "the Town:Cafe:cafe:table"))
    intent = execute(ada.mind, hamlet.moment(), CarryOn())
    assert intent.next_tile not in ada.scratch.planned_path
    assert hamlet.paths.distance(STREET, intent.next_tile) == 1
    assert intent.description == "having tea @ the Town:Cafe:cafe:table"


def test_the_same_seed_gives_the_same_path(hamlet):
    """Random choices depend only on seed, name and step."""
    park = AnywhereIn(parse_destination("the Town:Park:park").address)
    assert path_to(park, walk(hamlet, seed=3)) == path_to(park, walk(hamlet, seed=3))
