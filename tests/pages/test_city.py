"""A town too large to be drawn as a whole: people are dots and numbers from afar, and have faces near."""

import json
import shutil

import pytest
from page_manners import axe_faults, shows
from playwright.sync_api import expect

from ville.home import OUR_ASSETS

NAME = "twofold"
TIMES = 2
"""The map is the Ville's, so many times across and down."""
PEOPLE = 160
CROWD = 12
"""Those who stand on a few tiles in the middle."""
NUMBERS = "() => ville.viewer.town.people.dotLayer.discs.map(({ people, spot }) => [people.length, ...spot])"
SHEETS = "() => performance.getEntriesByType('resource').filter(({ name }) => /characters\\/[^/]+$/.test(name)).length"
SHARP = "() => { const { map } = ville.viewer.town; return map.shown.length > 0 && !map.stretched.visible; }"


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


@pytest.fixture(scope="module")
def city(tmp_path_factory, open_gallery):
    """A recording of people who stand on a lattice, some of them in a crowd, on a map of four Villes."""
    root = tmp_path_factory.mktemp("city")
    size = write_map(root / "assets" / NAME)
    names = [
        f"Ada{'abcdefghij'[number // 26]} Stone{'abcdefghijklmnopqrstuvwxyz'[number % 26]}" for number in range(PEOPLE)
    ]
    places = {name: spot(number, size) for number, name in enumerate(names)}
    words = {"pronunciatio": "📖", "description": "reading @ the Ville:Green:lawn", "chat": None}
    frame = {name: {"movement": place, **words} for name, place in places.items()}
    meta = {"start_date": "June 01, 2024", "curr_time": "June 01, 2024, 12:01:00", "sec_per_step": 10, "step": 4}
    meta |= {"fork_sim_code": NAME, "maze_name": NAME, "persona_names": names}
    folder = root / "compressed" / NAME
    (folder / "personas").mkdir(parents=True)
    put(folder / "meta.json", meta)
    put(folder / "master_movement.json", {"0": frame, "1": {}, "2": {}, "3": {}})
    (root / "storage").mkdir()
    (root / "temp").mkdir()
    return open_gallery(root)


def spot(number, size):
    """A tile: of the first ones in the middle, of the others far from each other."""
    columns, rows = size
    if number < CROWD:
        return [columns // 2 + number % 4, rows // 2 + number // 4]
    return [4 + (number * 37) % (columns - 8), 4 + (number * 11) % (rows - 8)]


def write_map(folder):
    """Write the Ville several times side by side, and return its columns and rows."""
    ours = OUR_ASSETS / "the_ville" / "visuals"
    shutil.copytree(ours / "tilesets", folder / "visuals" / "tilesets")
    shutil.copy(ours / "overview.webp", folder / "visuals")
    tiled = json.loads((ours / "the_ville.json").read_text("utf-8"))
    columns, rows = tiled["width"], tiled["height"]
    tiled |= {"width": TIMES * columns, "height": TIMES * rows}
    for layer in tiled["layers"]:
        lines = [layer["data"][start : start + columns] * TIMES for start in range(0, columns * rows, columns)]
        layer |= {
            "data": [cell for line in lines for cell in line] * TIMES,
            "width": TIMES * columns,
            "height": TIMES * rows,
        }
    put(folder / "visuals" / f"{NAME}.json", tiled)
    sizes = {"world_name": NAME, "maze_width": TIMES * columns, "maze_height": TIMES * rows, "sq_tile_size": 32}
    put(folder / "matrix" / "maze_meta_info.json", sizes)
    return TIMES * columns, TIMES * rows


def test_people_of_a_city_are_dots_from_afar_and_faces_near(city, window, pictures):
    """From afar no sheet of anybody is loaded, and a number opens the crowd that it stands for; there, people have
    faces. Only pieces of the map around the view are painted.
    """
    page = window.open(city.address(f"/demo/{NAME}/0/1/"))
    page.wait_for_function("() => ville.viewer.frame && ville.viewer.town.people.dotLayer.discs.length")
    page.evaluate("ville.player.pause()")
    page.wait_for_function(SHARP)
    shows(page, SHEETS, 0)
    shows(page, "ville.viewer.town.people.bodies.size", 0)
    page.screenshot(path=pictures / "city_afar.png")
    page.wait_for_function(f"() => ({NUMBERS})().some(([count]) => count >= {CROWD})")
    _, x, y = max(page.evaluate(NUMBERS))
    view = page.evaluate("(({ scrollX, scrollY, zoom }) => [scrollX, scrollY, zoom])(ville.viewer.town.view)")
    box = page.locator("[data-part=town]").bounding_box()
    page.mouse.click(box["x"] + (x - view[0]) * view[2], box["y"] + (y - view[1]) * view[2])
    page.wait_for_function(f"() => ville.viewer.town.people.awake.size >= {CROWD}")
    page.wait_for_function(SHARP)
    shows(page, f"ville.viewer.town.people.bodies.size < {PEOPLE}", wanted=True)
    shows(
        page, "(({ shelf, width, height }) => shelf.bytes < 4 * width * height / 2)(ville.viewer.town.map)", wanted=True
    )
    page.screenshot(path=pictures / "city_near.png")


def test_somebody_of_a_city_is_found_in_a_list_that_grows_on_request(city, window):
    """The list has the first people of many, more on request; the search finds anybody; keys are enough for both."""
    page = window.open(city.address(f"/demo/{NAME}/0/1/"))
    rows = page.locator(".row[data-name]")
    expect(rows).to_have_count(40)
    page.get_by_role("button", name="Show 40 more").press("Enter")
    expect(rows).to_have_count(80)
    assert axe_faults(page) == []
    page.keyboard.press("/")
    page.keyboard.type("adag stoned")
    expect(rows).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=card] h2")).to_contain_text("Adag Stoned")
    page.wait_for_function("() => ville.viewer.town.people.sprites.get('Adag Stoned').isAwake")
