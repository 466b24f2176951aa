"""Laws of reflection."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.reflect import ending_conversation, reflect, reflection_due
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import observation, talk, thought
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
DIRECT = "reflect/direct_insights"
FOCUS, INSIGHTS, AFTER = "reflect/focal_points", "reflect/insights", "converse/after_conversation"
WORDS = ("bread", "jam", "cake", "tea")

LOVED = ("bread", "cakes", "dogs", "flowers", "music", "rivers", "snow")


def insight(text, because_of):
    return {
        "text": text,
        "because_of": because_of,
        "subject": ADA,
        "predicate": "loves",
        "object": "bread",
        "poignancy": 7,
    }


@pytest.fixture
def mind(hamlet):
    """Ada has four observations, and a reflection is due."""
    mind = hamlet.person(doing="baking").mind
    for number, word in enumerate(WORDS):
        seen = observation(hamlet.now, (ADA, "is", word), f"{ADA} is at {word}", poignancy=number + 1, keywords=(word,))
        mind.stream.add(seen, [number + 1.0] * 13)
    mind.scratch.importance_trigger_curr, mind.scratch.importance_ele_n = 0, 3
    return mind


@pytest.fixture
def talking(hamlet):
    """Ada is in a conversation with Ben, already remembered, that ends in ten seconds."""
    hamlet.person(BEN, Tile(8, 2), doing="reading")
    mind = hamlet.person(ADA, Tile(7, 2), doing="conversing").mind
    mind.scratch.conversation = Conversation(BEN, ((BEN, "Come dancing at five!"),), hamlet.now + timedelta(seconds=10))
    node = talk(hamlet.now, (ADA, "chat with", BEN), "conversing", poignancy=3, keywords=(ADA, BEN))
    mind.stream.add(node, [1.0] * 13)
    return mind


async def ending_of(hamlet, mind):
    moment = hamlet.moment()
    await reflect(mind, moment, ending_conversation(mind.scratch, moment.view))


async def test_an_insight_is_a_thought_with_evidence(hamlet, oracle, mind):
    """It is one level deeper than its evidence and expires after thirty days."""
    oracle.teach(INSIGHTS, {"insights": [insight("Ada loves bread.", [0, 2])]})
    await reflect(mind, hamlet.moment(), None)
    (node,) = mind.stream.newest("thought")
    quoted = oracle.asked(INSIGHTS)[0].fields["statements"].memories
    assert [mind.stream[each].description for each in node.evidence] == [quoted[0].text, quoted[2].text]
    assert (node.triple, node.poignancy, node.depth) == ((ADA, "loves", "bread"), 7, 1)
    assert node.expiration == hamlet.now + timedelta(days=30)


@pytest.fixture
def direct(mind):
    """Ada reflects without focal points."""
    mind.settings = MindSettings(reflections="direct")
    return mind


async def test_direct_insights_take_one_question(hamlet, oracle, direct):
    """They follow from the memories since the last reflection, cite them, and reset the trigger."""
    oracle.teach(DIRECT, {"insights": [insight(f"Ada loves {word}.", [0, 2, 99]) for word in LOVED]})
    await reflect(direct, hamlet.moment(), None)
    assert oracle.titles == [DIRECT]
    quoted = [memory.text for memory in oracle.asked(DIRECT)[0].fields["statements"].memories]
    assert quoted == [node.description for node in list(direct.stream)[1:4]]
    found = direct.stream.newest("thought")
    assert len(found) == 5
    assert all([direct.stream[each].description for each in node.evidence] == quoted[::2] for node in found)
    assert not reflection_due(direct, hamlet.now)


@pytest.mark.parametrize("answer", [{"nonsense": 1}, {"insights": []}, {"insights": [insight("Ada rests.", [9])]}])
async def test_without_usable_direct_insights_nothing_is_concluded(hamlet, oracle, direct, answer):
    """And the next reflection is due when enough has happened again."""
    oracle.teach(DIRECT, answer)
    await reflect(direct, hamlet.moment(), None)
    assert direct.stream.newest("thought") == []
    assert not reflection_due(direct, hamlet.now)


async def test_a_reflection_resets_its_trigger(hamlet, mind):
    """The counters are as at the start, and no reflection is due."""
    assert reflection_due(mind, hamlet.now)
    await reflect(mind, hamlet.moment(), None)
    assert (mind.scratch.importance_trigger_curr, mind.scratch.importance_ele_n) == (150, 0)
    assert not reflection_due(mind, hamlet.now)


async def test_focal_points_come_from_the_last_accessed_memories(hamlet, oracle, mind):
    """As many as were observed since the last reflection, newest last."""
    mind.scratch.importance_ele_n = 2
    mind.stream.mark_accessed([mind.stream[1]], hamlet.now + timedelta(minutes=1))
    await reflect(mind, hamlet.moment(), None)
    memories = oracle.asked(FOCUS)[0].fields["memories"]
    assert [memory.text.split()[-1] for memory in memories] == ["bread", "tea"]


async def test_numbers_out_of_range_are_no_evidence(hamlet, oracle, mind):
    """They are dropped (docs/migration/faults.md, 44)."""
    oracle.teach(INSIGHTS, {"insights": [insight("Ada loves bread.", [-1, 1, 99])]})
    await reflect(mind, hamlet.moment(), None)
    (node,) = mind.stream.newest("thought")
    assert len(node.evidence) == 1


async def test_an_insight_without_evidence_is_dropped(hamlet, oracle, mind):
    """After three such answers nothing is remembered (docs/migration/faults.md, 43)."""
    oracle.teach(INSIGHTS, {"insights": [insight("Ada is hungry.", [])]})
    await reflect(mind, hamlet.moment(), None)
    assert mind.stream.newest("thought") == []
    assert not reflection_due(mind, hamlet.now)


async def test_the_same_insight_is_remembered_once(hamlet, oracle, mind):
    """Even if two focal points lead to it."""
    oracle.teach(FOCUS, {"questions": ["What does Ada love?", "What does Ada bake?"]})
    oracle.teach(INSIGHTS, {"insights": [insight("Ada loves bread.", [0])]})
    await reflect(mind, hamlet.moment(), None)
    assert len(oracle.asked(INSIGHTS)) == 2
    assert len(mind.stream.newest("thought")) == 1


async def test_what_is_known_is_not_concluded_again(hamlet, oracle, mind):
    """Nor in other words. With the questions of the paper it is, as before."""
    known = thought(hamlet.now, (ADA, "loves", "bread"), "Ada Stone loves fresh bread in the morning", poignancy=5)
    mind.stream.add(known, [1.0] * 13)
    oracle.teach(INSIGHTS, {"insights": [insight("Ada thinks that she loves fresh bread.", [0])]})
    await reflect(mind, hamlet.moment(), None)
    assert [node.description for node in mind.stream.newest("thought")] == [known.description]
    mind.scratch.importance_trigger_curr, mind.settings = 0, replace(mind.settings, questions="paper")
    await reflect(mind, hamlet.moment(), None)
    assert len(mind.stream.newest("thought")) == 2


async def test_every_focal_point_can_lead_to_insights(hamlet, oracle, mind):
    """Those of one do not replace those of another."""
    oracle.teach(FOCUS, {"questions": ["What does Ada love?", "What does Ada bake?"]})
    answers = ({"insights": [insight(text, [0])]} for text in ("Ada loves bread.", "Ada bakes bread."))
    oracle.teach(INSIGHTS, *answers)
    await reflect(mind, hamlet.moment(), None)
    assert {node.description for node in mind.stream.newest("thought")} == {"Ada loves bread.", "Ada bakes bread."}


async def test_a_failed_reflection_stays_due(hamlet, oracle, mind):
    """Nothing is remembered and nothing is reset."""
    oracle.teach(INSIGHTS, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await reflect(mind, hamlet.moment(), None)
    assert reflection_due(mind, hamlet.now)
    assert mind.stream.newest("thought") == []


async def test_a_conversation_leads_to_two_thoughts(hamlet, oracle, talking):
    """One for planning and one of interest, in the words of the released code."""
    oracle.teach(AFTER, {
        "for_planning": {"text": "Ada Stone meets Ben at five.", "predicate": "meets", "object": BEN, "poignancy": 6},
        "memo": {"text": "Ada Stone noticed that Ben is cheerful."},
    })  # fmt: skip
    await ending_of(hamlet, talking)
    memo, for_planning = talking.stream.newest("thought")
    assert for_planning.description == "For Ada Stone's planning: Ada Stone meets Ben at five."
    assert (for_planning.triple, for_planning.poignancy) == ((ADA, "meets", BEN), 6)
    assert memo.description == "Ada Stone noticed that Ben is cheerful."
    assert memo.evidence == for_planning.evidence == (talking.stream.newest("chat")[0].node_id,)


async def test_news_is_remembered_as_it_was_told(hamlet, oracle, talking):
    """Whatever a model says of the talk; small talk is remembered as the model says. Questions do not tell anything."""
    oracle.teach(AFTER, {"memo": {"text": "Ben told Ada that tea is hot."}})
    oracle.teach("converse/after_small_talk", {"memo": {"text": "Ben told Ada that tea is hot."}})
    for said, kept in (
        ("I am giving a party at the Cafe next week. Will you bring cake?", "told Ada Stone: I am giving a party"),
        ("The tea is hot. Is there going to be a party?", "Ben told Ada that tea is hot."),
    ):
        talking.scratch.conversation = replace(talking.scratch.conversation, transcript=((BEN, said),))
        await ending_of(hamlet, talking)
        assert kept in talking.stream.newest("thought")[0].description


async def test_an_appointment_for_today_is_scheduled(hamlet, oracle, talking):
    """It replaces what was planned for its time and nothing else; the schedule stays a whole day."""
    before = talking.scratch.schedule
    hour = 17
    oracle.teach(AFTER, agreed("dancing with Ben", hour, 90))
    await ending_of(hamlet, talking)
    after = talking.scratch.schedule
    assert after.minutes == MINUTES_PER_DAY
    for minute in range(MINUTES_PER_DAY):
        kept = hour * 60 <= minute < hour * 60 + 90
        assert after.at(minute).text == ("dancing with Ben" if kept else before.at(minute).text)
    assert talking.scratch.hourly_schedule.at(hour * 60).what == "dancing with Ben"


@pytest.mark.parametrize("appointment", [("", 2, 60), ("dancing", -1, 60), ("dancing", 2, 0)])
async def test_an_invalid_appointment_is_ignored(hamlet, oracle, talking, appointment):
    """Without words, in the past or without a duration, the plan stays the same."""
    before, (what, hours, minutes) = talking.scratch.schedule, appointment
    oracle.teach(AFTER, agreed(what, hamlet.now.hour + hours, minutes))
    await ending_of(hamlet, talking)
    assert talking.scratch.schedule == before


def agreed(what, hour, minutes):
    nothing = {"text": ""}
    return {"for_planning": nothing, "memo": nothing, "today": {"what": what, "hour": hour, "minutes": minutes}}


async def test_empty_thoughts_after_a_conversation_are_not_stored(hamlet, talking):
    """The model may have nothing to say."""
    await ending_of(hamlet, talking)
    assert talking.stream.newest("thought") == []


async def test_a_forgotten_conversation_leads_to_no_thought(hamlet, oracle, talking):
    """Without the chat node there is no evidence (docs/migration/faults.md, 41)."""
    talking.scratch.conversation = Conversation("Cy Doe", (), hamlet.now)
    await ending_of(hamlet, talking)
    assert oracle.history == []


@pytest.mark.parametrize("seconds_per_step", [1, 7, 10, 60, 3600])
def test_a_conversation_ends_exactly_once(hamlet, talking, seconds_per_step):
    """In the last step that begins before its end or the first after it, for any length of a step.

    docs/migration/faults.md, 41.
    """
    hamlet.seconds_per_step = seconds_per_step
    talking.scratch.curr_time = talking.scratch.action.start
    until = talking.scratch.conversation.until
    ends = []
    while hamlet.now < until + hamlet.tick:
        if ending_conversation(talking.scratch, hamlet.view()):
            ends.append(hamlet.now)
        talking.scratch.curr_time = hamlet.now
        hamlet.now += hamlet.tick
    assert len(ends) == 1
    assert abs(ends[0] - until) <= hamlet.tick
