"""The exchange of a step, as a page sees it."""

import json

import pytest


@pytest.fixture
def run(stage):
    """Three steps; the engine waits for the positions after the last."""
    folder = stage.save("run", stage.walk(3))
    (folder / "environment" / "3.json").unlink()
    stage.announce("run")
    return folder


def test_one_round(run, stage, client):
    """The page asks, is answered, reports, and asks for the next step (docs/storage.md)."""
    answer = client.tell("/update_environment/", {"step": 2, "sim_code": "run"})
    said = json.loads((run / "movement" / "2.json").read_text("utf-8"))
    assert answer.json() == {**said, "<step>": 2}
    places = stage.places(stage.walk(3)[2])
    received = client.tell("/process_environment/", {"step": 3, "sim_code": "run", "environment": places})
    assert (received.status_code, received.content) == (200, b"received")
    assert (run / "environment" / "3.json").read_text("utf-8") == json.dumps(places, indent=2)
    assert client.tell("/update_environment/", {"step": 3, "sim_code": "run"}).json() == {"<step>": -1}


@pytest.mark.usefixtures("run")
def test_a_classic_page_sends_no_token(stage, client):
    """Nor does it name a content type; and no token is asked for."""
    body = json.dumps({"step": 2, "sim_code": "run"})
    assert client.post("/update_environment/", body, content_type="text/plain").status_code == 200
    assert (stage.temp / "last_poll.json").exists()


@pytest.mark.usefixtures("run")
def test_another_site_cannot_speak_for_the_page(stage, client):
    """A browser says where a request comes from; what comes from elsewhere is refused."""
    places = stage.places(stage.walk(3)[2])
    body = json.dumps({"step": 3, "sim_code": "run", "environment": places})
    before = stage.files()
    answer = client.post(
        "/process_environment/", body, content_type="text/plain", headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403
    assert stage.files() == before


@pytest.mark.parametrize("address", ["/process_environment/", "/update_environment/", "/path_tester_update/"])
@pytest.mark.parametrize("method", ["get", "put", "delete", "patch", "head"])
def test_letters_are_posted(client, address, method):
    """Every other method is told which one is known."""
    answer = getattr(client, method)(address)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_an_unknown_simulation_is_named(client):
    """Both letters of it."""
    for address, body in (
        ("/update_environment/", {"step": 1, "sim_code": "nobody"}),
        ("/process_environment/", {"step": 1, "sim_code": "nobody", "environment": {}}),
    ):
        answer = client.tell(address, body)
        assert answer.status_code == 404
        assert "nobody" in answer.json()["error"]
