"""Wall layout: joins, faces and doorways."""

from town_builder.art.buildings.walls import EAST, NORTH, OPEN, SOUTH, TRIM, WEST, inside, outside
from town_builder.compose.wall_layout import WallLayout

PUB, BATH, BRICK = inside("pub"), inside("bath"), outside("brick")
TWO_ROOMS = ["#######", "#AA#BB#", "#AA#BB#", "#AA+BB#", "#######", "_______"]
WITH_DOORS = ["##+####", "#A+AAA#", "#AAAAA#", "###++##", "#BB++B#", "#BBBBB#", "##+####", "__+____"]


def of(house, rows):
    return WallLayout(house(rows, at=(0, 0)))


def test_corners_and_junctions_join(house):
    """A wall joins exactly the adjacent walls."""
    layout = of(house, TWO_ROOMS)
    assert layout.joins((0, 0)) == EAST | SOUTH
    assert layout.joins((3, 0)) == WEST | EAST | SOUTH
    assert layout.joins((6, 4)) == NORTH | WEST
    assert layout.joins((0, 2)) == NORTH | SOUTH


def test_a_face_belongs_to_the_room_before_it(house):
    """At a junction each side shows the paper of its own room; the front shows the facade."""
    layout = of(house, TWO_ROOMS)
    assert layout.upper((1, 0)) == (PUB, PUB, PUB)
    assert layout.upper((3, 0)) == (PUB, None, BATH)
    assert layout.upper((3, 4)) == (BRICK, BRICK, BRICK)
    assert layout.upper((0, 4)) == (None, BRICK, BRICK)
    assert layout.upper((0, 0)) == (None, None, PUB)


def test_the_lower_tile_goes_on_where_the_upper_ends(house):
    """The faces below a cap continue into the tile below, and no others do."""
    layout = of(house, TWO_ROOMS)
    for x, y in layout.characters:
        assert layout.lower((x, y)) == layout.upper((x, y - 1))
    assert layout.lower((1, 2)) == OPEN


def test_a_wall_ends_before_a_door_to_the_side(house):
    """The last wall above a doorway is a post whose cap ends a tile earlier."""
    layout = of(house, TWO_ROOMS)
    assert layout.posts == {(3, 2)}
    assert layout.upper((3, 1)) == (None, TRIM, None)
    assert layout.is_passage((3, 3))


def test_doorways_are_found_with_their_width(house):
    """Each gap in a west-east wall is one doorway; only the southern front leads out to the south."""
    doors = {door.at: door for door in of(house, WITH_DOORS).doorways}
    assert {at: door.width for at, door in doors.items()} == {(2, 0): 1, (3, 3): 2, (2, 6): 1}
    assert [door.at for door in doors.values() if door.leads_out] == [(2, 6)]


def test_walls_run_up_to_a_door(house):
    """On both sides of a doorway the wall ends at the edge of its tile."""
    layout = of(house, WITH_DOORS)
    for door in layout.doorways:
        west = door.at[0] - 1, door.at[1]
        assert layout.ends[west] & EAST
        assert layout.ends[door.end] & WEST
        assert layout.upper(west)[2]
        assert layout.upper(door.end)[0]


def test_a_doorway_has_a_room_s_floor(house):
    """Every doorway has the floor of an adjacent room."""
    layout = of(house, WITH_DOORS)
    doorways = [tile for tile, character in layout.characters.items() if character == "+"]
    assert {layout.floor_room(tile).letter for tile in doorways} == {"A", "B"}
    assert layout.floor_room((2, 7)).letter == "B"
    assert layout.floor_room((3, 4)).letter == "A"
