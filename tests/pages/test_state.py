"""The page of a mind: what it shows is what was saved, at the asked moment, and all of it only as text."""

import json
import shutil
from itertools import pairwise

import pytest

PERSON = "Isabella Rodriguez"
STATE = "/replay_persona_state/recorded/3100/Isabella_Rodriguez/"
MOMENT = "2023-02-13 08:36:40"


@pytest.fixture
def nodes(gallery) -> dict:
    """Everything Isabella remembers at the moment, by id."""
    file = (
        gallery.root / "storage" / "recorded" / "personas" / PERSON / "bootstrap_memory/associative_memory/nodes.json"
    )
    saved = json.loads(file.read_text("utf-8"))
    thought = next(node for node in saved.values() if node["type"] == "thought" and node["created"] <= MOMENT)
    events = [number for number, node in saved.items() if node["type"] == "event" and node["created"] <= MOMENT]
    thought["filling"] = [events[-1]]
    file.write_text(json.dumps(saved), "utf-8")  # one thought that rests on something, at an hour without a reflection
    return {number: node for number, node in saved.items() if node["created"] <= MOMENT}


def shown(page):
    return page.locator(".stream > ol > li")


def test_the_stream_holds_what_is_remembered_until_then(gallery, window, nodes):
    """All memories of the moment, newest first; none of later, which the page says."""
    page = window.open(gallery.address(STATE), ready="state")
    while page.locator("[data-part=more]").is_visible():
        page.locator("[data-part=more]").click()
    assert [item.get_attribute("id") for item in shown(page).all()] == list(nodes)
    assert "step 3100" in page.locator("[data-part=moment]").inner_text()
    assert "saved later: step 3200" in page.locator("[data-part=moment]").inner_text()


def test_the_page_tells_what_is_from_before_and_what_from_after(house, window):
    """A run that was saved, went on and was not saved again; a save from later; a save of just that moment."""
    shutil.copy(*(house.root / "storage" / "recorded" / "movement" / f"{step}.json" for step in (3199, 3300)))
    for shown, words in ((3100, "saved later"), (3200, "As saved"), (3300, "saved earlier")):
        page = window.open(house.address(STATE.replace("3100", str(shown))), ready="state")
        moment = page.locator("[data-part=moment]").inner_text()
        assert words in moment
        assert f"step {shown}" in moment
        assert "step 3200" in moment


def test_search_and_filters_choose(gallery, window, nodes):
    """Words, kinds and poignancy narrow the stream to exactly those memories that fit all of them."""
    page = window.open(gallery.address(STATE), ready="state")
    word = max(next(iter(nodes.values()))["description"].split(), key=len)
    page.get_by_role("searchbox").fill(word)
    texts = [text.lower() for text in shown(page).locator(".text > p").all_inner_texts()]
    assert texts
    assert len(texts) < len(nodes)
    page.get_by_role("searchbox").fill("")
    for kind in ("Events", "Conversations"):
        page.get_by_label(kind).uncheck()
    thoughts = [number for number, node in nodes.items() if node["type"] == "thought"]
    assert [item.get_attribute("id") for item in shown(page).all()] == thoughts
    page.get_by_label("Events").check()
    page.get_by_label("Min. poignancy").fill("4")
    strong = [n for n, node in nodes.items() if node["type"] != "chat" and node["poignancy"] >= 4]
    assert [item.get_attribute("id") for item in shown(page).all()] == strong
    assert page.locator("[data-part=count]").inner_text().startswith(str(len(strong)))


def test_evidence_leads_to_the_memory_it_came_from(gallery, window, nodes):
    """A link of a thought opens its evidence even where a filter hides it."""
    thought = next(n for n, node in nodes.items() if node["type"] == "thought" and isinstance(node["filling"], list))
    evidence = nodes[thought]["filling"][0]
    page = window.open(gallery.address(STATE), ready="state")
    for kind in ("Events", "Conversations"):
        page.get_by_label(kind).uncheck()
    item = page.locator(f"#{thought}")
    item.locator("summary").click()
    item.locator("a").first.click()
    page.wait_for_function("(id) => document.activeElement?.id === id", arg=evidence)
    assert page.locator(f"#{evidence} .text > p").inner_text() == nodes[evidence]["description"]
    assert page.locator(f"#{evidence}").is_visible()


def test_plan_character_and_places_are_shown(gallery, window):
    """The whole day is on the strip and in the list, the present task is marked, places fold out."""
    page = window.open(gallery.address(STATE), ready="state")
    memory = gallery.root / "storage" / "recorded" / "personas" / PERSON / "bootstrap_memory"
    scratch = json.loads((memory / "scratch.json").read_text("utf-8"))
    ends = [time.split("–") for time in page.locator(".plan > ol > li > time, .plan summary time").all_inner_texts()]
    assert ends[0][0] == "00:00"
    assert all(end == start for (_, end), (start, _) in pairwise(ends))
    assert ends[-1][1] == "00:00"
    assert "08:" in page.locator(".plan > ol > li[aria-current] time").first.inner_text()
    assert scratch["learned"] in page.locator(".mind").inner_text()
    tree = json.loads((memory / "spatial_memory.json").read_text("utf-8"))
    (world,) = tree
    assert page.locator(".places > li > details > ul > li").count() == len(tree[world])


def test_what_a_model_wrote_is_only_text(house, window):
    """Markup in memories, actions, names of places: shown letter by letter, never obeyed."""
    evil = "<img src=x onerror=\"document.title='taken'\"> & <script>document.title='taken'</script>"
    memory = house.root / "storage" / "recorded" / "personas" / PERSON / "bootstrap_memory"
    for name, change in {
        "associative_memory/nodes.json": lambda saved: saved["node_1"].update(description=evil),
        "scratch.json": lambda saved: saved.update(currently=evil, learned=evil, f_daily_schedule=[[evil, 1440]]),
        "spatial_memory.json": lambda saved: saved.update({evil: {}}),
    }.items():
        saved = json.loads((memory / name).read_text("utf-8"))
        change(saved)
        (memory / name).write_text(json.dumps(saved), "utf-8")
    page = window.open(house.address(STATE.replace("3100", "3199")), ready="state")
    page.get_by_role("searchbox").fill("onerror")
    assert shown(page).locator(".text > p").all_inner_texts() == [evil]
    assert page.locator("main").inner_text().count("onerror") >= 4
    assert page.locator("main img[src=x]").count() == 0
    assert "taken" not in page.title()
