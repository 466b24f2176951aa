"""A live run, end to end: the engine at its prompt, the environment server, the page in a browser."""

import json

import pytest
from page_manners import shows
from playwright.sync_api import expect

STEPS = 50
START = 3200  # where the recording ends
HOME = "/simulator_home"


def test_everybody_walks_as_the_movement_files_say(house, window, monkeypatch):
    """In every step the page draws everybody on the tile that the engine chose, and reports exactly that."""
    monkeypatch.setenv("VILLE_PATIENCE", "300")  # a busy machine is no reason to go on without the page
    engine = house.engine("recorded", "live")
    page = window.open(house.address(HOME))
    engine.type(f"run {STEPS}")
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + STEPS)
    walked = [{"step": step, "positions": house.movement("live", step)} for step in range(START, START + STEPS)]
    shows(page, "trail.map(({ step, positions }) => ({ step, positions }))", walked)
    _check_reports(house, STEPS)


@pytest.mark.slow
def test_a_reload_goes_on_where_the_town_is(house, window):
    """Reloaded twice in mid-run, the page shows every later step rightly, and no report is missing."""
    engine = house.engine("recorded", "live")
    page = window.open(house.address(HOME))
    engine.type(f"run {STEPS}")
    shown = {}
    for end in (15, 30, STEPS):
        page.wait_for_function("(step) => ville.next >= step", arg=START + end)
        shown |= {step["step"]: step["positions"] for step in page.evaluate("trail")}
        if end < STEPS:
            page.reload()
            page.wait_for_selector("html[data-ready=town]")
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + STEPS)
    shown |= {step["step"]: step["positions"] for step in page.evaluate("trail")}
    assert max(shown) == START + STEPS - 1
    for step, positions in shown.items():
        assert positions == house.movement("live", step)
    _check_reports(house, STEPS)


@pytest.mark.slow
def test_without_a_page_the_engine_goes_on(house):
    """With the server running and no page open, a run is not held up and leaves the same kind of files."""
    engine = house.engine("recorded", "live")
    engine.type(f"run {STEPS}")
    engine.wait_for(START + STEPS - 1)
    engine.type("fin")
    engine.process.wait()
    _check_reports(house, STEPS)


@pytest.mark.slow
def test_a_page_opened_late_begins_at_the_present_step(house, window):
    """Opened after twenty steps, the page begins there; from then on it draws what the engine says."""
    engine = house.engine("recorded", "live")
    engine.type("run 20")
    engine.wait_for(START + 19)
    page = window.open(house.address(HOME))
    shows(page, "ville.next", START + 20)
    shows(page, "ville.positions", house.movement("live", START + 19))
    engine.type("run 30")
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + STEPS)
    shows(page, "trail.map(({ positions }) => positions)", [
        house.movement("live", step) for step in page.evaluate("trail.map(({ step }) => step)")
    ])  # fmt: skip
    _check_reports(house, STEPS)


@pytest.mark.slow
def test_two_pages_show_the_same_town(house, window):
    """Two tabs watch one run: both come to its end, neither hinders the other."""
    engine = house.engine("recorded", "live")
    pages = [window.open(house.address(HOME)) for _ in range(2)]
    window.expected = ("409",)  # the slower one hears that its report is old news
    engine.type("run 20")
    for page in pages:
        page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + 20)
        shows(page, "ville.positions", house.movement("live", START + 19))
    _check_reports(house, 20)


@pytest.mark.slow
def test_the_server_may_be_away_for_a_moment(house, window):
    """A page cut off for a while, as by a closed lid, goes on where the town is; meanwhile the engine does not wait."""
    engine = house.engine("recorded", "live")
    page = window.open(house.address(HOME))
    window.expected = ("Failed to load resource", "ERR_")
    page.context.set_offline(offline=True)
    page.wait_for_function("() => document.querySelector('[data-part=status]').textContent.includes('not responding')")
    engine.type("run 40")
    engine.wait_for(START + 39)
    page.context.set_offline(offline=False)
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + 40)
    shows(page, "ville.positions", house.movement("live", START + 39))
    _check_reports(house, 40)


@pytest.mark.slow
def test_the_panel_tells_what_everybody_does(house, window):
    """Clock, list and card show the records of the newest step, without the address in the action."""
    engine = house.engine("recorded", "live")
    page = window.open(house.address(HOME))
    engine.type("run 5")
    page.wait_for_function("(last) => ville.next === last && ville.state !== 'walking'", arg=START + 5)
    people = house.file("live", "movement", f"{START + 4}.json")["persona"]
    assert len(people) == 25
    expect(page.locator("[data-part=people] .row")).to_have_count(25)
    for name, record in people.items():
        row = page.locator(f".row[data-name={json.dumps(name)}]")
        doing, address = record["description"].rsplit(" @ ", 1)
        part = doing.rpartition("(")[2].removesuffix(")") if doing.endswith(")") else doing
        expect(row.locator("strong")).to_have_text(name)
        expect(row.locator(".doing")).to_have_text(part, ignore_case=True)
        sector = address.split(":")[1] if "<" not in address else ""
        expect(page.locator("[data-part=people]")).to_contain_text(sector, ignore_case=True)
    page.locator("[data-part=people] .row[data-name='Isabella Rodriguez']").click()
    expect(page.locator("[data-part=card] h2")).to_contain_text("Isabella Rodriguez")
    expect(page.locator("[data-part=time]")).to_have_text("08:54")


@pytest.mark.slow
def test_without_an_engine_the_page_says_what_to_type_and_opens_by_itself(house, window):
    """Nothing can be started then, and the page says why; as soon as a simulation is open, the town appears."""
    page = window.open(house.address(HOME), ready=None)
    expect(page.locator("[data-part=begin-hint]")).to_contain_text("python start.py")
    expect(page.locator("[data-part=begin]")).to_have_attribute("aria-disabled", "true")
    page.get_by_text("In a terminal instead").click()
    expect(page.locator("pre").first).to_contain_text("reverie.py")
    house.engine("recorded", "live")
    page.wait_for_selector("html[data-ready=town]")


def _check_reports(house, steps):
    """Every step is reported, as the classic page writes it: the positions of its predecessor, whole, in ASCII."""
    for step in range(START, START + steps):
        file = house.root / "storage" / "live" / "environment" / f"{step + 1}.json"
        report = json.loads(file.read_text("ascii"))
        where = {name: [place["x"], place["y"]] for name, place in report.items()}
        assert where == house.movement("live", step)
        assert file.read_text("ascii") == json.dumps(report, indent=2)
