"""What pages ask of the engine, and who may."""

import json

import pytest

PAUSE = {"id": "9f3c", "request": "pause"}


@pytest.mark.parametrize(("name", "post", "get"), [("run", "/act/run/", "/acts/run/"), (None, "/engine/", "/engine/")])
def test_a_request_reaches_the_engine_and_its_answer_the_page(stage, client, name, post, get):
    """Once, however often the page sends it; the server says through which door it came."""
    stage.save("run", stage.walk(2))
    engine = stage.listen(name)
    sent = [client.tell(post, PAUSE | {"door": "api"}) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [202, 202]
    number = sent[0].json()["number"]
    assert sent[1].json() == {"number": number}
    assert engine.numbers() == {number}
    asked = engine.read(number)
    assert asked.values == PAUSE | {"door": "page"}
    assert client.get(f"{get}{number}/").json() == {"number": number, "ack": None}
    ack = {"id": "9f3c", "request": "pause", "result": "done", "step": 2}
    engine.acknowledge(asked, ack)
    assert client.get(f"{get}{number}/?wait=4").json() == {"number": number, "ack": ack}


def test_where_no_engine_has_listened_nothing_can_be_asked(stage, client):
    """Neither of a simulation nor without one."""
    stage.save("run", stage.walk(2))
    before = stage.files()
    for address in ("/act/run/", "/act/nowhere/", "/engine/", "/visit/nowhere/"):
        answer = client.tell(address, PAUSE if "visit" not in address else {"name": "Ada", "typing": True})
        assert (answer.status_code, "error" in answer.json()) == (404, True)
    assert stage.files() == before


def test_a_page_says_that_it_is_there_for_a_visitor(stage, client):
    """At once when the user begins to type; without news, once a second at most."""
    stage.save("run", stage.walk(2))
    for typing in (False, True):
        assert client.tell("/visit/run/", {"name": "Ada", "typing": typing}).status_code == 204
        said = json.loads((stage.temp / "visit.json").read_text("utf-8"))
        assert said == {"sim_code": "run", "name": "Ada", "typing": typing}


def test_the_status_says_what_the_engine_is_and_who_may_act(stage, client):
    """An engine that has fallen silent is none."""
    assert client.get("/status/").json()["engine"]["state"] == "none"
    told = {"state": "open", "sim_code": "run", "fault": "", "models": "rules", "last_request": 3}
    stage.put("temp/engine_status.json", told)
    status = client.get("/status/").json()
    assert (status["engine"], status["act"]) == (told, "yes")
