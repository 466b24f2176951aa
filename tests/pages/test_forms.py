"""Small manners of what one acts with: the keys of a text area, the menu of an object, the list of what lasts."""

import json

import pytest
from playwright.sync_api import expect

HOME = "/simulator_home"
WINDOWS = {"desktop": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}
AT_REST = """() => {
    const { x, y, zoom, targetX, targetY, targetZoom } = ville.viewer.town.camera;
    return zoom === targetZoom && Math.hypot(x - targetX, y - targetY) < 0.1;
}"""
SPOT = """(address) => {
    const { view, density, element, map } = ville.viewer.town;
    const [x, y] = ville.acting.marks.marks.get(address).spots[0];
    const { left, top } = element.getBoundingClientRect();
    return [left + ((x * map.tile - view.scrollX) * view.zoom) / density,
            top + ((y * map.tile - view.scrollY) * view.zoom) / density];
}"""
"""Where an object with a lasting state is in the window."""
BESIDE = """([x, y]) => {
    const { left, top, right, bottom } = document.querySelector(".place-menu").getBoundingClientRect();
    const covers = left <= x && x <= right && top <= y && y <= bottom;
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && !covers;
}"""
"""Whether the menu is within the window, and leaves a spot in sight."""


def live(house, window, **context):
    """The page of a town whose engine waits at its prompt."""
    house.engine("recorded", "live")
    page = window.open(house.address(HOME), **context)
    page.locator("[data-tab=do]:not([hidden])").wait_for(state="attached")
    return page


def rows(house):
    """The log of interventions."""
    file = house.root / "storage/live/reverie/interventions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def burn(page, words):
    """Set the first object on fire that is found by some words."""
    page.keyboard.press("o")
    expect(page.locator("dialog[open] [type=search]")).to_be_focused()
    page.keyboard.type(words)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".place-menu").wait_for()
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_enter_sends_and_shift_enter_begins_a_new_line(house, window):
    """In the text area of a form."""
    page = live(house, window)
    page.locator(".row[data-name='Klaus Mueller']").click()
    page.locator("[data-deed=whisper]").click()
    dialog = page.locator("dialog[open]")
    page.keyboard.type("You want to run for mayor.")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Tell nobody.")
    expect(dialog.locator("textarea")).to_have_value("You want to run for mayor.\nTell nobody.")
    assert rows(house) == []
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    (whisper,) = rows(house)
    assert whisper["words"].split() == ["You", "want", "to", "run", "for", "mayor.", "Tell", "nobody."]


@pytest.mark.slow
@pytest.mark.parametrize("size", WINDOWS)
def test_the_menu_of_an_object_is_beside_it_and_the_newest_state_comes_first(house, window, pictures, size):
    """A click on a burning object opens its menu, whole within the window, which leaves the object in sight."""
    page = live(house, window, viewport=WINDOWS[size])
    lasting = page.locator(".lasting li")
    for number, words in enumerate(("hobbs cooking", "library"), start=1):
        burn(page, words)
        expect(lasting).to_have_count(number)
        page.wait_for_function("(count) => ville.acting.marks.marks.size === count", arg=number)
    wanted = [row["where"] for row in rows(house)]
    expect(lasting).to_contain_text([where.split(":")[1] for where in reversed(wanted)], ignore_case=True)
    page.wait_for_function(AT_REST)
    x, y = page.evaluate(SPOT, wanted[-1])
    page.mouse.click(x, y)
    menu = page.locator(".place-menu")
    menu.wait_for()
    page.screenshot(path=pictures / f"menu-{size}.png")
    page.wait_for_function(BESIDE, arg=[x, y])
