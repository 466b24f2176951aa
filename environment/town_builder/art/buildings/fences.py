"""Fences. The variant says on which sides they continue, so that rails meet from tile to tile and turn corners."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.outdoors.shrubs import EAST, NORTH, SOUTH, WEST
from town_builder.art.palette import INK, SHADE, SHADOW, WHITE, WOOD, Ramp, mix

MIDDLE = TILE // 2


def _reach(variant: int, low: int, high: int) -> tuple[int, int]:
    """Return where rails from west to east start and end: at the tile edge or at the post."""
    return (0 if variant & WEST else low), (TILE if variant & EAST else high)


def _run(variant: int) -> tuple[int, int]:
    """Return where rails from north to south start and end."""
    return (0 if variant & NORTH else MIDDLE), (TILE if variant & SOUTH else MIDDLE)


@draws("fence")
def fence(_ramp: Ramp, variant: int) -> Picture:
    """Draw a post and rails."""
    floor, rails = tiles(1, 1), tiles(1, 1)
    left, right = _reach(variant, MIDDLE, MIDDLE)
    floor.rect(left, 27, right - left, 2, SHADE).ellipse(17, 28, 7, 2.4, SHADOW)
    top, bottom = _run(variant)
    if bottom > top:
        floor.rect(19, top, 4, bottom - top, SHADE)
        for x in (13, 17):
            rails.rect(x, top, 3, bottom - top, WOOD[3]).column(x, top, bottom - top, WOOD[5])
            rails.column(x + 2, top, bottom - top, WOOD[1])
    for y in (13, 20):
        rails.rect(left, y, right - left, 4, WOOD[3]).row(left, y, right - left, WOOD[5])
        rails.row(left, y + 3, right - left, WOOD[1])
        for x in range(left + 3, right - 5, 9):
            rails.row(x, y + 1 + x % 2, 4, WOOD[2])
    return Picture(floor.over(rails.outline()).over(_post()))


def _post() -> Canvas:
    post = tiles(1, 1).rect(12, 8, 8, 20, WOOD[2]).rect(13, 8, 2, 20, WOOD[3]).column(12, 8, 20, WOOD[4])
    post.column(19, 8, 20, WOOD[1]).rect(12, 6, 8, 3, WOOD[4]).row(13, 6, 6, WOOD[5]).row(12, 9, 8, WOOD[1])
    return post.dots([(16, 14), (16, 21)], WOOD[0]).dots([(15, 17), (15, 24)], WOOD[1]).outline()


WHITE_LINE = mix(WHITE[0], INK, 0.42)


@draws("picket fence")
def picket_fence(_ramp: Ramp, variant: int) -> Picture:
    """Draw white pickets on a rail; parts from north to south are seen edge-on."""
    floor, shape = tiles(1, 1), tiles(1, 1)
    left, right = _reach(variant, 9, 23)
    top, bottom = _run(variant)
    if bottom > top:
        _from_the_edge(floor, shape, top if variant & NORTH else 24, bottom)
    pickets = [x for x in (1, 9, 17, 25) if left <= x and x + 6 <= right]
    if not variant & (EAST | WEST):
        left, right, pickets = 13, 19, [] if variant & SOUTH else [13]
    for x in pickets:
        _picket(shape, x)
    if pickets:
        floor.rect(left, 27, right - left, 3, SHADOW)
        rails = tiles(1, 1).rect(left, 14, right - left, 2, WHITE[1]).rect(left, 21, right - left, 2, WHITE[1])
        shape = rails.over(shape)
    return Picture(floor.over(shape.outline(WHITE_LINE)))


def _from_the_edge(floor: Canvas, shape: Canvas, top: int, bottom: int) -> None:
    floor.rect(18, top, 4, bottom - top, SHADE)
    shape.rect(13, top, 6, bottom - top, WHITE[2]).column(13, top, bottom - top, WHITE[4])
    shape.column(18, top, bottom - top, WHITE[0])
    for y in range(top // 8 * 8, bottom, 8):
        shape.row(14, y, 4, WHITE[4]).row(14, y + 1, 4, WHITE[3]).row(13, y + 6, 6, WHITE[1]).row(
            13, y + 7, 6, WHITE[0]
        )


def _picket(shape: Canvas, x: int) -> None:
    shape.rect(x, 10, 6, 18, WHITE[3]).column(x, 10, 18, WHITE[4]).column(x + 5, 10, 18, WHITE[1])
    shape.row(x + 1, 9, 4, WHITE[4]).row(x + 2, 8, 2, WHITE[4]).row(x, 27, 6, WHITE[1]).row(x + 1, 15, 4, WHITE[2])
