"""Files that are not what they should be: every page answers, and says which file and what in it is wrong."""

import json
from copy import deepcopy
from html import unescape
from itertools import product
from random import Random

import pytest

MEMORY = "personas/Ada Stone/bootstrap_memory"
NODE = {
    "node_count": 1, "type": "thought", "created": "2023-02-13 00:01:00", "description": "a", "subject": "Ada",
    "predicate": "is", "object": "here", "poignancy": 3, "keywords": ["a"], "filling": ["node_1"],
}  # fmt: skip
NODES = {"node_2": NODE | {"type": "chat", "filling": [["Ada Stone", "Hello."]]}, "node_1": NODE}
SCRATCH = {
    "name": "Ada Stone", "age": 30, "innate": "kind", "learned": "a", "currently": "b", "lifestyle": "c",
    "living_area": "the Town:Green:lawn", "curr_time": "February 13, 2023, 00:05:00", "daily_req": ["rest"],
    "f_daily_schedule": [["sleeping", 360], ["resting", 1080]], "act_address": "the Town:Green:lawn",
    "act_description": "resting", "act_pronunciatio": "🛋", "vision_r": 4, "recency_decay": 0.99,
    "relationship": {"Ben van Reed": {"relationship": "friend", "feeling": "warm"}},
}  # fmt: skip
STATUS = {
    "sim_code": "run", "state": "running", "step": 6, "until_step": 9, "busy": ["Ada Stone"], "browser": "watching",
    "curr_time": "February 13, 2023, 00:06:00", "asleep_until": None,
}  # fmt: skip
SAVED, PACKED = "storage/run", "compressed/run"
FILES = [
    f"{SAVED}/reverie/meta.json",
    f"{SAVED}/movement/4.json",
    f"{SAVED}/movement/5.json",
    "storage/new/environment/0.json",
    f"{SAVED}/{MEMORY}/scratch.json",
    f"{SAVED}/{MEMORY}/spatial_memory.json",
    f"{SAVED}/{MEMORY}/associative_memory/nodes.json",
    f"{PACKED}/meta.json",
    f"{PACKED}/master_movement.json",
    f"{PACKED}/{MEMORY}/scratch.json",
    "temp/curr_sim_code.json",
    "temp/curr_step.json",
    "temp/backend_status.json",
    "temp/path_tester_out.json",
]
MIND = "Ada_Stone"
PAGES = [
    "/", "/simulator_home", "/path_tester/", "/replay/run/4/", "/replay/run/5/", "/demo/run/4/2/",
    f"/replay_persona_state/run/5/{MIND}/", f"/replay_persona_state/run/5/{MIND}/?store=compressed",
]  # fmt: skip
DATA = [
    "/status/", "/live/run/", "/live/new/", "/frames/run/0/5/", "/frames/run/4/5/?store=compressed", "/timeline/run/",
    "/timeline/run/?store=compressed", f"/memories/run/{MIND}/?step=5",
    f"/memories/run/{MIND}/?step=5&store=compressed", "/path_tester_out/",
]  # fmt: skip
QUESTION = {"sim_code": "run", "step": 5}
NASTY = [
    None, True, -1, 1.5, 10**30, 10**400, "", "x", "\ud800", "../x", "a\x00b", [], [5], {}, {"a": 5}, [["a"]], "NaN",
    float("nan"), float("inf"), "9" * 5000, [[[[[]]]]],
]  # fmt: skip
TEXTS = ["", "{", "[]", "5", '"x"', "\x00", "null", "[" * 100_000, '{"persona": ', '{"a": NaN}', '{"a": 1e999}']


@pytest.fixture
def house(stage):
    """A run on both shelves, and one that begins; an engine and the path tester have left their words."""
    frames = stage.walk(6)
    for folder in (stage.save("run", frames), stage.compress("run", frames)):
        (folder / MEMORY / "scratch.json").write_text(json.dumps(SCRATCH), "utf-8")
        (folder / MEMORY / "associative_memory" / "nodes.json").write_text(json.dumps(NODES), "utf-8")
    stage.save("new")
    stage.announce("run", 6)
    stage.put("temp/backend_status.json", STATUS)
    stage.put("temp/path_tester_out.json", {"the Town": {"Green": {"lawn": ["bench"]}}})
    return stage


def no_constant(text):
    pytest.fail(f"{text} is not JSON")


def answers(client):
    """Return the text of every page and data route, by address. None breaks, none sends what browsers cannot read."""
    found = {}
    for address in [*PAGES, *DATA]:
        answer = client.get(address)
        assert answer.status_code < 500, (address, answer.content[:300])
        text = answer.content.decode()
        if address in DATA:
            json.loads(text, parse_constant=no_constant)
        found[address] = unescape(text)
    answer = client.tell("/update_environment/", QUESTION)
    assert answer.status_code < 500
    found["/update_environment/"] = answer.content.decode()
    return found


def ways(value, way=()):
    """Every place in a JSON value, from the outermost to the innermost."""
    yield way
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield from ways(inside, (*way, key))


def changed(value, way, new):
    """A copy with another value in a place; without one, the place is gone."""
    if not way:
        return new[0] if new else {}
    copy = deepcopy(value)
    inside = copy
    for key in way[:-1]:
        inside = inside[key]
    if new:
        inside[way[-1]] = new[0]
    else:
        del inside[way[-1]]
    return copy


def test_a_damaged_pack_breaks_no_page(house, client):
    """It is named. Where its hours can be told, though not read, steps with files of their own are shown."""
    for text in ("x", "HOUR", "HOUR" + "\0" * 11):
        house.put(f"{SAVED}/movement/0.pack", text)
        assert "0.pack is damaged" in answers(client)["/frames/run/0/5/"]
    house.put(f"{SAVED}/movement/0.pack", "HOUR" + "\0" * 12)
    assert '"damage":[],"frames"' in answers(client)["/frames/run/0/5/"]


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_no_damage_breaks_a_page(house, client, file):
    """Anything in any place of any file: pages and data answer, with a status below 500 and in readable JSON."""
    lot = Random(file)  # noqa: S311
    sound = (house.root / file).read_text("utf-8")
    for text in TEXTS:
        house.put(file, text)
        answers(client)
    places = list(ways(json.loads(sound)))
    for way in lot.sample(places, min(len(places), 16)):
        for new in ([], *([nasty] for nasty in lot.sample(NASTY, 5))):
            house.put(file, json.dumps(changed(json.loads(sound), way, new)))
            answers(client)


ADA = ("persona", "Ada Stone")
TOLD = [
    (FILES[0], ("step",), "six", "run/reverie/meta.json: step", ["/", "/replay/run/4/", "/timeline/run/"]),
    (FILES[0], ("persona_names",), 5, "run/reverie/meta.json: persona_names", ["/", "/live/run/"]),
    (FILES[1], (*ADA, "chat"), "hello", "run/movement/4.json: persona.Ada Stone.chat", ["/replay/run/4/"]),
    (FILES[1], (*ADA, "chat"), [5], "run/movement/4.json: persona.Ada Stone.chat.0", ["/frames/run/0/5/"]),
    (FILES[1], (*ADA, "chat", 0, 1), 5, "run/movement/4.json: persona.Ada Stone.chat.0.1", ["/timeline/run/"]),
    (FILES[2], (*ADA, "movement"), [1, "x"], "run/movement/5.json: persona.Ada Stone.movement.1", ["/live/run/"]),
    (FILES[2], (*ADA, "movement"), 5, "run/movement/5.json: persona.Ada Stone.movement", ["/update_environment/"]),
    (FILES[2], ADA, None, "run/movement/5.json: persona.Ada Stone", ["/simulator_home", "/frames/run/0/5/"]),
    (FILES[3], ("Ada Stone", "x"), "1", "new/environment/0.json: Ada Stone.x", ["/live/new/"]),
    (FILES[4], ("age",), "thirty", "bootstrap_memory/scratch.json: age", [PAGES[6], DATA[7]]),
    (FILES[4], ("f_daily_schedule", 1), ["x", None], "scratch.json: f_daily_schedule.1.1", [PAGES[6], DATA[7]]),
    (FILES[5], ("the Town", "Green"), 5, "spatial_memory.json: the Town.Green", [PAGES[6], DATA[7]]),
    (FILES[6], ("node_1", "created"), "today", "nodes.json: node_1.created", [PAGES[6], DATA[7]]),
    (FILES[6], ("node_2", "filling"), "hello", "nodes.json: node_2.filling", [PAGES[6], DATA[7]]),
    (FILES[7], ("sec_per_step",), 0, "run/meta.json: sec_per_step", ["/", "/demo/run/4/2/"]),
    (FILES[8], ("4", "Ada Stone", "chat"), 5, "run/master_movement.json: 4.Ada Stone.chat", [DATA[4], DATA[6]]),
    (FILES[8], ("999999999",), {}, "run/master_movement.json: 999999999", [DATA[4], DATA[6]]),
    (FILES[8], (), [], "run/master_movement.json", [DATA[4], DATA[6]]),
    (FILES[9], ("age",), [], "bootstrap_memory/scratch.json: age", [PAGES[7], DATA[8]]),
    (FILES[11], ("step",), "x", "curr_step.json: step", []),
    (FILES[12], ("busy",), "Ada", "backend_status.json: busy", ["/", "/status/"]),
    (FILES[13], ("the Town",), [5], "path_tester_out.json: the Town", ["/path_tester_out/"]),
]


@pytest.mark.parametrize("damage", TOLD, ids=lambda damage: damage[3])
def test_damage_is_told_with_file_and_field(house, client, damage):
    """On the page and to the script that needs the file, in the reader's language; put right, nothing is said."""
    file, way, new, told, where = damage
    text = (house.root / file).read_text("utf-8")
    house.put(file, changed(json.loads(text), way, [new]))
    found = answers(client)
    for address in where:
        assert told in found[address], address
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "ru"
    for address, russian in answers(client).items():
        assert (told in russian) == (told in found[address])
        assert " is not " not in russian.partition(told)[2][:40]
    client.defaults.clear()
    house.put(file, text)
    assert not [address for address, text in answers(client).items() if told in text]


def test_what_is_sound_is_still_shown(house, client):
    """One damaged record takes along neither its step nor anybody else; one damaged memory no other."""
    house.put(FILES[1], changed(json.loads((house.root / FILES[1]).read_text("utf-8")), (*ADA, "chat"), [5]))
    frames = client.get("/frames/run/3/5/").json()["frames"]
    assert [list(frames[step]) for step in ("3", "4", "5")] == [["Ada Stone", "Ben van Reed"], [], ["Ada Stone"]]
    house.put(FILES[6], NODES | {"node_3": 5})
    assert [node["id"] for node in client.get(DATA[7]).json()["nodes"]] == ["node_2", "node_1"]
    house.put(FILES[4], SCRATCH | {"age": "thirty"})
    page = client.get(PAGES[6]).content.decode()
    assert "kind" in page
    assert "thirty" not in page


def test_a_folder_in_place_of_a_file_is_told(house, client):
    """It cannot be read at all."""
    (house.root / FILES[1]).unlink()
    (house.root / FILES[1]).mkdir()
    assert "run/movement/4.json" in client.get("/frames/run/0/5/").json()["damage"][0]


COMPARED = ["/compare/run/two/", "/compare/?a=run&b=two", "/comparison/run/two/?wait=5", "/repeats/run/two/?wait=5"]


@pytest.mark.parametrize(
    ("address", "text"),
    [*product(COMPARED[:1], (None, "{", "[]")), *((address, "{") for address in COMPARED[1:])],
)
def test_a_damaged_simulation_is_not_compared_and_its_file_is_told(house, client, address, text):
    """Without the path of this machine, whether the page finds it or the program that compares."""
    house.save("two", house.walk(6))
    meta = house.root / FILES[0]
    meta.unlink()
    if text is not None:
        meta.write_text(text, "utf-8")
    answer = client.get(address, follow=True)
    while answer.status_code == 202:
        answer = client.get(address)
    assert answer.status_code == 422
    assert "meta.json" in unescape(answer.content.decode())
    assert str(house.root) not in answer.content.decode()


def test_a_persona_without_a_visible_name_is_told_of(house, client):
    """An old engine let one in: neither its name nor its talk breaks what is told of the others."""
    frames = house.walk(6)
    for step, frame in enumerate(frames):
        frame[" "] = {**frame["Ada Stone"], "description": "conversing about Ada's party @ the Town:Green:lawn"}
        frame[" "]["chat"] = [[" ", "Will you come?"], ["Ada Stone", "Yes."]] if step > 3 else None
    house.save("blank", frames, persona_names=[" ", "Ada Stone", "Ben van Reed"])
    entries = client.get("/feed/blank/").json()["entries"]
    assert any("Ada Stone" in entry["names"] for entry in entries)
    assert client.get("/replay/blank/1/").status_code == 200
