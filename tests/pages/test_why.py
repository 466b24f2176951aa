"""From a talk on the live page to the whisper that caused it, tested there by taking it away."""

import json
from dataclasses import replace

import pytest
from page_manners import axe_faults, check_width
from playwright.sync_api import expect

from ville.api.town_session import TownSession
from ville.storage.compressed.compression import compress

ADA = "Ada Stone"
WHISPER, TOLD_AT = "You want to run for mayor in the local election", 540
SAVED, STEPS = 856, 861
SEED = 1
"""With which Ada tells someone of it in the last steps."""
WIDTH, HEIGHT = 16, 12


@pytest.fixture
def root(tmp_path, write_small_town):
    """The small town, drawn as a plain field, by the rules: a whisper in the morning, and a talk of it ahead."""
    town = write_small_town(tmp_path)
    ground = {"name": "ground", "type": "tilelayer", "width": WIDTH, "height": HEIGHT, "data": [0] * WIDTH * HEIGHT}
    shape = {"width": WIDTH, "height": HEIGHT, "tilewidth": 32, "tileheight": 32, "orientation": "orthogonal"}
    drawn = {"type": "map", **shape, "layers": [ground | {"x": 0, "y": 0, "opacity": 1}], "tilesets": []}
    visuals = tmp_path / "assets/small/visuals"
    visuals.mkdir()
    (visuals / "small.json").write_text(json.dumps(drawn), "utf-8")
    with TownSession(replace(town.settings, seed=SEED), "base", "day") as session:
        session.plan([{"step": TOLD_AT, "kind": "whisper", "who": ADA, "words": WHISPER}])
        session.run(steps=SAVED)
    for name in ("temp", "compressed"):
        (tmp_path / name).mkdir(exist_ok=True)
    return tmp_path


def test_from_a_talk_to_its_whisper_in_five_clicks(root, open_house, window, pictures):
    """On the live page: the person, the line, and the test; what the last save lacks is saved first. The whisper is
    what the chain begins with, and what it became is confirmed.
    """
    house = open_house(root)
    engine = house.engine("day", "day")
    page = window.open(house.address("/simulator_home"))
    engine.type(f"run {STEPS - SAVED}")
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=STEPS)
    page.locator(".row", has_text=ADA).first.click()
    line = page.locator(".lines li", has_text="running for mayor")
    line.get_by_text("Why?").click()
    page.wait_for_selector("html[data-ready=why]")
    first = page.locator(".why-outline > li").first
    expect(first.locator(".first")).to_have_text("named first")
    whisper = first.locator("[data-kind=intervention]")
    expect(whisper).to_contain_text(WHISPER)
    expect(whisper).to_contain_text("from outside")
    expect(page.locator("[data-part=scores] details")).to_have_count(1)
    page.locator("[data-part=test]").click()
    expect(first.locator("> .cause [data-decision]")).to_have_attribute("data-decision", "confirmed")
    page.screenshot(path=pictures / "why.png", full_page=True)
    page.locator("[data-part=scores] summary").press("Enter")
    expect(page.locator("[data-part=scores] tr[aria-current]")).to_contain_text("mayor")
    assert axe_faults(page) == []


@pytest.mark.slow
def test_a_phone_shows_the_causes_of_a_recording_in_russian(root, open_house, window, pictures):
    """From the card and from a memory; nothing is wider than the screen; a recording cannot be tested."""
    compress(root / "storage/day", root / "compressed/replay")
    house = open_house(root)
    phone = {"viewport": {"width": 390, "height": 780}, "locale": "ru-RU", "has_touch": True, "is_mobile": True}
    page = window.open(
        house.address(f"/why/replay/?store=compressed&who=Ada_Stone&step={SAVED - 1}"), ready="why", **phone
    )
    expect(page.locator("h1")).to_have_text("Почему?")
    expect(page.locator(".why-outline .cause").first).to_be_visible()
    expect(page.locator("[data-part=test]")).to_have_count(0)
    check_width(page)
    assert axe_faults(page) == []
    page.screenshot(path=pictures / "why_phone.png", full_page=True)
    page.goto(house.address(f"/replay_persona_state/day/{SAVED - 1}/Ada_Stone/?store=saved"))
    page.locator("li.thought", has_text="mayor").locator(".why").first.click()
    page.wait_for_selector("html[data-ready=why]")
    expect(page.locator("[data-kind=intervention]").first).to_contain_text(WHISPER)
