"""Laws of whispers."""

from dataclasses import replace

import pytest

from ville.persona.cognitive_modules.conversing.whisper_thoughts import take_in, thoughts_from_whispers
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule

ADA = "Ada Stone"


async def test_whispers_become_thoughts_in_order(hamlet, oracle):
    """By grammar: each has a triple and no evidence; blank whispers are skipped; how much they matter is asked at once,
    and all are embedded together.
    """
    oracle.teach("talk/whispers_matter", {"1": 8, "2": 2})
    mind, moment = hamlet.person().mind, hamlet.moment()
    nodes = take_in(mind, moment, await thoughts_from_whispers(mind, moment, ["you love Ben", "  ", "It is raining"]))
    assert [(node.description, node.poignancy) for node in nodes] == [(f"{ADA} loves Ben", 8), ("It is raining", 2)]
    assert (nodes[0].triple, nodes[0].filling) == ((ADA, "loves", "Ben"), None)
    assert list(mind.stream) == nodes
    assert len(hamlet.embedder.batches) == len(oracle.history) == 1


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        (("", "situated"), "Are you glad?", "Ada Stone is glad"),
        (("", "situated"), "Du bist froh", "Ada Stone ist froh"),
        (("ru", "situated"), "Ты рада", "Ада рада"),
        (("", "paper"), "you are glad", "Ada Stone is glad"),
    ],
)
async def test_a_model_words_what_grammar_cannot(hamlet, oracle, asked, said, told):
    """Questions, other languages than English, and everything with the questions of the paper."""
    answer = {"text": told, "subject": ADA, "predicate": "is", "object": "glad", "poignancy": 8}
    oracle.teach("talk/whispered", answer)
    mind, moment = hamlet.person().mind, hamlet.moment()
    mind.settings = replace(mind.settings, questions=asked[1])
    moment = replace(moment, caller=replace(moment.caller, language=asked[0]))
    nodes = take_in(mind, moment, await thoughts_from_whispers(mind, moment, [said]))
    assert (nodes[0].description, nodes[0].triple, nodes[0].poignancy) == (told, (ADA, "is", "glad"), 8)


async def test_a_whisper_works_before_the_first_step(hamlet):
    """Its date is that of the simulation, not of the persona (docs/migration/faults.md, 13)."""
    mind = hamlet.person(curr_time=None).mind
    (node,) = take_in(mind, hamlet.moment(), await thoughts_from_whispers(mind, hamlet.moment(), ["you are glad"]))
    assert node.created == hamlet.now


async def test_control_characters_of_a_whisper_are_removed(hamlet, oracle):
    """Even if nothing is left of it."""
    mind = hamlet.person().mind
    await thoughts_from_whispers(mind, hamlet.moment(), ["\x1b", "tea is\u2028at \u202efive"])
    (asked,) = oracle.history
    assert list(asked.fields["happenings"]) == ["Tea is at five"]


AT_HOME, PARTY = Activity("reading at home", 17 * 60), Activity("going to the party", 120)
EVENING = Activity("sleeping", 5 * 60)


@pytest.mark.parametrize(
    ("today", "at_five", "at_eight"),
    [
        (("reading at home", 17, 120), "reading at home", "sleeping"),
        (("dancing", 3, 120), "dancing", "sleeping"),
        (("dancing", 0, 0), "dancing", "sleeping"),
        (("dancing", 20, 0), "reading at home", "dancing"),
        (("dancing elsewhere", 20, 120), "reading at home", "dancing elsewhere"),
        (("going to the party", 20, 120), "reading at home", "going to the party"),
        (("", 17, 120), "going to the party", "sleeping"),
    ],
)
async def test_a_whisper_may_change_what_is_planned_for_later_today(hamlet, oracle, today, at_five, at_eight):
    """An activity that it calls off is done no more, and one that it moves only at its new time; without one, what is
    done instead is done at the old time. Both schedules stay whole days.
    """
    answer = dict(zip(("what", "hour", "minutes"), today, strict=True))
    oracle.teach("talk/changed_today", {"called_off": "5:00 PM: going to the party"} | answer)
    mind = hamlet.person().mind
    mind.scratch.schedule = mind.scratch.hourly_schedule = Schedule.whole_day((AT_HOME, PARTY, EVENING))
    moment = hamlet.moment()
    take_in(mind, moment, await thoughts_from_whispers(mind, moment, ["The party is cancelled"]))
    for schedule in (mind.scratch.schedule, mind.scratch.hourly_schedule):
        assert schedule.minutes == MINUTES_PER_DAY
        assert (schedule.at(18 * 60).what, schedule.at(21 * 60).what) == (at_five, at_eight)


async def test_before_the_first_plan_a_whisper_is_a_thought_and_nothing_else(hamlet, oracle):
    """There is no day to ask about, nor one to change, when histories are told."""
    mind = hamlet.person().mind
    mind.scratch.schedule = mind.scratch.hourly_schedule = Schedule(())
    take_in(mind, hamlet.moment(), await thoughts_from_whispers(mind, hamlet.moment(), ["you are glad"]))
    assert [request.question for request in oracle.history] == ["talk/whispers_matter"]
    assert not mind.scratch.hourly_schedule.activities


async def test_what_calls_off_nothing_changes_no_plan(hamlet, oracle):
    """Whatever else is answered: a model fills what it may leave empty."""
    mind, moment = hamlet.person().mind, hamlet.moment()
    mind.scratch.schedule = mind.scratch.hourly_schedule = before = Schedule.whole_day((AT_HOME, PARTY, EVENING))
    for line in ("nothing", "", "the lines above"):
        oracle.teach("talk/changed_today", {"called_off": line, "what": "dancing", "hour": 20, "minutes": 60})
        take_in(mind, moment, await thoughts_from_whispers(mind, moment, ["The party is fun"]))
    assert mind.scratch.hourly_schedule == before
