"""Visitors: people without a mind, who are seen, spoken to and remembered like anybody."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from step_texts import shown_in

from ville.assembly.run import open_simulation
from ville.errors import BadIntervention, CorruptFile, UnknownPersona, Unreachable
from ville.persona.cognitive_modules.conversing.speaker import MOST_UTTERANCES
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Source
from ville.simulation.visitors import Visitors
from ville.storage.records.intervention_log import LOG

ADA, BEN, CLEO = "Ada Stone", "Ben Reed", "Cleo Adams Moor"
NORA = {"name": "Nora", "look": "visitor 3", "about": "Nora is a painter from the coast."}
GUESTS = ["Nora", "Olga", "Paul", "Rosa", "Sven", "Tara"]
API = Source(door="api")
BED = "the Town:Ada's flat:main room:bed"
MAX = {"name": "Max Frey", "look": "visitor 1", "home": "the Town:Cleo's flat:main room", "age": 30} | dict.fromkeys(
    ("innate", "learned", "currently", "lifestyle"), "calm"
)
SIX, MORNING = 6 * 60 + 2, 7 * 60 + 30
"""Steps of a minute: when the server lets all get up, and when all are up by any answers."""
VISIT = 60
NUDGE, LEAVE = 6, 12
"""Minutes of silence after which a persona speaks again, and after which it leaves."""


@pytest.fixture
def morning(opened_after):
    """A simulation of people who are up."""
    return opened_after(MORNING)


async def act(simulation, kind, **fields):
    return (await simulation.intervene(parse_intervention({"kind": kind, **fields}), source=API))[0]


async def say(simulation, to, words="Hello there."):
    return await act(simulation, "visitor_say", name="Nora", to=to, words=words)


def beside(simulation, name):
    """Return a free tile next to a persona."""
    x, y = simulation.town.tiles[name]
    tiles = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return next(tile for tile in tiles if not simulation.town.maze.is_wall(tile))


async def arrive(simulation, to=ADA, **fields):
    return await act(simulation, "visitor_in", **{**NORA, **fields, "tile": beside(simulation, to)})


def free_persona(simulation):
    return next(name for name, persona in simulation.town.personas.items() if persona.available_to_talk)


async def first_words(simulation, run_for, steps=25):
    """Return what personas say in the first step in which one speaks to a visitor, if any."""
    for _ in range(steps):
        (report,) = await run_for(simulation, 1)
        if report.said:
            return report.said
    return {}


def said_to_nora(reports):
    return [said for report in reports for _, said in report.said.values()]


def state(small_town, name):
    """Return all files but the log, which has clock times."""
    files = small_town.files(name)
    return {path: content for path, content in files.items() if not path.endswith(LOG)}


async def visit(simulation, run_for, names, pauses, steps=VISIT):
    """Go from one persona to the next and talk, in as many steps whatever the clock on the wall; pauses in seconds."""
    end = simulation.clock.step + steps
    await arrive(simulation)
    for name in names:
        while not await begin_talk(simulation, name, pauses):
            await run_for(simulation, 3)
        for words in ("I paint the sea.", "Goodbye!"):
            await run_for(simulation, 2)
            await asyncio.sleep(next(pauses))
            with suppress(BadIntervention):  # if the persona has ended the talk
                await say(simulation, name, words)
        await run_for(simulation, 2)
    await act(simulation, "visitor_out", name="Nora")
    await run_for(simulation, end - simulation.clock.step)
    simulation.save()


async def begin_talk(simulation, name, pauses):
    """Speak to a persona, or set out for where it stands; return whether it heard."""
    await asyncio.sleep(next(pauses))
    try:
        await say(simulation, name)
    except BadIntervention:
        await act(simulation, "visitor_walk", name="Nora", to=beside(simulation, name))
        return False
    return True


async def test_pauses_on_the_wall_clock_change_nothing(morning, opened, run_for, small_town):
    """Nor whether the visit is told by hand, or again from the log of a run, or killed in the middle of a talk."""
    lots = Random(1)  # noqa: S311 - only how long the pauses are
    people = [ADA, BEN, CLEO]
    morning.save()
    for name, longest in {"quick": 0.0, "slow": 0.02}.items():
        simulation = opened(name, "new")
        await visit(simulation, run_for, people, iter(lambda longest=longest: lots.random() * longest, None))
        assert state(small_town, name) == state(small_town, "quick")
    rows = [row for row in simulation.intake._log.rows if row["kind"] == "visitor_say"]
    assert {row["to"] for row in rows} == {*people}
    log = small_town.root / "storage/quick/reverie" / LOG
    cut = opened("cut", "new", interventions=log)
    await run_for(cut, rows[-1]["step"] - 1 - MORNING, autosave=rows[0]["step"] + 1)
    assert cut.town.visitors.talks  # saved in the middle of a talk, and killed in another
    cut._lock.release()
    cut = opened("cut", "cut")
    assert cut.town.visitors.talks
    await run_for(cut, MORNING + VISIT - cut.clock.step)
    cut.save()
    assert state(small_town, "cut") == state(small_town, "quick")


async def test_a_replay_of_a_visit_makes_no_call(small_town, server, run_for):
    """And is told nothing again; its files are those of the original."""
    provider = {"provider": "llamacpp", "base_url": server.url, "fast_model": "m"}
    simulation = open_simulation(replace(small_town.settings, **provider), "base", "new")
    await run_for(simulation, SIX)
    await visit(simulation, run_for, [ADA], iter(float, None), steps=9)
    await simulation.close()
    asked = len(server.requests)
    again = open_simulation(small_town.settings, "base", "again", recording="new")
    await run_for(again, simulation.clock.step)
    again.save()
    await again.close()
    assert len(server.requests) == asked > 0
    kept = [{k: v for k, v in state(small_town, each).items() if "ledger" not in k} for each in ("new", "again")]
    assert kept[0] == kept[1]
    assert any("Nora" in line for line in map(repr, again.intake._log.rows))


async def test_who_talked_with_a_visitor_remembers_it(morning, run_for):
    """The talk once, who it was, and thoughts about it; the time it took is in the schedule of the day."""
    who = free_persona(morning)
    await arrive(morning, who)
    await say(morning, who)
    await run_for(morning, 3)
    await act(morning, "visitor_out", name="Nora")
    await run_for(morning, 5)
    stream = morning.persona(who).mind.stream
    (chat,) = [node for node in stream.newest("chat") if node.object == "Nora"]
    assert chat.transcript[0] == ("Nora", "Hello there.")
    assert [speaker for speaker, _ in chat.transcript] == ["Nora", who]
    thoughts = [node.description for node in stream.newest("thought")]
    assert "Nora is visiting the town: a painter from the coast" in thoughts
    assert any(chat.node_id in node.evidence for node in stream.newest("thought"))
    rows = morning.persona(who).scratch.schedule.rows()
    assert any(chat.description in text for text, _ in rows)
    assert sum(minutes for _, minutes in rows) == 24 * 60
    view = morning.town.view()
    assert "Nora" not in view.people
    assert "Nora" in view.names  # retrieval about it still works


async def test_others_see_a_visitor_and_go_on_meanwhile(morning, run_for):
    """It is in the step files while it is in the town; a talk stops no one else."""
    who = free_persona(morning)
    await arrive(morning, who)
    await say(morning, who)
    reports = await run_for(morning, NUDGE)
    await act(morning, "visitor_out", name="Nora")
    (gone,) = await run_for(morning, 1)
    at = morning.town.tiles[who]
    for report in reports:
        record = shown_in(morning.folder.root, report.step)
        assert list(record) == [*morning.town.personas, "Nora"]
        assert record["Nora"]["chat"] == record[who]["chat"]
        assert tuple(record[who]["movement"]) == at
    assert "Nora" not in gone.moves
    others = [report.moves[name].description for report in reports for name in morning.town.personas if name != who]
    assert not any("Nora" in description for description in others)
    seen = [node.description for node in morning.persona(who).mind.stream.newest("event")]
    assert "Nora is conversing with " + who in seen


async def test_several_words_make_one_turn_and_are_answered_in_the_next_step(morning, run_for):
    """In their order."""
    who = free_persona(morning)
    await arrive(morning, who)
    await say(morning, who, "One.")
    await say(morning, who, "Two.")
    (report,) = await run_for(morning, 1)
    assert report.moves[who].chat == (("Nora", "One. Two."), (who, report.said[who][1]))
    assert (await run_for(morning, 1))[0].said == {}


async def test_a_persona_asks_once_and_leaves_a_silent_visitor(morning, run_for):
    """After six and after twelve minutes of game time."""
    object.__setattr__(morning.models, "chat", Endless(morning.models.chat))
    who = free_persona(morning)
    await arrive(morning, who)
    await say(morning, who)
    reports = await run_for(morning, LEAVE + 4)
    assert [number for number, report in enumerate(reports) if who in report.said] == [0, NUDGE]
    talks = [(report.moves[who].chat, report.moves["Nora"].chat) for report in reports]
    assert [number for number, (one, other) in enumerate(talks) if one and one == other] == list(range(LEAVE))


async def test_a_talk_has_at_most_sixteen_turns(morning, run_for):
    """Then the persona leaves, and words for a talk that is over are refused."""
    object.__setattr__(morning.models, "chat", Endless(morning.models.chat))
    who = free_persona(morning)
    await arrive(morning, who)
    with pytest.raises(BadIntervention, match=f"{who} has ended the conversation with Nora"):
        for _ in range(MOST_UTTERANCES):
            await say(morning, who)
            (report,) = await run_for(morning, 1)
    assert len(report.moves[who].chat) == MOST_UTTERANCES


async def test_a_visitor_whose_user_is_gone_walks_out(morning, run_for):
    """After half an hour, step by step, by the way it came."""
    x, y = entrance = beside(morning, ADA)
    await arrive(morning)
    await act(morning, "visitor_walk", name="Nora", to=(2, 6))
    reports = await run_for(morning, 30 + 40)
    at = [tuple(report.moves["Nora"].movement) for report in reports if "Nora" in report.moves]
    assert all(abs(x - u) + abs(y - v) <= 1 for (x, y), (u, v) in pairwise(at))
    assert at[29] == (2, 6)
    assert at[-1] == entrance == (x, y)
    assert len(at) < len(reports)
    assert morning.town.visitors.present == {}


async def test_a_failed_call_says_nothing_and_is_tried_again(morning, run_for):
    """Also at the end of a talk, which is stored once."""
    chat = morning.models.chat
    who = free_persona(morning)
    await arrive(morning, who)
    await say(morning, who)
    object.__setattr__(morning.models, "chat", Dead(chat, "converse/next_utterance"))
    (report,) = await run_for(morning, 1)
    assert (report.said, set(report.failures)) == ({}, {who})
    object.__setattr__(morning.models, "chat", Dead(chat, "converse/conversation_gist"))
    (report,) = await run_for(morning, 1)
    assert list(report.said) == [who]
    await act(morning, "visitor_out", name="Nora")
    (report,) = await run_for(morning, 1)
    assert set(report.failures) == {who}
    object.__setattr__(morning.models, "chat", chat)
    await run_for(morning, 4)
    assert len([node for node in morning.persona(who).mind.stream.newest("chat") if node.object == "Nora"]) == 1


async def test_personas_approach_visitors_by_themselves(morning, run_for):
    """Of several who come in turn, at least one: it begins with their words, and waits for the visitor's."""
    for name in GUESTS:
        await arrive(morning, free_persona(morning), name=name)
        if said := await first_words(morning, run_for):
            break
    ((who, (visitor, words)),) = said.items()
    assert visitor == name
    talk = morning.town.visitors.talks[who]
    assert (talk.transcript, talk.turn, talk.state) == (((who, words),), "visitor", "open")


async def test_a_talk_is_broken_off_for_what_happens_and_remembered(morning, run_for):
    """Nothing of it stays open, so the visitor's silence does not call the persona back."""
    who = free_persona(morning)
    await arrive(morning, who)
    await say(morning, who)
    await run_for(morning, 1)
    assert who in morning.town.visitors.talks
    await act(morning, "event", where="the Town", words="the fire alarm rings")
    await run_for(morning, 1)
    assert who not in morning.town.visitors.talks
    assert morning.persona(who).scratch.conversation is None
    stream = morning.persona(who).mind.stream
    (chat,) = [node for node in stream.newest("chat") if node.object == "Nora"]
    assert [speaker for speaker, _ in chat.transcript] == ["Nora", who]
    assert any(chat.node_id in node.evidence for node in stream.newest("thought"))


async def test_who_puts_something_right_is_not_spoken_to(opened, run_for):
    simulation = opened("new")
    await run_for(simulation, 2)
    await arrive(simulation)
    await act(simulation, "object", where=BED, state="burning")
    await run_for(simulation, 1)
    assert simulation.persona(ADA).scratch.action.mends
    with pytest.raises(BadIntervention, match="has no time now"):
        await say(simulation, ADA)


async def test_nobody_comes_with_the_name_of_a_former_resident(opened, run_for):
    """Everyone would mix the two up."""
    simulation = opened("new")
    await run_for(simulation, 1)
    await act(simulation, "resident_out", who=BEN)
    for _ in range(2):
        with pytest.raises(BadIntervention, match=f"{BEN} has lived here before"):
            await arrive(simulation, name=BEN.lower())
        simulation.save()


async def test_a_resident_with_the_name_of_an_earlier_visitor_is_not_on_a_visit(opened, run_for):
    simulation = opened("new")
    await run_for(simulation, 1)
    await arrive(simulation, name="Max Frey")
    await act(simulation, "visitor_out", name="Max Frey")
    assert simulation.town.view().visitor_text("Max Frey")
    await act(simulation, "resident_out", who=CLEO)
    await act(simulation, "resident_in", **MAX)
    assert not simulation.town.view().visitor_text("Max Frey")


REFUSED = [
    ("visitor_in", {"name": ADA}, "in the town already"),
    ("visitor_in", {"name": "ada stone"}, "in the town already"),
    ("visitor_in", {"name": "../../etc"}, "not a name"),
    ("visitor_in", {"name": "<script>"}, "not a name"),
    ("visitor_in", {"name": "\x00"}, "is empty"),
    ("visitor_in", {"look": "../adult"}, "no look"),
    ("visitor_in", {"tile": (0, 0)}, "0, 0 is a wall"),
    ("visitor_in", {"tile": (999, 0)}, "off the map"),
    ("visitor_walk", {"name": "Zoe", "to": (1, 1)}, "No visitor is called 'Zoe'"),
    ("visitor_walk", {"name": "Nora", "to": (0, 0)}, "is a wall"),
    ("visitor_say", {"name": "Nora", "to": "Zoe", "words": "Hi"}, "No persona is called 'Zoe'"),
    ("visitor_out", {"name": ADA}, f"No visitor is called '{ADA}'"),
]


@pytest.mark.parametrize(("kind", "fields", "message"), REFUSED)
async def test_what_a_visitor_cannot_do_is_refused(opened, run_for, kind, fields, message):
    simulation = opened("new")
    await run_for(simulation, 1)
    await arrive(simulation)
    values = {**NORA, "name": "Max", "tile": beside(simulation, ADA), **fields} if kind == "visitor_in" else fields
    with pytest.raises((BadIntervention, UnknownPersona), match=message):
        await act(simulation, kind, **values)
    assert len(simulation.intake._log.rows) == 1


@pytest.mark.parametrize("name", ["Nóra", "Елена Ким", "ノラ", "नोरा", "Anne-Marie O’Neil", "Dr. No"])
async def test_names_are_of_any_script(opened, run_for, name):
    simulation = opened("new")
    await arrive(simulation, name=name)
    await run_for(simulation, 1)
    simulation.save()
    assert name in shown_in(simulation.folder.root, 0)
    assert list(opened("fork", "new").town.visitors.present) == [name]


async def test_nobody_talks_asleep_from_afar_or_in_another_talk(opened, run_for, morning):
    sleeping = opened("night")
    await arrive(sleeping)
    with pytest.raises(BadIntervention, match="has not begun the day"):
        await say(sleeping, ADA)
    await run_for(sleeping, 1)
    with pytest.raises(BadIntervention, match=f"{ADA} is asleep"):
        await say(sleeping, ADA)
    who = free_persona(morning)
    await arrive(morning, who)
    await arrive(morning, who, name="Max")
    await say(morning, who)
    with pytest.raises(BadIntervention, match=f"{who} is talking with Nora"):
        await act(morning, "visitor_say", name="Max", to=who, words="And me?")
    x, y = morning.town.tiles[who]
    flats = [tile for flat in ("Ada's", "Cleo's") for tile in morning.town.maze.address_tiles[f"the Town:{flat} flat"]]
    far = max(flats, key=lambda tile: abs(tile.x - x) + abs(tile.y - y))
    await act(morning, "visitor_in", name="Zoe", look="visitor 1", about="far away", tile=tuple(far))
    with pytest.raises(BadIntervention, match=f"{who} is not near Zoe"):
        await act(morning, "visitor_say", name="Zoe", to=who, words="Hello?")


async def test_any_visits_leave_a_town_that_can_be_saved_and_opened(opened, run_for):
    """Random interventions and failing calls: done or refused, and the state on disk is the state in memory."""
    lots, simulation = Random(3), opened("new")  # noqa: S311 - which interventions
    chat = simulation.models.chat
    await run_for(simulation, MORNING)
    names, personas = ["Nora", "Max"], list(simulation.town.personas)
    for _ in range(150):
        name, who = lots.choice(names), lots.choice(personas)
        acts = {
            "visitor_in": {"look": "visitor 1", "about": "a guest", "tile": beside(simulation, who)},
            "visitor_walk": {"to": beside(simulation, who)},
            "visitor_say": {"to": who, "words": "Well."},
            "visitor_out": {},
        }
        kind = lots.choice([*acts, *["visitor_say", "visitor_walk"] * 2])
        with suppress(BadIntervention):
            await act(simulation, kind, name=name, **acts[kind])
        object.__setattr__(simulation.models, "chat", Dead(chat, "converse/") if lots.random() < 0.1 else chat)
        await run_for(simulation, lots.randrange(3))
        visitors = simulation.town.visitors
        talking = {name: persona.scratch.conversation for name, persona in simulation.town.personas.items()}
        assert {name for name, talk in talking.items() if talk and talk.is_open} == set(visitors.talks)
    simulation.save()
    assert opened("fork", "new").town.as_json() == simulation.town.as_json()


@pytest.mark.parametrize("wrong", [{"present": [{"name": 3}]}, {"talks": "none"}, [1]])
async def test_a_corrupt_file_of_visitors_is_named(opened, wrong):
    maze = opened("new").town.maze
    with pytest.raises(CorruptFile, match=r"town\.json: visitors"):
        Visitors.read(wrong, maze, [ADA])


class Dead:
    """Chat client that fails for some questions."""

    def __init__(self, chat, questions):
        self.chat, self.questions = chat, questions

    async def complete(self, request):
        if request.question.startswith(self.questions):
            raise Unreachable("Nobody answers.")
        return await self.chat.complete(request)


class Endless:
    """Chat client whose personas never end a conversation."""

    def __init__(self, chat):
        self.chat = chat

    async def complete(self, request):
        reply = await self.chat.complete(request)
        return replace(reply, text=reply.text.replace('"ends": true', '"ends": false'))
