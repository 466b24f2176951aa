"""The preview shows the map file, and the map file shows the composed layers."""

import json
from shutil import copytree

import numpy as np
import pytest

from town_builder.art.canvas import Canvas, load
from town_builder.compose import compose
from town_builder.problems import TownError
from town_builder.tiled.preview import composed, render, save_small


def test_the_map_file_shows_the_composed_layers(built, town):
    """Rendering from JSON and sheets gives the pixels of the composed layers."""
    compiled = town.compiled()
    from_plan = composed(compose(town.plan(), compiled.placement), 20, 16)
    assert np.array_equal(render(built / "visuals/cottage.json").pixels, from_plan.pixels)


def test_the_preview_is_opaque_and_near(built):
    """The saved preview is opaque and close to the full-colour picture."""
    true, saved = render(built / "visuals/cottage.json").pixels, load(built / "visuals/preview.png").pixels
    assert (true[..., 3] == 255).all()
    assert np.abs(true.astype(int) - saved).mean() < 1


def test_few_colours_are_kept_exactly(tmp_path):
    """A picture of at most 256 colours is saved without loss."""
    picture = Canvas(16, 16)
    for place in range(256):
        picture.dot(place % 16, place // 16, (place, 255 - place, place // 2, 255))
    save_small(picture, tmp_path / "small.png")
    assert np.array_equal(load(tmp_path / "small.png").pixels, picture.pixels)


def test_a_missing_sheet_is_named(built, tmp_path):
    """The error for a map without its sheets names the first missing one."""
    copytree(built / "visuals", tmp_path / "visuals")
    (tmp_path / "visuals/tilesets/grass.png").unlink()
    with pytest.raises(TownError, match=r"grass\.png: is missing"):
        render(tmp_path / "visuals/cottage.json")


def test_a_number_without_a_tile_is_named(built, tmp_path):
    """A number that is in no tileset is an error, not a hole in the picture."""
    copytree(built / "visuals", tmp_path / "visuals")
    path = tmp_path / "visuals/cottage.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    found["layers"][0]["data"][0] = 32000
    path.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(TownError, match="tile 32000 is not in any tileset"):
        render(path)
