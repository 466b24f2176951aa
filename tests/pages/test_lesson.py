"""The lesson: a class does its steps in the town and on its page, and each marks itself when it is done."""

import pytest
from page_manners import axe_faults, check_names
from playwright.sync_api import expect

WORDS = "You want to run for mayor in the local election."
EVENING = """() => {
    const record = JSON.parse(localStorage.getItem("ville.lesson"));
    localStorage.setItem("ville.lesson", JSON.stringify({ ...record, done: [...record.done, "evening"] }));
}"""
"""Marks the evening, for which the test does not wait."""


def check_done(page, *steps):
    for step in steps:
        expect(page.locator(f"[data-step={step}]")).to_have_attribute("data-done", "yes")


@pytest.mark.slow
def test_a_class_follows_a_rumour_and_compares_the_day_without_it(house, window, pictures):
    """On the page and in the tab of the town, which go on from each other."""
    window.introduced = False
    house.serve("--origin", "recorded", "--name", "live")
    page = window.open(house.address("/lesson/"), ready="lesson")
    page.get_by_role("button", name="Take “live”").click()
    check_done(page, "town", "pause")
    assert axe_faults(page) == []
    page.get_by_role("link", name="Klaus Mueller").click()
    page.wait_for_selector("html[data-ready=town]")
    expect(page.get_by_role("tab", name="Lesson")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[data-deed=whisper]")).to_be_visible()
    expect(page.locator(".guide")).to_have_count(0)
    page.locator("[data-deed=whisper]").click()
    page.get_by_label("A thought for Klaus").fill(WORDS)
    page.locator("dialog[open] .ends .button").click()
    check_done(page, "plant")
    page.locator("[data-run=time] input").fill("09:00")
    page.get_by_role("button", name="Run until this time").click()
    expect(page.locator("[data-part=status]")).to_have_text("It is 09:00: the run has ended as planned.")
    page.evaluate(EVENING)
    page.reload()
    page.get_by_role("button", name="Search the memories").click()
    expect(page.locator(".heard")).to_contain_text("Klaus Mueller")
    page.screenshot(path=pictures / "lesson-heard.png")
    assert axe_faults(page) == []
    check_names(page.locator("[data-part=lesson]"))
    page.locator(".heard a").first.click()
    check_done(page, "look", "follow")
    page.get_by_role("button", name="Begin the branch").click()
    check_done(page, "branch")
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_selector("html[data-compared]")
    page.goto(house.address("/lesson/"))
    check_done(page, "compare")
