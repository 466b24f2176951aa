"""Data for the scripts of pages."""

import json
import os

import pytest


def merged(frames):
    """Changes laid over one another, step by step."""
    shown, found = {}, {}
    for step in sorted(frames, key=int):
        shown = {**shown, **frames[step]}
        found[int(step)] = shown
    return found


@pytest.mark.parametrize("store", ["saved", "compressed"])
def test_frames_come_in_pieces(stage, client, store):
    """From either shelf: the pieces, one after the other, are the whole run."""
    run = stage.walk(12)
    stage.save("run", run) if store == "saved" else stage.compress("run", run)
    found = {}
    while len(found) < len(run):
        answer = client.get(f"/frames/run/{len(found)}/{len(found) + 4}/").json()
        assert (answer["first"], answer["total"]) == (len(found), 12)
        found |= merged(answer["frames"])
        assert max(found) == answer["last"]
    assert [found[step] for step in range(12)] == run


def test_a_piece_ends_where_the_run_ends(stage, client):
    """Who asks for more gets what there is; who begins behind the end is told where it is."""
    stage.save("run", stage.walk(4))
    assert client.get("/frames/run/2/900/").json()["last"] == 3
    answer = client.get("/frames/run/4/9/")
    assert answer.status_code == 404
    assert "3" in answer.json()["error"]
    assert client.get("/frames/run/3/2/").status_code == 400
    assert list(client.get("/frames/run/3/3/").json()["frames"]) == ["3"]


def test_a_piece_is_bounded(stage, client):
    """However much is asked for."""
    stage.compress("run", stage.walk(700))
    answer = client.get("/frames/run/50/699/").json()
    assert (answer["first"], answer["last"], len(answer["frames"])) == (50, 549, 500)


def test_the_shelf_can_be_named(stage, client):
    """Two runs may have the same name."""
    stage.save("run", stage.walk(3))
    stage.compress("run", stage.walk(5))
    assert client.get("/frames/run/0/1/").json()["total"] == 3
    assert client.get("/frames/run/0/1/?store=compressed").json()["total"] == 5
    assert client.get("/timeline/run/?store=compressed").json()["steps"] == 5
    assert client.get("/frames/run/0/1/?store=cellar").status_code == 400


def test_what_has_not_changed_is_not_sent_again(stage, client):
    """A page that shows it has an answer is told to keep it."""
    stage.compress("run", stage.walk(5))
    tag = client.get("/frames/run/0/4/")["ETag"]
    assert client.get("/frames/run/0/4/", headers={"If-None-Match": tag}).status_code == 304


def test_the_timeline_tells_what_happens_when(stage, client):
    """Length, clock, people, days and conversations; both shelves agree."""
    stage.save("run", stage.walk(8))
    stage.compress("run", stage.walk(8))
    line = client.get("/timeline/run/").json()
    assert line == client.get("/timeline/run/?store=compressed").json()
    assert (line["first"], line["steps"]) == (0, 8)
    assert (line["start"], line["sec_per_step"]) == ("2023-02-13T00:00:00", 60)
    assert [person["underscore"] for person in line["personas"]] == ["Ada_Stone", "Ben_van_Reed"]
    assert line["conversations"] == [
        {"first": 3, "last": 5, "names": ["Ada Stone", "Ben van Reed"], "about": "walking"}
    ]
    assert line["days"] == [{"date": "2023-02-13", "first": 0}]


def test_a_live_page_goes_on_where_the_run_is(stage, client):
    """Not where it began: a page opened late, or opened again, begins behind the newest step."""
    folder = stage.save("run", stage.walk(3))
    stage.announce("run", step=0)
    for step in (3, 4):
        stage.show("run", step, stage.walk(5)[step])
    now = client.get("/live/run/").json()
    assert now["step"] == 5
    assert now["positions"] == {"Ada Stone": [4, 1], "Ben van Reed": [9, 1]}
    assert now["frame"] == stage.walk(5)[4]
    assert now["reported"] is False
    stage.put("storage/run/environment/5.json", stage.places(stage.walk(5)[4]))
    assert client.get("/live/run/").json()["reported"] is True
    assert (stage.temp / "curr_step.json").exists()
    assert folder.exists()


def test_before_the_first_step_people_stand_where_they_begin(stage, client):
    """A simulation that goes on from a save begins at the step after it."""
    stage.save("new")
    now = client.get("/live/new/").json()
    assert (now["step"], now["positions"], now["frame"]) == (0, {"Ada Stone": [0, 1], "Ben van Reed": [0, 1]}, {})


def test_status_is_what_the_engine_says(stage, client):
    """In JSON, and never kept by a browser as an answer to a later question."""
    assert client.get("/status/").json()["backend"] == "none"
    said = {
        "sim_code": "run",
        "state": "waiting",
        "step": 7,
        "until_step": None,
        "busy": [],
        "curr_time": "",
        "asleep_until": None,
    }
    stage.put("temp/backend_status.json", json.dumps(said))
    answer = client.get("/status/")
    assert (answer.json()["backend"], answer.json()["step"]) == ("waiting", 7)


def test_the_status_beside_an_older_backend_is_of_its_simulation(stage, client):
    """It writes no status file and finds one of ours that is over: its announcement and its steps tell."""
    stage.save("ours", stage.walk(3))
    stage.put("temp/backend_status.json", {"sim_code": "ours", "state": "stopped", "step": 3})
    folder = stage.save("theirs", stage.walk(8), step=2)
    stage.announce("theirs", 2)
    told = client.get("/status/").json()
    assert (told["sim_code"], told["backend"], told["step"]) == ("theirs", "running", 8)
    assert told["curr_time"] == "February 13, 2023, 00:14:00"
    for path in (folder / "movement").iterdir():
        os.utime(path, (1, 1))
    assert client.get("/status/").json()["backend"] == "waiting"
    assert client.get("/").context["live"]["sim_code"] == "theirs"


def test_the_tree_says_what_came_from_what(stage, client):
    """With what each has of its own; one that is damaged is left out."""
    for name in ("run", "told", "older", "broken"):
        stage.save(name, stage.walk(3))
    branch = {"from": "run", "step": 2, "rows": 1, "seed": 7, "settings": {"retrieval": "paper"}, "answers": "shared"}
    stage.put("storage/told/reverie/branch.json", branch)
    meta = stage.root / "storage/told/reverie/meta.json"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"fork_sim_code": "run"}))
    row = {"v": 1, "door": "page", "by": "", "at": "", "who": "Ada Stone", "words": "It rains"}
    rows = [{**row, "n": n, "step": n, "kind": "memory_add", "id": f"{n}"} for n in (1, 2)]
    stage.put("storage/told/reverie/interventions.jsonl", "".join(f"{json.dumps(each)}\n" for each in rows))
    stage.put("storage/broken/reverie/branch.json", "{")
    told = {each["sim_code"]: each for each in client.get("/tree/").json()["simulations"]}
    assert set(told) == {"run", "told", "older"}
    assert (told["told"]["from"], told["told"]["begins"], told["told"]["settings"]) == (
        "run",
        2,
        {"retrieval": "paper"},
    )
    assert told["told"]["interventions"] == [{"step": 2, "kind": "memory_add"}]
    assert (told["older"]["begins"], told["older"]["interventions"]) == (None, [])


def test_branches_are_told_with_their_cost_only_to_those_who_may_act(stage, client):
    """A program that was killed has failed; what is over stays so; a file that is no file of ours is left out."""
    branch = {"from": "run@8000", "id": "9f3c", "by": "Eve", "step": 8120, "fault": ""}
    cost = {"calls": 1, "tokens": 20, "dollars": 0.5, "limit": None}
    for name, state in {"told": "running", "killed": "running", "over": "done"}.items():
        stage.put(f"temp/branches/{name}.json", {**branch, "sim_code": name, "state": state, "cost": cost})
    stage.put("temp/branches/broken.json", {"sim_code": "broken"})
    for name in ("killed", "over"):
        os.utime(stage.root / f"temp/branches/{name}.json", (1, 1))
    told = {each["sim_code"]: each for each in client.get("/branches/").json()["branches"]}
    states = {name: each["state"] for name, each in told.items()}
    assert states == {"killed": "failed", "over": "done", "told": "running"}
    assert (told["told"]["cost"], told["told"]["by"], told["told"]["from"]) == (cost, "Eve", "run@8000")
    watched = client.get("/branches/", headers={"X-Forwarded-For": "10.0.0.9"}).json()["branches"]
    assert {(each["cost"], each["by"], each["fault"]) for each in watched} == {(None, "", "")}
