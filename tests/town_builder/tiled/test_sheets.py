"""Sheets for painting in the editor."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.tiled.sheets import catalogue


@pytest.fixture(scope="module")
def sheets():
    return {sheet.name: sheet for sheet in catalogue()}


def test_every_sheet_is_whole_tiles(sheets):
    """Sheets have the size of their places, and no tile exceeds its place."""
    for sheet in sheets.values():
        assert sheet.picture.width == sheet.columns * TILE
        assert sheet.picture.height * sheet.columns == sheet.places * TILE
        assert all((tile.width, tile.height) == (TILE, TILE) for tile in sheet.tiles if tile)


def test_every_stamp_lies_on_a_sheet_as_one_block(sheets):
    """The tiles of every stamp are one block, so that it can be copied as a whole."""
    pictures = [sheets[name].picture for name in ("furniture", "nature")]
    for name in stamps():
        assert any(shows(sheet, picture_of(name).below) for sheet in pictures), name


def shows(sheet, picture):
    """Return whether all drawn pixels of a picture are somewhere on a sheet, at whole tiles."""
    windows = sliding_window_view(sheet.pixels, picture.pixels.shape)[::TILE, ::TILE, 0]
    y, x = np.argwhere(picture.drawn)[0]
    places = np.argwhere((windows[:, :, y, x] == picture.pixels[y, x]).all(-1))
    return any((windows[row, column] == picture.pixels)[picture.drawn].all() for row, column in places)


def test_grounds_have_a_fixed_order(sheets):
    """Each ground has four rows of twelve per variant: the 47 masks from bare to full."""
    path = sheets["path"]
    assert path.columns == 12
    assert len(path.tiles) % 48 == 0
    wang_ids = [wang_id for tile, wang_id in path.terrain_brush.tiles if tile < 47]
    assert wang_ids[0] == (0,) * 8
    assert wang_ids[46] == (1,) * 8
    assert all(path.tiles[place] is None for place in range(47, len(path.tiles), 48))
