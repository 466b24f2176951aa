"""Towns that are not ours: other names, other tile sizes, other tilesets, people without pictures of their own."""

import base64
import json
import struct
import zlib
from io import BytesIO

import pytest
from page_manners import shows
from PIL import Image
from playwright.sync_api import expect

ADA, BEN = "Ada Stone", "Ben van Reed"
RED, BLUE, GREEN = (200, 30, 30, 255), (30, 30, 200, 255), (30, 160, 30, 128)
TILE, COLUMNS, ROWS = 16, 30, 20


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(json.dumps(content), "utf-8")


def sheet(*colours):
    """Tiles side by side, each of one colour, with a margin and spacing that must not be seen."""
    image = Image.new("RGBA", (2 + (TILE + 1) * len(colours), TILE + 4), (255, 255, 0, 255))
    for place, colour in enumerate(colours):
        image.paste(colour, (2 + place * (TILE + 1), 2, 2 + place * (TILE + 1) + TILE, 2 + TILE))
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def layer(name, cells, *, packed=False):
    """Cells not named are empty."""
    numbers = [cells.get((x, y), cells.get("else", 0)) for y in range(ROWS) for x in range(COLUMNS)]
    shape = {"name": name, "type": "tilelayer", "width": COLUMNS, "height": ROWS, "x": 0, "y": 0, "opacity": 1}
    if not packed:
        return shape | {"data": numbers}
    data = base64.b64encode(zlib.compress(struct.pack(f"<{len(numbers)}I", *numbers))).decode()
    return shape | {"data": data, "encoding": "base64", "compression": "zlib"}


@pytest.fixture
def elsewhere(tmp_path, open_house):
    """A recording of two people in a town of 16-pixel tiles, whose second tileset is a file of its own."""
    visuals = tmp_path / "assets" / "hamlet" / "visuals"
    shape = {"tilewidth": TILE, "tileheight": TILE, "margin": 2, "spacing": 1, "imageheight": TILE + 4}
    embedded = {"firstgid": 1, "name": "plain", "columns": 2, "tilecount": 2, "image": "sets/plain.png"}
    apart = {"name": "glass", "columns": 1, "tilecount": 1, "image": "glass.png", "imagewidth": 19}
    lost = {"firstgid": 40, "name": "lost", "columns": 1, "tilecount": 9, "image": "sets/lost.png", "imagewidth": 19}
    put(visuals / "sets" / "plain.png", sheet(RED, BLUE))
    put(visuals / "sets" / "glass.png", sheet(GREEN))
    put(visuals / "sets" / "glass.json", shape | apart)
    ground = layer("ground", {"else": 1, (3, 2): 2}, packed=True)
    glass = layer("window", {(5, 5): 7, (6, 5): 41})
    walls = layer("Collisions", {"else": 2})
    tilesets = [shape | embedded | {"imagewidth": 36}, {"firstgid": 7, "source": "sets/glass.json"}, shape | lost]
    grid = {"width": COLUMNS, "height": ROWS, "tilewidth": TILE, "tileheight": TILE, "orientation": "orthogonal"}
    group = {"type": "group", "name": "all", "layers": [ground, glass, walls]}
    put(visuals / "hamlet.json", grid | {"type": "map", "layers": [group], "tilesets": tilesets})
    _record(tmp_path / "storage" / "far")
    return open_house(tmp_path)


def _record(folder):
    meta = {"start_date": "June 01, 2024", "curr_time": "June 01, 2024, 09:10:00", "sec_per_step": 60}
    meta |= {"fork_sim_code": "far", "maze_name": "hamlet", "persona_names": [ADA, BEN], "step": 10}
    put(folder / "reverie" / "meta.json", meta)
    for name in (ADA, BEN):
        put(folder / "personas" / name / "bootstrap_memory" / "scratch.json", {"name": name})
    for step in range(10):
        places = {ADA: [step, 4], BEN: [20, 10]}
        text = {"pronunciatio": "🚶", "description": "walking @ the Hamlet:Green:lawn:<random>", "chat": None}
        people = {name: {"movement": place, **text} for name, place in places.items()}
        put(folder / "movement" / f"{step}.json", {"persona": people, "meta": {"curr_time": "June 01, 2024, 09:00:00"}})
        put(
            folder / "environment" / f"{step}.json",
            {n: {"maze": "hamlet", "x": x, "y": y} for n, (x, y) in places.items()},
        )


COLOUR = """
([x, y]) => {
  const { town } = ville.viewer;
  const picture = town.game.textures.get("town false 0 0 0").getSourceImage();
  const middle = town.map.tile / 2;
  return [...picture.getContext("2d").getImageData(x * town.map.tile + middle, y * town.map.tile + middle, 1, 1).data];
}
"""


@pytest.mark.slow
def test_a_foreign_town_is_drawn_with_its_own_tiles(elsewhere, window):
    """Margin, spacing, packed data, tilesets apart: each tile has its colour; walls and lost tiles are not drawn."""
    window.expected = ("404",)  # the picture of the lost tileset
    page = window.open(elsewhere.address("/replay/far/4/"))
    page.wait_for_function("() => ville.state === 'paused' && ville.step === 4")
    shows(page, COLOUR, list(RED), [0, 0])
    shows(page, COLOUR, list(BLUE), [3, 2])
    shows(page, COLOUR, list(RED), [6, 5])
    shows(page, COLOUR, pytest.approx([115, 95, 30, 255], abs=2), [5, 5])
    shows(page, "ville.positions", {ADA: [4, 4], BEN: [20, 10]})
    expect(page.locator("[data-part=time]")).to_have_text("09:04")


@pytest.mark.slow
def test_who_has_no_picture_borrows_one(elsewhere, window):
    """People that we have never drawn are shown all the same, in list and town, by their names."""
    window.expected = ("404",)
    page = window.open(elsewhere.address("/replay/far/0/"))
    expect(page.locator(".row strong")).to_have_text([ADA, BEN])
    page.wait_for_function("() => [...document.querySelectorAll('.row img')].every((one) => one.naturalWidth === 96)")
