"""The page of news: which facts it offers, what it is given of one, and what those are told who may only watch."""

import json

import pytest

from ville.storage.records.intervention_log import LOG

ADA, BEN = "Ada Stone", "Ben van Reed"
SENT = {"v": 1, "n": 1, "door": "page", "by": "", "id": "9f3c", "at": "2026-01-01T00:00:00.000+00:00"}
QUERIES = ("", "?fact=candidacy")
WHISPER = "You have hidden a treasure below the willow"


def node(number, kind, **more):
    """A memory of minute `number`."""
    made = {"node_count": number, "type": kind, "created": f"2023-02-13 00:0{number}:00", "poignancy": 5, "filling": []}
    return made | {"description": "", "subject": ADA, "object": BEN} | more


@pytest.fixture
def run(stage):
    """Ada is told by a whisper in minute 1, and tells Ben in minute 3."""
    folder = stage.save("run", stage.walk(6))
    talk = {"node_3": node(3, "chat", filling=[[ADA, "I have hidden a treasure below the willow."], [BEN, "You!"]])}
    stage.remember(folder, talk)
    told = {"node_1": node(1, "thought", description="Ada Stone has hidden a treasure below the willow")}
    stage.put(f"storage/run/personas/{ADA}/bootstrap_memory/associative_memory/nodes.json", told | talk)
    row = {"step": 1, "kind": "whisper", "who": ADA, "words": WHISPER}
    stage.put(f"storage/run/reverie/{LOG}", json.dumps(SENT | row) + "\n")
    return folder


def computed(client, address):
    """Ask until it is there."""
    while (answer := client.get(address)).status_code == 202:
        pass
    return answer


def spread(client, query):
    (found,) = computed(client, f"/news_data/run/?{query}&wait=5").json().values()
    return found


def test_a_whisper_is_offered_and_followed(run, stage, client):
    """By the row of the log; nothing is written to the run."""
    before = stage.files()
    page = client.get("/news/run/?fact=%231")
    assert page.context["planted"] == [("Whispers", [{"key": "#1", "text": f"{ADA}: {WHISPER}"}])]
    found = spread(client, "fact=%231")
    assert [(each["who"], each["how"], each["step"]) for each in found["knowers"]] == [
        (ADA, "whisper", 1), (BEN, "told", 3),
    ]  # fmt: skip
    assert found["parents"] == {BEN: ADA}
    assert [tuple(each["at"]) for each in found["knowers"]] == [
        tuple(json.loads((run / f"movement/{step}.json").read_text("utf-8"))["persona"][who]["movement"])
        for who, step in ((ADA, 1), (BEN, 3))
    ]
    assert stage.files() == before


@pytest.mark.usefixtures("run")
def test_watchers_are_not_told_what_was_whispered(afar):
    """Neither offered nor found nor in what else they look for; what people said to each other they are."""
    watcher = afar()
    assert watcher.get("/news/run/").context["planted"] == []
    assert watcher.get("/news_data/run/?fact=%231").status_code == 403
    assert watcher.get("/news_data/run/?fact=(a%2B)%2B%24&by=pattern").status_code == 403
    assert watcher.get("/asked/run/").status_code == 403
    ada, ben = spread(watcher, "fact=treasure&by=words")["knowers"]
    assert (ada["who"], ada["how"], ada["words"]) == (ADA, "whisper", "")
    assert ben["words"] == "I have hidden a treasure below the willow."


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("query", ["fact=", "fact=%0A", f"fact={'x' * 501}", "fact=x&by=chance"])
def test_what_is_no_fact_is_refused(client, query):
    for page in ("news", "news_data"):
        assert client.get(f"/{page}/run/?{query}").status_code == 400


@pytest.mark.usefixtures("run")
def test_what_cannot_be_searched_for_is_said(client):
    """In one line, by the command that looked for it."""
    answer = computed(client, "/news_data/run/?fact=(&wait=5")
    assert answer.status_code == 422
    assert "not a regular expression" in answer.json()["error"]


@pytest.mark.usefixtures("run")
def test_a_crowd_is_not_asked_by_a_page(client, monkeypatch):
    """As many questions as pairs would hold up the server for hours: the page says what to type instead."""
    monkeypatch.setattr("translator.views.news.MOST_ASKED", 1)
    answer = client.get("/asked/run/?wait=0")
    assert answer.status_code == 400
    assert "more than 1 people" in answer.json()["error"]
    assert "measure.py run --ask" in answer.json()["error"]


def test_only_news_about_those_who_live_there_is_offered(stage, client):
    """And what the address asks for."""
    stage.save("town", stage.walk(2), persona_names=["Isabella Rodriguez"])
    offered = [[each["key"] for each in client.get(f"/news/town/{query}").context["known"]] for query in QUERIES]
    assert offered == [["party"], ["party", "candidacy"]]
