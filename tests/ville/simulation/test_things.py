"""States of objects and events at places: how they come, how they show, and how they end."""

import json

import pytest

from ville.errors import BadIntervention
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Source
from ville.simulation.running.heartbeat import status
from ville.simulation.stepping.arrive import arrive
from ville.world.occurrences import IS_NOW, IS_SCENE_OF
from ville.world.tile_event import Event

API = Source(door="api")
ADA, BEN = "Ada Stone", "Ben Reed"
FLAT = "the Town:Ada's flat"
BED = f"{FLAT}:main room:bed"
BURNING = Event(BED, IS_NOW, "burning", "burning")


@pytest.fixture
def change():
    """Intervene in a simulation."""

    async def intervene(simulation, kind, where, **fields):
        values = {"kind": kind, "where": where, **fields}
        return await simulation.intervene(parse_intervention(values), source=API)

    return intervene


@pytest.fixture
def still(townsfolk, monkeypatch):
    """No one does anything about what happens."""
    complete = type(townsfolk).complete

    async def carry_on(self, request):
        reply = await complete(self, request)
        if request.question == "react/how_to_respond":
            noticed.append((request.step, request.persona, request.fields["noticed"]))
            return type(reply)(json.dumps({"choice": "carry on"}), reply.model)
        return reply

    noticed = []
    monkeypatch.setattr(type(townsfolk), "complete", carry_on)
    return noticed


def positions(town):
    return {name: tuple(tile) for name, tile in town.tiles.items()}


def shown(town, address):
    """Return the states that an object shows, on any tile."""
    events = [event for tile in town.maze for event in town.maze.events_at(tile)]
    return {event.object for event in events if event.subject == address}


@pytest.mark.usefixtures("still")
async def test_a_state_shows_on_the_object_until_it_ends(opened, run_for, change):
    """On all its tiles, instead of its use, up to the step named or until it is idle again."""
    simulation = opened("new")
    town = simulation.town
    await run_for(simulation, 2)
    assert shown(town, BED) == {"being slept in"}  # Ada is asleep in it
    assert await change(simulation, "object", "ada's flat > bed", state="The bed is burning.", until=6) == [
        "bed in Ada's flat > main room is burning."
    ]
    await run_for(simulation, 1)
    assert shown(town, BED) == {"burning"}
    assert all(BURNING in town.maze.events_at(tile) for tile in town.maze.address_tiles[BED])
    assert status(simulation, "running")["lasting"] == [
        {"kind": "object", "where": BED, "words": "burning", "until": 6}
    ]
    await run_for(simulation, 3)
    assert shown(town, BED) == {"burning"}
    await run_for(simulation, 1)  # step 6
    assert shown(town, BED) == {"being slept in"}
    await change(simulation, "object", BED, state="wet")
    await change(simulation, "object", BED, state="is Normal")
    assert not town.as_json()


async def test_an_event_is_perceived_at_its_place(opened, run_for, change, still):
    """By everyone there, once, for as many steps as it lasts; it is on no tile."""
    simulation = opened("new")
    await run_for(simulation, 2)
    assert await change(simulation, "event", "Ada's flat", words="the fire alarm rings", steps=3) == [
        "Ada's flat: the fire alarm rings, until step 5."
    ]
    await change(simulation, "event", "the town", words="thunder rolls.", steps=1)
    await run_for(simulation, 1)
    everyone = [(2, name, "thunder rolls") for name in simulation.town.personas]
    assert sorted(still) == sorted([(2, ADA, "the fire alarm rings"), *everyone])
    here = simulation.town.tiles[ADA]
    alarm = Event(FLAT, IS_SCENE_OF, "the fire alarm rings", "the fire alarm rings")
    assert (here, alarm) in simulation.town.maze.events_near(here, 0)
    assert not any(event.predicate == IS_SCENE_OF for event in simulation.town.maze.events_at(here))
    await run_for(simulation, 3)
    assert not simulation.town.occurrences
    assert len(still) == 1 + len(simulation.town.personas)


async def test_a_persona_mends_what_burns(opened, run_for, change):
    """Who notices it sees to it; once its minutes are over, the object is as before, and everyone who saw it knows."""
    simulation = opened("new")
    await run_for(simulation, 2)
    await change(simulation, "object", BED, state="burning")
    await run_for(simulation, 1)
    assert simulation.town.personas[ADA].scratch.action.mends == BED
    assert shown(simulation.town, BED) == {"burning"}
    await run_for(simulation, 10)
    assert not simulation.town.occurrences
    assert "burning" not in shown(simulation.town, BED)
    stream = simulation.town.personas[ADA].mind.stream
    assert [node.description for node in stream if node.object == "burning"] == ["bed is burning"]
    assert not any(node.object == "burning" for node in simulation.town.personas[BEN].mind.stream)


async def test_what_has_ended_is_on_disk(opened, run_for, change):
    """When, and thanks to whom; also if the run was killed meanwhile, or only opened and saved."""
    piano = "the Town:Hill Cafe:cafe:piano"
    found = []
    for often in (False, True):
        simulation = opened(f"new_{often}")
        await run_for(simulation, 2)
        await change(simulation, "object", BED, state="burning")
        await change(simulation, "object", piano, state="out of tune", until=9)
        for _ in range(20):
            simulation.save()
            await run_for(simulation, 1)
            if often:
                await simulation.close()  # not saved since
                simulation = opened(simulation.name, simulation.name)
                simulation.save()
                await run_for(simulation, 1)
        rows = (simulation.folder.root / "reverie" / "ended.jsonl").read_text("utf-8").splitlines()
        found.append([json.loads(row) for row in rows if json.loads(row)["step"] < 20])
        await simulation.close()
    mended = {"where": BED, "words": "burning", "since": 2, "by": [ADA]}
    over = {"step": 9, "where": piano, "words": "out of tune", "since": 2, "by": []}
    assert found[0] == found[1]
    assert [{**row, "step": 0} for row in found[0] if row != over] == [{"step": 0, **mended}]
    assert over in found[0]


async def test_who_has_put_one_thing_right_turns_to_the_next(opened, run_for, change):
    """Of two things that burn at once in a room, neither burns for ever."""
    simulation = opened("new")
    await run_for(simulation, 2)
    for thing in ("bed", "closet"):
        await change(simulation, "object", f"{FLAT}:main room:{thing}", state="burning")
    await run_for(simulation, 30)
    assert not simulation.town.occurrences


async def test_a_resumed_run_goes_on_with_what_happens(opened, run_for, change, small_town):
    """Saved and opened again while someone puts something right and an event lasts, or saved only when all is over, it
    writes the same files.
    """
    for name in ("whole", "cut", "once"):
        simulation = opened(name)
        await run_for(simulation, 2)
        await change(simulation, "object", BED, state="burning")
        await change(simulation, "event", "the Town", words="thunder rolls", steps=6)
        for step in (3, 4, 5, 20):
            await run_for(simulation, step - simulation.clock.step)
            if name != "once" or step == 20:
                simulation.save()
            if name == "cut":
                await simulation.close()
                simulation = opened(name, name)
    files = [small_town.files(name) for name in ("whole", "cut", "once")]
    for found in files:
        found.pop("reverie/interventions.jsonl")
    assert files[0] == files[1] == files[2]
    assert not simulation.town.occurrences


async def test_placing_again_changes_nothing(opened, run_for, change):
    """Observers can skip a step in which nothing moved, whatever lasts."""
    simulation = opened("new")
    await run_for(simulation, 2)
    await change(simulation, "object", BED, state="burning")
    await change(simulation, "event", FLAT, words="the fire alarm rings", steps=9)
    town = simulation.town
    arrive(town, positions(town))
    before = [town.maze.changes(tile, 0) for tile in town.maze]
    arrive(town, positions(town))
    assert [town.maze.changes(tile, 0) for tile in town.maze] == before


@pytest.mark.parametrize(
    ("kind", "said", "meant"),
    [
        ("object", "THE TOWN:ada's flat:Main Room:BED", BED),
        ("object", "Ada's flat > bed", BED),
        ("object", "Ada's flat, main room, bed", BED),
        ("object", "the piano", "the Town:Hill Cafe:cafe:piano"),
        ("object", "hill cafe / table", "the Town:Hill Cafe:cafe:table"),
        ("event", "Hill Cafe", "the Town:Hill Cafe"),
        ("event", "cafe", "the Town:Hill Cafe:cafe"),
        ("event", "the Town > Green > lawn", "the Town:Green:lawn"),
        ("event", "Town", "the Town"),
    ],
)
async def test_places_are_written_as_one_likes(opened, change, kind, said, meant):
    """As long as only one can be meant; the log has the whole address."""
    simulation = opened("new")
    await change(simulation, kind, said, **({"state": "odd"} if kind == "object" else {"words": "it is odd"}))
    (occurrence,) = (*simulation.town.occurrences.objects, *simulation.town.occurrences.events)
    assert occurrence.where == meant


@pytest.mark.parametrize(
    ("kind", "said", "told"),
    [
        ("object", "bed", r"'bed' can mean 'Ada's flat > main room > bed', .*Write one of these\."),
        ("object", "pianno", r"'pianno' is not an object of the Town\. Did you mean 'Hill Cafe > cafe > piano'\?"),
        ("object", "the moon", r"'the moon' is not an object of the Town\. "),
        ("object", "Hill Cafe", r"'Hill Cafe' is not an object of the Town\. "),
        ("event", "piano", r"'piano' is not a place of the Town\. "),
        ("event", ">:>", r"'>:>' is not a place of the Town\. Write it as sector > arena"),
    ],
)
async def test_a_place_that_is_not_clear_is_refused(opened, change, kind, said, told):
    """In one line, with what may be meant; nothing changes."""
    simulation = opened("new")
    with pytest.raises(BadIntervention, match=told) as caught:
        await change(simulation, kind, said, **({"state": "odd"} if kind == "object" else {"words": "it is odd"}))
    assert "\n" not in str(caught.value)
    assert not simulation.town.occurrences


@pytest.mark.parametrize("fields", [{"state": "is ."}, {"state": "()"}, {"state": "wet", "until": 0}])
async def test_a_state_that_says_nothing_is_refused(opened, change, fields):
    """And so is one that is over already."""
    with pytest.raises(BadIntervention):
        await change(opened("new"), "object", BED, **fields)
