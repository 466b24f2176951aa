"""People who come and go in the middle of a recording. What must be seen is worked out from the files."""

import json
import re
import shutil

import pytest
from page_manners import check_width, shows
from playwright.sync_api import expect

from ville.storage.compressed.compression import compress
from ville.storage.steps.step_store import StepStore

STEPS, FIRST = 40, 2700
KLAUS, EVE = "Klaus Mueller", "Eve Guest"
COMES, TALKS, LEAVES = 10, 14, 20
MOVES_AWAY = 16
CAMERA = "[ville.viewer.town.camera.targetX, ville.viewer.town.camera.targetY].join()"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
ROWS = "[...document.querySelectorAll('[data-part=people] li:not([hidden]) strong')].map((name) => name.textContent)"


@pytest.fixture
def frames(recording, tmp_path):
    """Forty steps of a morning, with a visitor who talks, and without Klaus from step 16 on; saved and compressed."""
    folder = tmp_path / "storage" / "guests"
    shutil.copytree(recording / "storage" / "recorded" / "personas", folder / "personas")
    for name in ("temp", "storage/guests/movement", "storage/guests/reverie", "compressed"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    shown = []
    for step in range(STEPS):
        content = StepStore(recording / "storage" / "recorded").read_movement(FIRST + step)
        people = content["persona"]
        if COMES <= step <= LEAVES:
            chat = [[EVE, "<b>Hello</b>"]] if step == TALKS else None
            people[EVE] = people[KLAUS] | {"chat": chat} if KLAUS in people else shown[-1][EVE]
        if step >= MOVES_AWAY:
            del people[KLAUS]
        (folder / "movement" / f"{step}.json").write_text(json.dumps(content), "utf-8")
        shown.append(people)
    meta = json.loads((recording / "storage" / "recorded" / "reverie" / "meta.json").read_text("utf-8"))
    meta |= {"step": STEPS, "curr_time": "February 13, 2023, 07:36:40"}
    meta["persona_names"].remove(KLAUS)
    (folder / "reverie" / "meta.json").write_text(json.dumps(meta), "utf-8")
    rows = [
        {"kind": "visitor_in", "name": EVE, "look": "visitor_3", "about": "an <i>inspector</i>"},
        {"kind": "resident_out", "who": KLAUS},
    ]
    log = folder / "reverie" / "interventions.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    compress(folder, tmp_path / "compressed" / "guests")
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/replay/guests/0/", "/demo/guests/0/2/"])
def test_they_appear_and_vanish(address, frames, tmp_path, open_house, window):
    """On the map, in the list and its count, in whichever order one seeks; the camera waits for whom it follows."""
    page = window.open(f"{open_house(tmp_path).address(address)}#Eve_Guest")
    page.evaluate("ville.player.pause()")
    for step in (0, TALKS, LEAVES + 1, LEAVES, COMES - 1, STEPS - 1, MOVES_AWAY, MOVES_AWAY - 1, COMES):
        page.evaluate("(step) => ville.player.seek(step)", step)
        page.wait_for_function(
            f"(names) => {ROWS}.sort().join() === names && ville.viewer.frame && ville.step === {step}",
            arg=",".join(sorted(frames[step])),
        )
        places = {name: record["movement"] for name, record in frames[step].items()}
        shows(page, "ville.positions", places)
        expect(page.locator("[data-count=people]")).to_have_text(str(len(places)))
        card = page.locator("[data-part=card]")
        for words, said in (
            ("Not in town", EVE not in places), ("an <i>inspector</i>", True), ("<b>Hello</b>", step == TALKS),
        ):  # fmt: skip
            expect(card).to_contain_text(words) if said else expect(card).not_to_contain_text(words)
        expect(card.locator("a:visible")).to_have_count(0)
        expect(card.locator("img").first).to_have_attribute("src", re.compile(r"portraits/visitor_3\.png"))
    _check_camera(page)
    page.locator("[data-tab=feed]").click()
    page.locator("[data-lists=conversations]").click()
    expect(page.locator("[data-part=conversations]")).to_contain_text(EVE)
    page.keyboard.press("Escape")
    expect(page.locator("[data-part=card]")).not_to_be_visible()


def _check_camera(page):
    """Following a persona who is away, it rests; it moves when they are there."""
    page.evaluate("ville.player.seek(0)")
    page.wait_for_function("() => ville.step === 0 && !ville.positions['Eve Guest']")
    page.evaluate("ville.viewer.choose(null), ville.viewer.town.camera.look(1000, 900, { zoom: 2 })")
    page.evaluate(DRAWN)
    before = page.evaluate(CAMERA)
    page.evaluate("ville.viewer.choose('Eve Guest')")
    page.evaluate(DRAWN)
    shows(page, CAMERA, before)
    page.evaluate("(step) => ville.player.seek(step)", TALKS)
    page.wait_for_function(f"(spot) => {CAMERA} !== spot", arg=before)


def test_the_longest_name_fits_on_a_phone(frames, tmp_path, open_house, window):
    """On the page that says why a visitor has no memories to show."""
    longest = "A" * 60
    with (tmp_path / "storage" / "guests" / "reverie" / "interventions.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"kind": "visitor_in", "name": longest, "look": "visitor_3", "about": "long"}) + "\n")
    page = window.browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US").new_page()
    page.goto(open_house(tmp_path).address(f"/replay_persona_state/guests/{len(frames) - 1}/{longest}/"))
    expect(page.locator("main")).to_contain_text(f"{longest} is a visitor")
    check_width(page)
