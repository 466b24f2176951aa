"""The page that compares two runs, with short runs whose differences are made by hand."""

import json
import re
import shutil

import pytest
from compared_runs import DIFFERS, KLAUS, STEPS, write_pair
from page_manners import check_width, shows
from playwright.sync_api import expect

MARIA = "Maria Lopez"
RINGS = "[...ville.playback.sides[{side}].rings.rings].filter(([, ring]) => ring.visible).map(([name]) => name)"
VIEW = (
    "((camera) => [camera.targetX, camera.targetY, camera.targetZoom].join())(ville.playback.sides[side].town.camera)"
)
BELOW = """() => {
    const [first, second] = ["a", "b"].map((side) => document.querySelector(`[data-part=town-${side}]`));
    return first.getBoundingClientRect().top < second.getBoundingClientRect().top;
}"""
"""Whether the second map is below the first."""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def pair(recording, tmp_path):
    """The folder of two short runs."""
    return write_pair(recording, tmp_path)


def check_marked(page, step, names):
    """Go to a step: these people are marked on both maps there."""
    page.evaluate("(step) => ville.playback.goTo(step)", step)
    page.wait_for_function(f"() => ville.step === {step}")
    page.evaluate(DRAWN)
    for side in "01":
        shows(page, RINGS.replace("{side}", side), names)


def test_it_says_shows_and_leads_to_what_differs(pair, open_house, window, pictures):
    """A saved and a compressed run. The sentence names the cause, as text; a row of the strip, a ring on both maps and
    the list name who differs; `]` and `[` go there; the cameras stay at the same view.
    """
    address = open_house(pair).address("/compare/plain/told/")
    page = window.open(address)
    expect(page.locator("html[data-compared]")).to_be_attached()
    verdict = page.locator("[data-part=summary]")
    expect(verdict).to_contain_text(f"step {DIFFERS[0]}")
    expect(verdict).to_contain_text(f"whisper to {KLAUS}")
    expect(page.locator("[data-section=set-up]")).to_contain_text("<b>You</b>")
    expect(page.locator(".strip-names button")).to_have_text([KLAUS])
    expect(page.locator(".differences .row").first).to_contain_text(KLAUS)
    expect(page.locator(".differences")).to_contain_text("painting a sign")
    for step in (0, DIFFERS[0] - 1, DIFFERS[-1] + 1):
        check_marked(page, step, [])
    check_marked(page, DIFFERS[3], [KLAUS])
    page.screenshot(path=pictures / "compare.png")

    page.evaluate("ville.playback.goTo(0)")
    page.keyboard.press("]")
    page.wait_for_function(f"() => ville.step === {DIFFERS[0]} && ville.playback.chosen === '{KLAUS}'")
    page.keyboard.press("]")
    expect(page.locator("[data-part=jumped]")).to_have_text("No more differences.")
    page.evaluate(f"ville.playback.goTo({STEPS - 1})")
    page.keyboard.press("[")
    page.wait_for_function(f"() => ville.step === {DIFFERS[0]}")

    page.keyboard.press("Escape")
    page.locator("[data-part=nearer]").click()
    page.evaluate(DRAWN)
    page.locator("[data-part=town-b]").focus()
    page.keyboard.press("ArrowRight", delay=100)
    page.evaluate(DRAWN)
    page.wait_for_function(f"() => {VIEW.replace('[side]', '[0]')} === {VIEW.replace('[side]', '[1]')}")


@pytest.mark.slow
def test_equal_runs_are_equal_on_a_phone_in_russian(pair, open_house, window, pictures):
    """No row, no ring, one sentence; the maps are one below the other, and nothing sticks out at the side."""
    house = open_house(pair)
    page = window.open(house.address("/compare/plain/plain/"), viewport={"width": 390, "height": 844}, locale="ru-RU")
    expect(page.locator("html[data-compared]")).to_be_attached()
    expect(page.locator("[data-part=summary]")).to_contain_text(re.compile("Прогоны совпадают"))
    expect(page.locator(".strip-names button")).to_have_count(0)
    page.wait_for_function(BELOW)
    check_width(page)
    page.screenshot(path=pictures / "compare-phone.png")


LONG = "whisper_to_isabella_the_party_is_cancelled_untouched"


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_long_names_fit_in_the_window(pair, open_house, window, pictures, width):
    """They are shortened: both sides are named, the language can be changed, and nothing sticks out at the side."""
    shutil.copytree(pair / "storage/plain", pair / "storage" / LONG)
    meta = pair / "storage" / LONG / "reverie/meta.json"
    meta.write_text(json.dumps(json.loads(meta.read_text("utf-8")) | {"fork_sim_code": f"{LONG}_before"}), "utf-8")
    shutil.copytree(pair / "storage" / LONG, pair / "storage" / f"{LONG}_2")
    address = open_house(pair).address(f"/compare/{LONG}/told/")
    page = window.open(address, viewport={"width": width, "height": 844})
    expect(page.locator("html[data-compared]")).to_be_attached()
    page.screenshot(path=pictures / f"compare-long-{width}.png", full_page=True)
    check_width(page)
    for part in (page.locator(".crumb .badge").last, page.locator(".languages button").last):
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_what_cannot_be_compared_is_told(pair, open_house, window):
    """The page shows both towns, and says in one line what is wrong."""
    nodes = pair / "storage/plain/personas" / MARIA / "bootstrap_memory/associative_memory/nodes.json"
    nodes.write_text("{", "utf-8")
    window.expected = ("422",)
    page = window.open(open_house(pair).address("/compare/plain/told/"))
    expect(page.locator("[data-part=summary-status]")).to_contain_text("nodes.json")
