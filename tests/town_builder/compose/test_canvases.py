"""Pictures in layers."""

from hypothesis import given
from hypothesis import strategies as st

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.palette import BLUE, RED
from town_builder.compose.canvases import DECORATION, Canvases, pieces
from town_builder.tiled.layers import FLOOR, HIGH, LOW

OFFSETS = st.integers(-40, 40)
SIZES = st.integers(1, 70)


@given(OFFSETS, OFFSETS, SIZES, SIZES)
def test_pieces_lose_no_pixel(x, y, width, height):
    """A picture cut into tiles and reassembled is unchanged."""
    picture = Canvas(width, height).rect(0, 0, width, height, RED[2]).dot(width // 2, height // 3, BLUE[1])
    again = Canvas(width, height)
    for (column, row), part in pieces(picture, (x, y)):
        assert (part.width, part.height) == (TILE, TILE)
        again.over(part, column * TILE - x, row * TILE - y)
    assert (again.pixels == picture.pixels).all()


def test_shared_pictures_are_never_painted_on():
    """Drawing over a cell does not change the picture that other cells share."""
    canvases, floor = Canvases(2, 1), Canvas(TILE, TILE).rect(0, 0, TILE, TILE, RED[2])
    before = floor.pixels.copy()
    canvases.put(FLOOR, (0, 0), floor)
    canvases.put(FLOOR, (1, 0), floor)
    canvases.put(FLOOR, (0, 0), Canvas(TILE, TILE).dot(3, 3, BLUE[2]))
    assert (floor.pixels == before).all()
    assert canvases.cells[FLOOR][0, 0].at(3, 3) == BLUE[2]
    assert canvases.cells[FLOOR][1, 0] is floor


def test_pictures_outside_the_map_are_ignored():
    """A tree at the border of the map leaves no cell outside it."""
    canvases = Canvases(2, 2)
    canvases.paint(FLOOR, Canvas(3 * TILE, TILE).rect(0, 0, 3 * TILE, TILE, RED[2]), (-TILE, 0))
    assert set(canvases.cells[FLOOR]) == {(0, 0), (1, 0)}


def test_what_comes_later_lies_on_top():
    """Of a pair of layers, the upper one takes pictures where either is already used."""
    canvases = Canvases(1, 1)
    for ramp in (RED, BLUE, RED):
        canvases.stack(DECORATION, (0, 0), Canvas(TILE, TILE).rect(0, 0, TILE, TILE, ramp[2]))
    assert canvases.cells[LOW][0, 0].at(5, 5) == RED[2]
    assert canvases.cells[HIGH][0, 0].at(5, 5) == RED[2]
