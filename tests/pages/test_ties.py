"""Ties and the story of a day made by hand: time by keyboard, what is behind a tie, and jumps to moments."""

import re
import shutil

import pytest
from catalogues import FRONTEND
from handmade_runs import talk, thought, write_run
from page_manners import check_width
from playwright.sync_api import expect

BASE = "base_the_ville_isabella_maria_klaus"
ISABELLA, MARIA, KLAUS = "Isabella Rodriguez", "Maria Lopez", "Klaus Mueller"
TEN, NOON, EVENING = 600, 720, 1080
FEAST = ((ISABELLA, "I invite you to my party."), (MARIA, "Gladly."))
SHARP = ((MARIA, "Good evening."), (KLAUS, "Leave me alone."))


@pytest.fixture
def house(tmp_path, open_house):
    """Two talks: at ten Isabella invites Maria, at six in the evening Klaus is sharp with Maria."""
    for shelf in ("temp", "compressed"):
        (tmp_path / shelf).mkdir()
    root = tmp_path / "storage" / "day"
    shutil.copytree(FRONTEND / "storage" / BASE, root)
    invited, quarrel = talk(MARIA, TEN, *FEAST, about="Isabella's party"), talk(MARIA, EVENING, *SHARP)
    write_run(
        root,
        {
            ISABELLA: [thought(f"{MARIA} is a regular"), invited],
            MARIA: [thought(f"{ISABELLA} is kind"), invited | {"object": ISABELLA}, quarrel | {"object": KLAUS}],
            KLAUS: [quarrel],
        },
        relationships={MARIA: {ISABELLA: {"relationship": "Isabella is my friend", "feeling": "warmth"}}},
    )
    return open_house(tmp_path)


def test_time_is_scrubbed_and_a_tie_opened_by_keyboard(house, window, pictures):
    """The slider has every hour; ties, measures and rows are of its moment; a row opens the talk, which leads there."""
    page = window.open(house.address("/ties/day/"), ready="ties")
    rows, moment = page.locator("[data-part=table] tbody tr"), page.locator("[data-part=moment]")
    expect(rows).to_have_count(2)
    page.screenshot(path=pictures / "ties.png", full_page=True)
    slider = page.locator("[data-part=hours]")
    slider.focus()
    page.keyboard.press("Home")
    expect(rows).to_have_count(0)
    for _ in range(NOON // 60):
        page.keyboard.press("ArrowRight")
    expect(moment).to_have_text("Mon 12:00")
    expect(slider).to_have_attribute("aria-valuetext", "Mon 12:00")
    expect(rows).to_have_count(1)
    expect(page.locator(".tie")).to_have_count(1)
    expect(page.locator("[data-part=measures]")).to_contain_text("0.33")
    page.keyboard.press(",")
    expect(moment).to_have_text("Mon 11:00")

    rows.get_by_role("button").focus()
    page.keyboard.press("Enter")
    evidence = page.locator("[data-part=evidence-section]")
    expect(evidence).to_be_focused()
    expect(evidence.locator("li[data-kind=talk]")).to_contain_text(FEAST[0][1])
    expect(evidence.locator("li[data-kind=impression]")).to_have_count(1)
    evidence.locator("li[data-kind=talk] a").click()
    page.wait_for_url(re.compile(rf"/replay/day/{TEN}/"))
    page.wait_for_function(f"() => window.ville?.step === {TEN}")


def test_the_story_leads_to_its_moments_and_so_does_a_key(house, window):
    """Both chapters are told with their people; one leads to its step, and from there `T` goes on to the next."""
    page = window.open(house.address("/story/day/"), ready="story")
    titles = page.locator(".chapters > li .title")
    expect(titles).to_have_text(["Isabella invites Maria to the party.", "Sharp words between Klaus and Maria."])
    expect(page.locator("blockquote")).to_have_text(SHARP[1][1])
    titles.first.get_by_role("link").click()
    page.wait_for_url(re.compile(rf"/replay/day/{TEN}/"))
    page.wait_for_selector("html[data-ready=town]")
    page.wait_for_function(f"() => ville.step === {TEN}")
    page.keyboard.press("t")
    page.wait_for_function(f"() => ville.step === {EVENING}")
    page.get_by_role("button", name="Next moment").click()
    expect(page.locator("[data-part=notice]")).to_have_text("No later moment so far.")


def test_ties_on_a_phone_in_the_dark_in_russian(house, window, pictures):
    """Nothing sticks out at the side, and people are drawn apart."""
    phone = {"viewport": {"width": 375, "height": 760}, "locale": "ru-RU", "color_scheme": "dark", "has_touch": True}
    page = window.open(house.address("/ties/day/"), ready="ties", **phone)
    expect(page.locator("h1")).to_have_text("Связи")
    check_width(page)
    page.wait_for_function(
        """() => ville.ties.picture.spots.every(([x, y], one, spots) => spots.every(
            ([across, down], other) => one === other || Math.abs(x - across) + Math.abs(y - down) > 28))"""
    )
    page.screenshot(path=pictures / "ties-phone.png", full_page=True)
