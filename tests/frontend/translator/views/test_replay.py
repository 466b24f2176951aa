"""Pages that show what has happened."""

import re
from html import unescape

import pytest


def test_a_replay_begins_at_its_step(stage, client):
    """People are where they were then, not where they are in the end; the page may begin at the last step."""
    stage.save("run", stage.walk(8))
    context = client.get("/replay/run/2/").context
    assert (context["sim_code"], context["step"], context["mode"]) == ("run", 2, "replay")
    assert context["persona_names"] == [["Ada Stone", "Ada_Stone"], ["Ben van Reed", "Ben_van_Reed"]]
    assert context["persona_init_pos"] == [["Ada Stone", 2, 1], ["Ben van Reed", 9, 1]]
    assert re.fullmatch(r"/static/[0-9a-f]{12}/assets/small/visuals/small.json", context["page"]["map"])
    assert client.get("/replay/run/7/").status_code == 200


@pytest.mark.parametrize(
    ("moment", "step"), [("00:03", 3), ("0:03:30", 4), ("February 13, 2023, 00:05:00", 5), ("end", 7)]
)
def test_a_moment_can_be_named_by_its_time(stage, client, moment, step):
    """The first step at that time or later, on every page of the past; what is no time is refused in a sentence."""
    stage.save("run", stage.walk(8))
    stage.compress("packed", stage.walk(8))
    pages = (f"/replay/run/{moment}/", f"/demo/packed/{moment}/2/", f"/replay_persona_state/run/{moment}/Ada_Stone/")
    assert [client.get(address).context["step"] for address in pages] == [step] * 3
    for wrong in ("25:00", "23:00", "x:y", "1:2:3:4"):
        assert client.get(f"/replay/run/{wrong}/").status_code == 400


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
    """A step past the end, a simulation that has not been run, an unknown one, one that is not compressed."""
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


def test_an_example_of_an_older_guide_leads_to_what_there_is(stage, client):
    """The recording that the original's guide links to does not exist: the page offers every one that is here."""
    stage.save("run", stage.walk(8))
    stage.save("new")
    stage.compress("packed", stage.walk(8))
    for kind, speed in (("demo", "3/"), ("replay", "")):
        answer = client.get(f"/{kind}/July1_the_ville_isabella_maria_klaus-step-3-20/1/{speed}")
        assert answer.status_code == 404
        offered = re.findall(r'<li><a href="([^"]+)">(\w+)</a>', answer.content.decode())
        assert {name for _, name in offered} == {"run", "packed"}
        assert [client.get(address).status_code for address, _ in offered] == [200, 200]


def matrix(stage, width, walls):
    """A map of ten rows with walls in some columns."""
    stage.put("assets/small/matrix/maze_meta_info.json", {"maze_width": width, "maze_height": 10})
    row = ["32125" if column in walls else "0" for column in range(width)]
    stage.put("assets/small/matrix/maze/collision_maze.csv", ", ".join(row * 10))


@pytest.mark.parametrize(
    ("width", "walls", "share"), [(20, {}, ""), (20, {19}, ""), (20, {3}, ""), (20, {9}, "50%"), (9, {}, "50%")]
)
def test_a_recording_of_another_map_says_so(stage, client, width, walls, share):
    """With the share of its steps that lead through walls or off the map, and what to type; a few say nothing."""
    matrix(stage, width, walls)
    frame = stage.walk(1)[0]
    once = {**frame, "Ada Stone": {**frame["Ada Stone"], "movement": [3, 1]}}
    frames = [frame, frame, once, *[frame] * 197]
    stage.save("run", frames)
    stage.compress("run", frames)
    for address in ("/replay/run/2/", "/demo/run/2/3/"):
        answer = client.get(address)
        said = answer.context["misfit"]
        assert bool(said) == bool(share)
        assert share in said
        if share:
            assert "python environment/build_town.py adopt run --map" in said
            assert said in unescape(answer.content.decode())
