"""The town is started, run and closed from its pages: a served engine, without a user at its terminal."""

import json
import re
import shutil
from pathlib import Path

import pytest
from page_manners import SETTLED, check_buttons, check_contrast, check_names, check_russian, check_width
from playwright.sync_api import Page, expect

HOME = "/simulator_home"
THREE = "base_the_ville_isabella_maria_klaus"
STORAGE = Path(__file__).resolve().parents[2] / "environment" / "frontend_server" / "storage"
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
    "locale": "ru-RU",
}


@pytest.fixture
def served(house):
    """A served engine that has opened nothing, three people to begin with, and a morning of twenty-five."""
    shutil.copytree(STORAGE / THREE, house.root / "storage" / THREE)
    house.serve()
    return house


@pytest.fixture
def live(house, window):
    """The page of the morning, open in a served engine."""
    house.serve("--origin", "recorded", "--name", "live")
    page = window.open(house.address(HOME))
    expect(control(page, "toggle")).not_to_have_attribute("aria-disabled", "true")
    return page


def control(page: Page, name: str):
    return page.locator(f"[data-run={name}]")


def status(page: Page):
    return page.locator("[data-part=status]")


def receipt(page: Page, text: str):
    return page.locator("[data-part=receipts] li", has_text=text)


def settled(page: Page) -> Page:
    page.wait_for_selector("html[data-ready=town]")
    return page


@pytest.mark.slow
def test_a_day_begins_on_the_front_page_and_ends_there(served, window, pictures):
    """Start, the night by itself, run until a time, save, save a copy, close, go on: all by clicks."""
    page = window.open(served.address("/"), ready=None)
    page.get_by_label("Name of your town").fill("A town of ours")
    page.get_by_role("button", name="Start", exact=True).click()
    settled(page)
    expect(page.locator("h1 strong")).to_have_text("A town of ours")
    expect(status(page)).to_have_text("It is 07:00: the run has ended as planned.")
    expect(page.locator("[data-run=speeds] [aria-pressed=true]")).to_have_text("60×")
    page.get_by_role("button", name="Max").click()
    expect(receipt(page, "Speed: As fast as they think")).to_contain_text("done at 07:00")
    page.get_by_label("Time", exact=True).first.focus()
    control(page, "time").locator("input").fill("07:10")
    page.get_by_role("button", name="Run until this time").click()
    expect(status(page)).to_have_text("It is 07:10: the run has ended as planned.")
    page.screenshot(path=pictures / "control-desktop.png")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(receipt(page, "Save")).to_contain_text("done at 07:10")
    control(page, "menu").locator("summary").click()
    page.get_by_role("button", name="Save as a starting point").click()
    page.get_by_label("Title").fill("Ten past seven!")
    page.get_by_role("button", name="Save the copy").click()
    expect(receipt(page, "Save a copy: Ten past seven!")).to_contain_text("done at 07:10")
    copied = json.loads((served.root / "storage" / "ten_past_seven" / "reverie" / "meta.json").read_text("utf-8"))
    assert copied["curr_time"] == "February 13, 2023, 07:10:00"
    control(page, "menu").locator("summary").click()
    page.get_by_role("button", name="Stop and close").click()
    expect(status(page)).to_have_text("Saved and closed.")
    page.locator("[data-part=stopped]").get_by_role("link", name="Start another").click()
    mine = page.locator("article", has_text="A town of ours")
    mine.get_by_role("button", name="Go on").click()
    settled(page)
    expect(page.locator("[data-part=time]")).to_have_text("07:10")


def test_run_pause_and_until_somebody_talks(live):
    """The button says what it does, the sentence what goes on, the bar how far; a talk ends the run."""
    control(live, "toggle").click()
    expect(control(live, "toggle")).to_have_attribute("aria-label", "Pause")
    expect(control(live, "goal")).to_have_text("Runs until Tue 00:00")
    expect(receipt(live, "Run until midnight")).to_contain_text(re.compile(r"begun at \d\d:\d\d"))
    control(live, "toggle").click()
    expect(status(live)).to_have_text("Paused.")
    expect(control(live, "goal")).to_have_text("Paused")
    expect(live.locator("[data-part=waiting]")).to_have_text("Paused: time stands still.")
    held = live.evaluate("ville.watch.latest.step")
    control(live, "toggle").click()
    expect(receipt(live, "Go on")).to_contain_text("begun at")
    live.wait_for_function("(step) => ville.watch.latest.step > step", arg=held)
    control(live, "morning").click()
    expect(control(live, "goal")).to_have_text("Runs until Tue 06:00")
    control(live, "talk").click()  # people may begin to talk before the page has shown that it waits for that
    expect(status(live)).to_have_text("Stopped: two people began to talk.")
    expect(control(live, "toggle")).to_have_attribute("aria-label", "Run")


@pytest.mark.slow
def test_the_keys_do_what_the_buttons_do(live):
    """Wherever the focus is, except in a field; the sheet lists them, and letters can be switched off for good."""
    live.locator("[data-run=speeds] button").first.focus()
    live.keyboard.press("3")
    expect(live.locator("[data-run=speeds] [aria-pressed=true]")).to_have_text("60×")
    live.locator(".town-view").press(" ")
    expect(control(live, "toggle")).to_have_attribute("aria-label", "Pause")
    live.locator("[data-part=past] [data-control=slider]").focus()
    live.keyboard.press(" ")
    expect(status(live)).to_have_text("Paused.")
    live.locator("input[type=search]").press("3")
    expect(live.locator("input[type=search]")).to_have_value("3")
    live.locator("input[type=search]").fill("")
    live.locator(".town-view").press("?")
    sheet = live.locator("[data-part=keys-sheet]")
    expect(sheet).to_contain_text("Run or pause")
    expect(sheet).to_contain_text("Move the view")
    sheet.get_by_role("checkbox").uncheck()
    live.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    live.reload()
    settled(live)
    live.locator(".town-view").press("4")
    live.locator(".town-view").press("?")
    live.get_by_role("button", name="Keys").click()
    expect(sheet.get_by_role("checkbox")).not_to_be_checked()
    expect(live.locator("[data-run=speeds] [aria-pressed=true]")).to_have_text("60×")


@pytest.mark.slow
def test_a_refusal_says_why_and_nothing_is_lost(served, window):
    """A name that is taken: the reason is read where it was asked for, and what was typed is still there."""
    page = window.open(served.address("/"), ready=None)
    page.get_by_text("More choices").click()
    page.get_by_label("Short name").fill("recorded")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[data-part=start-error]")).to_contain_text("There is already a simulation 'recorded'")
    expect(page.get_by_label("Short name")).to_have_value("recorded")
    page.locator("[name=seed]").fill("seven")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[name=seed]:invalid")).to_be_visible()
    assert served.engine_status()["state"] == "idle"
    page.locator("article", has_text="recorded").get_by_role("button", name="Go on").click()
    settled(page)
    control(page, "menu").locator("summary").click()
    page.get_by_role("button", name="Save as a starting point").click()
    page.get_by_label("Title").fill("Mine")
    page.get_by_label("Short name").fill("recorded")
    page.get_by_role("button", name="Save the copy").click()
    expect(page.locator("[data-part=save-as-error]")).to_contain_text("There is already a simulation 'recorded'")
    expect(receipt(page, "Save a copy: Mine")).to_contain_text("refused: There is already")


@pytest.mark.slow
def test_the_page_goes_where_the_engine_goes(served, window):
    """It follows to another simulation and says so, and goes on after the engine was killed and started again."""
    front = window.open(served.address("/"), ready=None)
    watcher = window.open(served.address(HOME), ready=None)
    front.locator("article", has_text="recorded").get_by_role("button", name="Go on").click()
    settled(watcher)
    expect(watcher.locator("h1 strong")).to_have_text("recorded")
    front = window.open(served.address("/"), ready=None)
    front.get_by_label("Name of your town").fill("Another town")
    front.get_by_role("button", name="Start", exact=True).click()
    expect(watcher.locator("[data-part=notice]")).to_have_text("Another simulation was opened: Another town.")
    control(watcher, "toggle").click()
    expect(status(watcher)).to_have_text("Paused.")
    engine = served.processes[-1]
    engine.kill()
    engine.wait()
    expect(status(watcher)).to_contain_text("python start.py")
    expect(control(watcher, "toggle")).to_have_attribute("aria-disabled", "true")
    served.serve("--reopen")
    expect(status(watcher)).to_contain_text("The engine ended unexpectedly and was started again.")
    before = watcher.evaluate("ville.watch.latest.step")
    control(watcher, "toggle").click()
    watcher.wait_for_function("(step) => ville.watch.latest.step > step && ville.next > step", arg=before)


@pytest.mark.slow
def test_who_may_only_watch_is_told_so_and_can_sign_in(house, window, monkeypatch, open_house):
    """With a pass phrase: no control before it was given, all of them afterwards, on the same page."""
    monkeypatch.setenv("VILLE_PASS", "open sesame")
    guarded = open_house(house.root)
    guarded.serve("--origin", "recorded", "--name", "live")
    page = window.open(guarded.address(HOME))
    expect(control(page, "watching")).to_contain_text("You are watching.")
    expect(control(page, "toggle")).not_to_be_visible()
    control(page, "watching").get_by_role("link", name="Sign in").click()
    page.locator("input[type=password]").fill("open sesame")
    page.keyboard.press("Enter")
    settled(page)
    control(page, "toggle").click()
    expect(control(page, "toggle")).to_have_attribute("aria-label", "Pause")


@pytest.mark.slow
def test_a_russian_phone_runs_the_town(served, window, pictures):
    """Start, time and speed, run and pause by taps; room for fingers at any width, and no English of ours."""
    page = window.watch(window.browser.new_context(**PHONE).new_page())
    page.goto(served.address(HOME))
    page.locator("[data-part=begin]:not([aria-disabled])").tap()
    settled(page)
    control(page, "toggle").tap()
    expect(status(page)).to_have_text("Пауза.")
    control(page, "unfold").tap()
    page.locator("[data-run=speeds] button").nth(2).tap()
    expect(page.locator("[data-run=speeds] [aria-pressed=true]")).to_have_text("60×")
    control(page, "menu").locator("summary").tap()
    page.locator(".row").first.scroll_into_view_if_needed()
    for wide in (390, 320, 1024):
        page.set_viewport_size({"width": wide, "height": 844})
        page.wait_for_function(SETTLED)
        page.screenshot(path=pictures / f"control-touch-{wide}.png")
        check_buttons(page)
        check_width(page)
    check_russian(page)


@pytest.mark.slow
def test_the_bar_can_be_read(live):
    """Each text has the contrast that WCAG 2 AA requires, also in the menu."""
    control(live, "menu").locator("summary").click()
    check_contrast(live)


@pytest.mark.slow
def test_everything_has_a_name(live):
    """For users of a screen reader: the page, each tab, and each form that changes the town."""
    live.locator("[data-part=people] .row").first.click()
    for tab in ("people", "feed", "do"):
        live.locator(f"[data-tab={tab}]").click()
        check_names(live.locator("body"))
    for form in ("ask", "talk", "whisper", "event", "object", "join", "move-in"):
        expect(live.locator(f"[data-deed={form}]")).to_be_visible()
    for form in live.locator("[data-deed]:visible").evaluate_all("(all) => all.map((one) => one.dataset.deed)"):
        live.locator(f"[data-deed={form}]").click()
        expect(live.locator("dialog[open]")).to_have_count(1)
        check_names(live.locator("dialog[open]"))
        live.keyboard.press("Escape")
        expect(live.locator("dialog[open]")).to_have_count(0)
