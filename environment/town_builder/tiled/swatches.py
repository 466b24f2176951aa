"""Marker tiles: a coloured square for each block, with its kind and the last digits of its number."""

from collections.abc import Mapping

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.palette import INK, RAMPS, Colour
from town_builder.grid.matrix import COLLISION, Block
from town_builder.tiled.sheets import Sheet

COLUMNS = 10
SHORT = 1000
"""Swatches show the number modulo this: 32135 appears as 135."""
LETTERS = {"world": "W", "sector": "S", "arena": "A", "game_object": "O", "spawning_location": "P"}
"""Kind → letter above the number; P marks the places where people wake up."""
TONES = ("red", "leaf", "blue", "orange", "purple", "teal", "yellow", "pink", "wood", "grey", "pine", "brick", "water")
PEN = 2
"""Stroke width in pixels."""
GLYPHS = {
    "0": ("###", "#.#", "#.#", "#.#", "###"),
    "1": (".#.", "##.", ".#.", ".#.", "###"),
    "2": ("###", "..#", "###", "#..", "###"),
    "3": ("###", "..#", ".##", "..#", "###"),
    "4": ("#.#", "#.#", "###", "..#", "..#"),
    "5": ("###", "#..", "###", "..#", "###"),
    "6": ("###", "#..", "###", "#.#", "###"),
    "7": ("###", "..#", ".#.", ".#.", ".#."),
    "8": ("###", "#.#", "###", "#.#", "###"),
    "9": ("###", "#.#", "###", "..#", "###"),
    "W": ("#.#", "#.#", "###", "###", "#.#"),
    "S": (".##", "#..", ".#.", "..#", "##."),
    "A": (".#.", "#.#", "###", "#.#", "#.#"),
    "O": (".#.", "#.#", "#.#", "#.#", ".#."),
    "P": ("##.", "#.#", "##.", "#..", "#.."),
    "X": ("#.#", "#.#", ".#.", "#.#", "#.#"),
}
GLYPH_WIDTH = 3
PALE = 400
"""Sum of red, green and blue above which dark text is more legible than white."""


def swatches(blocks: Mapping[str, tuple[Block, ...]], last: int) -> Sheet:
    """Return the tileset of all numbers from COLLISION to at least `last`; numbers without a block stay empty."""
    rows = -(-(last - COLLISION + 1) // COLUMNS)
    tiles: list[Canvas | None] = [None] * (rows * COLUMNS)
    tiles[0] = _swatch(RAMPS["red"][1], "X", "")
    for kind, members in blocks.items():
        for place, block in enumerate(members):
            ramp = RAMPS[TONES[place % len(TONES)]]
            tone = ramp[1 + place // len(TONES) % (len(ramp) - 2)]
            tiles[block.number - COLLISION] = _swatch(tone, LETTERS[kind], f"{block.number % SHORT:03}")
    return Sheet("blocks", COLUMNS, tuple(tiles))


def _swatch(tone: Colour, letter: str, number: str) -> Canvas:
    tile = Canvas(TILE, TILE).rect(0, 0, TILE, TILE, INK).rect(1, 1, TILE - 2, TILE - 2, tone)
    ink = INK if sum(tone[:3]) > PALE else RAMPS["white"][4]
    _write(tile, letter, 3 if number else 10, ink)
    _write(tile, number, 18, ink)
    return tile


def _write(tile: Canvas, text: str, y: int, ink: Colour) -> None:
    """Write one centred line of text."""
    step = (GLYPH_WIDTH + 1) * PEN
    left = (TILE - len(text) * step + PEN) // 2
    for place, letter in enumerate(text):
        for row, strokes in enumerate(GLYPHS[letter]):
            for column, stroke in enumerate(strokes):
                if stroke == "#":
                    tile.rect(left + place * step + column * PEN, y + row * PEN, PEN, PEN, ink)
