"""Rocks and dead wood."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.outdoors.foliage import shadow
from town_builder.art.palette import GRASS, LEAF, SHADOW, STONE, WOOD, Ramp


@draws("rock")
def rock(_ramp: Ramp, variant: int) -> Picture:
    """Draw a boulder, some with moss; odd variants are mirrored."""
    floor, stone = shadow(tiles(1, 1), 17, 26, 13, 4), tiles(1, 1)
    stone.polygon([(4, 25), (4, 17), (9, 10), (17, 7), (24, 11), (28, 19), (26, 26), (15, 28)], STONE[2])
    stone.polygon([(4, 18), (9, 10), (17, 7), (21, 12), (13, 17)], STONE[4])
    stone.polygon([(13, 17), (21, 12), (25, 20), (19, 26)], STONE[3]).polygon(
        [(19, 26), (25, 20), (28, 20), (26, 26)], STONE[1]
    )
    stone.line(10, 11, 16, 8, STONE[5]).line(13, 17, 17, 27, STONE[1]).row(7, 15, 3, STONE[5]).row(15, 19, 3, STONE[2])
    stone.row(6, 26, 12, STONE[1])
    if variant % 4 > 1:
        stone.dots([(8, 20), (9, 20), (7, 21), (8, 21), (9, 21), (10, 22), (8, 23)], LEAF[2]).row(8, 20, 2, LEAF[3])
    stone.outline()
    return Picture(floor.over(stone.flipped() if variant % 2 else stone))


@draws("stump")
def stump(_ramp: Ramp, variant: int) -> Picture:
    floor, wood = shadow(tiles(1, 1), 17, 26, 13, 4), tiles(1, 1)
    wood.polygon([(7, 14), (25, 14), (25, 22), (29, 26), (23, 26), (18, 28), (12, 26), (4, 26), (7, 22)], WOOD[1])
    wood.rect(8, 15, 6, 10, WOOD[2]).column(8, 15, 9, WOOD[3]).column(12, 17, 7, WOOD[1]).column(21, 18, 6, WOOD[0])
    wood.ellipse(16, 13, 9.4, 5.2, WOOD[4]).ellipse(16, 13, 7.2, 3.8, WOOD[5]).ellipse(16, 13, 5.2, 2.6, WOOD[4])
    wood.ellipse(16, 13, 3.2, 1.5, WOOD[5]).row(15, 13, 3, WOOD[3])
    wood.outline()
    if variant % 2:
        wood.rect(22, 18, 3, 1, LEAF[4]).rect(22, 19, 2, 2, LEAF[3])
    return Picture(floor.over(wood))


@draws("log")
def log(_ramp: Ramp, variant: int) -> Picture:
    """Draw a fallen trunk with its rings on the left."""
    floor, wood = tiles(2, 1).rect(8, 24, 52, 4, SHADOW), tiles(2, 1)
    wood.rect(10, 11, 48, 15, WOOD[2]).rect(10, 11, 48, 4, WOOD[3]).row(10, 12, 46, WOOD[4]).rect(
        10, 22, 48, 4, WOOD[1]
    )
    wood.ellipse(58, 18, 3, 7.4, WOOD[1])
    for x, y, width in ((20, 16, 9), (34, 19, 8), (27, 22, 7), (46, 15, 7), (42, 23, 6)):
        wood.row(x, y, width, WOOD[1])
    wood.rect(38, 6, 5, 7, WOOD[2]).column(38, 6, 6, WOOD[4]).row(38, 6, 5, WOOD[5])
    wood.ellipse(9, 18, 4.6, 7.5, WOOD[4]).ellipse(9, 18, 3.2, 5.4, WOOD[5]).ellipse(9, 18, 1.9, 3.2, WOOD[3])
    wood.dot(9, 18, WOOD[5])
    _moss(wood, 24 + variant % 3 * 8)
    wood.outline()
    for x in (14, 31, 52):
        wood.column(x, 25, 3, GRASS[1]).column(x + 1, 26, 2, GRASS[2])
    return Picture(floor.over(wood))


def _moss(wood: Canvas, x: int) -> None:
    wood.rect(x, 11, 9, 2, LEAF[3]).row(x + 1, 11, 6, LEAF[4]).dots([(x + 1, 13), (x + 4, 13), (x + 5, 13)], LEAF[2])
