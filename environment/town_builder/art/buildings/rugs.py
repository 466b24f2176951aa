"""Rugs with borders and fringes, and doormats."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.palette import RAMPS, SHADE, YELLOW, Ramp, mix

MARGIN = 4
"""Bare floor around a rug, in pixels."""
PARTNERS = {"red": "yellow", "teal": "orange", "purple": "pink", "blue": "yellow", "pink": "purple", "orange": "teal"}
"""First colour of a rug → its second colour."""


def accent(ramp: Ramp) -> Ramp:
    """Return the second colour of a rug in this colour."""
    for name, partner in PARTNERS.items():
        if RAMPS[name][:4] == ramp[:4]:
            return RAMPS[partner]
    return YELLOW


def woven(across: int, down: int, ramp: Ramp) -> Canvas:
    """Draw a rug of this size in tiles, minus the margin: border, lozenge pattern, fringes on the short sides."""
    whole = tiles(across, down)
    width, height = across * TILE - 2 * MARGIN, down * TILE - 2 * MARGIN
    rug = Canvas(width, height).rect(2, 0, width - 4, height, ramp[2])
    bright, field = accent(ramp), mix(ramp[2], ramp[3], 0.55)
    band, ground = mix(bright[3], ramp[3], 0.35), mix(ramp[2], ramp[3], 0.12)
    for inset, colour in ((1, ramp[1]), (3, bright[3]), (4, band), (5, band), (6, band), (7, bright[2]), (8, ramp[1])):
        _frame(rug, inset, colour)
    for x in range(8, width - 8, 4):
        rug.dots([(x, 5), (x, height - 6)], ramp[1])
    for y in range(9, height - 8, 4):
        rug.dots([(7, y), (width - 8, y)], ramp[1])
    rug.rect(11, 9, width - 22, height - 18, ground)
    for row, y in enumerate(range(15, height - 13, 9)):
        for x in range(18 + 7 * (row % 2), width - 17, 14):
            rug.dots([(x - 2, y), (x + 2, y), (x, y - 2), (x, y + 2)], field)
            rug.dots([(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)], field).dot(x, y, bright[3])
    for y in range(1, height - 1, 2):
        rug.row(0, y, 2, bright[4]).row(width - 2, y, 2, bright[4])
    rug.row(2, 0, width - 4, ramp[3]).row(2, height - 1, width - 4, ramp[0])
    whole.rect(MARGIN + 3, MARGIN + height, width - 5, 1, SHADE)
    return whole.over(rug, MARGIN, MARGIN)


def _frame(rug: Canvas, inset: int, colour: tuple[int, int, int, int]) -> None:
    width, height, x = rug.width - 4 - 2 * inset, rug.height - 2 * inset, 2 + inset
    rug.row(x, inset, width, colour).row(x, inset + height - 1, width, colour)
    rug.column(x, inset, height, colour).column(x + width - 1, inset, height, colour)


@draws("rug")
def rug(ramp: Ramp, _: int) -> Picture:
    return Picture(woven(3, 2, ramp))


@draws("small rug")
def small_rug(ramp: Ramp, _: int) -> Picture:
    return Picture(woven(2, 2, ramp))


@draws("long rug")
def long_rug(ramp: Ramp, _: int) -> Picture:
    return Picture(woven(4, 2, ramp))


@draws("round rug")
def round_rug(ramp: Ramp, _: int) -> Picture:
    whole, bright = tiles(2, 2), accent(ramp)
    whole.ellipse(32.5, 33.5, 28, 24.5, SHADE)
    rings = ((28, ramp[0]), (27, ramp[2]), (24, bright[3]), (23, ramp[1]), (21, ramp[2]), (14, ramp[3]), (13, ramp[1]))
    for radius, colour in (*rings, (12, mix(ramp[2], ramp[3], 0.4)), (5, bright[3]), (4, ramp[2])):
        whole.ellipse(31.5, 31.5, radius, radius * 0.86, colour)
    for x, y in ((31, 22), (31, 40), (21, 31), (41, 31), (24, 25), (38, 25), (24, 37), (38, 37)):
        whole.rect(x, y, 2, 2, bright[4])
    return Picture(whole)


@draws("doormat")
def doormat(ramp: Ramp, _: int) -> Picture:
    mat = Canvas(28, 16).rect(1, 1, 26, 14, ramp[1]).rect(2, 2, 24, 12, ramp[2]).row(1, 1, 26, ramp[3])
    for y in range(4, 13, 2):
        for x in range(4 + y % 4, 25, 4):
            mat.row(x, y, 2, ramp[1])
    mat.row(1, 14, 26, ramp[0])
    whole = tiles(1, 1).rect(3, 24, 28, 2, SHADE)
    return Picture(whole.over(mat.outline(), 2, 9))
