"""People who come and go in the middle of a recording. What must be seen is worked out from the files."""

import json
import shutil

import pytest

from ville.storage.compressed.compression import compress

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
        file = recording / "storage" / "recorded" / "movement" / f"{FIRST + step}.json"
        content = json.loads(file.read_text("utf-8"))
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
        assert page.evaluate("ville.positions") == places
        assert page.locator("[data-count=people]").inner_text() == str(len(places))
        card = page.locator("[data-part=card]")
        assert ("Not in town" in card.inner_text()) == (EVE not in places)
        assert "an <i>inspector</i>" in card.inner_text()
        assert ("<b>Hello</b>" in card.inner_text()) == (step == TALKS)
        assert not card.locator("a").is_visible()
        assert "portraits/visitor_3.png" in card.locator("img").first.get_attribute("src")
    _check_camera(page)
    page.locator("[data-tab=feed]").click()
    page.locator("[data-lists=conversations]").click()
    assert EVE in page.locator("[data-part=conversations]").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("[data-part=card]").is_visible()


def _check_camera(page):
    """Following a persona who is away, it rests; it moves when they are there."""
    page.evaluate("ville.player.seek(0)")
    page.wait_for_function("() => ville.step === 0 && !ville.positions['Eve Guest']")
    page.evaluate("ville.viewer.choose(null), ville.viewer.town.camera.look(1000, 900, { zoom: 2 })")
    page.evaluate(DRAWN)
    before = page.evaluate(CAMERA)
    page.evaluate("ville.viewer.choose('Eve Guest')")
    page.evaluate(DRAWN)
    assert page.evaluate(CAMERA) == before
    page.evaluate("(step) => ville.player.seek(step)", TALKS)
    page.wait_for_function(f"(spot) => {CAMERA} !== spot", arg=before)


def test_the_longest_name_fits_on_a_phone(frames, tmp_path, open_house, window):
    """On the page that says why a visitor has no memories to show."""
    longest = "A" * 60
    with (tmp_path / "storage" / "guests" / "reverie" / "interventions.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"kind": "visitor_in", "name": longest, "look": "visitor_3", "about": "long"}) + "\n")
    page = window.browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US").new_page()
    page.goto(open_house(tmp_path).address(f"/replay_persona_state/guests/{len(frames) - 1}/{longest}/"))
    assert f"{longest} is a visitor" in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
