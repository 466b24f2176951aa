"""The state of a mind."""

import json
import shutil
from pathlib import Path

import pytest

from ville.storage.folder.earlier_save import EarlierSave
from ville.storage.past.checkpoints import Stem

BUNDLED = Path(__file__).resolve().parents[4] / "environment" / "frontend_server" / "compressed_storage"
DAY = "a_day_of_three"

NODES = {
    f"node_{number}": {
        "node_count": number, "type": kind, "created": f"2023-02-13 00:0{number}:00", "description": f"memory {number}",
        "poignancy": number, "filling": [],
    }
    for number, kind in ((3, "thought"), (2, "chat"), (1, "event"))
}  # fmt: skip


@pytest.fixture
def run(stage):
    """Six steps of a minute each, saved after the last; a memory a minute."""
    folder = stage.save("run", stage.walk(6))
    stage.remember(folder, NODES)
    return folder


@pytest.mark.usefixtures("run")
def test_memories_are_those_of_the_step(stage, client):
    """Later memories are left out, and the page says so and when the rest was saved."""
    found = client.get("/memories/run/Ada_Stone/?step=2").json()
    assert [node["id"] for node in found["nodes"]] == ["node_2", "node_1"]
    assert (found["truncated"], found["moment"], found["saved"]) == (True, "2023-02-13T00:02:00", "2023-02-13T00:06:00")
    assert found["action"] == stage.walk(6)[2]["Ada Stone"]
    assert found["saved_step"] == 6


@pytest.mark.usefixtures("run")
def test_without_a_step_everything_saved_is_there(client):
    """Before the next step, personas do nothing yet."""
    found = client.get("/memories/run/Ada_Stone/").json()
    assert [node["id"] for node in found["nodes"]] == ["node_3", "node_2", "node_1"]
    assert (found["truncated"], found["step"], found["action"]) == (False, 6, None)


@pytest.mark.usefixtures("run")
def test_names_of_any_number_of_words_are_found(client):
    """In the address every space is an underscore."""
    assert client.get("/memories/run/Ben_van_Reed/").json()["name"] == "Ben van Reed"
    assert client.get("/memories/run/Ben%20van%20Reed/").json()["name"] == "Ben van Reed"
    assert client.get("/memories/run/Nobody_Here/").status_code == 404


@pytest.mark.usefixtures("run")
def test_a_moment_that_has_not_come_is_refused(client):
    """The step that comes next is the last that can be asked for."""
    assert client.get("/memories/run/Ada_Stone/?step=6").status_code == 200
    assert client.get("/memories/run/Ada_Stone/?step=7").status_code == 404
    assert client.get("/replay_persona_state/run/7/Ada_Stone/").status_code == 404


@pytest.mark.usefixtures("run")
def test_the_page_has_the_classic_context(client):
    """Values that a user's own template may show."""
    context = client.get("/replay_persona_state/run/2/Ben_van_Reed/").context
    assert (context["sim_code"], context["step"]) == ("run", 2)
    assert (context["persona_name"], context["persona_name_underscore"]) == ("Ben van Reed", "Ben_van_Reed")
    assert context["scratch"]["name"] == "Ben van Reed"
    assert context["spatial"] == {"the Town": {"Green": {"lawn": ["bench"]}}}
    assert [node["description"] for node in context["a_mem_thought"]] == ["memory 3"]
    assert [node["description"] for node in context["a_mem_chat"]] == ["memory 2"]
    assert [node["description"] for node in context["a_mem_event"]] == ["memory 1"]


@pytest.mark.usefixtures("run")
def test_the_page_knows_where_its_memories_are(client):
    """The address it is given answers."""
    page = client.get("/replay_persona_state/run/2/Ada_Stone/").context["page"]
    assert client.get(page["memories"]).json()["step"] == 2


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "referer",
    [
        "",
        "http://elsewhere.example/replay/run/2/",
        "javascript:alert(1)",
        "http://localhost:8000/replay_persona_state/run/2/B/",
    ],
)
def test_the_way_back_stays_in_the_house(client, referer):
    """Back to the page of ours that showed the town; from anywhere else to the recording. Who was followed still is."""
    address = "/replay_persona_state/run/2/Ada_Stone/"
    assert client.get(address, headers={"Referer": referer}).context["page"]["back"] == "/replay/run/2/#Ada_Stone"
    ours = "http://localhost:8000/demo/run/2/3/"
    assert client.get(address, headers={"Referer": ours}).context["page"]["back"] == f"{ours}#Ada_Stone"


@pytest.mark.usefixtures("run")
def test_what_a_model_wrote_is_text(stage, client):
    """A memory cannot bring a script into the page."""
    trap = "</script><script>alert(1)</script>"
    nodes = {"node_1": NODES["node_1"] | {"description": trap}}
    stage.remember(stage.storage / "run", nodes)
    stage.put("storage/run/personas/Ada Stone/bootstrap_memory/scratch.json", {"currently": trap, "name": trap})
    assert trap not in client.get("/replay_persona_state/run/2/Ada_Stone/").content.decode()


def test_both_shelves_have_minds(stage, client):
    """A compressed run brings its people along."""
    stage.compress("packed", stage.walk(3))
    found = client.get("/memories/packed/Ada_Stone/?step=1").json()
    assert json.dumps(found["action"]) == json.dumps(stage.walk(3)[1]["Ada Stone"])


@pytest.mark.usefixtures("run")
def test_a_visitor_has_no_mind(stage, client):
    """The page says so; a former resident is remembered."""
    rows = [{"kind": "visitor_in", "name": "Eve <b>", "look": "x"}, {"kind": "resident_out", "who": "Ben van Reed"}]
    stage.put("storage/run/reverie/interventions.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    stage.put("storage/run/reverie/meta.json", stage.meta("run", 6) | {"persona_names": ["Ada Stone"]})
    (stage.storage / "run/reverie/former").mkdir()
    (stage.storage / "run/personas/Ben van Reed").rename(stage.storage / "run/reverie/former/Ben van Reed")
    page = client.get("/replay_persona_state/run/2/Eve_<b>/")
    assert page.status_code == 404
    assert "Eve &lt;b&gt; is a visitor" in page.content.decode()
    assert len(client.get("/memories/run/Ben_van_Reed/").json()["nodes"]) == 3
    assert client.get("/replay_persona_state/run/2/Ben_van_Reed/").status_code == 200


def test_the_days_are_told_up_to_the_step(stage, client):
    """The saved plan beside what was done: Ada walks, and talks with Ben from the third minute to the fifth."""
    folder = stage.save("run", stage.walk(8))
    scratch = {
        "name": "Ada Stone",
        "curr_time": "February 13, 2023, 00:00:00",
        "f_daily_schedule": [["reading", 1440]],
        "f_daily_schedule_hourly_org": [["walking", 4], ["reading", 1436]],
    }
    stage.put(f"{folder.relative_to(stage.root)}/personas/Ada Stone/bootstrap_memory/scratch.json", scratch)
    told = client.get("/days/run/Ada_Stone/?step=8").json()
    walking, reading = told["plan"]["tasks"]
    assert (walking["state"], reading["state"]) == ("kept", "dropped")
    assert [(one["start"], one["end"], one["partners"]) for one in walking["instead"]] == [(3, 4, ["Ben van Reed"])]
    assert [one["task"] for one in reading["instead"]][-1] == "walking"
    assert (told["plan"]["date"], told["chapters"][0]["date"]) == ("2023-02-13", "2023-02-13")
    assert told["chapters"][-1]["end"] == 8
    early = client.get("/days/run/Ada_Stone/?step=2").json()
    assert [task["state"] for task in early["plan"]["tasks"]] == ["kept", "ahead"]
    assert client.get("/days/run/Ada_Stone/?step=9").status_code == 404


@pytest.mark.usefixtures("run")
def test_without_a_plan_there_are_chapters_only(client):
    """A mind that has not planned yet; the page knows the address."""
    page = client.get("/replay_persona_state/run/2/Ada_Stone/").context["page"]
    told = client.get(page["days"]).json()
    assert told["plan"] is None
    assert told["chapters"]


@pytest.mark.parametrize("step", [4500, 4600, 8639])
def test_plan_and_character_are_those_of_the_last_save_before(stage, client, step):
    """Of a recording with checkpoints: the day of three people, saved every half hour."""
    shutil.copytree(BUNDLED / DAY, stage.compressed / DAY)
    found = client.get(f"/memories/{DAY}/Klaus_Mueller/?step={step}&store=compressed").json()
    kept = step - step % 180
    files = EarlierSave(BUNDLED / DAY, Stem(kept)).texts("Klaus Mueller")
    scratch, spatial, nodes = (json.loads(text) for text in list(files.values())[:3])
    assert found["kept_step"] == kept
    assert (found["scratch"], found["spatial"]) == (scratch, spatial)
    assert set(nodes) <= {node["id"] for node in found["nodes"]}
    assert (
        client.get(f"/replay_persona_state/{DAY}/{step}/Klaus_Mueller/?store=compressed").context["scratch"] == scratch
    )


def test_commitments_are_those_of_the_step(run, client):
    """Those made later are not shown, and those that end later are still open; invalid ones are left out."""
    made, ended = "2023-02-13 00:01:00", "2023-02-13 00:04:00"
    kept = {"what": "tea with Ben", "made": made, "outcome": "kept", "ended": ended, "place": "Hobbs Cafe"}
    later = {"what": "a concert", "made": "2023-02-13 00:05:00", "outcome": "open"}
    facts = {"Ada Stone": {"commitments": [kept, later, {"what": 3}, 7]}, "Ben van Reed": {"commitments": 3}}
    (run / "reverie/facts.json").write_text(json.dumps(facts), "utf-8")
    shown = [client.get(f"/replay_persona_state/run/{step}/Ada_Stone/").content.decode() for step in (2, 6)]
    assert ["tea with Ben" in page and "Hobbs Cafe · open" in page for page in shown] == [True, False]
    assert ["Hobbs Cafe · kept" in page for page in shown] == [False, True]
    assert ["a concert" in page for page in shown] == [False, True]
    assert "Commitments" not in client.get("/replay_persona_state/run/6/Ben_van_Reed/").content.decode()
