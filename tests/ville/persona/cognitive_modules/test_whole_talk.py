"""Laws of conversations that one question writes: two minds, of which each changes only itself."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.conversing.converse import converse, start_conversation
from ville.persona.cognitive_modules.conversing.open_talk import answer, approach
from ville.persona.cognitive_modules.conversing.speaker import MOST_UTTERANCES
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.reflect import ending_conversation, reflect
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import talk, thought
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
WHOLE, AFTER = "converse/whole_talk", "converse/after_impression"
VECTOR = [1.0] * 13
SETTINGS = MindSettings(social_memory=True, conversations="whole")


def kept(whose, memo, **others):
    return {"whose": whose, "for_planning": {"text": ""}, "memo": {"text": memo, "poignancy": 4}, **others}


def written(*lines, kept_by=()):
    return {"lines": [{"speaker": who, "said": said} for who, said in lines], "about": "tea", "kept": list(kept_by)}


@pytest.fixture
def two(hamlet):
    """Ada and Ben in the cafe, each with a secret."""
    people = [
        hamlet.person(ADA, Tile(7, 2), doing="having tea"),
        hamlet.person(BEN, Tile(8, 2), doing="reading"),
    ]
    for persona in people:
        persona.mind.settings = SETTINGS
        secret = thought(hamlet.now, (persona.name, "has", "secret"), f"{persona.name}'s secret", poignancy=9)
        persona.mind.stream.add(secret, VECTOR)
    return [persona.mind for persona in people]


async def talk_of(hamlet, two):
    return await converse((two[0], hamlet.moment(ADA)), (two[1], hamlet.moment(BEN)))


async def begun(hamlet, two):
    """Let both begin the conversation, and remember that they did."""
    conversed = await talk_of(hamlet, two)
    await start_conversation((two[0], hamlet.moment(ADA)), (two[1], hamlet.moment(BEN)), conversed)
    for mind, other in zip(two, (BEN, ADA), strict=True):
        said = talk(hamlet.now, (mind.name, "chat with", other), "conversing", poignancy=3, keywords=(mind.name, other))
        mind.stream.add(said, VECTOR)


async def ended(hamlet, mind):
    """Let the conversation of one end, after its state was saved and read again."""
    mind.scratch = Scratch.load(mind.name, json.loads(json.dumps(mind.scratch.as_json())))
    hamlet.now = mind.scratch.conversation.until - timedelta(seconds=10)
    moment = hamlet.moment(mind.name)
    await reflect(mind, moment, ending_conversation(mind.scratch, moment.view))


async def test_one_question_is_a_whole_talk_with_its_consequences(hamlet, oracle, two):
    """Each remembers what it keeps when the talk ends, and not before; nothing is asked then."""
    conversed = await talk_of(hamlet, two)
    assert conversed.transcript == ((ADA, "Good morning!"), (BEN, "Good morning!"))
    assert (conversed.gist, oracle.titles) == ("conversing about the party", [WHOLE])
    await begun(hamlet, two)
    assert [mind.scratch.impressions for mind in two] == [None, None]
    before = len(oracle.history)
    for mind, other, side in ((two[0], BEN, "first"), (two[1], ADA, "second")):
        await ended(hamlet, mind)
        assert mind.stream.newest("thought")[0].description == f"{side} was nice."
        assert mind.scratch.impression_of(other).relationship == f"{side} likes the other."
        assert mind.scratch.impression_of(other).summary == f"{side} has talked."
        mind.scratch.begin(hamlet.action(mind.name, "reading"))
        assert "chatting_kept" not in mind.scratch.as_json()
    assert len(oracle.history) == before


async def test_each_side_is_told_of_its_own_mind_only(hamlet, oracle, two):
    """Memories stand under the name of whose they are."""
    await talk_of(hamlet, two)
    fields = oracle.asked(WHOLE)[0].fields
    for side, name in (("first", ADA), ("second", BEN)):
        assert {memory.text for memory in fields[f"{side}_memories"]} == {f"{name}'s secret"}
        assert fields[f"{side}_identity"].startswith(f"Name: {name}")


async def test_what_is_new_about_the_other_is_in_the_question(hamlet, oracle, two):
    """There is no other question before: it comes with the impression so far."""
    two[0].scratch.note_impression(BEN, SocialImpression("They are friends.", "warmth", "They bake.", 7))
    two[0].stream.add(thought(hamlet.now, (ADA, "owes", BEN), f"{ADA} owes {BEN} money", poignancy=3), VECTOR)
    await talk_of(hamlet, two)
    fields = oracle.asked(WHOLE)[0].fields
    assert fields["first_impression"] == "They are friends. (feeling: warmth)\nThey bake."
    assert f"{ADA} owes {BEN} money" in {memory.text for memory in fields["first_memories"]}


@pytest.mark.parametrize(("wording", "quoted"), [("situated", False), ("paper", True)])
async def test_secrets_are_quoted_only_in_the_wording_of_the_paper(hamlet, oracle, two, wording, quoted):
    """One model writes what both say, and says what it reads; the rules go on seeing all of it."""
    two[0].scratch.note_impression(BEN, SocialImpression(f"{ADA} secretly loves {BEN}.", "love", "", 7))
    told = thought(hamlet.now, (ADA, "hides", "debts"), f"{ADA} has told nobody of debts to {BEN}", poignancy=9)
    two[0].stream.add(told, VECTOR)
    moments = [hamlet.moment(name) for name in (ADA, BEN)]
    asking = [replace(moment, caller=replace(moment.caller, wording=wording)) for moment in moments]
    await converse((two[0], asking[0]), (two[1], asking[1]))
    (asked,) = oracle.asked(WHOLE)
    assert "secretly loves" in asked.fields["first_impression"]
    assert any("debts" in memory.text for memory in asked.fields["first_memories"])
    assert [word in str(asked.messages) for word in ("secretly", "debts")] == [quoted] * 2


async def test_what_was_not_answered_is_asked_at_the_end(hamlet, oracle, two):
    """By the side that misses it."""
    oracle.teach(WHOLE, written((ADA, "Hello!"), kept_by=[kept("Ben", f"{BEN} met {ADA}")]))
    await begun(hamlet, two)
    for mind in two:
        await ended(hamlet, mind)
    assert [request.persona for request in oracle.asked(AFTER)] == [ADA]
    assert two[1].stream.newest("thought")[0].description == f"{BEN} met {ADA}"


@pytest.mark.parametrize(
    ("lines", "transcript"),
    [
        ([("Ada", "Hello!"), ("**Ben Reed**", "Ben: Hi.")], ((ADA, "Hello!"), (BEN, "Hi."))),
        ([(ADA, "Hello!"), ("ada stone", "You here?"), (BEN, "Yes.")], ((ADA, "Hello! You here?"), (BEN, "Yes."))),
        ([(ADA, "Hello!"), (BEN, "None"), (ADA, "Bye.")], ((ADA, "Hello! Bye."),)),
        ([(ADA, "Hello!"), ("Narrator", "They laugh."), (BEN, "Hi.")], ((ADA, "Hello!"), (BEN, "Hi."))),
    ],
)
async def test_lines_are_read_as_they_are_meant(hamlet, oracle, two, *, lines, transcript):
    """By short names, without labels, turn by turn; the words of a third are left out in the end."""
    oracle.teach(WHOLE, written(*lines))
    assert (await talk_of(hamlet, two)).transcript == transcript


async def test_a_whole_talk_has_as_many_lines_as_any(hamlet, oracle, two):
    """Sixteen at most."""
    oracle.teach(WHOLE, written(*[((ADA, BEN)[number % 2], "Hello!") for number in range(30)]))
    assert len((await talk_of(hamlet, two)).transcript) == MOST_UTTERANCES


@pytest.mark.parametrize("answer", [written(), {"nonsense": 1}, {"lines": [{"speaker": "Zoe"}], "about": "tea"}])
async def test_without_lines_there_is_no_conversation(hamlet, oracle, two, answer):
    """Nothing changes in either mind."""
    hamlet.now += timedelta(hours=1)
    before = [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two]
    oracle.teach(WHOLE, answer)
    assert await talk_of(hamlet, two) is None
    assert [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two] == before


async def test_a_failed_call_leaves_no_trace(hamlet, oracle, two):
    """In neither mind."""
    hamlet.now += timedelta(hours=1)
    before = [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two]
    oracle.teach(WHOLE, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await talk_of(hamlet, two)
    assert [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two] == before


async def test_a_damaged_answer_in_a_saved_state_is_asked_anew(hamlet, oracle, two):
    """The step does not fail."""
    await begun(hamlet, two)
    two[0].scratch.conversation = replace(two[0].scratch.conversation, kept={"memo": 5})
    await ended(hamlet, two[0])
    assert len(oracle.asked(AFTER)) == 1


async def test_a_talk_with_a_visitor_stays_turn_by_turn(hamlet, oracle, two):
    """With social memory, each answer is one question; who the visitor is needs none."""
    moment = hamlet.moment()
    moment = replace(moment, view=replace(moment.view, visitors={"Nora": "a painter"}))
    talk_with = await approach(two[0], moment, "Nora")
    talk_with = await answer(two[0], moment, talk_with.heard("Who are you?", hamlet.now))
    assert oracle.titles == ["converse/utterance_by_impression"] * 2
    assert {each.fields["impression"] for each in oracle.history} == {"Nora is visiting the town: a painter."}
    assert len(talk_with.transcript) == 3


async def test_without_social_memory_a_whole_talk_leaves_an_impression_without_a_summary(hamlet, oracle, two):
    """As other talks do."""
    for mind in two:
        mind.settings = replace(SETTINGS, social_memory=False)
    await begun(hamlet, two)
    await ended(hamlet, two[0])
    assert two[0].scratch.impression_of(BEN) == SocialImpression("first likes the other.")
    assert set(oracle.titles) == {WHOLE}
