"""A shared file, saved from a page and opened from a folder with the network off: it plays, seeks and shows minds."""

import re

import pytest
from page_manners import check_width, shows
from playwright.sync_api import expect

PLAIN = "/replay/plain/0/"
RUSSIAN = "Об этом файле"  # noqa: RUF001


COVERED = """async () => {
    const { town } = ville;
    const buttons = document.querySelector(".zoom-buttons").getBoundingClientRect();
    const { left: edge, right, top: upper, bottom: lower } = buttons;
    const { left, top, width, height } = town.canvas.getBoundingClientRect();
    const [figure] = town.figures;
    const found = [];
    for (let y = upper; y < lower + 60; y += 10) {
        const [across, down] = [(edge + right) / 2 - left - width / 2, y - top - height / 2];
        town.camera.look(figure.x - across, figure.y - down, { zoom: town.density, at: "once" });
        for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
        for (const bubble of town.labels.bubbles) {
            const half = bubble.width / town.density / 2;
            const [middle, foot] = [bubble.x / town.density + left, bubble.bottom / town.density + top];
            const across = middle + half > edge && middle - half < right;
            if (across && foot > upper && foot - bubble.height / town.density < lower) found.push([y, bubble.name]);
        }
    }
    return found;
}"""
"""Moves the town so that a person passes behind the buttons, and returns whose bubble is under them, and where."""


@pytest.fixture
def saved(showroom, window, tmp_path):
    """The file that the button of a recording saves."""
    page = window.open(showroom.address(PLAIN))
    page.get_by_label("Share this moment").first.click()
    expect(page.get_by_text("Not in it: interviews")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the recording as a file").click()
    assert download.value.suggested_filename == "plain.html"
    page.get_by_text("The file is saved").wait_for()
    target = tmp_path / "plain.html"
    download.value.save_as(target)
    return target


def opened(window, file, **context):
    """A page of a file, which asks no one for anything."""
    page = window.open("about:blank", ready=None, offline=True, **context)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    page.wait_for_function("() => ville.town.figures.length > 0")
    page.asked = asked
    return page


def test_a_file_plays_from_a_folder_without_a_network(saved, window, pictures):
    """From the first picture to the end; a person who is clicked shows what they do and remember; nothing is loaded."""
    page = opened(window, saved)
    page.screenshot(path=pictures / "shared.png")
    page.get_by_role("button", name="Play").click()
    page.locator("[data-playing=true]").wait_for()
    page.keyboard.press(" ")
    page.locator("[data-playing=false]").wait_for()
    page.get_by_role("slider", name="Time").press("End")
    page.get_by_text("The recording ends here").wait_for()
    page.get_by_role("tabpanel", name="People").get_by_role("button", name="Isabella Rodriguez").click()
    card = page.get_by_role("region", name="Selected person")
    card.get_by_role("heading", name="Memories").wait_for()
    card.get_by_label("Trivial ones, too").check()
    expect(card.locator(".shared-memories > li").nth(10)).to_be_attached()
    expect(card.locator(".shared-memories time").first).to_have_attribute("datetime", re.compile("^2023-02-13."))
    card.get_by_label("Search the memories").fill("zzzz")
    card.get_by_text("0 memories").wait_for()
    page.keyboard.press("Tab")
    page.screenshot(path=pictures / "shared-mind.png")
    assert not [address for address in page.asked if not address.startswith(("file:", "data:", "blob:"))]


@pytest.mark.parametrize(("locale", "words"), [("ru-RU", RUSSIAN), ("de-DE", "About this file")])
def test_a_file_speaks_the_language_of_the_browser(saved, window, pictures, locale, words):
    """Russian, else English; on a phone in the dark, too. It says what is in it and what is not."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
    page = opened(window, saved, locale=locale, **phone)
    shows(page, COVERED, [])
    page.get_by_role("button", name=words).click()
    sheet = page.get_by_role("dialog", name=words)
    expect(sheet.get_by_role("listitem")).to_have_count(6)
    page.screenshot(path=pictures / f"shared-{locale}.png")
    check_width(page)
