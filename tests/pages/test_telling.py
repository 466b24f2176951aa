"""Stories on the page: the feed, the past of a live run, who is where, the way back, a moment to share."""

import re
from itertools import groupby

import pytest
from page_manners import shows
from playwright.sync_api import expect
from waiting import comes_to, until

START = 3200  # where the recording ends
HOME = "/simulator_home"
LUNCH = 3190
TASKS = {"begins", "wakes", "sleeps"}
REST = "(step) => ville.step === step && ['paused', 'ended'].includes(ville.state)"
ENTRIES = "[data-part=feed-entries] .row"
SHOWN = """(wanted) => {
    const texts = [...document.querySelectorAll('[data-part=feed-entries] .told')].map((row) => row.textContent);
    return texts.join() === wanted.join();
}"""
"""Whether the feed has these texts, in this order."""
AT_REST = """() => {
    const { x, y, zoom, targetX, targetY, targetZoom } = ville.viewer.town.camera;
    return zoom === targetZoom && Math.hypot(x - targetX, y - targetY) < 0.1;
}"""


def slide(page, step):
    page.locator("[data-control=slider]").evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", step
    )


def folded(texts):
    """Texts without those that repeat the one before."""
    return [text for text, _ in groupby(texts)]


def told(gallery, page):
    """All entries that are listed, by step, as the server has them."""
    entries = page.request.get(gallery.address("/feed/recorded/?from=0&store=saved")).json()["entries"]
    return [entry for entry in entries if entry["kind"] != "talk_ends"]


def followed_by_more(entries, talk):
    """Whether more happens to the first of those who talk, besides tasks."""
    later = [entry for entry in entries if entry["step"] > talk["step"] and talk["names"][0] in entry["names"]]
    return any(entry["kind"] not in TASKS for entry in later)


@pytest.mark.slow
def test_the_feed_has_what_has_happened_and_each_entry_is_a_jump(gallery, window):
    """Never what is yet to come; a click shows its step and follows a persona it is about; filters hold."""
    page = window.open(gallery.address("/replay/recorded/2900/"))
    page.get_by_role("tab", name="Feed").click()
    page.get_by_role("button", name="Comings").click()
    entries = told(gallery, page)
    for step in (2900, 2700, LUNCH):
        slide(page, step)
        wanted = folded(entry["text"] for entry in reversed(entries) if entry["step"] <= step)
        page.wait_for_function(SHOWN, arg=wanted)
    talks = [entry for entry in entries if entry["kind"] == "talk_begins"]
    talk = next(talk for talk in reversed(talks) if followed_by_more(entries, talk))
    page.locator(ENTRIES, has_text=talk["text"]).first.click()
    page.wait_for_function(REST, arg=talk["step"])
    assert until(lambda: page.evaluate("ville.viewer.chosen") in talk["names"])
    page.get_by_role("combobox", name="Whose entries").select_option(talk["names"][0])
    page.get_by_role("button", name="Tasks").click()
    first = talk["names"][0].split()[0]
    expect(page.locator(ENTRIES).filter(has_not_text=first)).to_have_count(0)
    page.get_by_role("button", name=re.compile(r"Next\b.*" + first)).click()
    page.wait_for_function("(step) => ville.step > step", arg=talk["step"])


@pytest.mark.slow
def test_one_looks_back_while_the_run_goes_on(house, window):
    """An earlier step is shown as it was; the page reports for the run meanwhile, and comes back to it."""
    engine = house.engine("recorded", "live")
    page = window.open(house.address(HOME))
    engine.type("run 20")
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + 20)
    page.wait_for_selector("[data-part=past]:not([hidden])")
    slide(page, START + 7)
    looking = page.locator("[data-part=looking]")
    page.wait_for_function("(step) => ville.step === step && ville.viewer.step === step", arg=START + 7)
    expect(looking).to_contain_text("Looking at 08:54. Live: 08:56")
    engine.type("run 30")
    page.wait_for_function("(last) => ville.next === last", arg=START + 50)
    shows(page, "ville.step", START + 7)
    shows(page, "ville.positions", house.movement("live", START + 7))
    for step in range(START, START + 50):
        report = house.file("live", "environment", f"{step + 1}.json")
        assert {name: [place["x"], place["y"]] for name, place in report.items()} == house.movement("live", step)
    page.keyboard.press(".")
    page.wait_for_function("(step) => ville.step === step", arg=START + 8)
    page.keyboard.press("l")
    page.wait_for_function("(step) => ville.step === step", arg=START + 49)
    expect(looking).not_to_be_visible()
    shows(page, "ville.positions", house.movement("live", START + 49))


def test_people_are_found_by_keyboard(gallery, window):
    """A slash and a few letters of an activity lead to them; the list is grouped by place."""
    page = window.open(gallery.address(f"/replay/recorded/{LUNCH}/"))
    page.wait_for_function(
        "() => ville.viewer.places.sectors.length && document.querySelector('[data-part=people] .group')"
    )
    comes_to(lambda: sum(map(int, page.locator("[data-part=people] .group small").all_inner_texts())), 25)
    expect(page.locator("[data-part=people] .row")).to_have_count(25)
    page.keyboard.press("/")
    page.keyboard.type("isabella")
    page.wait_for_function("() => document.querySelectorAll('[data-part=people] .row').length === 1")
    page.keyboard.press("Enter")
    page.wait_for_function("() => ville.viewer.chosen === 'Isabella Rodriguez' && ville.viewer.town.isFollowing")


@pytest.mark.slow
def test_the_camera_finds_the_way_back(gallery, window):
    """After the map was dragged away, a button with the name leads back; so does the small map anywhere else."""
    page = window.open(gallery.address(f"/replay/recorded/{LUNCH}/") + "#Isabella_Rodriguez")
    page.wait_for_function("() => ville.viewer.town.isFollowing")
    page.wait_for_selector("[data-part=minimap]:not([hidden])")
    page.wait_for_function(AT_REST)
    back = page.get_by_role("button", name="Back to Isabella")
    expect(back).not_to_be_visible()
    before = page.evaluate("ville.viewer.town.camera.targetX")
    page.locator("[data-part=minimap]").click(position={"x": 160, "y": 100})
    page.wait_for_function("(x) => Math.abs(ville.viewer.town.camera.x - x) > 400", arg=before)
    back.click()
    page.wait_for_function("(x) => Math.abs(ville.viewer.town.camera.x - x) < 2", arg=before)
    expect(back).not_to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/replay/recorded/{step}/", "/demo/recorded/{step}/3/"])
def test_a_moment_can_be_shared(gallery, window, address):
    """The copied address shows the same step and person; the saved still is a picture with a line below the map."""
    grants = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = window.open(gallery.address(address.format(step=LUNCH)) + "#Isabella_Rodriguez", **grants)
    page.evaluate("ville.player.pause()")
    page.wait_for_function("() => location.pathname.includes(`/${ville.player.step}/`)")
    step = page.evaluate("ville.player.step")
    page.get_by_label("Share this moment").first.click()
    page.get_by_role("button", name="Copy the address").click()
    page.wait_for_function("() => document.querySelector('[data-part=notice]').textContent.includes('copied')")
    copied = re.compile(rf"/{step}/.*#Isabella_Rodriguez$")
    assert until(lambda: copied.search(page.evaluate("navigator.clipboard.readText()")))
    page.get_by_label("Share this moment").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    comes_to(lambda: download.value.suggested_filename, f"recorded-{step}.png")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
