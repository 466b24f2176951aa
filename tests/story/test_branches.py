"""Simulations in the background: begun at a moment of another one, watched, stopped, and killed now and then."""

import json
import os
import random
import signal

import pytest
from outside import started, wait
from waiting import PATIENCE

from ville.storage.exchange.background_files import BackgroundFiles

LIFTED = (None, "", "inf", "1e999", -1, "0.04", True)
"""Values that would lift a limit of 0.03 if they were accepted."""
ADA, BEN = "Ada Stone", "Ben Reed"


def there(storage, name):
    """Return the state in the branch's file; empty before there is one."""
    found = {status.sim_code: status for status in BackgroundFiles(storage.root / "temp").all()}
    return found.get(name)


def comes_to(town, name, *states):
    wait(lambda: (status := there(town.storage, name)) and status.state in states, town.process)
    return there(town.storage, name)


def step_of(storage, name):
    return json.loads((storage.folder(name) / "reverie/meta.json").read_text("utf-8"))["step"]


def rows(storage, name):
    lines = (storage.folder(name) / "reverie/interventions.jsonl").read_text("utf-8").splitlines()
    return [(row["step"], row["kind"]) for row in map(json.loads, lines)]


def opened(serve, steps, *flags):
    """An engine in which a simulation has run for some steps."""
    town = serve("--origin", "base", "--name", "first", *flags)
    town.reads(state={"open"}, sim_code={"first"})
    town.act("first", "run", steps=steps)
    town.runs_to(steps)
    town.act("first", "save")
    return town


@pytest.mark.slow
def test_branches_run_beside_the_open_simulation(storage, serve):
    """An untouched one has the files of its origin; another takes interventions, seed and setting of its own; the open
    simulation is saved first, and stays open. A moment can be asked, and opened.
    """
    town = opened(serve, 500)
    begun = town.ask("branch", **{"from": "first@303"}, name="same", until=500)
    assert (begun["result"], begun["step"], begun["from"]) == ("done", 303, "first@303")
    rain = [{"kind": "memory_add", "who": BEN, "words": "It rains"}]
    rain += [{"kind": "whisper", "who": ADA, "words": "You like rain", "step": 420}]
    rain += [{"kind": "rule", "rule": "cut", "who": ADA, "other": BEN}]
    other = {"seed": 9, "title": "Rain", "settings": {"retrieval": "paper"}, "interventions": rain, "by": "Eve"}
    told = town.ask("branch", **{"from": "first"}, name="told", until=510, **other)
    assert "intervention 2: step 420 is over" in told["reason"]
    rain[1]["step"] = 505
    assert town.ask("branch", **{"from": "first"}, name="told", until=510, **other)["until_step"] == 510
    assert comes_to(town, "same", "done", "failed").state == "done"
    status = comes_to(town, "told", "done", "failed")
    assert (status.state, status.step, status.by, status.title, status.fault) == ("done", 510, "Eve", "Rain", "")
    assert storage.files("same") == storage.files("first")
    assert rows(storage, "told") == [(500, "memory_add"), (500, "rule"), (505, "whisper")]
    branch = json.loads((storage.folder("told") / "reverie/branch.json").read_text("utf-8"))
    assert (branch["from"], branch["step"], branch["seed"]) == ("first", 500, 9)
    assert branch["settings"]["retrieval"] == "paper"
    town.ask("branch", **{"from": "told"}, name="told", until=520)
    wait(lambda: step_of(storage, "told") == 520, town.process)
    question = {"who": "Ben", "question": "Does it rain?"}
    before, after = (town.ask("interview", sim_code=f"told@{step}", **question) for step in (500, 501))
    assert ("It rains" in str(before["memories"]), "It rains" in str(after["memories"])) == (False, True)
    assert town.ask("open", origin="told@501", name="again")["step"] == 501
    town.reads(sim_code={"again"}, state={"open"})


def test_the_last_intervention_is_undone(storage, serve):
    """Of the open simulation, which is open again at the moment before it; asked twice, it is undone once."""
    town = opened(serve, 40)
    town.act("first", "intervene", kind="whisper", who=ADA, words="You like rain")
    town.act("first", "run", steps=20)
    town.runs_to(60)
    assert "not the last" not in str(town.ask("undo", name="first", number=1))
    town.reads(state={"open"}, sim_code={"first"})
    assert not (storage.folder("first") / "reverie/interventions.jsonl").exists()
    assert town.ask("undo", name="first", number=1)["result"] == "done"
    assert step_of(storage, "first") == 40
    assert [path.name.split(".")[0] for path in (storage.folder("first").parent / ".bin").iterdir()] == ["first"]
    town.act("first", "run", steps=5)
    town.runs_to(45)


def test_what_cannot_be_branched_is_refused(storage, serve):
    """In one line, and nothing is made. A request lifts no limit of the owner, and sends texts to no other server."""
    town = opened(serve, 100, "--max-cost", "0.03")
    wrong = [
        ({"from": "nowhere", "name": "new"}, "no simulation 'nowhere'"),
        ({"from": "first@300", "name": "new"}, "before step 300"),
        ({"from": "first@50+1", "name": "new"}, "0 interventions before step 50"),
        ({"from": "first@noon", "name": "new"}, "'noon' is not a moment"),
        ({"from": "base", "name": "first"}, "is open"),
        ({"from": "first", "name": "base"}, "already a simulation 'base'"),
        ({"from": "first", "name": "../new"}, "cannot be the name"),
        ({"from": "first@50", "name": "new", "until": 20}, "Step 20 is in the past"),
        ({"from": "first", "name": "new", "settings": {"base_url": "http://127.0.0.1"}}, "cannot change 'base_url'"),
        ({"from": "first", "name": "new", "settings": {"retrieval": "magic"}}, "retrieval"),
        ({"from": "first", "name": "new", "settings": {"max_cost": 1000, "fast_model": "dear"}}, "more than 0.03"),
        ({"from": "first", "name": "new", "settings": {"wallet": 1000}}, "cannot change 'wallet'"),
        ({"from": "first", "name": "new", "settings": {"provider": "ollama", "fast_model": "m"}}, "another server"),
        *(({"from": "first", "name": "new", "settings": {"max_cost": lifted}}, "max_cost") for lifted in LIFTED),
        ({"from": "first", "name": "new", "interventions": [{"kind": "magic"}]}, "not a kind of intervention"),
    ]
    before = set(storage.folder("base").parent.iterdir())
    for fields, words in wrong:
        ack = town.ask("branch", **fields)
        assert (ack["result"], words in ack["reason"]) == ("refused", True), ack
    assert set(storage.folder("base").parent.iterdir()) == before
    assert "does not run in the background" in town.ask("stop_branch", name="new")["reason"]
    unknown = [{"kind": "memory_add", "who": "Zoe", "words": "It rains"}]
    town.ask("branch", **{"from": "first"}, name="new", until=110, interventions=unknown)
    assert "Zoe" in comes_to(town, "new", "done", "failed").fault
    assert not storage.folder("new").exists()


@pytest.mark.slow
def test_stopped_or_killed_what_was_saved_stands(storage, serve):
    """A branch that was stopped, and those whose engine was killed, have saved after a step. One that was killed itself
    is as it was saved last, or was never made. Each goes on as its origin did.
    """
    chance = random.Random(3)  # noqa: S311 - any moments will do
    town = opened(serve, 600)
    whole = storage.files("first")
    names = [f"branch_{number}" for number in range(6)]
    for name in names:
        town.ask(
            "branch", **{"from": f"first@{chance.randrange(400)}"}, name=name, until=10**6, settings={"autosave": 7}
        )
    comes_to(town, names[0], "running")
    assert town.ask("stop_branch", name=names[0])["result"] == "done"
    assert town.ask("stop_branch", name=names[5])["result"] == "done"
    assert comes_to(town, names[0], "stopped").step == step_of(storage, names[0])
    assert comes_to(town, names[5], "stopped", "failed").state == "stopped"
    for name in names[1:3]:
        comes_to(town, name, *chance.choice([("running",), ("copying", "recomputing", "running")]))
        kill(town, name)
        assert "unexpectedly" in comes_to(town, name, "failed").fault
    town.process.kill()
    town.process.communicate()
    again = serve("--name", "first", "--origin", "first")
    for name in names:
        comes_to(again, name, "stopped", "failed")
        if storage.folder(name).exists():
            step = step_of(storage, name)
            storage.run("reverie_offline", "-o", name, "-t", name, "-s", max(0, 600 - step))
            if step <= 600:
                assert storage.files(name) == whole, name
    assert again.ends(signal.SIGTERM)[0] == 128 + signal.SIGTERM


def kill(town, name):
    """Kill the process that makes or runs a simulation."""
    lock = town.storage.root / f"storage/.{name}.lock"
    wait(lambda: lock.exists() and lock.read_text().strip(), town.process)
    os.kill(int(lock.read_text()), signal.SIGKILL)


@pytest.mark.slow
def test_a_branch_is_begun_at_the_prompt(storage):
    """It runs beside the simulation that is open there, and what is still running at the end is saved."""
    process = started(storage)
    process.stdin.write("run 100\nsave\nbranch told until 02:00 @50\ncall -- branch long until step 999999\n")
    process.stdin.flush()
    states = BackgroundFiles(storage.root / "temp")
    wait(lambda: (told := states.read("told")) and told.state == "done", process)
    wait(lambda: (long := states.read("long")) and long.state == "running", process)
    out, err = process.communicate("print branches\nfin\n", timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert "told: done, step 120 of 120." in out
    assert (step_of(storage, "new"), step_of(storage, "told")) == (100, 120)
    assert (states.read("long").state, states.read("long").step) == ("stopped", step_of(storage, "long"))
