"""Things of a town square: fountain, well, statue, market stall, outdoor tables."""

from town_builder.art.canvas import Canvas, Mask
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.outdoors.foliage import shadow
from town_builder.art.palette import (
    BLUE,
    GREY,
    LEAF,
    ORANGE,
    PURPLE,
    RED,
    SHADE,
    SHADOW,
    STONE,
    TEAL,
    WALL,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
    mix,
)

WARM = tuple(mix(stone, wall, 0.35) for stone, wall in zip(STONE, (*WALL[:5], WALL[5]), strict=True))
"""Stone in sunlight."""


@draws("fountain")
def fountain(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a round basin, a pillar with a bowl, and a jet whose water falls back in two stages."""
    floor = shadow(tiles(3, 3), 50, 76, 47, 19)
    _basin(floor)
    _pillar(floor)
    _falling(floor)
    return Picture(floor)


def _basin(floor: Canvas) -> None:
    """Draw a ring of dressed stone around the water, with its front wall in shade."""
    wall = tiles(3, 3)
    wall.ellipse(47.5, 70, 45, 24, WARM[1]).ellipse(47.5, 66, 45, 24, WARM[2]).ellipse(47.5, 60, 45, 24, WARM[4])
    front = wall.oval(47.5, 70, 45, 24) & ~wall.oval(47.5, 61, 45, 24)
    for x in (8, 19, 31, 43, 55, 67, 78, 88):
        joint = tiles(3, 3).column(x, 0, 96, WARM[1]).drawn
        wall.fill(front & joint, WARM[1])
    wall.fill(front & wall.oval(47.5, 62, 45, 24), WARM[1])
    wall.fill(wall.oval(47.5, 60, 45, 24) & ~wall.oval(48.3, 61, 44.5, 23.6), WARM[5])
    wall.ellipse(47.5, 60, 38, 18.5, WARM[1]).ellipse(47.5, 62, 37.4, 17.4, WATER[1])
    wall.ellipse(47.5, 63, 36.6, 16.6, WATER[2]).ellipse(47.5, 63.5, 30, 12.5, mix(WATER[2], WATER[3], 0.5))
    wall.ellipse(47.5, 64, 23, 9, mix(WATER[2], WATER[1], 0.25))
    for x, y, width in ((18, 58, 8), (70, 57, 9), (22, 68, 10), (62, 71, 12), (40, 76, 9), (74, 65, 5), (14, 63, 4)):
        wall.row(x, y, width, WATER[4]).row(x + 2, y - 1, width - 4, WATER[5])
    floor.over(wall.outline())


def _pillar(floor: Canvas) -> None:
    """Draw the foot, the shaft and the full bowl on it, with a knob on top."""
    stone = tiles(3, 3)
    stone.ellipse(48, 66, 11, 4.5, WARM[2]).rect(42, 40, 12, 25, WARM[3]).rect(51, 40, 3, 25, WARM[1])
    stone.rect(42, 40, 3, 25, WARM[4]).rect(40, 60, 16, 5, WARM[3]).row(40, 60, 16, WARM[5]).row(40, 64, 16, WARM[1])
    stone.ellipse(47.5, 39, 15, 7, WARM[1]).ellipse(47.5, 35, 21, 8.5, WARM[2]).ellipse(47.5, 33, 22, 7.6, WARM[4])
    stone.fill(stone.oval(47.5, 33, 22, 7.6) & ~stone.oval(48.2, 33.6, 21.8, 7.4), WARM[5])
    stone.ellipse(47.5, 33, 19, 5.6, WATER[1]).ellipse(47.5, 33.6, 18.4, 5, WATER[3]).ellipse(47.5, 34, 12, 3, WATER[4])
    stone.rect(45, 20, 6, 14, WARM[3]).column(45, 20, 13, WARM[5]).column(50, 20, 14, WARM[1])
    stone.ellipse(47.5, 19, 5, 3, WARM[4]).row(44, 21, 8, WARM[2])
    floor.over(stone.outline())


def _falling(floor: Canvas) -> None:
    """Draw the jet, its two plumes, the veil of water from the bowl, and foam where it lands."""
    bright, pale = (*WATER[5][:3], 235), (*WATER[4][:3], 215)
    floor.column(47, 5, 14, bright).column(48, 6, 12, bright).column(46, 9, 9, pale).column(49, 10, 8, pale)
    floor.dots([(47, 2), (45, 4), (50, 3), (43, 7), (52, 6)], bright)
    for side in (-1, 1):
        for step in range(12):
            floor.rect(47 + side * (2 + step) + (side < 0), 7 + step * step // 7, 2, 3, bright if step % 3 else pale)
    for x, top, length in ((28, 36, 25), (33, 39, 26), (40, 41, 25), (55, 41, 25), (62, 39, 26), (67, 36, 25)):
        floor.rect(x, top, 2, length, pale).column(x, top, length, bright)
        floor.row(x - 2, top + length, 6, WATER[5]).row(x - 3, top + length + 1, 8, WATER[4])
        floor.dots([(x - 2, top + length - 2), (x + 4, top + length - 3)], WATER[5])


@draws("well")
def well(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a stone ring under a shingled roof, with a bucket on a rope."""
    floor, body = shadow(tiles(2, 2), 34, 55, 26, 7), tiles(2, 2)
    body.ellipse(31.5, 51, 23, 9.5, WARM[1]).rect(9, 42, 46, 9, WARM[2]).ellipse(31.5, 49, 23, 9.5, WARM[2])
    for row, y in enumerate((43, 49, 54)):
        for x in range(10 + row % 2 * 4, 54, 8):
            body.rect(x, y, 7, 4, WARM[3]).row(x, y, 6, WARM[4])
    body.fill(
        body.drawn & ~(body.oval(31.5, 50, 23.4, 9.6) | tiles(2, 2).rect(9, 40, 46, 10, STONE[0]).drawn), (0, 0, 0, 0)
    )
    body.ellipse(31.5, 41, 23, 8.5, WARM[4]).ellipse(31.5, 41, 17, 5.5, GREY[0]).ellipse(31.5, 42.5, 15, 3.8, WATER[1])
    body.row(22, 43, 8, WATER[3])
    for x in (10, 49):
        body.rect(x, 16, 4, 28, WOOD[2]).column(x, 16, 28, WOOD[4]).column(x + 3, 16, 28, WOOD[0])
    body.rect(12, 24, 40, 3, WOOD[3]).row(12, 24, 40, WOOD[5]).row(12, 26, 40, WOOD[1]).rect(28, 23, 8, 5, ORANGE[3])
    body.column(32, 28, 6, ORANGE[1]).polygon([(27, 33), (37, 33), (36, 41), (28, 41)], WOOD[3])
    body.row(27, 33, 11, WOOD[5]).row(27, 37, 10, GREY[1]).column(36, 34, 7, WOOD[1])
    _roof(body)
    return Picture(floor.over(body.outline()))


def _roof(body: Canvas) -> None:
    """Draw a roof with three rows of shingles under a ridge."""
    body.polygon([(3, 19), (13, 4), (50, 4), (60, 19)], RED[2]).row(13, 4, 38, RED[4]).row(13, 5, 38, RED[3])
    for row, (y, left, right) in enumerate(((9, 9, 54), (14, 6, 57))):
        body.row(left, y, right - left, RED[1])
        for x in range(left + 2 + row * 3, right, 6):
            body.column(x, y + 1, 4, RED[1]).dot(x + 1, y + 1, RED[3])
    body.rect(3, 18, 58, 3, RED[1]).row(3, 18, 58, RED[3])


@draws("statue")
def statue(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a stone reader on a plinth with a brass plate."""
    floor, stone = shadow(tiles(1, 2), 18, 59, 14, 4), tiles(1, 2)
    stone.rect(4, 54, 24, 6, WARM[2]).row(4, 54, 24, WARM[5]).row(4, 59, 24, WARM[0])
    stone.rect(7, 40, 18, 14, WARM[3]).column(7, 40, 14, WARM[5]).rect(22, 40, 3, 14, WARM[1]).rect(
        5, 37, 22, 4, WARM[4]
    )
    stone.row(5, 37, 22, WARM[5]).row(5, 40, 22, WARM[1]).rect(11, 45, 9, 5, YELLOW[1]).row(11, 45, 9, YELLOW[2])
    stone.polygon([(10, 37), (12, 20), (20, 20), (23, 37)], STONE[3]).polygon(
        [(17, 20), (20, 20), (23, 37), (18, 37)], STONE[1]
    )
    stone.polygon([(10, 37), (12, 20), (14, 20), (13, 37)], STONE[4]).column(15, 27, 10, STONE[2]).column(
        18, 29, 8, STONE[2]
    )
    stone.ellipse(15.5, 9, 5, 5.6, STONE[2]).ellipse(15, 8, 4, 4.4, STONE[3]).rect(12, 9, 7, 5, STONE[4])
    stone.rect(13, 14, 5, 2, STONE[3]).column(18, 9, 5, STONE[2]).row(14, 15, 4, STONE[2]).row(13, 10, 2, STONE[2])
    stone.row(17, 10, 2, STONE[2]).row(13, 4, 4, STONE[4]).dot(12, 6, STONE[5]).row(14, 13, 3, STONE[3])
    stone.polygon([(10, 17), (21, 17), (23, 24), (9, 24)], STONE[3]).polygon(
        [(10, 17), (14, 17), (11, 24), (9, 24)], STONE[4]
    )
    stone.polygon([(19, 17), (21, 17), (23, 24), (20, 24)], STONE[1]).rect(14, 16, 4, 3, STONE[2])
    stone.polygon([(9, 22), (16, 24), (16, 30), (9, 28)], STONE[5]).polygon(
        [(16, 24), (23, 22), (23, 28), (16, 30)], STONE[4]
    )
    stone.column(16, 24, 7, STONE[1]).rect(8, 24, 2, 4, STONE[3]).rect(22, 24, 2, 4, STONE[2]).row(10, 31, 12, STONE[1])
    return Picture(floor.over(stone.outline()))


@draws("picnic table")
def picnic_table(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a table of planks with a bench on either side, a basket and a jug."""
    floor, table = tiles(2, 2).rect(5, 54, 56, 6, SHADOW), tiles(2, 2)
    _plank(table, 3, 10, 58, 5)
    for x in (12, 48):
        table.polygon([(x, 30), (x + 4, 30), (x + 7, 57), (x + 3, 57)], WOOD[1]).polygon(
            [(x + 2, 30), (x + 5, 30), (x, 57), (x - 4, 57)], WOOD[2]
        )
    for y in (19, 24, 29):
        _plank(table, 5, y, 54, 5)
    table.rect(5, 34, 54, 3, WOOD[1]).row(5, 36, 54, WOOD[0])
    _plank(table, 3, 46, 58, 5)
    table.rect(3, 51, 58, 2, WOOD[1])
    table.outline()
    basket = (
        tiles(2, 2)
        .rect(14, 18, 13, 8, WOOD[4])
        .row(14, 18, 13, WOOD[5])
        .row(14, 21, 13, WOOD[2])
        .row(14, 24, 13, WOOD[2])
    )
    basket.rect(15, 16, 7, 3, RED[3]).rect(18, 16, 2, 3, WALL[4]).rect(40, 15, 6, 9, TEAL[3]).column(40, 15, 9, TEAL[4])
    basket.rect(33, 24, 8, 3, WALL[4]).row(34, 24, 6, ORANGE[2])
    return Picture(floor.over(table).over(basket.outline()))


def _plank(canvas: Canvas, x: int, y: int, width: int, height: int) -> None:
    canvas.rect(x, y, width, height, WOOD[3]).row(x, y, width, WOOD[5]).row(x, y + height - 1, width, WOOD[2])
    canvas.row(x + 5 + y % 7, y + 2, 9, WOOD[2]).row(x + width - 20 + y % 5, y + 2, 8, WOOD[2])


@draws("market stall")
def market_stall(ramp: Ramp, _variant: int) -> Picture:
    """Draw crates of fruit under a striped awning."""
    stall = tiles(3, 2)
    for x in (6, 87):
        stall.rect(x, 14, 3, 46, WOOD[2]).column(x, 14, 46, WOOD[4]).column(x + 2, 14, 46, WOOD[0])
    stall.rect(9, 22, 78, 16, WOOD[0]).rect(4, 37, 88, 10, WOOD[4]).row(4, 37, 88, WOOD[5]).rect(4, 47, 88, 13, WOOD[2])
    for x in range(4, 92, 11):
        stall.column(x, 47, 13, WOOD[1]).column(x + 1, 47, 13, WOOD[3])
    stall.row(4, 46, 88, WOOD[1]).row(4, 59, 88, WOOD[0])
    for number, fruit in enumerate((RED, ORANGE, LEAF, PURPLE, YELLOW)):
        _crate(stall, 8 + number * 16, 33, fruit)
    _awning(stall, ramp)
    floor = tiles(3, 2).rect(6, 57, 90, 6, SHADOW)
    return Picture(floor.over(stall.outline()))


def _crate(stall: Canvas, x: int, y: int, fruit: Ramp) -> None:
    stall.rect(x, y + 5, 15, 7, WOOD[3]).row(x, y + 5, 15, WOOD[5]).row(x, y + 8, 15, WOOD[1]).row(
        x, y + 12, 15, WOOD[1]
    )
    for row in (0, 1):
        for step in range(4 - row):
            left, top = x + 1 + step * 4 - row + row * 3, y + 2 - row * 3
            stall.rect(left, top, 3, 3, fruit[2]).dot(left, top, fruit[3]).dot(left + 2, top + 2, fruit[1])


def _awning(stall: Canvas, ramp: Ramp) -> None:
    """Draw stripes down to a scalloped hem, with a shadow on the goods."""
    stall.rect(9, 25, 78, 3, SHADE)
    for number in range(12):
        cloth = ramp if number % 2 == 0 else WHITE
        x = number * 8
        stall.rect(x, 4, 8, 17, cloth[3]).row(x, 3, 8, cloth[4]).rect(x, 15, 8, 6, cloth[2]).row(x, 14, 8, cloth[1])
        stall.rect(x + 1, 21, 6, 2, cloth[2]).row(x + 2, 23, 4, cloth[1])
    stall.rect(0, 0, 2, 24, (0, 0, 0, 0)).rect(94, 0, 2, 24, (0, 0, 0, 0))


@draws("parasol table")
def parasol_table(ramp: Ramp, _variant: int) -> Picture:
    """Draw a round table under a parasol, with two stools beside it."""
    floor = shadow(tiles(3, 2), 50, 58, 34, 6)
    for x in (17, 78):
        stool = (
            tiles(3, 2).rect(x - 5, 48, 2, 10, WOOD[1]).rect(x + 4, 48, 2, 10, WOOD[1]).rect(x - 1, 50, 2, 9, WOOD[1])
        )
        stool.ellipse(x, 48, 8, 4, WOOD[2]).ellipse(x, 46.5, 8, 3.6, ramp[3]).row(x - 4, 45, 6, ramp[4])
        floor.over(stool.outline())
    table = tiles(3, 2).rect(46, 44, 4, 16, WHITE[1]).rect(41, 59, 14, 2, WHITE[0]).ellipse(47.5, 44, 17, 6, WHITE[0])
    table.ellipse(47.5, 42, 17, 6, WHITE[3]).ellipse(46, 41, 13, 3.6, WHITE[4]).rect(37, 38, 4, 4, TEAL[3]).rect(
        54, 39, 4, 3, ORANGE[3]
    )
    floor.over(table.outline())
    shade = tiles(3, 2).rect(46, 8, 3, 32, WOOD[4]).column(48, 8, 32, WOOD[1])
    cloth = shade.oval(47.5, 26, 43, 24) & tiles(3, 2).rect(0, 0, 96, 25, STONE[0]).drawn
    shade.fill(cloth, ramp[2])
    _gores(shade, cloth, ramp)
    return Picture(floor.over(shade.outline()))


def _gores(shade: Canvas, cloth: Mask, ramp: Ramp) -> None:
    """Draw the alternating coloured and white panels of a parasol, darker to the right, with a hem."""
    edges = (0, 12, 30, 47, 65, 83, 96)
    for number in range(6):
        panel = tiles(3, 2).polygon([(47, 1), (edges[number], 25), (edges[number + 1], 25)], STONE[0]).drawn
        tone = (WHITE if number % 2 else ramp)[3 if number < 3 else 2]
        shade.fill(cloth & panel, tone)
    rim = cloth & tiles(3, 2).rect(0, 22, 96, 3, STONE[0]).drawn
    shade.fill(rim, ramp[1]).fill(
        cloth & tiles(3, 2).rect(0, 22, 96, 1, STONE[0]).drawn, BLUE[4] if ramp is WHITE else ramp[3]
    )
    shade.rect(46, 0, 3, 3, WOOD[4])
