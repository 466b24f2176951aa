"""Rooms behind another person's bedroom."""

import pytest

from town_builder.check.privacy import privacy_problems
from town_builder.grid.grids import Grids

ARENAS = {"A": "Ann's room", "B": "Bob's room", "a": "Ann's bathroom", "c": "common room", "m": "bathroom"}


def private_rooms(drawing, beds="AB"):
    """Return the rooms of a house behind another person's bedroom. A dot is the street, # is a wall."""
    rows = drawing.split()
    marks = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    inside = {tile: mark for tile, mark in marks.items() if mark not in "#."}
    first = {mark: min(tile for tile, letter in inside.items() if letter == mark) for mark in inside.values()}
    grids = Grids(
        "maze", "the World", len(rows[0]), len(rows),
        solid=frozenset(tile for tile, mark in marks.items() if mark == "#"),
        sectors=dict.fromkeys(inside, "house"),
        arenas={tile: ARENAS[mark] for tile, mark in inside.items() if mark != "+"},
        objects={first[mark]: "bed" for mark in beds if mark in first},
        spawns={},
    )  # fmt: skip
    main = grids.reachable_from([next(tile for tile, mark in marks.items() if mark == ".")])
    return [problem.message.split(" can be")[0].rpartition(":")[2] for problem in privacy_problems(grids, main)]


@pytest.mark.parametrize(
    ("drawing", "private"),
    [
        (".+cc+AA+aa #########", []),
        (".+cc+AA+mm #+BB######", ["bathroom"]),
        (".+AA+BB# .########", ["Bob's room"]),
        (".+AA+aa+BB# .##########", ["Bob's room"]),
        (".+AA+cc+BB# .##########", ["common room", "Bob's room"]),
        (".+AA+mm# .#######", []),
    ],
    ids=[
        "her own bathroom",
        "a common bathroom",
        "a passage room",
        "beyond a bathroom",
        "a common room",
        "living alone",
    ],
)
def test_rooms_are_reached_without_disturbing_strangers(drawing, private):
    """People may cross their own bedroom and the only one of a house; rooms behind others are reported."""
    assert private_rooms(drawing) == private


def test_a_house_without_beds_is_public():
    """A house without beds has no private rooms."""
    assert private_rooms(".+AA+BB+cc# .##########", beds="") == []
