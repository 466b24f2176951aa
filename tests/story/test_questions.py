"""Runs that do not ask what is known, and runs from before that rule, which go on as they were."""

import json
from dataclasses import replace

import pytest
from default_answers import question_of
from short_runs import different, timeless, went

from ville.assembly import models
from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest, run

SAVED, ASKED = 1400, 1500
"""Steps of a minute: the last save of a killed run, and how far it came, past midnight."""
KNOWN = {"plan_wake_up_hour", "plan_where_and_how"}


@pytest.fixture
def settings(small_town, server):
    return replace(
        small_town.settings, fsync=False, provider="llamacpp", base_url=server.url, fast_model="m",
        embedder="llamacpp", embedding_model="v",
    )  # fmt: skip


@pytest.fixture
async def older(settings, monkeypatch):
    """Files of a run of an engine without the setting; a second one was killed, and has no save of its last steps."""
    everything = replace(settings, questions="paper")
    with monkeypatch.context() as before:
        before.setattr(models, "COMPUTING", tuple(name for name in models.COMPUTING if name != "questions"))
        files = await went(everything, "base", "older", ASKED, autosave=700)
        await went(everything, "base", "killed", SAVED)
        killed = await open_at(everything, "killed", "killed")
        await run(killed, ASKED - SAVED, autosave=0, watch=lambda _: None, stop=StopRequest())
        await killed.close()
    assert not any(b"questions" in text for text in files.values() if isinstance(text, bytes))
    return files


async def replayed(settings, recording, steps):
    """Run a simulation again from its ledger; return its files."""
    again = await open_at(settings, "base", f"{recording}_again", beginning=Beginning(recording=recording))
    await run(again, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    again.save()
    await again.close()
    return timeless(again.folder.root)


def lived(files):
    """Return what happened, and who people have become."""
    return {name: text for name, text in files.items() if name.startswith(("movement", "personas"))}


@pytest.mark.slow
async def test_an_older_run_goes_on_is_replayed_and_branched_without_a_call(settings, server, older):
    """Whatever was asked then is asked again, and its ledger answers."""
    server.requests.clear()
    assert different(await went(settings, "killed", "killed", ASKED - SAVED), older) == []
    assert lived(await replayed(settings, "older", ASKED)) == lived(older)
    for step in (333, SAVED, ASKED - 1):
        branch = await went(settings, f"older@{step}", f"branch_{step}", ASKED - step)
        assert lived(branch) == lived(older), step
        assert "questions" not in json.loads(branch["reverie/run.json"])
    assert server.requests == []


async def test_a_new_run_asks_nothing_that_is_known(settings, server):
    """It says so, and goes on like that, replayed and branched without a call."""
    files = await went(settings, "base", "new", 600, autosave=200)
    assert json.loads(files["reverie/run.json"])["questions"] == "situated"
    asked = {question_of(request.body) for request in server.chats}
    assert "plan_wake_up_hour" not in asked
    server.requests.clear()
    assert lived(await replayed(settings, "new", 600)) == lived(files)
    assert lived(await went(settings, "new@333", "branch", 600 - 333)) == lived(files)
    assert server.requests == []


async def test_who_thinks_meanwhile_goes_on_is_replayed_and_branched_without_a_call(settings, server):
    """As the run says, whatever the settings are then; by default, and in what is older, people think at once."""
    town = replace(settings, tuning="importance_trigger_max=12")
    meanwhile = replace(town, thinking="meanwhile")
    files = await went(meanwhile, "base", "new", 600, autosave=200)
    await went(meanwhile, "base", "killed", 410)
    killed = await open_at(town, "killed", "killed")
    await run(killed, 190, autosave=0, watch=lambda _: None, stop=StopRequest())
    await killed.close()
    assert "reflect_insights" in {question_of(request.body) for request in server.chats}
    assert json.loads(files["reverie/run.json"])["thinking"] == "meanwhile"
    server.requests.clear()
    assert lived(await replayed(town, "new", 600)) == lived(files)
    assert lived(await went(town, "new@333", "branch", 600 - 333)) == lived(files)
    assert lived(await went(town, "killed", "killed", 190)) == lived(files)
    assert server.requests == []
    assert "thinking" not in json.loads((await went(town, "base", "other", 1))["reverie/run.json"])


async def test_everything_is_asked_if_that_is_set(settings, server):
    """A fork goes on asking, until that is set otherwise."""
    await went(replace(settings, questions="paper"), "base", "new", 1)
    assert {question_of(request.body) for request in server.chats} >= KNOWN
    files = await went(settings, "new", "fork", 1)
    assert "questions" not in json.loads(files["reverie/run.json"])
    files = await went(replace(settings, questions="situated"), "new", "other", 1)
    assert json.loads(files["reverie/run.json"])["questions"] == "situated"


@pytest.mark.parametrize(
    ("preset", "questions"), [("released", "paper"), ("aga", "paper"), ("faithful", "paper"), ("lean", "")]
)
def test_presets_of_other_code_ask_everything_as_it_does(preset, questions):
    assert load_settings({"preset": preset}, {}).questions == questions


@pytest.mark.parametrize(
    ("rule", "before", "now", "line"),
    [
        ("questions", "paper", "situated", "was asked paper questions until now"),
        ("thinking", "meanwhile", "at_once", "was run with thinking=meanwhile until now"),
    ],
)
async def test_who_goes_on_by_other_rules_is_told(small_town, rule, before, now, line):
    """Resumed in place; a fork, and who goes on as before, are not told."""
    said = {}
    for origin, name, value in (
        ("base", "town", before), ("town", "town", ""), ("town", "fork", now), ("town", "town", now),
    ):  # fmt: skip
        simulation = await open_at(replace(small_town.settings, **{rule: value}), origin, name)
        simulation.save()
        await simulation.close()
        said[origin, name, value] = " ".join(simulation.notes)
    assert {key for key, text in said.items() if line in text} == {("town", "town", now)}
