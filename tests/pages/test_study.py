"""The page of a study, with files as a running study leaves them: no simulation is run."""

import re

import pytest
from playwright.sync_api import expect
from study_files import GUESTS, NASTY, done, job, write_party


@pytest.fixture
def party(tmp_path):
    """A study with two arms of three seeds, none of them run; and a short run of the first."""
    return write_party(tmp_path)


def test_progress_becomes_a_figure_and_a_dot_leads_to_its_run(party, open_house, window, pictures):
    """Without a reload: runs appear as they end; what failed says why. Arrow keys walk through the dots."""
    house = open_house(party.root.parents[1])
    with party.lock():
        page = window.open(house.address("/study/party/"), ready="study")
        expect(page.locator(".run[data-state=waiting]")).to_have_count(6)
        expect(page.locator("[data-section=measures]")).to_be_hidden()
        party.write_job(job("told", 2, state="running", step=10))
        expect(page.locator(".run[data-state=running]")).to_have_text(re.compile("25%"))
        party.write_job(job("told", 3, state="failed", fault="<i>No such model.</i>"))
        expect(page.locator(".failures")).to_contain_text("<i>No such model.</i>")
        party.write_job(done("plain", 1))
        expect(page.locator(".drawing a .dot")).to_have_count(1)
        page.screenshot(path=pictures / "study_running.png", full_page=True)
        for arm, values in GUESTS.items():
            for seed in values:
                party.write_job(done(arm, seed))
        expect(page.locator("[data-part=state]")).to_have_text(re.compile("6 of 6"))
    expect(page.locator(".measure .dot")).to_have_count(6)
    expect(page.locator(".means tbody tr")).to_have_count(2)
    expect(page.locator(".means tbody tr").last).to_contain_text("0.250")
    expect(page.locator("[data-part=means] .caution")).to_contain_text("at least 6 seeds")
    expect(page.locator("table.answers")).to_contain_text(NASTY)
    page.screenshot(path=pictures / "study_done.png", full_page=True)
    page.locator(".drawing a").first.focus()
    expect(page.locator(".measure .thread.same")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay/party-plain-s1/0/**")
    page.wait_for_selector("html[data-ready=town]")


def test_a_phone_shows_all_of_it_in_russian(party, open_house, window, pictures):
    """Nothing is wider than the screen, and no text of the page is English."""
    for arm, values in GUESTS.items():
        for seed in values:
            party.write_job(done(arm, seed))
    house = open_house(party.root.parents[1])
    phone = {"viewport": {"width": 390, "height": 780}, "locale": "ru-RU", "device_scale_factor": 2, "has_touch": True}
    page = window.open(house.address("/study/party/"), ready="study", **phone)
    expect(page.locator("h2").first).to_have_text("Прогоны")
    expect(page.locator(".measure svg")).to_contain_text("12,0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=pictures / "study_phone.png", full_page=True)
    page.goto(house.address("/study/"))
    expect(page.locator(".sim .button")).to_have_attribute("href", "/study/party/")
