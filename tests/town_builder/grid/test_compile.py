"""Compiling floor plans into grids."""

from town_builder.plan.shapes import rectangle


def test_the_picture_of_a_plan_is_its_meaning(town):
    """Walls, their faces and facades are solid; doorways and floors are not."""
    grids = town.compiled().grids
    rows = (
        "###########",
        "###########",
        "#.....#...#",
        "#.....#...#",
        "#.........#",
        "#.....#...#",
        "##..#######",
        "##..#######",
    )
    things = {(4, 5), (5, 5), (8, 4), (12, 4)}
    solid = {(3 + x, 2 + y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"}
    house = rectangle((3, 2, 11, 8))
    assert grids.solid & house == solid | things


def test_doorways_belong_to_the_house_and_to_no_room(town):
    """A doorway has a sector but no arena, walls have a sector, and the facade has neither."""
    grids = town.compiled().grids
    assert grids.address((9, 6)) == ("Ann Lee's house",)
    assert grids.address((5, 9)) == ("Ann Lee's house",)
    assert grids.address((3, 2)) == ("Ann Lee's house",)
    assert grids.address((3, 9)) == ()


def test_use_tiles_carry_the_address(town):
    """Use tiles (`o` in the footprint) have sector, arena and object."""
    addresses = town.compiled().grids.addresses
    assert addresses["Ann Lee's house", "main room", "bed"] == [(4, 4), (5, 4)]
    assert addresses["Ann Lee's house", "bathroom", "toilet"] == [(10, 4)]
    assert addresses["the Green", "green", "flower bed"] == [(15, 5), (16, 5), (15, 6), (16, 6)]


def test_people_wake_up_in_beds_letter_by_letter(town):
    """The spawn tiles of an arena are sp-A, sp-B and so on, in the order of the beds."""
    town.change("at: [1, 1], spawn: true", "at: [[1, 1], [3, 3]], spawn: true")
    spawns = town.compiled().grids.spawns
    assert spawns == {(4, 4): "sp-A", (5, 4): "sp-B", (6, 6): "sp-C", (7, 6): "sp-D"}


def test_use_overrides_the_stamp(town):
    """Use tiles in the file replace those of the footprint, counted from the place of the thing."""
    town.change("stamp: toilet, at: [7, 1]", "stamp: toilet, at: [7, 1], use: [[0, 2], [1, 2]]")
    assert town.compiled().grids.addresses["Ann Lee's house", "bathroom", "toilet"] == [(10, 5), (11, 5)]


def test_one_stamp_may_be_several_objects(town):
    """`objects` assigns tiles to several objects; a plot keeps the tiles that no thing uses."""
    counter = "{stamp: shop counter, at: [0, 0], objects: {keeper: [[0, 0]], customer: [[0, 2], [1, 2]]}}"
    town.change("{stamp: bench, at: [0, 0]}", counter)
    addresses = town.compiled().grids.addresses
    assert addresses["the Green", "green", "keeper"] == [(14, 4)]
    assert addresses["the Green", "green", "customer"] == [(14, 6), (15, 6)]
    assert (15, 6) not in addresses["the Green", "green", "flower bed"]


def test_the_last_ground_counts(town):
    """A deck over water is walkable; water over a deck is not."""
    town.change(
        "  - {kind: path, rect: [5, 10, 2, 1]}",
        "  - {kind: path, rect: [5, 10, 2, 1]}\n  - {kind: water, rect: [15, 12, 2, 1]}",
    )
    assert {(15, 12), (16, 12)} <= town.compiled().grids.solid
    town.change("rect: [15, 12, 2, 1]}", "rect: [15, 12, 2, 1]}\n  - {kind: deck, rect: [16, 12, 1, 1]}")
    assert town.compiled().grids.solid & {(15, 12), (16, 12)} == {(15, 12)}


def test_every_address_knows_its_line(town):
    """Problems found later still name the line that describes the place."""
    grids = town.compiled().grids
    for words, path in (
        ("sector: Ann", ("Ann Lee's house",)),
        ("B: {", ("Ann Lee's house", "bathroom")),
        ("obj: toilet", ("Ann Lee's house", "bathroom", "toilet")),
        ("flower bed", ("the Green", "green", "flower bed")),
    ):
        assert grids.where(path) == f"{town.path}:{town.line_of(words)}"
