"""An engine without a prompt: other programs open simulations, run them, and ask, while it is killed now and then."""

import json
import signal

import pytest
from outside import wait
from step_texts import has_step

from ville.storage.records.title import read_title

ADA = "Ada Stone"


def meta(storage, name):
    return json.loads((storage.folder(name) / "reverie/meta.json").read_text("utf-8"))


def log(storage, name):
    lines = (storage.folder(name) / "reverie/interventions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_a_day_at_the_page_without_a_terminal(storage, serve):
    """Open, run until morning, whisper, interview; another simulation instead; SIGTERM saves what is open."""
    town = serve()
    assert town.ask("close")["result"] == "refused"
    opened = town.ask("open", origin="base", name="first", seed=7, title="A first town", run_until="morning")
    assert (opened["result"], opened["sim_code"], opened["step"]) == ("done", "first", 0)
    town.runs_to(360)
    assert town.temp.status()["ended"] == "reached"
    whispered = town.act("first", "intervene", kind="whisper", who=ADA, words="You want to run for mayor")
    assert (whispered["result"], whispered["step"]) == ("applied", 360)
    answer = town.act("first", "interview", who="Ada", question="Do you want to run for mayor?")
    assert "mayor" in answer["memories"][0]["description"]
    assert town.act("first", "save_as", name="mine", title="Mine")["name"] == "mine"
    second = town.ask("open", origin="mine", name="second", speed=600)
    assert second["step"] == 360
    town.reads(sim_code={"second"}, state={"open"})
    saved = town.ask("interview", sim_code="first", who="Ada", question="Do you want to run for mayor?")
    assert (saved["result"], saved["text"]) == ("done", answer["text"])
    assert town.act("second", "run", steps=5)["until_step"] == 365
    assert town.ends(signal.SIGTERM)[0] == 128 + signal.SIGTERM
    assert (meta(storage, "first")["step"], meta(storage, "second")["fork_sim_code"]) == (360, "mine")
    titles = [read_title(storage.folder(name)) for name in ("first", "mine", "second")]
    assert titles == ["A first town", "Mine", ""]
    assert town.temp.engine() == {}
    assert [row["kind"] for row in log(storage, "first")] == ["whisper"]


@pytest.mark.slow
def test_what_cannot_be_opened_is_refused_and_what_was_open_runs_on(storage, serve):
    """Each in a line that the status keeps; no folder is left behind, and the run goes on."""
    town = serve()
    town.ask("open", origin="base", name="first")
    town.act("first", "speed", speed=600)
    town.act("first", "run", steps=10**6)
    damaged = storage.folder("damaged")
    storage.run("reverie_offline", "-o", "base", "-t", "damaged", "-s", 1)
    (damaged / f"personas/{ADA}/bootstrap_memory/scratch.json").write_text("{", "utf-8")
    busy = storage.start("reverie", "--origin", "base", "--name", "busy")
    wait((storage.root / "temp/inbox/busy").exists, busy)
    before = set(storage.folder("base").parent.iterdir())
    wrong = [
        ({"origin": "nowhere", "name": "new"}, "no simulation 'nowhere'"),
        ({"origin": "base", "name": "first"}, "already a simulation 'first'"),
        ({"origin": "base", "name": "../new"}, "cannot be the name"),
        ({"origin": "damaged", "name": "damaged"}, "scratch.json"),
        ({"origin": "busy", "name": "busy"}, "is open in process"),
        ({"origin": "base", "name": "new", "run_until": "never"}, "'never' is not a time"),
        ({"origin": "base", "name": "new", "run_until": "February 1, 2023, 00:00:00"}, "in the past"),
        ({"origin": "base", "name": "new", "past": "../storage/base/reverie/meta.json"}, "not a history"),
        ({"origin": "base", "name": "new", "past": "small/none.csv"}, "is missing"),
        ({"origin": "base", "name": "new", "title": "x" * 81}, "title has 81 characters"),
        ({"origin": "base", "name": "new", "seed": "7"}, "seed"),
    ]
    for fields, words in wrong:
        ack = town.ask("open", **fields)
        assert (ack["result"], words in ack["reason"]) == ("refused", True), ack
        assert len(ack["reason"].splitlines()) == 1
    wait(lambda: "none.csv" in town.temp.engine()["fault"], town.process)  # the others were malformed
    assert set(storage.folder("base").parent.iterdir()) == before
    assert town.act("first", "pause")["result"] == "done"
    town.reads(sim_code={"first"}, state={"open"})
    busy.kill()
    busy.communicate()


@pytest.mark.slow
def test_a_killed_engine_opens_again_what_was_open(storage, serve):
    """Nothing that was acknowledged is lost; the status says what has happened; a second engine is refused."""
    town = serve("--name", "first", "--origin", "base")
    assert storage.run("reverie", "--serve")[0] == 1
    town.act("first", "run", steps=20)
    town.runs_to(20)
    town.act("first", "save")
    added = town.act("first", "intervene", kind="memory_add", who=ADA, words="It rains")
    town.process.kill()
    town.process.communicate()
    again = serve("--reopen")
    again.reads(sim_code={"first"}, state={"open"})
    wait(lambda: fate_of(again) == "saved", again.process)
    assert again.temp.status()["step"] == 20
    assert log(storage, "first")[0]["id"] == added["id"]
    again.act("first", "run", steps=1)
    again.runs_to(21)
    assert again.ask("close")["step"] == 21
    again.reads(state={"idle"})
    assert "It rains" in (
        storage.folder("first") / f"personas/{ADA}/bootstrap_memory/associative_memory/nodes.json"
    ).read_text("utf-8")
    assert again.ends(signal.SIGINT)[0] == 130


def after_a_kill(town, serve):
    """Another engine after the one was killed."""
    town.process.kill()
    town.process.communicate()
    return serve("--reopen")


def fate_of(town):
    """Return the fate of the run after a crash, as the engine tells it; nothing once the run has ended."""
    return (town.temp.engine()["restarted"] or {}).get("fate")


def says(town, fate, step, *, state):
    town.reads(sim_code={"first"}, state={"open"})
    wait(lambda: fate_of(town) == fate, town.process)
    assert town.temp.engine()["restarted"]["step"] == step
    wait(lambda: town.temp.status()["state"] == state, town.process)


def test_the_run_of_a_killed_engine_goes_on_to_where_it_was_asked_to_go(storage, serve):
    """By itself, and it says so; its files are those of a run that was not killed. Afterwards nothing is left to do."""
    town = serve("--name", "first", "--origin", "base")
    town.act("first", "run", steps=900)
    wait(has_step(storage.folder("first"), 20), town.process)
    again = after_a_kill(town, serve)
    again.reads(sim_code={"first"}, state={"open"})
    wait(lambda: fate_of(again) == "goes on", again.process)
    again.runs_to(900)
    wait(lambda: not again.temp.engine()["restarted"], again.process)
    assert not (storage.root / "temp/asked_run.json").exists()
    again.act("first", "save")
    assert "to step 900" in again.ends(signal.SIGINT)[1]
    assert storage.run("reverie_offline", "-o", "base", "-t", "whole", "-s", "900")[0] == 0
    assert storage.files("first") == storage.files("whole")


def test_an_engine_that_is_started_again_never_forgets_what_was_open(serve):
    """It may be killed before it has opened it, and leaves that to the next one. So its status tells at once."""
    town = serve("--name", "first", "--origin", "base")
    town.reads(sim_code={"first"}, state={"open"})
    town.process.kill()
    town.process.communicate()
    before, told = town.temp.engine(), []

    def is_open():
        told.append(town.temp.engine())
        return told[-1] != before and told[-1]["state"] == "open"

    again = serve("--reopen")
    wait(is_open, again.process)
    assert {status["hosts"] for status in told} == {"first"}


def test_a_run_that_crashes_twice_at_one_place_is_stopped(storage, serve):
    """The first time it goes on, here to the pause in which it was. The second time it is told to be pressed again."""
    town = serve("--name", "first", "--origin", "base")
    town.act("first", "run", steps=100_000)
    wait(has_step(storage.folder("first"), 5), town.process)
    step = town.act("first", "pause")["step"]
    says(town := after_a_kill(town, serve), "paused", step, state="paused")
    says(town := after_a_kill(town, serve), "stopped", step, state="waiting")
    says(town := after_a_kill(town, serve), "saved", step, state="waiting")
    assert town.act("first", "run", steps=1)["result"] == "done"


def test_a_run_begun_by_the_rules_never_goes_on_with_a_paid_model_by_itself(storage, serve, server):
    """A model was chosen while it ran, and the engine crashed: the next one stands still, and asks for nothing."""
    storage.settings["VILLE_EMBEDDER"] = "hashing"
    town = serve("--name", "first", "--origin", "base")
    town.act("first", "run", steps=100_000)
    wait(has_step(storage.folder("first"), 5), town.process)
    storage.settings.update(VILLE_PROVIDER="llamacpp", VILLE_BASE_URL=server.url, VILLE_FAST_MODEL="m")
    again = after_a_kill(town, serve)
    again.reads(sim_code={"first"}, state={"open"})
    wait(lambda: fate_of(again) == "other models", again.process)
    wait(lambda: again.temp.status()["state"] == "paused", again.process)  # until then it is that of the killed one
    assert again.temp.engine()["restarted"]["step"] == again.temp.status()["step"]
    assert again.temp.engine()["restarted"]["models"].startswith("m at ")
    assert server.requests == []


@pytest.mark.slow
def test_a_simulation_whose_run_fails_stays_open_and_says_why(storage, serve, server):
    """Its budget is spent: pages are told the line and the cost; a missing key refuses the next one."""
    storage.settings.update(
        VILLE_PROVIDER="llamacpp", VILLE_EMBEDDER="hashing", VILLE_BASE_URL=server.url, VILLE_FAST_MODEL="m"
    )
    storage.settings["VILLE_MAX_CALLS"] = "5"
    town = serve()
    town.ask("open", origin="base", name="first", run_until="morning")
    wait(lambda: town.temp.status().get("ended") == "failed", town.process)
    status = town.temp.status()
    assert (status["state"], "max_calls" in status["fault"]) == ("waiting", True)
    assert (status["cost"]["calls"], status["cost"]["limit"]) == (5, None)
    assert "max_calls" in status["said"][-1][1]
    assert status["models"].startswith("m at ")
    assert town.act("first", "save")["result"] == "done"
    town.reads(sim_code={"first"}, state={"open"})
    assert town.ends(signal.SIGTERM)[0] == 128 + signal.SIGTERM
    storage.settings.update(VILLE_PROVIDER="openai", VILLE_BASE_URL="")
    town = serve()
    assert "needs a key" in town.ask("open", origin="base", name="second")["reason"]
    assert not storage.folder("second").exists()
