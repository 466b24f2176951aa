"""Actions of a user in a town from the page: ask, talk, change people and objects."""

import json
import re
from pathlib import Path

import pytest
from page_manners import shows
from playwright.sync_api import expect

BACKEND = Path(__file__).resolve().parents[2] / "reverie" / "backend_server"
HOME = "/simulator_home"
ISABELLA, KLAUS = "Isabella Rodriguez", "Klaus Mueller"
PERSON = "Klaus_Mueller"
STOVE = "the Ville:Hobbs Cafe:cafe:cooking area"
MARKUP = "<img src=x onerror=alert(1)> & <b>bold</b>"
STATE = "<img src=x onerror=alert`1`> & <b>bold</b>"
"""A state has no parentheses: in a description, they would mean a part of an activity."""


def live(house, window, **context):
    """The page of a town at ten to nine, whose engine waits at its prompt."""
    engine = house.engine("recorded", "live")
    page = window.open(house.address(HOME), **context)
    page.wait_for_selector("[data-tab=do]:not([hidden])")
    return engine, page


def choose(page, name):
    page.locator("[data-part=people] .row", has_text=name).click()
    page.wait_for_selector("[data-deed=ask]")


def rows(house, name="live"):
    """The log of interventions."""
    file = house.root / "storage" / name / "reverie" / "interventions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def nodes(house, who, name="live"):
    """The memories of a persona, as saved."""
    return house.file(name, "personas", who, "bootstrap_memory", "associative_memory", "nodes.json")


def ask(page, request):
    """Send a request as pages do, and wait for the acknowledgement."""
    code = "async ([simulation, request]) => (await import('/static/js/acting/engine.js')).ask(simulation, request)"
    return page.evaluate(code, ["live", request])


def say(dialog, words, turn):
    """Say something in a dialog, and return where the answer is, once it has come."""
    dialog.locator("textarea").fill(words)
    dialog.locator("textarea").press("Enter")
    answer = dialog.locator(".lines > .other").nth(turn).locator("> span")
    expect(answer).to_have_text(re.compile(r"\S"))
    return answer


@pytest.mark.slow
def test_an_interview_leaves_nothing_and_cites_memories_that_can_be_looked_up(house, window):
    """Also those that no save has yet: the page saves first. The interview is there again on the way back."""
    engine, page = live(house, window)
    engine.type("run 20")
    page.wait_for_function("() => ville.next === 3220 && ville.state === 'waiting'")
    choose(page, ISABELLA)
    page.keyboard.press("i")
    dialog = page.locator("dialog[open]")
    answer = say(dialog, "Are there any parties soon?", 0)
    expect(answer).to_contain_text("Valentine")
    said = answer.inner_text()
    say(dialog, "Who are you?", 1)
    cited = dialog.locator(".cited").nth(1).locator("li a")
    expect(cited.nth(10)).to_be_attached()
    for word in ("recency", "relevance", "importance"):
        expect(dialog.locator(".cited .scores").first).to_have_attribute("aria-label", re.compile(word))
    words, saved = cited.first.inner_text(), house.file("live", "reverie", "meta.json")["step"]
    page.wait_for_function("(saved) => saved < ville.next", arg=saved)
    cited.first.click()
    page.wait_for_selector("html[data-ready=state]")
    expect(page.locator("li:focus .text p")).to_have_text(words)
    assert rows(house) == []
    assert [node for node in nodes(house, ISABELLA).values() if node["type"] == "chat"] == [
        node for node in nodes(house, ISABELLA, "recorded").values() if node["type"] == "chat"
    ]
    page.go_back()
    page.wait_for_selector("html[data-ready=town]")
    page.locator("[data-deed=ask]").click()
    expect(dialog.locator(".lines > .other > span").first).to_have_text(said)


@pytest.mark.slow
def test_a_talk_is_answered_turn_by_turn_and_remembered_once_it_is_ended(house, window):
    """By the keyboard alone; one that is dropped has never been."""
    engine, page = live(house, window)
    choose(page, ISABELLA)
    page.keyboard.press("Tab")
    page.locator("[data-deed=talk]").focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog.conversation")
    say(dialog, "Never mind", 0)
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    assert rows(house) == []
    page.keyboard.press("Enter")
    dialog.locator("[name=as]").select_option("role")
    dialog.locator("[name=named]").fill("a news reporter")
    answers = [say(dialog, words, turn) for turn, words in enumerate(("Good morning!", MARKUP))]
    assert rows(house) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(dialog.locator(".thinking")).to_contain_text("will remember this")
    (talk,) = rows(house)
    for (who, words), answer in zip(talk["lines"][1::2], answers, strict=True):
        assert who == ISABELLA
        expect(answer).to_have_text(words)
    assert talk["lines"][::2] == [["a news reporter", "Good morning!"], ["a news reporter", MARKUP]]
    engine.type("run 3")
    page.wait_for_function("() => ville.watch.latest.step === 3203 && ville.watch.latest.backend === 'waiting'")
    ask(page, {"request": "save"})
    chats = [node["filling"] for node in nodes(house, ISABELLA).values() if node["type"] == "chat"]
    assert chats.count(talk["lines"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/replay/recorded/3199/", f"/replay_persona_state/recorded/3200/{PERSON}/"])
def test_people_of_a_recording_are_asked_as_last_saved(address, house, window):
    """Once an engine is there; until then, the page says what to type."""
    page = window.open(house.address(address) + f"#{PERSON}", ready=None)
    expect(page.locator(".deeds code")).to_have_text("python start.py")
    house.start(BACKEND, "reverie.py", "--serve")
    page.locator("[data-deed=ask]").click()
    dialog = page.locator("dialog[open]")
    expect(dialog.locator(".note")).to_contain_text("as of the last save")
    expect(say(dialog, "What is your name?", 0)).to_contain_text("Klaus")
    cited = dialog.locator(".cited li a").first
    words = cited.inner_text()
    cited.click()
    expect(page.locator("li:focus .text p")).to_have_text(words)
    assert not (house.root / "storage" / "recorded" / "reverie" / "interventions.jsonl").exists()


@pytest.mark.slow
def test_objects_are_changed_from_the_map_and_from_the_keyboard(house, window):
    """Unusual states show on the map and in the list until they are put right."""
    engine, page = live(house, window)
    page.keyboard.press("o")
    expect(page.locator("dialog[open] [type=search]")).to_be_focused()
    page.keyboard.type("cafe cooking")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    menu = page.locator(".place-menu")
    expect(menu).to_contain_text("Hobbs Cafe")
    page.keyboard.press("Enter")  # the first button sets it on fire
    lasting = page.locator(".lasting li")
    expect(lasting).to_contain_text("Cooking area is burning")
    shows(page, "[...ville.acting.marks.marks.keys()]", [STOVE])
    spot = page.evaluate(
        """(address) => {
          const { view, density, element, map } = ville.viewer.town;
          const [x, y] = ville.acting.marks.marks.get(address).spots[0];
          const { left, top } = element.getBoundingClientRect();
          return [left + ((x * map.tile - view.scrollX) * view.zoom) / density,
                  top + ((y * map.tile - view.scrollY) * view.zoom) / density];
        }""",
        STOVE,
    )
    page.mouse.click(*spot)
    menu.get_by_text("Something else").click()
    dialog = page.locator("dialog[open]")
    dialog.locator("[name=state]").fill(STATE)
    dialog.locator("[name=minutes]").select_option("10")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(lasting).to_contain_text(STATE)
    assert rows(house)[-1]["until"] == 3200 + 60
    page.locator("[data-tab=do]").click()
    lasting.get_by_role("button").click()
    expect(lasting).to_have_count(0)
    page.wait_for_function("() => ville.acting.marks.marks.size === 0")
    assert [row["state"] for row in rows(house)] == ["burning", STATE, "idle"]
    engine.type("fin")


@pytest.mark.slow
def test_a_character_is_edited_and_people_come_and_go(house, window):
    """The form shows what was and is; who moves in has a free bed; everything typed is text."""
    engine, page = live(house, window)
    choose(page, KLAUS)
    dialog = page.locator("dialog[open]")
    page.locator("[data-deed=character]").click()
    was = dialog.locator("[name=innate]").input_value()
    dialog.locator("[name=innate]").fill(MARKUP)
    dialog.locator("[type=submit]").click()
    expect(dialog.locator("del")).to_have_text(was)
    expect(dialog.locator("ins")).to_have_text(MARKUP)
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    dialog.locator("textarea").fill("You want to run for mayor")
    dialog.locator("[type=submit]").click()
    expect(dialog).to_have_count(0)
    page.locator("[data-deed=away]").click()
    dialog.locator("[type=submit]").click()
    expect(dialog).to_have_count(0)
    page.locator("[data-tab=do]").click()
    page.locator("[data-deed=move-in]").click()
    for name, words in {"name": "Dora Quill", "innate": "dry", "learned": "Dora binds books", "currently": "-"}.items():
        dialog.locator(f"[name={name}]").fill(words)
    dialog.locator(".looks label").nth(2).click()
    dialog.locator("[type=submit]").click()
    expect(dialog).to_have_count(0)
    engine.type("run 2")
    page.locator("[data-tab=people]").click()
    expect(page.locator("[data-part=people] .row", has_text="Dora Quill")).to_be_visible()
    expect(page.locator("[data-part=people] .row:visible", has_text=KLAUS)).to_have_count(0)
    expect(page.locator("[data-deed=ask]:visible")).to_have_count(0)  # the card is empty
    page.keyboard.press("w")
    expect(dialog).to_contain_text("Dora Quill")
    expect(dialog).not_to_contain_text(KLAUS)
    assert [row["kind"] for row in rows(house)] == ["trait", "whisper", "resident_out", "resident_in"]


@pytest.mark.slow
def test_nothing_is_done_twice_when_answers_are_lost(house, window):
    """A request stays visible as sent; the engine carries it out once."""
    _, page = live(house, window)
    window.expected = ("ERR_", "Failed to load resource")
    lost = []

    def lose(route):
        """Let the server take a request, and the page believe that it was lost."""
        if len(lost) < 2:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/act/live/", lose)
    choose(page, KLAUS)
    page.keyboard.press("w")
    page.locator("dialog[open] textarea").fill("You want to run for mayor")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".receipts [data-state=sent]")).to_have_count(1)
    expect(page.locator(".receipts [data-state=done]")).to_have_count(1)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert lost == [202, 202]
    assert len(rows(house)) == 1
