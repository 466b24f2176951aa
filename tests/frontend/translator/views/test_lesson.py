"""The lesson: what was planted in a town, and who has heard of it."""

import json

import pytest

from ville.storage.records.intervention_log import LOG

ADA, BEN = "Ada Stone", "Ben van Reed"
SENT = {"door": "page", "by": "", "id": "9f3c", "at": "February 13, 2023, 00:01:00"}


def node(number, kind, **more):
    """A memory of minute `number`."""
    made = {"node_count": number, "type": kind, "created": f"2023-02-13 00:0{number}:00", "poignancy": 5, "filling": []}
    return made | {"description": "", "subject": ADA, "object": BEN} | more


THOUGHT = {"node_1": node(1, "thought", description="Ada Stone wants to be Mayor (of all).")}
TALK = {"node_3": node(3, "chat", filling=[[ADA, "I want to be Mayor (of all)."], [BEN, "Good."]])}


@pytest.fixture
def run(stage):
    """Ada thinks of it in minute 1, after a whisper, and tells Ben in minute 3."""
    folder = stage.save("run", stage.walk(6))
    stage.remember(folder, TALK)
    stage.put(f"storage/run/personas/{ADA}/bootstrap_memory/associative_memory/nodes.json", THOUGHT | TALK)
    row = {"v": 1, "n": 1, "step": 1, "kind": "whisper", "who": ADA, "words": "You want to be Mayor."}
    stage.put(f"storage/run/reverie/{LOG}", json.dumps(row | SENT) + "\n")
    return folder


@pytest.mark.usefixtures("run")
def test_who_knows_of_it_is_told_with_the_moment_and_the_teller(client):
    """In order of time, in any case of letters. What is searched for is text, whatever signs it has."""
    found = client.get("/heard/run/?word=mayor (").json()
    assert [(each["who"], each["teller"], each["step"]) for each in found["heard"]] == [(ADA, "", 1), (BEN, ADA, 3)]
    assert [(each["who"], each["number"]) for each in found["planted"]] == [(ADA, 1)]
    about = {name: client.get(f"/heard/run/?word=mayor&about={name}").json()["heard"] for name in (ADA, BEN)}
    assert [len(heard) for heard in about.values()] == [2, 1]  # Ada's own thought does not name Ben; their talk does
    assert client.get("/heard/run/?word=m.yor").json()["heard"] == []
    assert "heard" not in client.get("/heard/run/").json()
    for wrong in ("", "%20", "x" * 101):
        assert client.get(f"/heard/run/?word={wrong}").status_code == 400


@pytest.mark.usefixtures("run")
def test_only_those_who_may_act_search_the_memories(afar):
    """To whom something was whispered is not for everyone; the page itself is."""
    assert afar().get("/heard/run/?word=mayor").status_code == 403
    assert afar().get("/lesson/").status_code == 200
