"""Faults are shown on the page, and the page goes on: damaged files, a server that is away, other sites."""

import json
import re
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from page_manners import shows
from playwright.sync_api import expect
from waiting import until

from ville.storage.steps.step_store import StepStore

FRONTEND = Path(__file__).resolve().parents[2] / "environment" / "frontend_server"
FIRST, DAMAGED, LAST = 3150, 3180, 3199
PERSON = "Isabella Rodriguez"
AWAY = "is not responding. Trying again"
NETWORK = ("Failed to load resource", "ERR_")


@pytest.fixture
def shelf(recording, tmp_path):
    """The end of the recorded morning on one shelf, all of it on the other."""
    root = tmp_path / "shelf"
    (root / "temp").mkdir(parents=True)
    shutil.copytree(recording / "compressed", root / "compressed")
    for part in ("reverie", "personas"):
        shutil.copytree(recording / "storage" / "recorded" / part, root / "storage" / "recorded" / part)
    StepStore(recording / "storage" / "recorded").copy(root / "storage" / "recorded", range(FIRST, LAST + 1))
    return root


def change(file, act):
    values = json.loads(file.read_text("utf-8"))
    act(values)
    file.write_text(json.dumps(values), "utf-8")


@pytest.mark.slow
def test_a_damaged_step_is_named_and_played_over(shelf, open_house, window, pictures):
    """A chat that is no list: the page names file and field, Play goes on to the end, everybody else is shown."""
    file = shelf / "storage" / "recorded" / "movement" / f"{DAMAGED}.json"
    change(file, lambda values: values["persona"][PERSON].update(chat=5))
    page = window.open(open_house(shelf).address(f"/replay/recorded/{DAMAGED - 5}/"))
    named = page.locator("[data-part=damage] li")
    expect(named).to_have_text(f"recorded/movement/{DAMAGED}.json: persona.{PERSON}.chat is not a list.")
    page.screenshot(path=pictures / "damaged-replay.png")
    page.keyboard.press("6")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => ville.state === 'ended'")
    shows(page, "Object.keys(ville.positions).length", 25)


@pytest.mark.slow
def test_a_damaged_mind_is_shown_as_far_as_it_is_sound(shelf, open_house, window, pictures):
    """An age that is no number, a memory without a time: both are named, all else is there."""
    memory = shelf / "storage" / "recorded" / "personas" / PERSON / "bootstrap_memory"
    change(memory / "scratch.json", lambda values: values.update(age="thirty-four"))
    change(memory / "associative_memory" / "nodes.json", lambda values: values["node_1"].update(created="today"))
    page = window.open(open_house(shelf).address(f"/replay_persona_state/recorded/{LAST}/{PERSON}/"), ready="state")
    expect(page.locator("[data-part=damage] li")).to_have_text([
        re.compile(r"bootstrap_memory/associative_memory/nodes\.json: node_1\.created has an impossible value\.$"),
        re.compile(r"bootstrap_memory/scratch\.json: age is not a whole number\.$"),
    ])  # fmt: skip
    page.screenshot(path=pictures / "damaged-state.png")
    expect(page.locator(".stream > ol > li").nth(10)).to_be_attached()
    expect(page.locator(".plan li").nth(5)).to_be_attached()


def test_a_damaged_recording_is_a_page_that_says_so(shelf, open_house, window, pictures):
    """Nothing of it can be shown: which file it is, and how to try again."""
    window.expected = ("422",)
    (shelf / "compressed" / "recorded" / "meta.json").write_text("{", "utf-8")
    page = window.open(open_house(shelf).address("/demo/recorded/0/3/"), ready=None)
    expect(page.locator("main")).to_contain_text("recorded/meta.json is not a JSON object")
    expect(page.get_by_role("link", name="Try again")).to_have_attribute("href", re.compile("^/demo/recorded/0/3/"))
    page.screenshot(path=pictures / "damaged-demo.png")
    page.get_by_role("link", name="See all simulations").click()
    expect(page.locator("[data-part=damage]")).to_contain_text("recorded/meta.json")
    page.screenshot(path=pictures / "damaged-landing.png")


@pytest.mark.slow
def test_a_dead_server_is_said_until_it_is_back(shelf, open_house, window):
    """Killed and started again, on every page that asks it for something."""
    window.expected = NETWORK
    house = open_house(shelf)
    demo, *towns = (
        window.open(house.address(path))
        for path in ("/demo/recorded/2700/3/", "/replay/recorded/3150/", "/path_tester/")
    )
    home = window.open(house.address("/simulator_home"), ready=None)
    house.processes[0].kill()
    house.processes[0].wait()
    texts = [home.locator("[data-part=hint]"), *(page.locator("[data-part=status]") for page in (demo, *towns))]
    for text in texts:
        expect(text).to_contain_text(AWAY)
    house.start(FRONTEND, "manage.py", "runserver", "--noreload", f"127.0.0.1:{house.port}")
    for text in texts:
        expect(text).not_to_contain_text(AWAY)
    demo.evaluate("ville.player.seek(40)")
    demo.wait_for_function("() => ville.step >= 40 && ville.step < 1000")


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked", ["**/timeline/**", "**/frames/**", "**/the_ville.json", "**/phaser.min.js", "**/composed.png"]
)
def test_what_does_not_come_is_said_and_asked_for_again(gallery, window, asked):
    """Whatever a recording needs may fail at first: the page says so, and then plays."""
    window.expected = NETWORK
    failures = []

    def fail(route):
        if len(failures) < 2:
            failures.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    context = window.browser.new_context()
    context.route(asked, fail)
    page = window.watch(context.new_page())
    page.goto(gallery.address("/demo/recorded/2700/5/"))
    expect(page.locator("main")).to_contain_text(AWAY)
    page.wait_for_function("() => globalThis.ville?.step > 2703")
    expect(page.locator("main")).not_to_contain_text(AWAY)
    assert len(failures) == 2


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/demo/recorded/2700/5/", "/compare/recorded/recorded/", "/path_tester/"])
def test_without_phaser_a_page_says_how_to_get_it_and_goes_on_once_it_is_there(gallery, window, path):
    """The server is well: what is missing is a file that it would serve."""
    window.expected = NETWORK
    context = window.browser.new_context()
    context.route("**/phaser.min.js", lambda route: route.fulfill(status=404))
    page = window.watch(context.new_page())
    page.goto(gallery.address(path))
    expect(page.locator("main")).to_contain_text("python vendor.py")
    expect(page.locator("main")).not_to_contain_text(AWAY)
    context.unroute("**/phaser.min.js")
    page.wait_for_selector("html[data-ready=town]")
    expect(page.locator("main")).not_to_contain_text("python vendor.py")


@pytest.mark.slow
def test_a_script_that_does_not_come_is_said_and_the_page_loaded_again(gallery, window):
    """Nothing on the page works without it, so nothing looks as if it did; then everything does."""
    window.expected = NETWORK
    away = threading.Event()
    away.set()
    context = window.browser.new_context()
    context.route("**/js/playback/player.js", lambda route: route.abort() if away.is_set() else route.continue_())
    page = window.watch(context.new_page())
    page.goto(gallery.address("/demo/recorded/2700/5/"))
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded. Trying again")
    expect(page.locator(".controls button:visible").nth(3)).to_be_attached()
    expect(page.locator("main :is(button, input, select):not([inert] *)")).to_have_count(0)
    away.clear()
    page.wait_for_function("() => globalThis.ville?.step > 2703")
    expect(page.get_by_role("alert")).to_have_count(0)


class Stranger(BaseHTTPRequestHandler):
    """A page at another port of this machine that posts to ours, in every way a page can."""

    target = ""

    def do_GET(self):
        body = json.dumps({"camera": {"maze": "the_ville", "x": 1, "y": 1}})
        text = f"""<!doctype html><iframe name=frame></iframe>
            <form method=post enctype=text/plain target=frame action={self.target}>
            <input name='{body[:-1]}, "a": "' value='"}}'></form>
            <script>
            const post = (how) => fetch("{self.target}", {{ method: "POST", mode: "no-cors", body: '{body}', ...how }});
            Promise.allSettled([
                post({{}}),
                post({{ referrerPolicy: "no-referrer" }}),
                new Promise((done) => (document.querySelector("iframe").onload = done, document.forms[0].submit())),
                navigator.sendBeacon("{self.target}", '{body}'),
            ]).then(() => (document.title = "tried"));
            </script>"""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.slow
def test_a_page_at_another_port_cannot_post(shelf, open_house, window):
    """It tries everything; nothing is written. A page of ours may."""
    house = open_house(shelf)
    camera = shelf / "temp" / "path_tester_env.json"
    stranger = type("AStranger", (Stranger,), {"target": f"http://127.0.0.1:{house.port}/path_tester_update/"})
    window.expected = ("403", "Framing", *NETWORK)
    with ThreadingHTTPServer(("127.0.0.1", 0), stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = window.open(f"http://127.0.0.1:{server.server_port}/", ready=None)
        page.wait_for_function("() => document.title === 'tried'")
        server.shutdown()
    window.open(house.address("/status/"), ready=None)
    assert not camera.exists()
    ours = window.open(house.address("/path_tester/"))
    assert until(lambda: ours.evaluate("true") and camera.exists())
