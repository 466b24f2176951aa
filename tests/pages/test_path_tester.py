"""The path tester: the page tells where it looks, the engine what a persona would learn there."""

import json

import pytest
from page_manners import axe_faults
from playwright.sync_api import expect

CAFE = (75, 22)


@pytest.mark.slow
def test_what_the_engine_finds_is_shown_and_can_be_kept(house, window):
    """Over the cafe the tree names the cafe and its things, as the engine's own file does; the download is the same."""
    engine = house.engine("recorded", "tested")
    page = window.open(house.address("/path_tester/"))
    engine.type("start path tester mode")
    page.evaluate("([x, y]) => ville.town.camera.look(32 * x, 32 * y, { at: 'once' })", list(CAFE))
    page.wait_for_function("() => document.querySelector('[data-part=places]').textContent.includes('Hobbs Cafe')")
    said = json.loads((house.root / "temp" / "path_tester_out.json").read_text("utf-8"))
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    page.wait_for_function("(text) => JSON.stringify(ville.tree) === text", arg=text)
    for objects in said["the Ville"]["Hobbs Cafe"].values():
        for thing in objects:
            expect(page.locator(".places li", has_text=thing)).not_to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the spatial memory").click()
    assert json.loads(download.value.path().read_text("utf-8")) == said


@pytest.mark.slow
def test_without_an_engine_it_says_what_to_type(gallery, window):
    """Without an answer, after a while the page tells which command makes the engine listen."""
    page = window.open(gallery.address("/path_tester/"))
    page.get_by_text("start path tester mode").wait_for()


STOVE = {"en-US": "stove", "ru-RU": "плита"}
IN_THE_MIDDLE = """(tiles) => {
    const { camera, map } = (ville.town ?? ville.viewer.town);
    return tiles.some(([x, y]) => Math.hypot(camera.x / map.tile - x - 0.5, camera.y / map.tile - y - 0.5) < 1);
}"""


REPLAY, TESTER = "/replay/plain/30/", "/path_tester/"


@pytest.mark.parametrize(
    ("locale", "path"),
    [
        ("en-US", TESTER),
        ("ru-RU", REPLAY),
        pytest.param("en-US", REPLAY, marks=pytest.mark.slow),
        pytest.param("ru-RU", TESTER, marks=pytest.mark.slow),
    ],
)
def test_a_search_leads_to_what_people_call_a_thing(showroom, window, pictures, path, locale):
    """`/` and a word in the language of the page; a click shows the thing on the map."""
    page = window.open(showroom.address(path), locale=locale)
    places = page.request.get(showroom.address("/places/the_ville/")).json()
    cafe = next(
        each for each in places["objects"] if "Hobbs Cafe" in each["address"] and each["name"] == "cooking area"
    )
    page.keyboard.press("/")
    page.keyboard.type(f"{STOVE[locale]} hobbs")
    row = page.locator(".found .row")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(STOVE[locale])
    page.screenshot(path=pictures / f"search-{locale}-{path.split('/')[1]}.png")
    assert axe_faults(page) == []
    row.click()
    page.wait_for_function(IN_THE_MIDDLE, arg=cafe["tiles"])
