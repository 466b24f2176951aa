"""The page of a mind: what it shows is what was saved, at the asked moment, and all of it only as text."""

import json
import re
import shutil

import pytest
from page_manners import shows
from playwright.sync_api import expect
from step_texts import shown_in
from waiting import comes_to, until

PERSON = "Isabella Rodriguez"
STATE = "/replay_persona_state/recorded/3100/Isabella_Rodriguez/"
MOMENT = "2023-02-13 08:36:40"
START = 3200
"""Where the recording was saved."""


@pytest.fixture(scope="module")
def gallery(recording, tmp_path_factory, open_gallery):
    """A server over a copy of the recording: these tests change what Isabella remembers."""
    root = tmp_path_factory.mktemp("gallery")
    shutil.copytree(recording / "storage" / "recorded", root / "storage" / "recorded")
    for shelf in ("temp", "compressed"):
        (root / shelf).mkdir()
    return open_gallery(root)


@pytest.fixture
def nodes(gallery):
    """Everything Isabella remembers at the moment, by id."""
    memories = gallery.root / "storage" / "recorded" / "personas" / PERSON / "bootstrap_memory/associative_memory"
    file = memories / "nodes.json"
    text = file.read_text("utf-8")
    saved = json.loads(text)
    thought = next(node for node in saved.values() if node["type"] == "thought" and node["created"] <= MOMENT)
    thought |= {"predicate": "is", "poignancy": 9}  # nothing has moved anybody deeply so early
    events = [number for number, node in saved.items() if node["type"] == "event" and node["created"] <= MOMENT]
    thought["filling"] = [events[-1]]
    file.write_text(json.dumps(saved), "utf-8")  # one thought that rests on something, at an hour without a reflection
    yield {number: node for number, node in saved.items() if node["created"] <= MOMENT}
    file.write_text(text, "utf-8")


def opened(window, address, **context):
    """The page of a mind, once its days are told: until then they may still move things."""
    page = window.open(address, ready="state", **context)
    page.wait_for_selector("html[data-told=days]")
    return page


def shown(page):
    return page.locator(".stream > ol > li[id]")


IDS = "[...document.querySelectorAll('.stream > ol > li[id]')].map((one) => one.id)"
"""The memories that are shown."""


def is_trivial(node):
    """As the page explains it: events that leave one cold, idle things, and that two are talking."""
    cold = node["poignancy"] <= 2 or node["description"].endswith(" is idle") or node["predicate"] == "chat with"
    return node["type"] == "event" and cold


@pytest.mark.slow
def test_the_stream_holds_what_is_remembered_until_then(gallery, window, nodes):
    """All memories of the moment, newest first; none of later, which the page says."""
    page = opened(window, gallery.address(STATE))
    page.get_by_label("Show everything").check()
    more = page.locator("[data-part=more]")

    def is_whole():
        if more.is_visible():
            more.click()
        return page.evaluate(IDS) == list(nodes)

    assert until(is_whole)
    expect(page.locator("[data-part=moment]")).to_contain_text("step 3100")
    expect(page.locator("[data-part=moment]")).to_contain_text("as of step 2880")


@pytest.mark.slow
def test_the_page_tells_what_is_from_before_and_what_from_after(house, window):
    """A run that was saved, went on and was not saved again; a save of just that moment."""
    shutil.copy(*(house.root / "storage" / "recorded" / "movement" / f"{step}.json" for step in (3199, 3300)))
    for shown, words in ((3200, "As saved"), (3300, "saved earlier")):
        page = window.open(house.address(STATE.replace("3100", str(shown))), ready="state")
        moment = page.locator("[data-part=moment]")
        for part in (words, f"step {shown}", "step 3200"):
            expect(moment).to_contain_text(part)


def test_plan_and_character_are_those_of_the_very_moment(gallery, window):
    """Between two saves they are computed again: the action is the one that she showed in the step before."""
    page = opened(window, gallery.address(STATE))
    page.wait_for_selector("html[data-exact=yes]")
    expect(page.locator("[data-part=moment]")).to_have_text(re.compile("^At step 3100"))
    found = page.request.get(gallery.address("/memories/recorded/Isabella_Rodriguez/?step=3100")).json()
    scratch, shown = found["scratch"], shown_in(gallery.root / "storage/recorded", 3099)[PERSON]
    assert found["kept_step"] == 3100
    assert scratch["curr_time"].endswith("08:36:30")
    assert f"{scratch['act_description']} @ {scratch['act_address']}" == shown["description"]


def test_trivia_are_hidden_and_counted(gallery, window, nodes):
    """Important memories are shown; a switch shows the rest, and a link to a trivial memory opens it, and only it."""
    matters = [number for number, node in nodes.items() if not is_trivial(node)]
    trivial = [number for number, node in nodes.items() if is_trivial(node)]
    page = opened(window, gallery.address(STATE))
    shows(page, IDS, matters)
    shown = f"{len(matters)} {'memory' if len(matters) == 1 else 'memories'}"
    expect(page.locator("[data-part=count]")).to_have_text(f"{shown}, {len(trivial)} trivial ones hidden")
    page.get_by_label("Show everything").check()
    page.wait_for_function(f"(few) => {IDS}.length > few", arg=len(matters))
    expect(page.locator("[data-part=count]")).not_to_contain_text("hidden")
    page = opened(window, f"{gallery.address(STATE)}#{trivial[-1]}")
    shows(page, "document.activeElement.id", trivial[-1])
    shows(page, f"{IDS}.sort()", sorted([*matters, trivial[-1]]))
    page.evaluate("(id) => { location.hash = id; }", trivial[0])
    page.wait_for_function("(id) => document.activeElement?.id === id", arg=trivial[0])
    expect(page.locator(f"#{trivial[0]}")).to_be_visible()


def test_what_matters_most_leads_to_its_memory(gallery, window, nodes):
    """Thoughts at the top, the weightiest first; each leads to its place in the stream."""
    page = opened(window, gallery.address(STATE))
    pins = page.locator(".pins a")
    thoughts = [node for node in nodes.values() if node["type"] == "thought"]
    weight = max(node["poignancy"] for node in thoughts)

    def are_thoughts():
        pinned = [nodes[link.get_attribute("href").removeprefix("#")] for link in pins.all()]
        return pinned and all(node in thoughts for node in pinned) and pinned[0]["poignancy"] == weight

    assert until(are_thoughts)
    first = nodes[pins.first.get_attribute("href").removeprefix("#")]
    pins.first.click()
    page.wait_for_function("() => `#${document.activeElement?.id}` === location.hash")
    comes_to(lambda: page.locator(":focus").inner_text().count(first["description"]), 1)


def test_a_day_is_told_in_chapters(gallery, window, nodes):
    """Newest first, each above its memories, with what was done and whom she met."""
    page = opened(window, gallery.address(STATE))
    expect(page.locator(".chapter h3")).to_have_text([re.compile("^Morning"), re.compile("^Night")])
    for name in {node["object"] for node in nodes.values() if node["type"] == "chat"}:
        expect(page.locator(".chapter").first).to_contain_text(name)
    expect(page.locator(".chapter .tasks").first).to_have_text(re.compile(r"\S"))
    page.get_by_role("searchbox").fill("no such words")
    expect(page.locator(".chapter")).to_have_count(0)


def test_the_plan_is_beside_what_was_done(gallery, window, nodes):
    """Each task with how it went: what has passed was done, what is ahead is ahead, conversations are told."""
    page = opened(window, gallery.address(STATE))
    tasks = page.locator(".plan > ol > li")
    expect(tasks.first).to_have_attribute("data-state", "kept")
    expect(tasks.last).to_have_attribute("data-state", "ahead")
    expect(page.locator(".plan .strip")).to_have_count(2)
    expect(page.locator(".plan > ol > li[aria-current] .done b")).not_to_have_text("Still ahead")
    talked = any(node["type"] == "chat" for node in nodes.values())
    told = page.locator(".plan .done", has_text="Talked with")
    expect(told).not_to_have_count(0) if talked else expect(told).to_have_count(0)


@pytest.mark.slow
def test_a_page_of_a_run_is_brought_up_to_date(house, window):
    """It says what is missing and has it saved on request; a link to a memory of then does so by itself."""
    engine = house.engine("recorded", "live")
    engine.type("speed 100")
    engine.type("run 5000")
    engine.wait_for(START + 20)
    page = opened(window, house.address(f"/replay_persona_state/live/{START + 20}/Isabella_Rodriguez/"))
    expect(page.locator("[data-part=stale]")).to_contain_text("The town has gone on since the last save")
    page.get_by_role("button", name="Bring up to date").click()
    expect(page.locator("[data-part=moment]")).to_contain_text("As saved at step")
    saved = house.file("live", "reverie", "meta.json")["step"]
    assert saved >= START + 20
    memories = house.file("live", "personas", PERSON, "bootstrap_memory/associative_memory/nodes.json")
    engine.wait_for(saved + 100)
    coming = f"node_{len(memories) + 1}"
    address = house.address(f"/replay_persona_state/live/{saved}/Isabella_Rodriguez/")
    page = window.open(f"{address}#{coming}", ready="state")
    page.wait_for_function("(id) => document.activeElement?.id === id", arg=coming)
    assert house.file("live", "reverie", "meta.json")["step"] > saved


def test_search_and_filters_choose(gallery, window, nodes):
    """Words, kinds and poignancy narrow the stream to exactly those memories that fit all of them."""
    page = opened(window, gallery.address(STATE))
    word = max(next(iter(nodes.values()))["description"].split(), key=len)
    page.get_by_role("searchbox").fill(word)
    page.wait_for_function(f"(all) => {IDS}.length > 0 && {IDS}.length < all", arg=len(nodes))
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Show everything").check()
    for kind in ("Events", "Conversations"):
        page.get_by_label(kind).uncheck()
    thoughts = [number for number, node in nodes.items() if node["type"] == "thought"]
    shows(page, IDS, thoughts)
    page.get_by_label("Events").check()
    page.get_by_label("Min. poignancy").fill("4")
    strong = [n for n, node in nodes.items() if node["type"] != "chat" and node["poignancy"] >= 4]
    shows(page, IDS, strong)
    expect(page.locator("[data-part=count]")).to_have_text(re.compile(rf"^{len(strong)}\b"))


def test_evidence_leads_to_the_memory_it_came_from(gallery, window, nodes):
    """A link of a thought opens its evidence even where a filter hides it."""
    thought = next(n for n, node in nodes.items() if node["type"] == "thought" and isinstance(node["filling"], list))
    evidence = nodes[thought]["filling"][0]
    page = opened(window, gallery.address(STATE))
    for kind in ("Events", "Conversations"):
        page.get_by_label(kind).uncheck()
    item = page.locator(f"#{thought}")
    item.locator("summary").click()
    item.locator("a").first.click()
    page.wait_for_function("(id) => document.activeElement?.id === id", arg=evidence)
    expect(page.locator(f"#{evidence} .text > p")).to_have_text(nodes[evidence]["description"])
    expect(page.locator(f"#{evidence}")).to_be_visible()


def test_plan_character_and_places_are_shown(gallery, window):
    """The whole day is on the strip and in the list, the present task is marked, places fold out."""
    page = opened(window, gallery.address(STATE))
    memory = gallery.root / "storage" / "recorded" / "personas" / PERSON / "bootstrap_memory"
    scratch = json.loads((memory / "scratch.json").read_text("utf-8"))
    times = page.locator(".plan > ol > li > time, .plan summary time")

    def is_whole():
        ends = [time.split("–") for time in times.all_inner_texts()]
        begins, ended = ["00:00", *(end for _, end in ends)], [*(start for start, _ in ends), "00:00"]
        return len(ends) > 1 and begins == ended

    assert until(is_whole)
    present = page.locator(".plan > ol > li[aria-current] time").first
    assert until(lambda: present.inner_text().split("–")[0] <= "08:36" < present.inner_text().split("–")[1])
    expect(page.locator(".mind")).to_contain_text(scratch["learned"])
    tree = json.loads((memory / "spatial_memory.json").read_text("utf-8"))
    (world,) = tree
    expect(page.locator(".places > li > details > ul > li")).to_have_count(len(tree[world]))


def test_what_a_model_wrote_is_only_text(house, window):
    """Markup in memories, actions, names of places: shown letter by letter, never obeyed."""
    evil = "<img src=x onerror=\"document.title='taken'\"> & <script>document.title='taken'</script>"
    shutil.rmtree(house.root / "storage" / "recorded" / "reverie" / "checkpoints")
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
    expect(shown(page).locator(".text > p")).to_have_text([evil])
    expect(page.locator("main")).to_contain_text(re.compile("(?:onerror.*){4}", re.DOTALL))
    expect(page.locator("main img[src=x]")).to_have_count(0)
    expect(page).not_to_have_title(re.compile("taken"))


@pytest.mark.slow
def test_she_is_asked_as_of_the_moment(gallery, window):
    """The engine goes back to it: she knows nothing of later. The memories of her answer are links into this page."""
    gallery.serve()
    page = opened(window, gallery.address(STATE))
    page.locator("[data-deed=ask]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("as of step 3,100")
    dialog.get_by_role("button", name="What is new?").click()
    links = dialog.locator("a[href*='#node_']")
    expect(links.first).to_be_attached()
    expect(dialog.locator("a[href*='#node_']:not([href*='/recorded/3100/'])")).to_have_count(0)
