"""Marker tiles can be told apart."""

from town_builder.grid.matrix import COLLISION, Block
from town_builder.tiled.packing import pixels
from town_builder.tiled.swatches import swatches

BLOCKS = {"world": (Block(32134, ("V",)),), "sector": tuple(Block(32135 + place, ("V", "s")) for place in range(150))}


def test_every_number_has_its_own_swatch():
    """All swatches differ, and each is at the place of its number."""
    sheet = swatches(BLOCKS, 32135 + 149)
    drawn = {COLLISION + place: pixels(tile) for place, tile in enumerate(sheet.tiles) if tile}
    assert set(drawn) == {COLLISION, 32134, *range(32135, 32285)}
    assert len(set(drawn.values())) == len(drawn)


def test_retired_numbers_keep_their_place():
    """The sheet extends to the highest number ever used, even if it is unused now."""
    assert swatches(BLOCKS, 32400).places >= 32400 - COLLISION + 1


def test_labels_are_legible():
    """Each swatch has a frame, a tone and a label, which differs from the tone by half the brightness range."""
    for tile in filter(None, swatches(BLOCKS, 32300).tiles):
        tone, ink = tile.at(2, 2), next(colour for colour in strokes(tile) if colour != tile.at(2, 2))
        assert abs(sum(tone[:3]) - sum(ink[:3])) > 255


def strokes(tile):
    return [tile.at(x, y) for y in range(3, 29) for x in range(3, 29)]
