"""Rules of a counterfactual: each keeps people from one thing, and any moment of a run with them can be returned to."""

import json
import random
import sqlite3
from dataclasses import replace

import pytest
from simulation_content import content_of

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.errors import BadIntervention, UnknownPersona
from ville.llm.accounting.ledger import FILE
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import API
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.steps.step_store import StepStore
from ville.world.address import Tile
from ville.world.maze_files import load_maze

DAY, TWO_DAYS = 1440, 2 * 1440
ADA, BEN, CLEO = "Ada Stone", "Ben Reed", "Cleo Adams Moor"
HISTORY = {"kind": "history", "rows": [[ADA, "You want to write a song"], [BEN, "You know Ada Stone"]]}


@pytest.fixture
def settings(small_town):
    return replace(small_town.settings, fsync=False)


def rule(name, **fields):
    return {"kind": "rule", "rule": name, **fields}


async def lived(settings, name, steps, *rows, origin="base", autosave=0, recording=""):
    """Run a fork with planned interventions, save it, and return its folder. Rows without a step come at once."""
    path = settings.fs_storage.parent / f"{name}.json"
    simulation = await open_at(settings, origin, name, beginning=Beginning(recording=recording))
    first = simulation.clock.step
    await simulation.close()
    path.write_text("\n".join(json.dumps({"step": first, **row}) for row in rows), "utf-8")
    plan = path if rows else None
    simulation = await open_at(settings, name, name, beginning=Beginning(recording=recording, interventions=plan))
    await run(simulation, steps - first, autosave=autosave, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()
    return simulation.folder.root


def memories(folder, name, kind):
    nodes = json.loads((folder / f"personas/{name}/bootstrap_memory/associative_memory/nodes.json").read_text("utf-8"))
    return [node for node in reversed(nodes.values()) if node["type"] == kind]


def scratch(folder, name):
    return json.loads((folder / f"personas/{name}/bootstrap_memory/scratch.json").read_text("utf-8"))


def shown(folder, name, steps):
    """Return the shown activities of a persona in some steps."""
    return [StepStore(folder).read_movement(step)["persona"][name] for step in steps]


def talks(folder, steps):
    """Conversations that begin in these steps: who, and where each of them stands."""
    begun, before = [], {}
    for step in steps:
        people = StepStore(folder).read_movement(step)["persona"]
        for name, record in people.items():
            if record["chat"] and record["chat"] != before.get(name):
                begun.append((frozenset(speaker for speaker, _ in record["chat"]), tuple(record["movement"])))
            before[name] = record["chat"]
    return begun


@pytest.mark.slow
async def test_a_frozen_mind_makes_no_thoughts(settings):
    """In two days it perceives and talks, but makes no thought, keeps its character and its impressions; the others
    think, and so does it when the rule ends. What is told it from outside it remembers.
    """
    told = {"step": 1500, "kind": "memory_add", "who": ADA, "words": "Ada Stone lost her keys"}
    off = {"step": DAY + 1000, **rule("freeze", who=ADA, on=False)}
    base = await lived(settings, "untouched", 1, HISTORY)
    whole = await lived(settings, "frozen", DAY + 1000, HISTORY, rule("freeze", who="Ada"), told)
    thoughts = [node["description"] for node in memories(whole, ADA, "thought")]
    at_first = [node["description"] for node in memories(base, ADA, "thought") if "plan for" not in node["description"]]
    assert thoughts == [*at_first, told["words"]]
    assert all([memories(whole, ADA, "event"), memories(whole, ADA, "chat"), memories(whole, BEN, "thought")])
    before, after = scratch(base, ADA), scratch(whole, ADA)
    assert (after["currently"], after.get("relationship")) == (before["currently"], before.get("relationship"))
    assert scratch(whole, BEN)["relationship"]
    thawed = await lived(settings, "thawed", TWO_DAYS + 100, off, origin="frozen")
    assert len(memories(thawed, ADA, "thought")) > len(thoughts)


@pytest.mark.slow
async def test_two_who_are_cut_never_talk(settings):
    """They did without the rule; each still talks with the third."""
    free = talks(await lived(settings, "free", TWO_DAYS, HISTORY), range(TWO_DAYS))
    cut = talks(await lived(settings, "cut", TWO_DAYS, HISTORY, rule("cut", who="Ada", other="Ben")), range(TWO_DAYS))
    assert frozenset({ADA, BEN}) in {pair for pair, _ in free}
    assert {pair for pair, _ in cut} == {frozenset({ADA, CLEO}), frozenset({BEN, CLEO})}


@pytest.mark.slow
async def test_nobody_talks_at_a_silenced_place(settings):
    """Where most conversations began none does any more, until the rule ends."""
    maze = load_maze(settings.assets / "small/matrix", "small")

    def places(folder, steps):
        return [maze.place(Tile(*tile)).path("arena") for _, tile in talks(folder, steps)]

    spoken = places(await lived(settings, "free", DAY, HISTORY), range(DAY))
    most = max(spoken, key=spoken.count)
    silent = await lived(settings, "silent", DAY, HISTORY, rule("silence", where=most))
    assert most not in places(silent, range(DAY))
    ended = {"step": 600, **rule("silence", where=most, on=False)}
    again = await lived(settings, "again", DAY, HISTORY, rule("silence", where=most), ended)
    assert most in places(again, range(600, DAY))


@pytest.mark.slow
async def test_one_person_answers_with_another_model(settings, server):
    """From its step on, all questions of hers go to that model, and no one else's; with `offline`, none is sent. The
    ledger gives all answers again.
    """
    model = replace(settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="hashing")
    rows = [
        {"step": 400, **rule("swap", who=ADA, model="other")},
        {"step": 600, **rule("swap", who=ADA, model="offline")},
        {"step": 700, **rule("swap", who=ADA, on=False)},
    ]
    folder = await lived(model, "swapped", 900, HISTORY, *rows)
    asked = calls(folder)
    assert {name for step, who, name in asked if who == ADA and 400 <= step < 600} == {"other"}
    assert {name for step, who, name in asked if who == ADA and 600 <= step < 700} == set()
    assert {name for step, who, name in asked if who != ADA or not 400 <= step < 700} == {"m"}
    assert [step for step, who, _ in asked if who == ADA and step >= 700]
    server.requests.clear()
    simulation = await open_at(model, "base", "replayed", beginning=Beginning(recording="swapped"))
    await run(simulation, 900, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()
    assert server.requests == []
    for name in (ADA, BEN, CLEO):
        assert memories(simulation.folder.root, name, "thought") == memories(folder, name, "thought")


def calls(folder):
    """Step, persona and model of every call for a chat."""
    with sqlite3.connect(folder / "reverie" / FILE) as ledger:
        return ledger.execute("SELECT step, persona, model FROM calls WHERE persona != ''").fetchall()


async def test_a_pinned_person_repeats_its_recording(settings):
    """Step by step, whatever the others do: they live on, and differ. It makes no memories, no one talks with it, and
    when the recording is over it lives again. With the questions of the paper, new concerns change what one does on
    the same day.
    """
    settings = replace(settings, questions="paper")
    whole = await lived(settings, "whole", 1200, HISTORY)
    news = {"kind": "trait", "who": BEN, "field": "currently", "now": "Ben Reed wants to swim all day."}
    pinned = await lived(settings, "pinned", 1300, rule("pin", who="Ada"), news, origin="whole@600")
    steps = range(600, 1200)
    assert shown(pinned, ADA, steps) == shown(whole, ADA, steps)
    assert shown(pinned, BEN, steps) != shown(whole, BEN, steps)
    talked = [pair for pair, _ in talks(pinned, steps) if ADA in pair]
    assert [pair for pair in talked if pair not in {pair for pair, _ in talks(whole, steps)}] == []
    made = {name: [node["created"] for node in memories(pinned, name, "event")] for name in (ADA, BEN)}
    during = {name: [time for time in times if "10:00" < time[11:16] < "20:00"] for name, times in made.items()}
    assert (during[ADA], bool(during[BEN])) == ([], True)
    assert any(time[11:16] >= "20:00" for time in made[ADA])


@pytest.mark.slow
async def test_a_run_with_rules_is_returned_to_like_any_other(settings):
    """At any moment, while any of the rules is in force: the branch goes on as its origin did."""
    chance = random.Random(2)  # noqa: S311 - any moments will do
    await lived(settings, "first", 1100, HISTORY)
    rows = [
        rule("pin", who=ADA, until=900),
        {"step": 520, **rule("freeze", who=BEN)},
        {"step": 560, **rule("cut", who=BEN, other=CLEO)},
        {"step": 600, **rule("silence", where="the Town:Hill Cafe")},
        {"step": 800, **rule("cut", who=BEN, other=CLEO, on=False)},
        {"step": 850, **rule("freeze", who=BEN, on=False)},
    ]
    await lived(settings, "whole", 1100, *rows, origin="first@500", autosave=120)
    for number, step in enumerate(chance.sample(range(501, 1100), 4)):
        await lived(settings, f"branch_{number}", 1100, origin=f"whole@{step}")
        assert timeless(settings, f"branch_{number}") == timeless(settings, "whole"), step


def timeless(settings, name):
    files = {file: text for file, text in content_of(settings.fs_storage / name).items() if "sqlite" not in file}
    log = files.pop("reverie/interventions.jsonl", b"")
    return files | {"log": [json.loads(row) | {"at": ""} for row in log.splitlines()]}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rule": "freeze"}, "freeze needs who"),
        ({"rule": "freeze", "who": "Zoe"}, "'Zoe'"),
        ({"rule": "freeze", "who": "Ada", "other": "Ben"}, "freeze has no other"),
        ({"rule": "cut", "who": "Ada", "other": "Ada"}, "with Ada Stone anyway"),
        ({"rule": "silence", "where": "nowhere"}, "'nowhere' is not a place"),
        ({"rule": "swap", "who": "Ada", "model": "gpt-5"}, "The offline rules answer for everyone"),
        ({"rule": "pin", "who": "Ada", "recording": "nothing"}, "no simulation 'nothing'"),
        ({"rule": "pin", "who": "Ada", "recording": "base"}, "nothing of Ada Stone from step 0 on"),
        ({"rule": "magic"}, "rule"),
    ],
)
async def test_an_impossible_rule_is_refused(settings, fields, words):
    """In one line, and nothing has changed."""
    simulation = await open_at(settings, "base", "new")
    try:
        with pytest.raises((BadIntervention, UnknownPersona)) as refused:
            await simulation.intervene(parse_intervention({"kind": "rule", **fields}), source=API)
        assert words in str(refused.value)
        assert not simulation.town.rules
    finally:
        await simulation.close()


def test_rules_are_typed_at_the_prompt(storage):
    """With parts of names; what was done is said, and what cannot be done."""
    typed = "call -- rule cut Ada, Ben\ncall -- rule freeze Zoe\ncall -- rule cut Ben, Ada off\nfin\n"
    code, said = storage.run("reverie", "--origin", "base", "--name", "new", typed=typed)
    assert code == 0
    assert f"{ADA} and {BEN} no longer talk with each other." in said
    assert f"{BEN} and {ADA} can talk with each other again." in said
    assert "'Zoe'" in said
