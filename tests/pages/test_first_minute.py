"""The first minute: four steps beside what they are about, once, and again when they are asked for."""

import pytest
from page_manners import PHONE, SETTLED, SMALL, axe_faults, check_names, check_russian, shows
from playwright.sync_api import expect

REPLAY = "/replay/recorded/2990/"
BESIDE = """() => {
    const card = document.querySelector(".guide").getBoundingClientRect();
    const part = document.querySelector(".guided")?.getBoundingClientRect() ?? new DOMRect(-1, -1, 0, 0);
    const across = Math.max(card.left - part.right, part.left - card.right, 0);
    const down = Math.max(card.top - part.bottom, part.top - card.bottom, 0);
    return { over: across === 0 && down === 0,
        inside: card.left >= 0 && card.top >= 0 && card.right <= innerWidth && card.bottom <= innerHeight };
}"""
"""Whether the card is over what it is about, and within the window."""
COVERED = """() => {
    const [card, map] = [".guide", ".town-view"].map((each) => document.querySelector(each).getBoundingClientRect());
    return card.top < map.bottom && card.bottom > map.top;
}"""


def card(page):
    return page.get_by_role("dialog")


def check_steps(page, pictures, name):
    """All steps are beside their part and judged well; returns their texts."""
    texts = []
    for number in range(4):
        page.wait_for_function(SETTLED)
        page.screenshot(path=pictures / f"{name}-{number + 1}.png")
        texts.append(card(page).inner_text())
        shows(page, BESIDE, {"over": False, "inside": True})
        assert axe_faults(page) == []
        check_names(card(page))
        card(page).locator("button:visible").last.click()
    expect(card(page)).to_have_count(0)
    return texts


def test_four_steps_are_shown_once_and_again_when_asked_for(gallery, window, pictures):
    """By mouse or keyboard; Escape ends them, and the focus goes back to where it was."""
    window.introduced = False
    page = window.open(gallery.address(REPLAY))
    expect(card(page)).to_be_focused()
    assert len(set(check_steps(page, pictures, "first-minute"))) == 4
    expect(page.locator(".town-view")).to_be_focused()
    page.reload()
    page.wait_for_selector("html[data-ready=town]")
    page.wait_for_function("() => ville.viewer.frame !== null")
    page.locator("input[type=search]").focus()
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("button", name="Show the first minute").click()
    expect(card(page)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(card(page)).to_contain_text("2 of 4")
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Keys")).to_be_focused()
    expect(page.locator(".guided")).to_have_count(0)


@pytest.mark.slow
def test_on_a_phone_the_map_is_not_covered(gallery, window, pictures):
    """In Russian, with room for fingers; what a recording does not have is said, and where it is."""
    window.introduced = False
    page = window.open(gallery.address(REPLAY), device_scale_factor=2, **PHONE)
    card(page).wait_for()
    shows(page, COVERED, wanted=False)
    shows(page, SMALL, [], 40)
    check_russian(page)
    check_steps(page, pictures, "first-minute-phone")


@pytest.mark.slow
def test_a_live_town_offers_what_it_can(house, window, pictures):
    """With an engine one may whisper; the steps are about the bar that runs the town."""
    window.introduced = False
    house.serve("--origin", "recorded", "--name", "live")
    page = window.open(house.address("/simulator_home"))
    texts = check_steps(page, pictures, "first-minute-live")
    assert "whisper" in texts[2]
    assert "menu" in texts[3]
