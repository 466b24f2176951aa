"""The path tester."""

import json


def test_the_camera_reaches_the_engine(stage, client):
    """As the classic page sends it."""
    answer = client.tell("/path_tester_update/", {"camera": {"maze": "the_ville", "x": 1856, "y": 288.5}})
    assert answer.content == b"received"
    said = json.loads((stage.temp / "path_tester_env.json").read_text("utf-8"))
    assert said == {"maze": "the_ville", "x": 1856.0, "y": 288.5}


def test_what_was_seen_can_be_taken_home(stage, client):
    """As a file."""
    stage.put("temp/path_tester_out.json", {"the Ville": {"cafe": {}}})
    answer = client.get("/path_tester_out/?download")
    assert answer.json() == {"the Ville": {"cafe": {}}}
    assert "attachment" in answer["Content-Disposition"]
    assert "Content-Disposition" not in client.get("/path_tester_out/")


def test_the_page_shows_the_ville(client):
    """The classic page never asked which town."""
    page = client.get("/path_tester/").context["page"]
    assert (page["mode"], page["maze_name"]) == ("path_tester", "the_ville")
