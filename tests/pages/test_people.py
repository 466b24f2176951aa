"""People are edited and added on a page, with a real engine: what is changed begins a town of its own."""

import re
import shutil

import pytest
from crowd import crowd_of
from page_manners import (
    PHONE,
    check_contrast,
    check_on_phone,
    in_the_dark,
)
from playwright.sync_api import expect
from simulation_content import content_of
from waiting import comes_to, until

from ville.home import OUR_ASSETS, PAGES
from ville.storage.records.saved_memories import read_memories

BASE = "base_the_ville_isabella_maria_klaus"
ISABELLA, ADA = "Isabella Rodriguez", "Ada Stone"
FLYING = "Isabella Rodriguez is learning to fly, and tells nobody."
WORDS = {
    "What are they like?": "calm, curious, stubborn",
    "What have they learned?": "Ada Stone builds small bridges and knows every plank of them.",
    "What is on their mind?": "Ada Stone is looking for a stream that nobody has bridged yet.",
    "How do they live?": "goes to bed around 10pm, wakes up around 6am and eats dinner around 6pm.",
}


@pytest.fixture
def town(tmp_path, open_house):
    """Three people before their first step, a folder for maps and looks, and an engine that has opened nothing."""
    root = tmp_path / "house"
    for shelf in ("temp", "compressed"):
        (root / shelf).mkdir(parents=True)
    shutil.copytree(PAGES / "storage" / BASE, root / "storage" / BASE)
    shutil.copytree(OUR_ASSETS / "the_ville", root / "assets" / "the_ville")
    house = open_house(root)
    house.serve()
    return house


def part(page, name):
    return page.locator(f"[data-part={name}]")


def opened(window, town, **context):
    page = window.open(town.address(f"/people/{BASE}/"), ready="people", **context)
    expect(part(page, "make-hint")).not_to_contain_text("…")
    return page


def newcomer(page):
    """The form of someone new, once a look is made up."""
    part(page, "add").press("Enter")
    added = page.locator(".person.new").last
    page.wait_for_function("() => [...document.querySelectorAll('[data-part=drawn]')].every((one) => one.naturalWidth)")
    return added


def test_isabella_has_another_concern_and_ada_moves_in(town, window, pictures):
    """By keyboard. Each wrong field has its line; the base stays as it is; both are in the town that is started."""
    base = content_of(town.root / "storage" / BASE)
    page = opened(window, town)
    isabella = page.locator(f"[data-who='{ISABELLA}']")
    isabella.locator("summary").press("Enter")
    isabella.get_by_label("What is on their mind?").fill(FLYING)
    isabella.get_by_label("Age").fill("200")
    expect(isabella.locator("[data-part=changed]")).to_be_visible()
    ada = newcomer(page)
    expect(ada.get_by_label("First and last name")).to_be_focused()
    ada.get_by_label("First and last name").fill(ISABELLA)
    part(page, "make").press("Enter")
    wrong = page.locator(".wrong:visible")
    expect(wrong).to_have_count(5)  # an age, a name, three empty lines
    expect(isabella.locator(".wrong:visible")).to_have_text("Write a whole number from 0 to 150.")
    expect(ada.locator(".wrong").first).to_have_text("Someone here has this name. Choose another one.")
    expect(isabella.get_by_label("Age")).to_be_focused()
    isabella.get_by_label("Age").fill("35")
    for label, words in {"First and last name": ADA, "Age": "41", **WORDS}.items():
        ada.get_by_label(label).fill(words)
    before = ada.locator("[data-part=drawn]").get_attribute("src")
    ada.get_by_role("radio", name="Teal hair").press("Space")
    ada.get_by_label("On the head").select_option(label="Straw hat")
    expect(ada.locator("[data-part=drawn]")).not_to_have_attribute("src", before)
    page.screenshot(path=pictures / "people.png", full_page=True)
    expect(part(page, "changes")).to_have_text("1 person is changed. 1 person moves in.")
    page.get_by_label("Name of your town").fill("Bridges")
    part(page, "make").press("Enter")
    expect(part(page, "made")).to_contain_text("“Bridges” is ready.")
    made = town.root / "storage/bridges"
    assert content_of(town.root / "storage" / BASE) == base
    changed, moved = (read_memories(made, who) for who in (ISABELLA, ADA))
    assert (changed.scratch["currently"], changed.scratch["age"]) == (FLYING, 35)
    assert moved.scratch["innate"] == WORDS["What are they like?"]
    _world, sector, _arena = moved.scratch["living_area"].split(":")
    assert {sector, "Hobbs Cafe"} <= {*moved.spatial["the Ville"]}
    part(page, "begin").press("Enter")
    page.wait_for_selector("html[data-ready=front]")
    expect(page.get_by_label("Start from")).to_have_value("bridges")
    page.get_by_text("More choices").click()
    page.locator("[name=night]").uncheck()
    part(page, "begin").click()
    page.wait_for_selector("html[data-ready=town]")
    page.locator("[data-run=toggle]:not([aria-disabled])").click()
    expect(page.locator(".row[data-name]")).to_have_count(4)
    drawn = page.locator(f".row[data-name='{ADA}'] img")
    expect(drawn).to_have_attribute("src", re.compile(r"/Ada_Stone\.png$"))
    assert until(lambda: drawn.evaluate("(one) => one.complete && one.naturalWidth > 0"))
    page.screenshot(path=pictures / "people-town.png")
    page.goto(town.address("/replay_persona_state/my_town/0/Isabella_Rodriguez/"))
    expect(page.get_by_text(FLYING)).to_be_visible()


def test_of_many_people_one_is_found_and_changed(town, window):
    """Of forty, by what it is like; what is changed of others stays."""
    crowd_of(town.root / "storage" / BASE, town.root / "storage/crowd", 40)
    page = window.open(town.address("/people/crowd/"), ready="people")
    expect(page.locator("[data-who]:visible")).to_have_count(40)
    expect(page.locator("[data-who] [data-field]")).to_have_count(0)
    first, last = (page.locator("[data-who]").nth(place) for place in (0, -1))
    first.locator("summary").press("Enter")
    first.get_by_label("Age").fill("200")
    last_name = last.get_attribute("data-who")
    page.get_by_label("Find a person").fill(f" {last_name.upper()}")
    expect(page.locator("[data-who]:visible")).to_have_count(1)
    last.locator("summary").press("Enter")
    home = last.get_by_label("Home")
    expect(home).to_have_value(read_memories(town.root / "storage/crowd", last_name).scratch["living_area"])
    last.get_by_label("What is on their mind?").fill(FLYING)
    expect(part(page, "changes")).to_have_text("2 people are changed.")
    expect(part(page, "make")).not_to_have_attribute("aria-disabled", "true")
    part(page, "make").press("Enter")
    expect(first.get_by_label("Age")).to_be_focused()  # it is shown, although the search is for another
    page.get_by_label("Find a person").fill("no such one")
    expect(part(page, "found")).to_have_text("No one is like that.")


def test_a_home_that_is_full_is_refused_in_one_line(town, window):
    """Three for a bed of two: nothing is made, the page can be sent again, and no list keeps what it said."""
    page = opened(window, town)
    for name in (ADA, "Ben Reed", "Cleo Moor"):
        one = newcomer(page)
        for label, words in {"First and last name": name, "Age": "41", **WORDS}.items():
            one.get_by_label(label).fill(words)
        one.get_by_label("Home").select_option(label="Arthur Burton's apartment · main room")
    part(page, "make").click()
    expect(part(page, "make-error")).to_contain_text("has no free bed")
    comes_to(lambda: "\n" in part(page, "make-error").inner_text(), wanted=False)
    assert [each.name for each in (town.root / "storage").iterdir() if each.name[0] != "."] == [BASE]
    page.locator(".person.new").last.get_by_role("button", name="Remove").click()
    expect(part(page, "add")).to_be_focused()
    part(page, "make").click()
    expect(part(page, "made")).to_be_visible()
    page.goto(town.address("/"))
    expect(page.locator("[data-branch]").first).to_be_visible()
    expect(page.locator(".branches")).not_to_contain_text("has no free bed")


def test_a_russian_phone_has_all_of_it_in_order(town, window, pictures):
    """No English of ours, room for fingers, names and contrast."""
    page = opened(window, town, **PHONE)
    page.locator("summary").first.click()
    newcomer(page)
    part(page, "make").click()
    expect(page.locator(".wrong:visible")).not_to_have_count(0)
    check_on_phone(page)
    page.screenshot(path=pictures / "people-phone.png", full_page=True)
    with in_the_dark(page):
        check_contrast(page)
