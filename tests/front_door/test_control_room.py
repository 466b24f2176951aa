"""Everything from the page: `python start.py`, and the terminal is never touched again.

With `--pictures docs/pictures`, the users take the pictures of docs/control-room.md.
"""

import json
from pathlib import Path

import pytest
from browser_flags import FLAGS
from page_user import KeyboardUser, PhoneUser, User
from playwright.sync_api import expect, sync_playwright
from waiting import PATIENCE

CHROMIUM = Path("/usr/bin/chromium")
ISABELLA = "Isabella Rodriguez"
STOVE = "the Ville:Hobbs Cafe:cafe:cooking area"
VISITOR = "Ada"
NEAR = 4
"""Tiles from which people are spoken to."""
WORDS = "Good morning! I am looking for a quiet place to paint."


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing: apt-get install chromium fonts-noto-color-emoji")
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def address(terminal, free_port, monkeypatch):
    """A running `python start.py`: the user reads its address, and never looks at the terminal again."""
    monkeypatch.setenv("VILLE_SEED", "1")
    here = terminal("start.py", "--no-browser", "--port", str(free_port()))
    address = here.expect(r"Your town is at (http://\S+)").group(1)
    here.leave_open()
    return address


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(User, id="mouse"),
        pytest.param(PhoneUser, id="phone", marks=pytest.mark.slow),
        pytest.param(KeyboardUser, id="keyboard", marks=pytest.mark.slow),
    ],
)
def test_a_day_in_the_control_room(kind, browser, address, furnished, request):
    """Start, run, pause, whisper, ask, burn, visit, talk, leave, close: each from the page, each seen to happen."""
    folder = request.config.getoption("--pictures", None)
    user = kind(browser, folder and folder / kind.folder)
    start_a_town(user, address)
    run_and_pause(user)
    run_until_morning(user)
    run_until(user, "08:30")
    whisper(user, "Maria Lopez", "Tell everyone about the party at Hobbs Cafe")
    ask(user, ISABELLA, "What are you planning?")
    set_the_stove_on_fire(user)
    run_until(user, "09:00")
    see_the_fire_put_out(user)
    join(user)
    enter_the_cafe(user)
    talk(user)
    reload(user)
    leave(user)
    close(user)
    assert user.complaints == []
    assert any(WORDS in line for line in remembered_talk(furnished))


def start_a_town(user, address):
    """Two presses on the front page are enough; to see the night, a few more."""
    user.goes_to(address)
    expect(user.page.locator("html")).to_have_attribute("lang", user.context["locale"][:2])
    user.press(user.page.locator(".hero a[href='#start']"))
    expect(user.part("begin")).not_to_have_attribute("aria-disabled", "true")
    user.tick(user.part("past").locator("input"))
    user.takes_a_picture("starting")
    user.press(user.part("start").locator("summary"))
    user.tick(user.part("night").locator("input"), ticked=False)
    user.press(user.part("begin"))
    user.page.wait_for_url("**/simulator_home*")
    user.sees_the_town()
    user.sees_the_run("waiting")
    user.sees(user.part("time"), "00:00")
    user.sees_people(ISABELLA, "Maria Lopez", "Klaus Mueller")


def unfold_the_bar(user, *, unfolded=True):
    """On a small screen, times and speeds are folded away, which leaves room for the map."""
    unfold = user.run_button("unfold")
    if unfold.is_visible() and unfold.get_attribute("aria-expanded") != str(unfolded).lower():
        user.press(unfold)


def run_and_pause(user):
    unfold_the_bar(user)
    user.press(user.run_button("speeds").locator("button").nth(2))
    user.sees_done("60×")
    user.press(user.run_button("toggle"))
    user.sees_the_run("running")
    user.press(user.run_button("toggle"))
    user.sees_the_run("paused")
    unfold_the_bar(user)
    user.press(user.run_button("speeds").locator("button").last)
    expect(user.run_button("speeds").locator("button").last).to_have_attribute("aria-pressed", "true")


def run_until_morning(user):
    """Until the first persona gets up."""
    unfold_the_bar(user)
    user.press(user.run_button("morning"))
    user.sees(user.part("time"), "06:00")
    user.sees_the_run("waiting")


def run_until(user, time):
    unfold_the_bar(user)
    user.set_time(user.run_button("time").locator("input"), time)
    user.press(user.run_button("go"))
    user.sees(user.part("time"), time)
    user.sees_the_run("waiting")


def card_of(user, name):
    user.open_tab("people")
    if user.person(name).get_attribute("aria-pressed") != "true":
        user.press(user.person(name))
    user.sees(user.part("card"), name)
    return user.part("card")


def whisper(user, name, words):
    user.press(card_of(user, name).locator("[data-deed=whisper]"))
    user.write(user.dialog.locator("[name=words]"), words)
    user.press(user.dialog.locator("[type=submit]"))
    user.sees_done(words)
    expect(user.page.locator("dialog[open]")).to_have_count(0)


def ask(user, name, question):
    """The answer cites memories, and each is a link to where it is kept."""
    user.press(card_of(user, name).locator("[data-deed=ask]"))
    user.write(user.dialog.locator("textarea"), question)
    user.press(user.dialog.locator("[type=submit]"))
    answer = user.dialog.locator("li.other")
    user.sees(answer)
    user.sees(answer.locator(".cited .scores").first)
    user.takes_a_picture("asking")
    link = answer.locator(".cited a").first
    memory = link.inner_text()
    user.press(link)
    user.page.wait_for_url("**/replay_persona_state/**")
    user.page.wait_for_selector("html[data-ready=state]")
    user.sees(user.page.locator("li:focus"), memory)
    user.press(user.page.locator(".masthead nav a").last)
    user.page.wait_for_url("**/simulator_home*")
    user.sees_the_town()


def set_the_stove_on_fire(user):
    card_of(user, ISABELLA)  # she is behind her counter, and the stove is in sight
    user.open_tab("do")
    user.open_object(STOVE)
    menu = user.page.locator(".place-menu")
    user.sees(menu, "Hobbs Cafe")
    user.press(menu.locator(".quick button").first)
    user.sees(user.part("do").locator(".lasting li"))
    user.takes_a_picture("burning")


def see_the_fire_put_out(user):
    """The list of what lasts is empty again, and the feed tells who was there."""
    user.open_tab("do")
    expect(user.part("do").locator(".lasting li")).to_have_count(0)
    user.open_tab("feed")
    user.sees(user.part("feed").locator("[data-kind=state_ends]").first)
    user.takes_a_picture("feed")


def join(user):
    unfold_the_bar(user, unfolded=False)
    user.open_tab("do")
    user.press(user.page.locator("[data-deed=join]"))
    user.write(user.dialog.locator("[name=name]"), VISITOR)
    user.write(user.dialog.locator("[name=about]"), "a painter who passes through")
    user.choose(user.dialog.locator("[name=where]"), "Hobbs Cafe")
    user.press(user.dialog.locator("[type=submit]"))
    expect(user.part("visit")).to_have_attribute("data-state", "here")


def enter_the_cafe(user):
    """Walk through the door, until Isabella is near enough to be spoken to."""
    way = user.sees_a_way(user.sees_on_the_map(VISITOR), user.sees_on_the_map(ISABELLA))
    user.walk(VISITOR, way[:-NEAR])
    user.sees(user.part("visit").locator(f'.near [data-name="{ISABELLA}"]'))


def talk(user):
    isabella = user.part("visit").locator(f'.near [data-name="{ISABELLA}"]')
    user.press(isabella)
    user.write(user.part("visit").locator("textarea"), WORDS)
    user.press(user.part("visit").locator("[type=submit]"))
    user.sees(user.part("visit").locator(".lines .own"), WORDS)
    user.sees(user.part("visit").locator(".lines .other").first, "Isabella")
    user.takes_a_picture("visiting")


def reload(user):
    """Still a visitor, and nothing that was said is lost."""
    user.page.reload()
    user.sees_the_town()
    expect(user.part("visit")).to_have_attribute("data-state", "here")
    user.sees(user.part("visit").locator(".lines .own").first, WORDS)
    user.sees(user.part("visit").locator(".lines .other").first, "Isabella")


def leave(user):
    user.press(user.part("visit").locator(".head button"))
    expect(user.part("visit")).to_have_attribute("data-state", "gone")


def close(user):
    unfold_the_bar(user)
    user.press(user.run_button("menu").locator("summary"))
    user.press(user.run_button("stop"))
    user.sees(user.part("stopped"))


def remembered_talk(clone):
    """The lines of all talks that Isabella remembers, as her saved memories have them."""
    (town,) = (path for path in clone.storage.iterdir() if not path.name.startswith(("base_", ".")))
    nodes = town / "personas" / ISABELLA / "bootstrap_memory/associative_memory/nodes.json"
    memories = json.loads(nodes.read_text("utf-8")).values()
    return [words for memory in memories if memory["type"] == "chat" for speaker, words in memory["filling"]]
