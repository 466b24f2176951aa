"""The page of news, for a whisper whose way is known: from the town to the page, through it, and back to the moment."""

import json

import pytest
from compared_runs import KLAUS, write_pair
from page_manners import check_width
from playwright.sync_api import expect

MARIA = "Maria Lopez"
WHISPER = "You have hidden a treasure below the willow"
SAID = "I have hidden a <b>treasure</b> below the willow."


def add_memories(root, who, *nodes):
    file = root / f"storage/plain/personas/{who}/bootstrap_memory/associative_memory/nodes.json"
    known = json.loads(file.read_text("utf-8"))
    number = max((node["node_count"] for node in known.values()), default=0)
    for node in nodes:
        number += 1
        more = {"node_count": number, "subject": who, "predicate": "is", "poignancy": 5, "keywords": [], "filling": []}
        known[f"node_{number}"] = more | {"object": "it", "description": "conversing"} | node
    file.write_text(json.dumps(known), "utf-8")


@pytest.fixture
def told(recording, tmp_path):
    """A short run in which Klaus is whispered to in step 10, and tells Maria in step 30."""
    root = write_pair(recording, tmp_path)
    row = {"v": 1, "n": 1, "step": 10, "kind": "whisper", "who": KLAUS, "words": WHISPER, "id": "1"}
    row |= {"door": "api", "by": "", "at": ""}
    (root / "storage/plain/reverie/interventions.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    meta = json.loads((root / "storage/plain/reverie/meta.json").read_text("utf-8"))
    day = "2023-02-13 07:3"
    assert (meta["curr_time"], meta["step"]) == ("February 13, 2023, 07:40:00", 60)  # so that it begins at 07:30
    talk = {"type": "chat", "created": f"{day}5:00", "filling": [[KLAUS, SAID], [MARIA, "I don't believe it."]]}
    thought = {
        "type": "thought",
        "created": f"{day}1:40",
        "description": f"{KLAUS} has hidden a treasure by the willow",
    }
    add_memories(root, KLAUS, thought, talk | {"object": MARIA})
    add_memories(root, MARIA, talk | {"object": KLAUS})
    return root


def test_from_the_town_to_the_whisper_and_back(told, open_house, window, pictures):
    """*Look closer* leads there. The whisper is chosen; tree, map and table have its way, in these words, as text; the
    slider takes it back; a link leads to the moment.
    """
    house = open_house(told)
    page = window.open(house.address("/replay/plain/40/"))
    page.locator(".run-menu summary").click()
    page.locator(".run-menu a", has_text="News").click()
    page.wait_for_selector("html[data-ready=news]")
    page.locator("[data-part=fact]").select_option("#1")
    expect(page.locator("[data-part=summary]")).to_contain_text(f"The first: {KLAUS}")
    leaves = page.locator(".telling-tree > li > ul > li .leaf")
    expect(leaves).to_have_count(1)
    expect(leaves).to_contain_text(MARIA)
    expect(leaves.locator("blockquote")).to_have_text(SAID)
    expect(page.locator("[data-part=tellings] tbody tr")).to_have_count(1)
    expect(page.locator("[data-part=tellings]")).to_contain_text("says no")
    expect(page.locator(".arrow")).to_have_count(1)
    page.screenshot(path=pictures / "news.png", full_page=True)
    page.locator(".map-bar input").press("ArrowLeft")
    expect(page.locator(".arrow")).to_have_count(0)
    expect(page.locator(".spot")).to_have_count(1)
    leaves.get_by_text("Watch the moment").click()
    page.wait_for_url("**/replay/plain/30/**")


def test_a_phone_shows_news_in_russian(told, open_house, window, pictures):
    """Nothing is wider than the screen; the table of the paper is counted on demand."""
    phone = {"viewport": {"width": 390, "height": 780}, "locale": "ru-RU", "has_touch": True, "is_mobile": True}
    page = window.open(open_house(told).address("/news/plain/?fact=%231"), ready="news", **phone)
    expect(page.locator("h1")).to_have_text("Новости")
    page.locator("[data-part=count]").click()
    expect(page.locator("[data-part=paper] tbody tr")).to_have_count(9)
    check_width(page)
    page.screenshot(path=pictures / "news_phone.png", full_page=True)
