"""Packing stores every distinct picture once."""

import pytest

from town_builder.art.canvas import TILE, Canvas, load
from town_builder.tiled.layers import PICTURE_LAYERS
from town_builder.tiled.packing import COMPOSED, pack, pixels
from town_builder.tiled.sheets import Sheet, catalogue

RED, BLUE, CLEAR = (200, 0, 0, 255), (0, 0, 200, 255), (9, 9, 9, 0)


def tile(colour):
    return Canvas(TILE, TILE).rect(0, 0, TILE, TILE, colour)


def packed(cells, *sheets):
    pictures = {name: {} for name in PICTURE_LAYERS} | {PICTURE_LAYERS[0]: cells}
    packing, layers = pack(pictures, 2, 1, sheets)
    return packing, layers[PICTURE_LAYERS[0]]


def test_known_pictures_are_found_in_their_sheet():
    """A tile on a sheet has the number of that sheet and is not composed."""
    packing, numbers = packed({(1, 0): tile(RED)}, Sheet("paint", 2, (tile(BLUE), tile(RED))))
    assert numbers == (0, 2)
    assert [sheet.name for _, sheet in packing.sheets] == ["paint"]


def test_new_pictures_are_composed_once():
    """Two places with equal new pictures share one tile."""
    packing, numbers = packed({(0, 0): tile(RED), (1, 0): tile(RED)}, Sheet("paint", 4, (tile(BLUE),)))
    assert numbers == (5, 5)
    assert [(first, sheet.name, len(sheet.tiles)) for first, sheet in packing.sheets] == [
        (1, "paint", 1),
        (5, COMPOSED, 1),
    ]


def test_transparent_tiles_are_0():
    """A fully transparent picture is 0, whatever its colour values."""
    assert packed({(0, 0): tile(CLEAR)}, Sheet("paint", 1, (tile(CLEAR), tile(BLUE))))[1] == (0, 0)
    assert pixels(tile(CLEAR)) == pixels(Canvas(TILE, TILE))


def test_the_first_sheet_wins():
    """A picture on several sheets has the number of the first."""
    sheets = [Sheet(name, 1, (tile(RED),)) for name in ("one", "two")]
    assert packed({(0, 0): tile(RED)}, *sheets)[1] == (1, 0)


def test_pictures_must_leave_room_for_markers():
    """Too many tiles are refused instead of renumbering the markers."""
    with pytest.raises(ValueError, match="do not fit below 32125"):
        packed({}, Sheet("paint", 1, (None,) * 32125))


def test_nothing_is_composed_twice_in_a_town(built):
    """In a built town, composed tiles are unique and on no other sheet."""
    known = {pixels(tile) for sheet in catalogue() for tile in sheet.tiles if tile}
    sheet = load(built / f"visuals/tilesets/{COMPOSED}.png")
    cuts = [sheet.crop(x, y, TILE, TILE) for y in range(0, sheet.height, TILE) for x in range(0, sheet.width, TILE)]
    composed = [pixels(cut) for cut in cuts if cut.drawn.any()]
    assert known.isdisjoint(composed)
    assert len(set(composed)) == len(composed)
