"""Light and dark: as the system has it, or as chosen, without a flash of the other."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from page_manners import in_the_dark, shows
from PIL import Image
from playwright.sync_api import expect
from waiting import until

STYLES = Path(__file__).resolve().parents[2] / "environment" / "frontend_server" / "static_dirs" / "css"
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(", re.IGNORECASE)
GROUNDS = """
window.grounds = new Set();
const look = () => {
    if (document.body) grounds.add(getComputedStyle(document.body).backgroundColor);
    everyFrame(look);
};
look();
"""
"""Notes down every colour of the page that can be painted."""
AT_REST = "() => document.querySelector('html[data-compared]')"
GROUND = "getComputedStyle(document.body).backgroundColor"


def test_colours_have_values_in_one_place_only():
    """A colour elsewhere would be the same in both themes."""
    found = {
        f"{file.name}: {line.strip()}"
        for file in STYLES.glob("*.css")
        for line in file.read_text("utf-8").splitlines()
        if COLOUR.search(line) and not line.startswith(("  --", "@property"))
    }
    assert found == set()


def test_the_theme_is_that_of_the_system_until_one_is_chosen(gallery, window):
    """The choice holds on every page, also on those that are open, and the other theme is never painted."""
    page = window.open(gallery.address("/"), ready="front")
    light = page.evaluate(GROUND)
    with in_the_dark(page):
        page.wait_for_function(f"(light) => {GROUND} !== light", arg=light)
        dark = page.evaluate(GROUND)
    other = window.watch(page.context.new_page())
    other.goto(gallery.address("/replay/recorded/2990/"))
    page.get_by_label("Theme").select_option("dark")
    shows(page, GROUND, dark)
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")
    page.add_init_script(GROUNDS)
    page.goto(gallery.address("/path_tester/"))
    page.wait_for_selector("html[data-ready=town]")
    shows(page, "[...grounds]", [dark])
    page.get_by_label("Theme").select_option("auto")
    page.reload()
    shows(page, GROUND, light)


def around_the_map(page):
    """The colour of a corner of the town."""
    picture = Image.open(BytesIO(page.locator(".town-view").first.screenshot())).convert("RGB")
    return picture.getpixel((8, picture.height - 8))


@pytest.mark.slow
def test_what_is_drawn_takes_the_colours_of_the_theme(showroom, window):
    """The strip of a comparison is drawn on a canvas: it is drawn again in the dark; so is what is around the map."""
    page = window.open(showroom.address("/compare/plain/told/"))
    strip = page.locator(".strip-track canvas")
    strip.wait_for()
    before = strip.evaluate("(canvas) => canvas.toDataURL()")
    page.get_by_role("button", name="The whole town").click()
    page.wait_for_function(AT_REST)
    light = around_the_map(page)
    with in_the_dark(page):
        assert until(lambda: sum(around_the_map(page)) < sum(light))
        assert until(lambda: strip.evaluate("(canvas) => canvas.toDataURL()") != before)
