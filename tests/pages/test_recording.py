"""Replays and demos: a recording, played in a browser. What must be seen is worked out from the saved files."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from page_manners import shows
from playwright.sync_api import expect
from step_texts import shown_in
from waiting import comes_to, until

END = 3199
BREAKFAST = 2700


@cache
def frame(root: Path, step: int) -> dict[str, dict]:
    """Return the records of all personas in a step."""
    return shown_in(root / "storage" / "recorded", step)


def places(root: Path, step: int) -> dict[str, list[int]]:
    return {name: record["movement"] for name, record in frame(root, step).items()}


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until what was decided in a frame is on the screen."""
AT_REST = """() => {
    const { x, y, zoom, targetX, targetY, targetZoom } = ville.viewer.town.camera;
    return zoom === targetZoom && Math.hypot(x - targetX, y - targetY) < 0.1;
}"""
"""Whether the camera has come to where it was sent."""
SPOT = """() => {
    const { town } = ville.viewer;
    const [x, y] = town.people.sprites.get('Isabella Rodriguez').middle;
    return [(x - town.view.scrollX) * town.view.zoom, (y - town.view.scrollY) * town.view.zoom];
}"""
"""Where she is on the stage, in pixels."""
OPPOSITE = (("left", "right"), ("right", "left"), ("up", "down"), ("down", "up"))
FACING = """((names) => {
    const { sprites } = ville.viewer.town.people;
    return names.map((name) => sprites.get(name).facing);
})"""
OUTSIDE = """() => [...document.querySelectorAll("[data-part=controls] button")].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return one.checkVisibility() && (left < 0 || right > innerWidth);
}).map((one) => one.outerHTML)"""
"""Buttons of the bar that are partly beside the window."""
NEAR = "((x, y, middleX, middleY) => Math.max(Math.abs(x - middleX), Math.abs(y - middleY)) < 40)"


def slide(page, step):
    page.locator("[data-control=slider]").evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", step
    )


def rest(page, step):
    page.wait_for_function("(step) => ville.step === step && ['paused', 'ended'].includes(ville.state)", arg=step)
    page.evaluate(DRAWN)


def test_a_replay_begins_at_the_asked_step(gallery, window):
    """It stands still there, everybody on the tile of that step, the clock at its time."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    rest(page, BREAKFAST)
    shows(page, "ville.positions", places(gallery.root, BREAKFAST))
    expect(page.locator("[data-part=time]")).to_have_text("07:30")
    shows(page, "document.querySelector('[data-part=date]').innerText", "Monday, February\xa013,\xa02023")


def test_play_moves_on_and_pause_holds(gallery, window):
    """Play advances step by step, pause rests on a whole step, drawn as recorded."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("(step) => ville.step > step", arg=BREAKFAST + 3)
    page.get_by_role("button", name="Pause", exact=True).click()
    step = page.evaluate("ville.step")
    rest(page, step)
    shows(page, "ville.positions", places(gallery.root, step))


@pytest.mark.slow
def test_slider_and_steps_lead_to_any_moment(gallery, window):
    """Back and forth over pieces of the recording: the town is always that of the step."""
    page = window.open(gallery.address("/replay/recorded/0/"))
    for step in (3100, 40, 499, 500, 2999, 1):
        slide(page, step)
        rest(page, step)
        shows(page, "ville.positions", places(gallery.root, step))
    page.get_by_role("button", name="One step forward").click()
    rest(page, 2)
    page.get_by_role("button", name="One step back").click()
    page.keyboard.press(",")
    rest(page, 0)
    page.keyboard.press("n")
    page.wait_for_function("() => ville.step > 1000")


@pytest.mark.slow
def test_there_is_room_for_the_slider(gallery, window):
    """A day can be pointed at in a window of any width, and no button of the bar is cut off."""
    page = window.open(gallery.address("/replay/recorded/0/"), locale="ru-RU")
    for wide in (360, 844, 1010, 1280):
        page.set_viewport_size({"width": wide, "height": 640})
        page.wait_for_function("() => document.querySelector('[data-control=slider]').offsetWidth >= 240")
        shows(page, OUTSIDE, [])


@pytest.mark.slow
def test_the_end_says_so_and_play_begins_anew(gallery, window):
    """Past the last step nothing breaks: the page says that the recording ends; play starts it again."""
    page = window.open(gallery.address(f"/replay/recorded/{END - 5}/"))
    page.keyboard.press("6")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => ville.state === 'ended'")
    status = page.locator("[data-part=status]")
    expect(status).to_contain_text("ends here")
    shows(page, "ville.step", END)
    shows(page, "ville.positions", places(gallery.root, END))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("(end) => ville.step < end && ville.state === 'playing'", arg=END)


def test_a_demo_plays_a_compressed_run_at_its_speed(gallery, window):
    """A demo begins to play by itself, at the speed of its address, and shows what the whole frames say."""
    page = window.open(gallery.address(f"/demo/recorded/{BREAKFAST}/5/"))
    expect(page.locator(".speeds [aria-pressed=true]")).to_have_text("300×")
    page.wait_for_function("(step) => ville.step > step", arg=BREAKFAST + 10)
    page.keyboard.press(" ")
    step = page.evaluate("ville.step")
    rest(page, step)
    shows(page, "ville.positions", places(gallery.root, step))


def without_why(line):
    """Text of a line of a conversation, without the link that follows its words."""
    return line.inner_text().removesuffix("Why?").rstrip()


def told_lines(card):
    return [without_why(line) for line in card.locator("li").all()]


def test_a_conversation_is_found_and_told_line_by_line(gallery, window):
    """The button goes to its first step and follows a speaker; lines are read as they are said, partners turn round."""
    page = window.open(gallery.address("/replay/recorded/0/"))
    page.get_by_role("button", name="Next conversation").click()
    talk = page.request.get(gallery.address("/timeline/recorded/")).json()["conversations"][0]
    rest(page, talk["first"])
    lines = next(record["chat"] for record in frame(gallery.root, talk["first"]).values() if record["chat"])
    card = page.locator("[data-part=card]")
    expect(card.locator("h2")).to_have_text(re.compile("^(?:" + "|".join(talk["names"]) + ")"))
    wanted = [f"{name.split()[0]}\n{said}" for name, said in lines]
    told = 1
    for step in range(talk["first"], talk["last"] + 1):
        rest(page, step)
        page.wait_for_function("(step) => ville.viewer.step === step", arg=step)
        assert until(lambda least=told: (lines := told_lines(card)) == wanted[: len(lines)] and len(lines) >= least)
        assert until(lambda: [without_why(card.locator("li[aria-current]"))] == told_lines(card)[-1:])
        told = len(told_lines(card))
        page.keyboard.press(".")
    slide(page, talk["last"])
    rest(page, talk["last"])
    comes_to(lambda: told_lines(card), wanted)
    facing = f"{FACING}({json.dumps(talk['names'])})"
    assert until(lambda: page.evaluate(facing) in [[one, other] for one, other in OPPOSITE])


@pytest.mark.slow
def test_the_list_of_conversations_leads_to_each(gallery, window):
    """Each row has who talks and about what; a click goes to the first step, and marks what goes on there."""
    page = window.open(gallery.address("/replay/recorded/0/"))
    page.get_by_role("tab", name="Feed").click()
    page.get_by_role("button", name="Conversations").click()
    rows = page.locator("[data-part=conversations] .row")
    talks = page.request.get(gallery.address("/timeline/recorded/")).json()["conversations"]
    assert len(talks) > 1
    expect(rows).to_have_count(len(talks))
    for place in (len(talks) - 1, 0):
        talk = talks[place]
        assert talk["about"]
        expect(rows.nth(place).locator("strong")).to_have_text(", ".join(talk["names"]))
        expect(rows.nth(place).locator(".doing")).to_have_text(talk["about"], ignore_case=True)
        rows.nth(place).click()
        rest(page, talk["first"])
        expect(rows.nth(place)).to_have_attribute("aria-current", "true")


def test_the_address_names_what_is_seen(gallery, window):
    """A copied link and a reload come back to the moment and to who was followed; so does the page of a mind."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    slide(page, BREAKFAST + 7)
    rest(page, BREAKFAST + 7)
    name = "Isabella Rodriguez"
    page.locator(f"[data-part=people] .row[data-name='{name}']").click()
    page.wait_for_url(f"**/replay/recorded/{BREAKFAST + 7}/**#{name.replace(' ', '_')}")
    for links in ([], ["State details", "Back to the town"]):
        page.reload()
        for link in links:
            page.get_by_role("link", name=link).click()
        page.wait_for_selector("html[data-ready=town]", state="attached")
        rest(page, BREAKFAST + 7)
        expect(page.locator("[data-part=card] h2")).to_contain_text(name)


@pytest.mark.slow
def test_following_by_click_on_list_and_town(gallery, window):
    """A click on a row follows that person; a click on a figure in the town does the same; Escape lets go."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    rest(page, BREAKFAST)
    page.locator("[data-part=people] .row", has_text="Isabella Rodriguez").click()
    page.wait_for_function("() => ville.viewer.chosen === 'Isabella Rodriguez'")
    stage = page.locator(".town-view").bounding_box()
    middle = [stage["width"] / 2, stage["height"] / 2]
    page.wait_for_function(f"(middle) => {NEAR}(...({SPOT})(), ...middle)", arg=middle)
    page.wait_for_function(AT_REST)
    spot = page.evaluate(SPOT)
    page.get_by_role("button", name="Stop following").click()
    page.mouse.click(stage["x"] + spot[0], stage["y"] + spot[1])
    page.wait_for_function("() => ville.viewer.chosen === 'Isabella Rodriguez'")
    page.keyboard.press("Escape")
    page.wait_for_function("() => ville.viewer.chosen === null")


@pytest.mark.slow
def test_a_click_follows_again_after_the_map_was_dragged(gallery, window):
    """Who was followed is still chosen: a click on the row or on the figure leads back, a second lets go."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    rest(page, BREAKFAST)
    row = page.locator("[data-part=people] .row", has_text="Isabella Rodriguez")
    row.click()
    page.wait_for_function(AT_REST)
    stage = page.locator(".town-view").bounding_box()
    middle = [stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2]
    followed = "() => ville.viewer.chosen === 'Isabella Rodriguez' && ville.viewer.town.isFollowing"
    for again in ("figure", "row"):
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 120, middle[1] + 60, steps=5)
        page.mouse.up()
        page.wait_for_function("() => ville.viewer.chosen && !ville.viewer.town.isFollowing")
        page.wait_for_function(AT_REST)
        spot = page.evaluate(SPOT)
        row.click() if again == "row" else page.mouse.click(stage["x"] + spot[0], stage["y"] + spot[1])
        page.wait_for_function(followed)
        page.wait_for_function(AT_REST)
    row.click()
    page.wait_for_function("() => ville.viewer.chosen === null")


@pytest.mark.slow
def test_keys_work_after_a_click_on_the_slider(gallery, window):
    """It has the focus then: arrows move it, all other keys do what they always do."""
    page = window.open(gallery.address("/replay/recorded/0/"))
    page.locator("[data-control=slider]").click()
    page.wait_for_function("() => ville.step > 1000")
    page.keyboard.press("5")
    expect(page.locator(".speeds [aria-pressed=true]")).to_have_text("300×")
    step = page.evaluate("ville.player.step")
    page.keyboard.press(".")
    rest(page, step + 1)
    page.keyboard.press("ArrowLeft")
    rest(page, step)
    page.keyboard.press(" ")
    page.wait_for_function("(step) => ville.step > step && ville.state === 'playing'", arg=step)
    page.keyboard.press(" ")
    page.wait_for_function("() => ville.state === 'paused'")


@pytest.mark.slow
def test_a_demo_opened_at_its_end_stays_there(gallery, window):
    """It says that it is over; Play begins anew."""
    page = window.open(gallery.address(f"/demo/recorded/{END}/3/"))
    page.wait_for_function("(end) => ville.step === end && ville.state === 'ended'", arg=END)
    for _ in range(30):
        page.evaluate(DRAWN)
    shows(page, "[ville.step, ville.state]", [END, "ended"])
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("(end) => ville.step < end && ville.state === 'playing'", arg=END)


@pytest.mark.slow
@pytest.mark.parametrize("fragment", ["%E0%A4%A", "Nobody", "__proto__"])
def test_a_malformed_fragment_is_nobody(gallery, window, fragment):
    """A link that was cut short opens the town, and follows no one."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/") + f"#{fragment}")
    rest(page, BREAKFAST)
    shows(page, "ville.viewer.chosen", None)


@pytest.mark.slow
def test_the_view_obeys_keys_wheel_and_drag(gallery, window):
    """Arrow keys and dragging move the view, wheel and signs zoom, 0 shows the whole town."""
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    camera = "(({ x, y, targetZoom, zoom }) => ({ x, y, zoom: targetZoom }))(ville.viewer.town.camera)"
    page.locator(".town-view").focus()
    for _ in range(4):
        page.keyboard.press("+")
    page.wait_for_function(AT_REST)
    near = page.evaluate(camera)
    page.keyboard.down("ArrowRight")
    page.wait_for_function("(x) => ville.viewer.town.camera.x > x + 10", arg=near["x"])
    page.keyboard.up("ArrowRight")
    page.wait_for_function(AT_REST)
    page.wait_for_function("(y) => Math.abs(ville.viewer.town.camera.y - y) <= 2", arg=near["y"])
    moved = page.evaluate(camera)
    page.mouse.move(400, 400)
    page.mouse.down()
    page.mouse.move(500, 460, steps=4)
    page.mouse.up()
    page.wait_for_function("(x) => ville.viewer.town.camera.x < x", arg=moved["x"])
    page.mouse.wheel(0, 300)
    page.wait_for_function("(zoom) => ville.viewer.town.camera.targetZoom < zoom", arg=near["zoom"])
    page.keyboard.press("0")
    page.wait_for_function("() => ville.viewer.town.camera.targetZoom === ville.viewer.town.camera.minZoom")


def test_watching_changes_nothing(gallery, window):
    """A replay only reads: not one file is other than before."""
    storage = gallery.root / "storage" / "recorded"
    before = {path: path.stat().st_mtime_ns for path in storage.rglob("*")}
    page = window.open(gallery.address(f"/replay/recorded/{BREAKFAST}/"))
    page.keyboard.press("5")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("(step) => ville.step > step", arg=BREAKFAST + 20)
    assert {path: path.stat().st_mtime_ns for path in storage.rglob("*")} == before


@pytest.mark.parametrize(
    "path",
    [
        "/replay/nobody/0/",
        "/demo/nobody/0/2/",
        f"/replay/recorded/{END + 1}/",
        "/replay_persona_state/recorded/0/Nobody/",
    ],
)
def test_what_is_not_there_is_a_friendly_page(gallery, window, path):
    """An unknown simulation, a step past the end, an unknown person: 404, a reason and a way on."""
    window.expected = ("404",)
    page = window.open(gallery.address(path), ready=None)
    expect(page.locator("h1")).to_have_text("Page not found")
    page.get_by_role("link", name="See all simulations").click()
    expect(page.locator("h3", has_text="recorded")).to_have_count(2)
