"""Pages that show what has happened."""

import pytest


def test_a_replay_begins_at_its_step(stage, client):
    """People are where they were then, not where they are in the end; the page may begin at the last step."""
    stage.save("run", stage.walk(8))
    context = client.get("/replay/run/2/").context
    assert (context["sim_code"], context["step"], context["mode"]) == ("run", 2, "replay")
    assert context["persona_names"] == [["Ada Stone", "Ada_Stone"], ["Ben van Reed", "Ben_van_Reed"]]
    assert context["persona_init_pos"] == [["Ada Stone", 2, 1], ["Ben van Reed", 9, 1]]
    assert context["page"]["map"] == "/static/assets/small/visuals/small.json"
    assert client.get("/replay/run/7/").status_code == 200


def test_a_demo_has_the_classic_context(stage, client):
    """All but the frames, which the page fetches."""
    stage.compress("run", stage.walk(8))
    context = client.get("/demo/run/3/4/").context
    assert (context["step"], context["mode"], context["play_speed"]) == (3, "demo", 4)
    assert (context["start_datetime"], context["sec_per_step"]) == ("2023-02-13T00:03:00", 60)
    assert context["persona_names"][1] == {"original": "Ben van Reed", "underscore": "Ben_van_Reed", "initial": "BR"}
    assert context["page"]["store"] == "compressed"


@pytest.mark.parametrize(
    "address", ["/replay/run/8/", "/replay/new/0/", "/replay/nobody/0/", "/demo/run/0/2/", "/demo/packed/8/2/"]
)
def test_what_is_not_there_is_a_friendly_404(stage, client, address):
    """A step past the end, a simulation nobody has run, one nobody knows, one that is not compressed."""
    stage.save("run", stage.walk(8))
    stage.save("new")
    stage.compress("packed", stage.walk(8))
    answer = client.get(address)
    assert answer.status_code == 404
    assert "not_found.html" in [template.name for template in answer.templates]
    assert address.split("/")[2] in answer.context["reason"]


def test_a_map_nobody_has_is_named(stage, client):
    """Rather than a page without a town."""
    stage.save("run", stage.walk(2), maze_name="elsewhere")
    answer = client.get("/replay/run/0/")
    assert answer.status_code == 404
    assert "elsewhere" in answer.context["reason"]


def test_to_look_changes_nothing(stage, client):
    """No page writes a file, whatever it shows."""
    stage.save("run", stage.walk(8))
    stage.compress("run", stage.walk(8))
    stage.announce("run")
    before = stage.files()
    for address in (
        "/", "/simulator_home", "/replay/run/2/", "/demo/run/2/3/", "/replay_persona_state/run/2/Ada_Stone/",
        "/path_tester/", "/path_tester_out/", "/status/", "/live/run/", "/frames/run/0/7/", "/timeline/run/",
        "/memories/run/Ada_Stone/?step=2",
    ):  # fmt: skip
        assert client.get(address).status_code == 200, address
    assert stage.files() == before
