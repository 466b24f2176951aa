"""The map of a shared file is drawn as the town builder draws it, and as its Tiled file says."""

import base64
import json
import zlib

import numpy as np
import pytest
from drawn_map import draw_map

from town_builder.tiled.preview import render
from ville.errors import BadMap
from ville.home import OUR_ASSETS
from ville.sharing.tiled_map import read_tiled
from ville.sharing.town_picture import draw_town

ASSETS = OUR_ASSETS


@pytest.mark.slow
def test_the_ville_is_drawn_as_its_builder_draws_it():
    """The layers above people, laid over those below, are the preview of the map: to a shade, for rounding."""
    town = draw_town(ASSETS, "the_ville")
    drawn = town.below.copy()
    drawn.alpha_composite(town.above)
    built = render(ASSETS / "the_ville/visuals/the_ville.json").pixels
    assert np.abs(np.asarray(drawn).astype(int) - built).max() <= 2


def test_layers_lie_where_they_belong(small_town):
    """Trees above people and turned as the map says; markers and hidden layers nowhere."""
    draw_map(small_town)
    town = draw_town(small_town.settings.assets, "small")
    assert (np.asarray(town.below) == (90, 160, 70, 255)).all()
    above = np.asarray(town.above)[..., 3]
    assert above[:32, :32].max() == above[32:, 32:].max() == 0
    assert (above[:32, 32:48] == 128).all()
    assert above[:32, 48:].max() == 0
    assert (above[32:, 16:32] == 128).all()
    assert above[32:, :16].max() == 0


def packed(numbers):
    return base64.b64encode(zlib.compress(np.array(numbers, "<u4").tobytes())).decode()


@pytest.mark.parametrize(
    "layer",
    [
        {"data": packed([1, 2, 3, 4]), "encoding": "base64", "compression": "zlib"},
        {"chunks": [{"x": 0, "y": 0, "width": 2, "data": [1, 2]}, {"x": 0, "y": 1, "width": 2, "data": [3, 4]}]},
    ],
)
def test_data_are_read_in_any_notation(tmp_path, layer):
    """Packed or in chunks, and in a group, they are the numbers of a plain list."""
    plain = {"type": "tilelayer", "name": "a", "data": [1, 2, 3, 4]}
    group = {"type": "group", "name": "g", "layers": [{"type": "tilelayer", "name": "a", **layer}]}
    size = {"width": 2, "height": 2, "tilewidth": 32, "tileheight": 32, "tilesets": []}
    found = []
    for number, each in enumerate((plain, group)):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps({**size, "layers": [each]}), "utf-8")
        found.append([dict(layer.cells) for layer in read_tiled(path).layers])
    assert found[0] == found[1] == [{0: 1, 1: 2, 2: 3, 3: 4}]


@pytest.mark.parametrize("text", ["", "[]", '{"width": 2}', '{"width": 9999999, "height": 2, "tilewidth": 32}'])
def test_what_is_no_map_is_named(tmp_path, text):
    """In one line, with the file."""
    (tmp_path / "map.json").write_text(text, "utf-8")
    with pytest.raises(BadMap, match=r"map\.json cannot be drawn"):
        read_tiled(tmp_path / "map.json")
