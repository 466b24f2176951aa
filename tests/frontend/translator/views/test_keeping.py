"""Simulations are kept in order from the front page: found, described, renamed, deleted, restored, marked."""

import json

import pytest

from translator.storage.runs import known_sizes
from ville.storage.keeping.sizes import size_of

NOTE, TAGS = "Who hears of the party first?", ["pilot", "spring 2023"]


@pytest.fixture
def towns(stage):
    """Thirty saved simulations and a recording."""
    for number in range(30):
        stage.save(f"town_{number:02}", stage.walk(2))
    stage.compress("packed", stage.walk(4))
    return stage


def listed(answer):
    return [each.sim_code for each in answer.context["list"].shown]


def shrunk(client, body):
    """The answer once it is done."""
    while (answer := client.tell("/keep/shrink/", body)).status_code == 202:
        pass
    return answer


def describe(client, name, form="saved", **given):
    return client.tell("/keep/describe/", {"name": name, "form": form, "title": "", "note": "", "tags": [], **given})


@pytest.mark.usefixtures("towns")
def test_the_front_page_stays_short_and_shows_more_on_demand(client):
    """A few, the newest; the others by the link below them, also without scripts."""
    saved = client.get("/").context["saved"]
    assert (len(saved.shown), len(saved.all)) == (6, 30)
    assert len(client.get(f"/{saved.more}").context["saved"].shown) == 30
    assert len(listed(client.get(f"/towns/saved/{saved.more}"))) == 30
    assert listed(client.get("/towns/compressed/")) == ["packed"]


@pytest.mark.usefixtures("towns")
def test_towns_are_found_by_what_is_said_of_them(client):
    """Name, title, tag, note and people; notes only by those who may act."""
    assert describe(client, "town_07", title="Élection", note=NOTE, tags=TAGS).status_code == 200
    assert describe(client, "packed", "compressed", title="A morning", tags=["pilot"]).status_code == 200
    for words in ("town_07", "élection", "%23pilot", "hears+FIRST", "ada+pilot"):
        assert listed(client.get(f"/towns/saved/?search={words}")) == ["town_07"]
    assert listed(client.get("/towns/saved/?tag=spring+2023")) == ["town_07"]
    assert listed(client.get("/towns/saved/?search=nothing")) == []
    page = client.get("/").content.decode()
    assert "#spring 2023" in page
    assert NOTE in client.get("/towns/saved/?search=hears").json()["html"]
    assert client.get("/kept/compressed/packed/").json()["title"] == "A morning"
    away = {"headers": {"X-Forwarded-For": "10.0.0.7"}}
    assert listed(client.get("/towns/saved/?search=hears", **away)) == []
    assert NOTE not in client.get("/towns/saved/?search=pilot", **away).json()["html"]
    assert client.get("/kept/saved/town_07/", **away).status_code == 403


def test_the_size_of_a_town_is_read_once_for_each_save(towns, client, monkeypatch):
    """All files count. The front page does not read them; a save or a rename brings the new size. Not for watchers."""
    read = []
    monkeypatch.setattr(known_sizes, "size_of", lambda root: read.append(root) or size_of(root))
    client.get("/")
    assert not read
    root = towns.root / "storage" / "town_07"
    for _ in range(2):
        size = client.get("/size/saved/town_07/").json()["size"]
        assert size == sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    assert len(read) == 1
    (root / "movement" / "1.json").write_text("{}" * 5000, "utf-8")
    meta = root / "reverie" / "meta.json"
    meta.write_text(f"{meta.read_text('utf-8')} ", "utf-8")
    assert client.get("/size/saved/town_07/").json()["size"] > size
    assert client.get("/size/compressed/packed/").json()["size"]
    assert client.get("/size/saved/town_07/", headers={"X-Forwarded-For": "10.0.0.7"}).status_code == 403


def test_a_town_is_renamed_deleted_and_restored(towns, client):
    """The lists follow at once; what cannot be done is refused with its reason."""
    assert client.tell("/keep/rename/", {"name": "town_07", "form": "saved", "new": "party"}).status_code == 204
    assert listed(client.get("/towns/saved/?search=party")) == ["party"]
    taken = client.tell("/keep/rename/", {"name": "party", "form": "saved", "new": "town_08"})
    assert (taken.status_code, "already" in taken.json()["error"]) == (422, True)
    assert str(towns.root) not in taken.json()["error"]
    assert client.tell("/keep/delete/", {"name": "party", "form": "saved"}).status_code == 204
    assert listed(client.get("/towns/saved/?search=party")) == []
    assert [each.name for each in client.get("/bin/").context["bin"]] == ["party"]
    assert client.tell("/keep/restore/", {"name": "party", "form": "saved", "new": "party"}).status_code == 204
    assert listed(client.get("/towns/saved/?search=party")) == ["party"]
    assert client.get("/bin/").context["bin"] == []


def test_the_last_intervention_is_offered_to_be_undone(towns, client):
    """With its time and words, unless it came from the origin."""
    row = {
        "v": 1,
        "n": 1,
        "step": 1,
        "id": "a",
        "kind": "whisper",
        "who": "Ada Stone",
        "words": "Go home.",
    } | dict.fromkeys(("door", "by", "at"), "")
    towns.put("storage/town_00/reverie/interventions.jsonl", json.dumps(row) + "\n")
    last = client.get("/kept/saved/town_00/").json()["last"]
    assert (last["number"], last["step"], "Go home." in last["words"]) == (1, 1, True)
    origin = json.loads((towns.root / "storage/town_00/reverie/meta.json").read_text())["fork_sim_code"]
    towns.put("storage/town_00/reverie/branch.json", {"from": origin, "step": 1, "rows": 1})
    assert client.get("/kept/saved/town_00/").json()["last"] is None
    assert client.get("/kept/saved/town_01/").json()["last"] is None


@pytest.mark.usefixtures("towns")
def test_moments_are_marked(client):
    """Of saved and recorded runs; everyone sees the marks, those who may act change them."""
    for form, name in (("saved", "town_00"), ("compressed", "packed")):
        body = {"name": name, "form": form, "step": 1, "text": "They\nmeet"}
        assert client.tell("/keep/mark/", body).json() == {"marks": [{"step": 1, "text": "They meet"}]}
        away = client.get(f"/marks/{name}/?store={form}", headers={"X-Forwarded-For": "10.0.0.7"}).json()
        assert away == {"marks": [{"step": 1, "text": "They meet"}], "may_act": False}
        assert client.tell("/keep/mark/", body | {"text": "x" * 201}).status_code == 422
        assert client.tell("/keep/mark/", body | {"text": ""}).json() == {"marks": []}
    assert client.get("/marks/town_00/").json() == {"marks": [], "may_act": True}


def test_a_town_becomes_a_recording(towns, client):
    """The page says before how much that saves; then it lies in the bin. A request that is sent again does no more."""
    (way,) = client.get("/kept/saved/town_00/").json()["ways"]
    assert (way["way"], way["saves"] > 0) == ("recording", True)
    body = {"name": "town_00", "form": "saved", "id": "4f", "way": "recording"}
    assert shrunk(client, body).status_code == 204
    assert client.tell("/keep/shrink/", body).status_code == 204
    assert (towns.compressed / "town_00/master_movement.json").exists()
    assert [each.name for each in client.get("/bin/").context["bin"]] == ["town_00"]
    other = {"name": "packed", "form": "compressed", "id": "5", "way": "moments"}
    refused = shrunk(client, other)
    assert (refused.status_code, "smaller" in refused.json()["error"]) == (422, True)


@pytest.mark.parametrize("search", ["search=" + "x" * 101, "shown=many", "shown=-1", "tag=" + "x" * 101])
def test_a_bad_search_is_refused(client, search):
    assert client.get(f"/towns/saved/?{search}").status_code == 400
    assert client.get(f"/?{search}").status_code == 400


@pytest.mark.usefixtures("towns")
def test_what_has_no_free_name_any_more_is_restored_under_another(client, towns):
    """The bin says so, and offers a name; a bad or taken one is refused, and nothing is lost."""
    town = {"name": "town_03", "form": "saved"}
    assert client.tell("/keep/delete/", town).status_code == 204
    assert "data-taken" not in client.get("/bin/").json()["html"]
    towns.save("town_03", towns.walk(2))
    assert "data-taken" in client.get("/bin/").json()["html"]
    for new in ("town_03", "town_04", "base_mine", "../town", "a b"):
        assert client.tell("/keep/restore/", {**town, "new": new}).status_code == 422
    assert client.tell("/keep/restore/", {**town, "new": "town_03_before"}).status_code == 204
    assert "town_03_before" in listed(client.get("/towns/saved/?search=town_03"))
    assert "town_03" not in client.get("/bin/").json()["html"]


@pytest.mark.usefixtures("towns")
def test_only_moments_that_there_are_can_be_marked(client):
    """The last one is that at which a run would go on."""
    town = {"name": "town_05", "form": "saved", "text": "Here"}
    assert client.tell("/keep/mark/", {**town, "step": 2}).status_code == 200
    for step in (999_999, 3):
        answer = client.tell("/keep/mark/", {**town, "step": step})
        assert (answer.status_code, "is after the end of town_05" in answer.json()["error"]) == (400, True)
    assert [mark["step"] for mark in client.get("/marks/town_05/").json()["marks"]] == [2]
