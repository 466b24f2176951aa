"""Pages tell the events of a run: live, saved and compressed, to those who may act and to those who watch."""

import asyncio
import json

import pytest
from django.conf import settings
from django.test import Client, override_settings

from ville.assembly import models
from ville.assembly import run as assembly
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Source
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.compressed.compression import compress

ADA, BEN = "Ada Stone", "Ben Reed"
BED = "the Town:Ada's flat:main room:bed"
WHISPERED = "You dream of a garden"
HERE = {"ville.loopback": "1", "SERVER_NAME": "localhost"}


@pytest.fixture(scope="module")
def town(tmp_path_factory, write_small_town):
    """The small town, in which the simulation `new` is lived once."""
    return write_small_town(tmp_path_factory.mktemp("feed"))


@pytest.fixture(scope="module")
def pages(town):
    """Ask the pages for the feed of a simulation."""

    def feed(name, begin=0, *, acting=True, **query):
        client = Client(**HERE) if acting else Client()
        answer = client.get(f"/feed/{name}/", {"from": begin, **query}).json()
        assert answer["damage"] == []
        return answer

    folders = {"STORAGE": "storage", "TEMP_STORAGE": "temp", "COMPRESSED_STORAGE": "compressed"}
    assets = [("assets", town.root / "assets"), *settings.STATICFILES_DIRS]
    with override_settings(STATICFILES_DIRS=assets, **{name: town.root / folder for name, folder in folders.items()}):
        yield feed


@pytest.fixture(scope="module")
def story(town, new_townsfolk, pages):
    """A user whispers, a bed burns and is put right, and a visitor comes and goes; what the pages told meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "offline_chat", lambda *_: new_townsfolk())
        return asyncio.run(lived(town, pages))


async def lived(town, pages):
    simulation = assembly.open_simulation(town.settings, "base", "new", lambda _: None)
    told = []

    async def live(steps, at_once=1, **intervention):
        if intervention:
            await simulation.intervene(parse_intervention(intervention), source=Source(door="page"))
        for _ in range(0, steps, at_once):
            await run(simulation, at_once, autosave=0, watch=lambda _: None, stop=StopRequest())
            told.append(pages("new", told[-1]["last"] + 1 if told else 0))

    await live(2)
    await live(1, kind="whisper", who=ADA, words=WHISPERED)
    await live(15, kind="object", where=BED, state="burning")
    await live(1, kind="visitor_in", name="Zoe", look="visitor 1", about="Zoe paints", tile=[1, 1])
    await live(2, kind="visitor_out", name="Zoe")
    await live(0, kind="event", where="the Town", words="thunder rolls")
    told.append(pages("new", told[-1]["last"] + 1))
    await live(680, at_once=20)
    simulation.save()
    await simulation.close()
    return told


def without(entries, *keys):
    return [{key: value for key, value in entry.items() if key not in keys} for entry in entries]


@pytest.fixture(scope="module")
def recording(town, story):  # noqa: ARG001 - it is compressed when it is over
    """The same run in its compressed form."""
    compress(town.root / "storage" / "new", town.root / "compressed" / "new")


@pytest.mark.usefixtures("recording")
def test_a_run_is_told_as_it_goes_on_and_afterwards(pages, story):
    """The same entries, each under one id, however often a page asks, and from a compressed run as well."""
    whole = pages("new")
    live = {entry["id"]: entry for answer in story for entry in answer["entries"]}
    assert [*live.values()] == whole["entries"]
    assert whole["last"] == 700
    assert pages("new", store="compressed") == whole
    assert pages("new", 16)["entries"] == [entry for entry in whole["entries"] if entry["step"] >= 16]
    assert [entry["step"] for entry in whole["entries"]] == sorted(entry["step"] for entry in whole["entries"])
    texts = [entry["text"] for entry in whole["entries"]]
    for sentence in (
        f"Whispered to Ada: “{WHISPERED}”",
        "Bed is burning.",
        "Bed is no longer burning, thanks to Ada.",
        "Zoe comes to visit.",
        "Zoe leaves the town.",
        "Thunder rolls.",
        "Ada wakes up.",
    ):
        assert texts.count(sentence) == 1, (sentence, texts)
    kinds = {entry["kind"] for entry in whole["entries"]}
    assert {"begins", "arrives", "visitor", "intervention", "state_ends", "wakes"} <= kinds
    assert {entry["what"] for entry in whole["entries"] if "what" in entry} == {"whisper", "object", "event"}


def test_what_has_not_happened_yet_is_told_at_once(story):
    """An intervention takes effect before the coming step; it is told before, and with the step."""
    assert [entry["text"] for answer in story for entry in answer["entries"]].count("Thunder rolls.") == 2


@pytest.mark.usefixtures("recording")
def test_watchers_are_not_told_what_was_whispered(pages):
    """Only that something was; neither in the run nor in its compressed form."""
    for store in ("saved", "compressed"):
        watched, acting = (pages("new", acting=may, store=store) for may in (False, True))
        assert WHISPERED in json.dumps(acting)
        assert WHISPERED not in json.dumps(watched)
        assert without(watched["entries"], "text") == without(acting["entries"], "text")
        assert "Something is whispered to Ada." in [entry["text"] for entry in watched["entries"]]
