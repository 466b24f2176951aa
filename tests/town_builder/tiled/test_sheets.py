"""Sheets for painting in the editor."""

import pytest

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.tiled.sheets import catalogue

SHEETS = {sheet.name: sheet for sheet in catalogue()}
PICTURES = {name: SHEETS[name].picture for name in ("furniture", "nature")}


def test_every_sheet_is_whole_tiles():
    """Sheets have the size of their places, and no tile exceeds its place."""
    for sheet in SHEETS.values():
        assert sheet.picture.width == sheet.columns * TILE
        assert sheet.picture.height * sheet.columns == sheet.places * TILE
        assert all((tile.width, tile.height) == (TILE, TILE) for tile in sheet.tiles if tile)


@pytest.mark.parametrize("name", stamps())
def test_every_stamp_lies_on_a_sheet_as_one_block(name):
    """The tiles of every stamp are one block, so that it can be copied as a whole."""
    below = picture_of(name).below
    across, down = below.width // TILE, below.height // TILE
    assert any(
        (sheet.crop(column * TILE, row * TILE, below.width, below.height).pixels == below.pixels)[below.drawn].all()
        for sheet in (PICTURES["furniture"], PICTURES["nature"])
        for row in range(sheet.height // TILE - down + 1)
        for column in range(sheet.width // TILE - across + 1)
    )


def test_grounds_have_a_fixed_order():
    """Each ground has four rows of twelve per variant: the 47 masks from bare to full."""
    path = SHEETS["path"]
    assert path.columns == 12
    assert len(path.tiles) % 48 == 0
    wang_ids = [wang_id for tile, wang_id in path.terrain_brush.tiles if tile < 47]
    assert wang_ids[0] == (0,) * 8
    assert wang_ids[46] == (1,) * 8
    assert all(path.tiles[place] is None for place in range(47, len(path.tiles), 48))
