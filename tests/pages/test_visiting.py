"""A user as a visitor: arrives, walks, speaks and leaves; reloads, other tabs, and odd names do no harm."""

import json

import pytest
from page_manners import shows
from playwright.sync_api import expect
from waiting import comes_to, until

HOME = "/simulator_home"
NAME = "constructor"
"""Of a function that every object of JavaScript has."""
VISIT = "[data-part=visit]"
ISABELLA = "Isabella Rodriguez"
HALF_AN_HOUR = 180
"""Steps."""


def rows(house, name="live"):
    """The log of interventions."""
    file = house.root / "storage" / name / "reverie" / "interventions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def joined(page, name=NAME):
    """Join in front of the cafe, by the keyboard alone."""
    page.wait_for_selector("[data-tab=do]:not([hidden])")
    page.keyboard.press("v")
    dialog = page.locator("dialog[open]")
    expect(dialog.locator("[name=name]")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.type("a <b>painter</b>")
    dialog.locator("[name=where]").select_option("Hobbs Cafe")
    dialog.locator("[type=submit]").press("Enter")
    expect(dialog).to_have_count(0)
    page.wait_for_selector(f"{VISIT}[data-state=here]")


def walk_into_earshot(page):
    """Hold the key upwards until Isabella, behind the counter of the cafe, can be spoken to."""
    page.keyboard.down("ArrowUp")
    page.keyboard.down("ArrowUp")  # a key that is held repeats
    near = page.locator(".near button", has_text="Isabella")
    expect(near).to_be_visible()
    page.keyboard.up("ArrowUp")
    return near


@pytest.mark.slow
def test_a_visitor_walks_in_talks_reloads_and_leaves(house, window):
    """Keyboard alone. Isabella remembers the conversation; a page that only watches shows all of it without a fault."""
    engine = house.engine("recorded", "live")
    engine.type("speed 20")
    watching, page = (window.open(house.address(HOME)) for _ in range(2))
    window.expected = ("409",)  # the slower page hears that its report is old news
    joined(page)
    page.wait_for_function("(name) => ville.positions[name]", arg=NAME)
    before = page.evaluate("ville.positions")[NAME]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("([name, y]) => ville.positions[name][1] === y", arg=[NAME, before[1] + 2])
    page.keyboard.press("w")
    page.keyboard.press("w")
    page.wait_for_function("([name, y]) => ville.positions[name][1] === y", arg=[NAME, before[1]])
    walk_into_earshot(page).focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Hello <i>Isabella</i>")
    page.keyboard.press("Enter")
    lines = page.locator(f"{VISIT} .lines > li")
    expect(lines.nth(0).locator("> span")).to_have_text("Hello <i>Isabella</i>")
    expect(page.locator(f"{VISIT} .lines > .other")).to_have_count(1)
    expect(page.locator(f"{VISIT} .lines small")).to_have_count(0)
    said = lines.nth(1).locator("> span").inner_text()
    page.reload()
    page.wait_for_selector(f"{VISIT}[data-state=here]")
    expect(lines.nth(1).locator("> span")).to_have_text(said)
    expect(page.locator(f"{VISIT} textarea")).to_be_visible()
    page.keyboard.press("v")
    expect(page.locator(f"{VISIT} textarea")).to_be_focused()
    page.keyboard.type("Goodbye")
    page.keyboard.press("Enter")
    expect(page.locator(f"{VISIT} .lines > .own").nth(1)).to_contain_text("Goodbye")
    expect(page.locator(f"{VISIT} .lines small")).to_have_count(0)  # no line is merely sent any more
    page.get_by_role("button", name="Leave the town").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{VISIT}[data-state=gone]")
    engine.type("save")
    watching.wait_for_function("(name) => !(name in ville.positions) && ville.step > 0", arg=NAME)
    engine.type("fin")
    engine.process.wait()
    memory = house.file("live", "personas", ISABELLA, "bootstrap_memory", "associative_memory", "nodes.json")
    (talk,) = [node for node in memory.values() if node["type"] == "chat" and node["object"] == NAME]
    comes_to(lambda: talk["filling"][:2], [[NAME, "Hello <i>Isabella</i>"], [ISABELLA, said]])
    kinds = [row["kind"] for row in rows(house)]
    assert (kinds[0], kinds[-1], kinds.count("visitor_say")) == ("visitor_in", "visitor_out", 2)


@pytest.mark.slow
def test_a_page_that_dies_in_mid_walk_holds_nobody_up(house, window):
    """The run goes on without it, and after half an hour of the town the visitor walks out by itself."""
    engine = house.engine("recorded", "live")
    engine.type("speed 20")
    page = window.open(house.address(HOME))
    joined(page, "Ada")
    page.keyboard.down("ArrowUp")
    page.keyboard.down("ArrowUp")  # a key that is held repeats
    assert until(lambda: rows(house)[-1]["kind"] == "visitor_walk")
    page.context.close()
    engine.type("speed max")
    last = rows(house)[-1]["step"]
    engine.wait_for(last + HALF_AN_HOUR + 60)
    assert "Ada" in house.movement("live", last + HALF_AN_HOUR - 10)
    assert "Ada" not in house.movement("live", last + HALF_AN_HOUR + 60)


@pytest.mark.slow
def test_two_tabs_do_not_fight_for_a_visitor(house, window):
    """The second one waits until it is told to take over, by finger on a phone; then the first one does."""
    engine = house.engine("recorded", "live")
    engine.type("speed 20")
    window.expected = ("409",)
    phone = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
    first = window.open(house.address(HOME), **phone)
    joined(first, "Ada-Marie O’Neil")
    second = window.watch(first.context.new_page())
    second.goto(house.address(HOME))
    second.wait_for_selector(f"{VISIT}[data-state=elsewhere]")
    expect(first.locator(VISIT)).to_have_attribute("data-state", "here")
    second.get_by_text("Go on in this tab").tap()
    first.wait_for_selector(f"{VISIT}[data-state=elsewhere]")
    box = second.locator("[data-part=town]").bounding_box()
    second.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 60)
    second.wait_for_function("() => ville.acting.visit.goal !== null")
    second.wait_for_function("() => ville.acting.visit.goal === null")  # it has arrived
    assert [row["kind"] for row in rows(house)] == ["visitor_in", "visitor_walk"]
    shows(second, "ville.acting.visit.tile", rows(house)[-1]["to"])
    second.close()
    first.reload()
    first.wait_for_selector(f"{VISIT}[data-state=here]")
    first.get_by_role("button", name="Leave the town").tap()
    first.wait_for_selector(f"{VISIT}[data-state=gone]")
