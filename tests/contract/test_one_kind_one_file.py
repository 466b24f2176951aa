"""A kind of intervention is one file: what is written there is known at every place that knows kinds."""

import asyncio
import json
from dataclasses import replace

import kinds_document
import pytest
from django.test import Client
from django.utils import translation

from ville.assembly import models
from ville.assembly import run as assembly
from ville.errors import BadIntervention
from ville.prompt.commands import completions
from ville.prompt.dialogues import read_intervention
from ville.service import listener
from ville.service.listener import listening
from ville.simulation.interventions import kinds as folder
from ville.simulation.interventions.catalogue import kinds, parse_intervention
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.intervention_file import planned_rows, read_objects
from ville.simulation.interventions.prepare import check_planned
from ville.storage.records.intervention_log import LOG, read_rows

FLOOD = '''
"""A flood."""

from typing import Annotated, Literal

from pydantic import Field

from ville.errors import BadIntervention
from ville.simulation.interventions.addresses import find_place
from ville.simulation.interventions.circumstances import in_field
from ville.simulation.interventions.fields import PersonaName, Place, Steps
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Offer, Told
from ville.simulation.interventions.target import Effect
from ville.world.occurrences import PlaceEvent


class Flood(Intervention):
    """Water rises at a place."""

    kind: Literal["flood"] = "flood"
    where: Place
    """Where the water rises."""
    who: PersonaName
    """Who gets wet feet."""
    inches: Annotated[int, Field(ge=1, le=90)] = 3
    """How high it rises."""
    cause: Literal["rain", "pipe"] = "rain"
    """Where the water comes from."""
    steps: Steps = 2
    """How long it lasts."""


async def prepare(target, flood):
    town, place = target.town, find_place(target.town.maze, flood.where)
    now = town.clock.step
    event = PlaceEvent(where=str(place), words="water rises", since=now, until=now + flood.steps)

    def apply():
        town.occurrences = town.occurrences.with_event(event)
        return f"Water rises around {flood.who}."

    return Effect(flood.model_copy(update={"where": str(place)}), apply)


def check(around, flood, _step):
    with in_field("where"):
        find_place(around.maze, flood.where)
    if flood.inches > 50:
        raise BadIntervention("inches: the town has no boats")


KIND = Kind(
    Flood,
    prepare,
    effect="water rises, and somebody gets wet feet",
    check=check,
    told=Told("%(names)s gets wet feet at %(place)s."),
    offer=Offer("Flood a place", "Water rises, and somebody gets wet feet", "🌊"),
)
'''
ADA = "Ada Stone"
WET = {"kind": "flood", "where": "hill cafe", "who": "Ada", "inches": 9}
LOGGED = {"where": "the Town:Hill Cafe", "who": ADA, "cause": "rain", "steps": 2}
HERE = {"ville.loopback": "1", "SERVER_NAME": "localhost"}


@pytest.fixture(autouse=True)
def flood(tmp_path, monkeypatch):
    """Add one file to the folder of the kinds."""
    added = tmp_path / "added"
    added.mkdir()
    (added / "flood.py").write_text(FLOOD, "utf-8")
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(added)])
    kinds.cache_clear()
    yield
    kinds.cache_clear()


@pytest.fixture
def simulation(small_town, townsfolk, monkeypatch):
    monkeypatch.setattr(models, "offline_chat", lambda *_: townsfolk)
    return assembly.open_simulation(small_town.settings, "base", "new", lambda _: None)


@pytest.fixture
def page(small_town, settings):
    """A page of this machine."""
    settings.STORAGE, settings.TEMP_STORAGE = small_town.root / "storage", small_town.root / "temp"
    settings.COMPRESSED_STORAGE = small_town.root / "compressed"
    settings.STATICFILES_DIRS = [("assets", small_town.root / "assets"), *settings.STATICFILES_DIRS]
    yield Client(**HERE)
    translation.deactivate()


def test_a_plan_is_read_and_checked(simulation, tmp_path):
    """From YAML: its fields by type, the persona by name, and what only this kind knows."""
    path = tmp_path / "plan.yaml"
    path.write_text("- {step: 4, kind: flood, where: hill cafe, who: Ada}\n", "utf-8")
    around = Circumstances.of(simulation.target())
    check_planned(planned_rows(read_objects(path), simulation.clock, "plan"), around)
    for field, value in (("who", "Zoe"), ("where", "atlantis"), ("inches", 60), ("inches", 99), ("cause", "tea")):
        with pytest.raises(BadIntervention, match=f"flood: {field}"):
            check_planned(planned_rows([{"step": 4, **WET, field: value}], simulation.clock, "plan"), around)


async def test_the_prompt_completes_it_and_asks_for_its_fields():
    """Fields that are left out have their defaults."""
    asked, lines = [], iter(["hill cafe", "Ada", "9", "", ""])

    async def ask(text):
        asked.append(text)
        return next(lines)

    assert await read_intervention("flood", ask) == parse_intervention(WET)
    assert asked[0] == "where (Where the water rises). Needed. "
    assert asked[3] == "cause (Where the water comes from). Press Enter for: rain. "
    assert "intervene flood" in completions("intervene fl", [])


class _Host:
    """A session that only listens."""

    def notice(self, _line):
        pass

    def leave(self):
        pass


async def test_a_page_sends_it_and_the_feed_tells_it(simulation, page, small_town, monkeypatch):
    """Over HTTP into the log, with what it does to the town; in the words of the kind."""
    monkeypatch.setattr(listener, "INTERVAL", 0)
    async with listening(simulation, replace(small_town.settings, fsync=False), _Host()):
        body = json.dumps({"id": "1", "request": "intervene", **WET})
        origin = {"headers": {"Origin": "http://localhost"}, "content_type": "application/json"}
        sent = await asyncio.to_thread(page.post, "/act/new/", body, **origin)
        where = f"/acts/new/{sent.json()['number']}/?wait=1"
        while (ack := (await asyncio.to_thread(page.get, where)).json()["ack"]) is None:
            pass
    assert ack["said"] == [f"Water rises around {ADA}."]
    (row,) = read_rows(small_town.root / "storage/new/reverie" / LOG)
    assert LOGGED.items() <= row.items()
    assert simulation.town.occurrences.events
    simulation.save()
    (entry,) = [each for each in page.get("/feed/new/").json()["entries"] if each["kind"] == "intervention"]
    assert (entry["text"], entry["what"]) == ("Ada gets wet feet at Hill Cafe.", "flood")
    await simulation.close()


def test_pages_can_make_a_form_of_its_fields(page):
    """Its name, and its fields as JSON Schema; in Russian too, where what is not translated is English."""
    for language in ("en", "ru"):
        answer = page.get("/kinds/", headers={"Accept-Language": language}).json()
        (flood,) = [each for each in answer["kinds"] if each["kind"] == "flood"]
        assert flood["offer"]["title"] == "Flood a place"
        fields = flood["schema"]["properties"]
        assert fields["where"] == {
            **fields["where"], "type": "string", "format": "place", "description": "Where the water rises."
        }  # fmt: skip
        assert (fields["inches"]["minimum"], fields["inches"]["maximum"], fields["inches"]["default"]) == (1, 90, 3)
        assert fields["cause"]["enum"] == ["rain", "pipe"]
        assert flood["schema"]["required"] == ["where", "who"]


def test_the_documents_want_a_row_for_it():
    """The check of the documents says which."""
    fields = "`where`, `who`, `inches` (3), `cause` (rain), `steps` (2)"
    assert f"| `flood` | {fields} | water rises, and somebody gets wet feet |" in kinds_document.table()
    assert kinds_document.table() not in kinds_document.DOCUMENT.read_text("utf-8")
