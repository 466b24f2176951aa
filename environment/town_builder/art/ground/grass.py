"""Grass: a dozen similar tiles in one green, so that lawns neither repeat visibly nor distract."""

import numpy as np

from town_builder.art.canvas import TILE, Canvas, noise
from town_builder.art.palette import GRASS, ORANGE, PINK, WHITE, YELLOW, Colour, Ramp, mix

TUFTS = (
    ("..#....", "#.#..#.", ".##.#..", ".+#+#.."),
    ("...#.", ".#.#.", "..##.", "..+.."),
    (".#...#.", "..#.#..", "..+#+.."),
    ("#..#", ".##.", ".+.."),
)
BLADES: dict[str, Colour] = {"#": GRASS[2], "+": GRASS[1]}
CLOVER = ("##.##", "##.##", "..+..", "##.##", "##.##")
LEAVES: dict[str, Colour] = {"#": mix(GRASS[2], GRASS[3], 0.35), "+": GRASS[4]}
DARKER, LIGHTER = mix(GRASS[3], GRASS[2], 0.28), mix(GRASS[3], GRASS[4], 0.55)
PETALS: tuple[Ramp, ...] = (WHITE, YELLOW, PINK)

KINDS = ((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0), (2, 0, 0), (2, 0, 0), (3, 0, 0), (1, 1, 0),
         (0, 1, 0), (1, 0, 2), (0, 0, 3), (1, 0, 3))  # fmt: skip
"""Number of tufts, clovers and flowers of each tile."""
PLAIN, LIVELY, FLOWERY = range(4), range(4, 11), range(11, 14)


def grass_tile(variant: int) -> Canvas:
    """Draw one of the grass tiles: opaque, and equal along all edges."""
    tufts, clovers, flowers = KINDS[variant]
    random = np.random.RandomState(100 + variant)
    tile = Canvas(TILE, TILE).rect(0, 0, TILE, TILE, GRASS[3])
    for _ in range(6):
        x, y, width = random.randint(1, 28), random.randint(1, 30), random.randint(2, 5)
        tile.row(x, y, width, LIGHTER if random.rand() < 0.5 else DARKER)
    for _ in range(clovers):
        tile.over(Canvas.from_rows(CLOVER, LEAVES), random.randint(2, 25), random.randint(2, 25))
    for _ in range(tufts):
        picture = Canvas.from_rows(TUFTS[random.randint(len(TUFTS))], BLADES)
        x, y = random.randint(2, 24), random.randint(3, 26)
        tile.over(picture, x, y).dot(x + 2, y - 1, GRASS[5])
    for _ in range(flowers):
        _daisy(tile, random.randint(3, 28), random.randint(3, 27), PETALS[random.randint(len(PETALS))])
    return tile


def _daisy(tile: Canvas, x: int, y: int, petals: Ramp) -> None:
    tile.dots([(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)], petals[3])
    tile.dot(x, y, ORANGE[2] if petals is YELLOW else YELLOW[2]).dot(x, y + 2, GRASS[1]).dot(x + 1, y + 2, GRASS[2])


GRASS_TILES: tuple[Canvas, ...] = tuple(grass_tile(variant) for variant in range(len(KINDS)))
"""All grass tiles, plain ones first."""


def grass_at(x: int, y: int) -> int:
    """Return the index of the grass tile on a map tile: mostly plain, tufts in patches, a few flowers among them."""
    drift = 0.5 * noise("drift", x // 4, y // 4) + 0.5 * noise("drift", (x + 2) // 5, (y + 3) // 5)
    draw = noise("grass", x, y)
    kinds = PLAIN if draw > 0.25 + 0.5 * drift else FLOWERY if draw < 0.16 * drift else LIVELY
    return kinds[int(noise("which", x, y) * len(kinds))]
