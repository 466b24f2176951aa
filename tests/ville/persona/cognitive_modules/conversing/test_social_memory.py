"""Laws of social memory: what a persona knows of another is summed up when there is news, and talks draw on it."""

import json
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.conversing.converse import converse
from ville.persona.cognitive_modules.conversing.interview import INTERVIEWER, answer
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.reflect import ending_conversation, reflect
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import observation, talk, thought
from ville.world.address import Tile
from ville.world.rules import TownRules

ADA, BEN = "Ada Stone", "Ben Reed"
IMPRESSION, SAY, AFTER = "converse/impression", "converse/utterance_by_impression", "converse/after_impression"
CLASSIC = {"converse/relationship", "converse/next_utterance", "converse/after_conversation"}
VECTOR = [1.0] * 13


def remember(hamlet, mind, text, kind=thought):
    mind.stream.add(kind(hamlet.now, (mind.name, "knows", "that"), text, poignancy=4), VECTOR)


@pytest.fixture
def two(hamlet):
    """Ada and Ben in the cafe, each with a secret."""
    people = [
        hamlet.person(ADA, Tile(7, 2), doing="having tea"),
        hamlet.person(BEN, Tile(8, 2), doing="reading"),
    ]
    for persona in people:
        persona.mind.settings = MindSettings(social_memory=True)
        remember(hamlet, persona.mind, f"{persona.name}'s secret")
    return [persona.mind for persona in people]


async def talk_of(hamlet, two):
    return await converse((two[0], hamlet.moment(ADA)), (two[1], hamlet.moment(BEN)))


async def end_of_talk(hamlet, mind, *, rules=None):
    """Let a conversation of Ada with Ben end, and return what she thinks of him then."""
    said = talk(hamlet.now, (ADA, "chat with", BEN), "conversing", poignancy=3, keywords=(ADA, BEN))
    mind.stream.add(said, VECTOR)
    mind.scratch.conversation = Conversation(BEN, ((BEN, "Come at five!"),), hamlet.now + timedelta(seconds=10))
    moment = hamlet.moment()
    if rules:
        moment = replace(moment, view=replace(moment.view, rules=rules))
    await reflect(mind, moment, ending_conversation(mind.scratch, moment.view))
    mind.scratch.conversation = None
    return mind.scratch.impression_of(BEN)


async def test_strangers_are_not_thought_about(hamlet, oracle, two):
    """Where nothing is remembered of the other, nothing is asked, and nothing is noted."""
    assert (await talk_of(hamlet, two)).transcript
    assert set(oracle.titles) == {SAY, "converse/conversation_gist"}
    assert "hardly know each other" in oracle.asked(SAY)[0].fields["impression"]
    assert [mind.scratch.impressions for mind in two] == [None, None]


@pytest.mark.parametrize(
    ("text", "kind", "news"),
    [
        (f"{ADA} knows that {BEN} can sing", thought, True),
        ("Ben was late", thought, True),
        ("Cleo Moor was late", thought, False),
        (f"{BEN} is reading", observation, False),
    ],
)
async def test_an_impression_is_updated_only_by_memories_of_the_other(hamlet, oracle, two, *, text, kind, news):
    """By thoughts that name it, however often the two meet; what it is seen doing does not count."""
    remember(hamlet, two[0], f"{ADA} likes {BEN}")
    await talk_of(hamlet, two)
    await talk_of(hamlet, two)
    assert [request.persona for request in oracle.asked(IMPRESSION)] == [ADA]
    assert two[0].scratch.impression_of(BEN) == SocialImpression(
        "Ada and Ben are friends.", summary="They bake.", memories=1
    )
    remember(hamlet, two[0], text, kind)
    await talk_of(hamlet, two)
    asked = oracle.asked(IMPRESSION)[1:]
    assert [request.fields["known"] for request in asked] == ["Ada and Ben are friends.\nThey bake."] * news
    assert all(BEN.split(maxsplit=1)[0] in memory.text for request in asked for memory in request.fields["memories"])


async def test_a_dropped_memory_is_news_too(hamlet, oracle, two):
    """The summary was made of it."""
    remember(hamlet, two[0], f"{ADA} likes {BEN}")
    remember(hamlet, two[0], f"{ADA} owes {BEN} money")
    await talk_of(hamlet, two)
    two[0].stream.drop(two[0].stream[len(two[0].stream)])
    await talk_of(hamlet, two)
    assert len(oracle.asked(IMPRESSION)) == 2


async def test_what_a_talk_changes_needs_no_question_before_the_next(hamlet, oracle, two):
    """The impression of after the talk is of all memories, also of what was just thought, and survives saving."""
    told = {"text": f"{ADA} heard from {BEN}", "poignancy": 4}
    kept = {"relationship": "They are rivals.", "feeling": "envy", "summary": "Ben sings."}
    oracle.teach(AFTER, {"for_planning": told, "memo": told, **kept})
    impression = await end_of_talk(hamlet, two[0])
    assert (impression.text, impression.summary) == ("They are rivals. (feeling: envy)", "Ben sings.")
    two[0].scratch = Scratch.load(ADA, json.loads(json.dumps(two[0].scratch.as_json())))
    two[0].scratch.begin(hamlet.action(ADA, "having tea"))
    hamlet.now += timedelta(hours=3)
    await talk_of(hamlet, two)
    assert oracle.asked(IMPRESSION) == []
    assert {each.fields["impression"] for each in oracle.asked(SAY) if each.persona == ADA} == {impression.whole_text}


@pytest.mark.parametrize("frozen", [False, True])
async def test_without_a_usable_answer_an_impression_stays(hamlet, oracle, two, *, frozen):
    """Before and after a talk; nor does that of a frozen persona change."""
    before = SocialImpression("They are friends.", "warmth", "They bake.", 7)
    two[0].scratch.note_impression(BEN, before)
    remember(hamlet, two[0], f"{ADA} likes {BEN}")
    good = {"relationship": "They are rivals.", "summary": "Ben sings."}
    thoughts = {"for_planning": {"text": ""}, "memo": {"text": ""}}
    for title in (IMPRESSION, AFTER):
        oracle.teach(title, {**thoughts, **good} if frozen else {"relationship": "Unknown.", "nonsense": 1})
    rules = TownRules(frozen=frozenset([ADA])) if frozen else None
    assert await end_of_talk(hamlet, two[0], rules=rules) == before
    if not frozen:
        await talk_of(hamlet, two)
        assert two[0].scratch.impression_of(BEN) == before
        assert oracle.asked(SAY)[0].fields["impression"] == before.whole_text


async def test_a_talk_draws_on_own_memories_and_on_none_of_the_other(hamlet, oracle, two):
    """Memories that name the other are in the summary, those worth telling are quoted, and secrets are kept."""
    remember(hamlet, two[0], f"{ADA} likes {BEN}")
    await talk_of(hamlet, two)
    assert not CLASSIC & set(oracle.titles)
    for request in oracle.asked(SAY):
        assert {memory.text for memory in request.fields["memories"]} == {f"{request.persona}'s secret"}


async def test_lines_long_ago_are_quoted_in_part(hamlet, oracle, two):
    """The last six are whole."""
    oracle.teach(
        SAY, lambda request: {"utterance": f"{len(request.fields['transcript'])}: {'word ' * 50}", "ends": False}
    )
    for mind in two:
        mind.settings = replace(mind.settings, questions="paper")
    await talk_of(hamlet, two)
    last = [len(turn.said) for turn in oracle.asked(SAY)[-1].fields["transcript"]]
    assert len(last) == 15
    assert max(last[:-6]) <= 60 < min(last[-6:])


async def test_a_failed_call_leaves_no_trace(hamlet, oracle, two):
    """Neither in impressions nor in times of access."""
    for mind in two:
        remember(hamlet, mind, f"{ADA} and {BEN} met")
    hamlet.now += timedelta(hours=1)
    before = [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two]
    oracle.teach(IMPRESSION, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await talk_of(hamlet, two)
    assert [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two] == before


async def test_without_impressions_one_is_formed_anew_before_each_talk(hamlet, oracle, two):
    """As without social memory."""
    two[0].settings = MindSettings(social_memory=True, impressions=False)
    remember(hamlet, two[0], f"{ADA} likes {BEN}")
    await talk_of(hamlet, two)
    await talk_of(hamlet, two)
    assert [request.fields["known"] for request in oracle.asked(IMPRESSION)] == ["", ""]


async def test_interviews_know_the_summary_of_whom_they_ask_about(hamlet, oracle, two):
    """It is quoted beside the memories."""
    oracle.teach("talk/interview", {"utterance": "Ben sings."})
    two[0].scratch.note_impression(BEN, SocialImpression("They are friends.", "warmth", "Ben sings.", 1))
    moment = hamlet.moment()
    for line in ("What about Ben?", "What about Cleo?"):
        await answer(two[0], hamlet.embedder, ((INTERVIEWER, line),), boundary=lambda: nullcontext(moment))
    quoted = [[memory.text for memory in each.fields["memories"]] for each in oracle.asked("talk/interview")]
    assert ["Ben sings." in " ".join(texts) for texts in quoted] == [True, False]
