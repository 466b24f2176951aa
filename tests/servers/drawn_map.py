"""A picture of the map of a small town."""

import json

from PIL import Image


def draw_map(town, columns=2, rows=2):
    """Draw the map of a small town: grass, and a tree above people, which a flip turns; return its file."""
    cells = columns * rows
    visuals = town.settings.assets / "small" / "visuals"
    visuals.mkdir(parents=True, exist_ok=True)
    sheet = Image.new("RGBA", (64, 32), (90, 160, 70, 255))
    sheet.paste((20, 80, 30, 128), (32, 0, 48, 32))
    sheet.paste((0, 0, 0, 0), (48, 0, 64, 32))
    sheet.save(visuals / "tiles.png")
    tileset = {"firstgid": 1, "image": "tiles.png", "tilewidth": 32, "tileheight": 32, "columns": 2}
    layers = [
        {"name": "Ground", "type": "tilelayer", "data": [1] * cells},
        {"name": "Foreground L1", "type": "tilelayer", "data": [0, 2, 0x80000002, 0] + [0] * (cells - 4)},
        {"name": "Collisions", "type": "tilelayer", "data": [2] * cells},
        {"name": "Hidden", "type": "tilelayer", "visible": False, "data": [2] * cells},
    ]
    size = {"width": columns, "height": rows, "tilewidth": 32, "tileheight": 32}
    (visuals / "small.json").write_text(json.dumps({**size, "layers": layers, "tilesets": [tileset]}), "utf-8")
    return visuals / "small.json"
