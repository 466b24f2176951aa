"""A talk is made of two minds that never look into each other."""

import copy
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import Unreachable
from ville.persona.cognitive_modules.converse import (
    ROUNDS,
    ConversationResult,
    converse,
    enter_conversation,
    speaking_minutes,
    start_conversation,
)
from ville.persona.memory_structures.concept_node import thought
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
SAY = "converse/next_utterance"


def said(utterance, *, ends=False):
    return {"utterance": utterance, "ends": ends}


@pytest.fixture
def two(hamlet):
    """Ada and Ben in the cafe, each with a secret."""
    sides = [
        hamlet.person(ADA, Tile(7, 2), doing="having tea"),
        hamlet.person(BEN, Tile(8, 2), doing="reading"),
    ]
    for persona in sides:
        secret = thought(hamlet.now, (persona.name, "has", "secret"), f"{persona.name}'s secret", poignancy=9)
        persona.mind.stream.add(secret, [1.0] * 13)
    return [persona.mind for persona in sides]


async def talk_of(hamlet, two):
    return await converse((two[0], hamlet.moment(ADA)), (two[1], hamlet.moment(BEN)))


async def test_the_two_take_turns(hamlet, oracle, two):
    """The one who came up begins; whoever ends it has the last word."""
    oracle.teach(SAY, said("Hello!"), said("Hello, Ada."), said("Goodbye!", ends=True))
    conversed = await talk_of(hamlet, two)
    assert conversed.transcript == ((ADA, "Hello!"), (BEN, "Hello, Ada."), (ADA, "Goodbye!"))
    assert [request.fields["name"] for request in oracle.asked(SAY)] == [ADA, BEN, ADA]


@pytest.mark.parametrize(
    ("flag", "lines"), [("false", 2 * ROUNDS), (False, 2 * ROUNDS), ("true", 1), ("Yes", 1), (1, 1)]
)
async def test_the_end_is_a_yes_or_a_no_however_it_is_written(hamlet, oracle, two, flag, lines):
    """Not the letters of a word (MIGRATION.md, fault 39)."""
    oracle.teach(SAY, *[said("Hello!", ends=flag)] * 2 * ROUNDS)
    assert len((await talk_of(hamlet, two)).transcript) == lines


async def test_a_talk_ends_after_eight_rounds(hamlet, two):
    """However much there were to say."""
    conversed = await talk_of(hamlet, two)
    assert len(conversed.transcript) == 2 * ROUNDS


async def test_to_say_nothing_is_to_leave(hamlet, oracle, two):
    """An empty utterance ends a talk and is not part of it."""
    oracle.teach(SAY, said("Hello!"), said(""))
    assert (await talk_of(hamlet, two)).transcript == ((ADA, "Hello!"),)
    assert len(oracle.asked(SAY)) == 2


async def test_without_a_first_word_there_was_no_talk(hamlet, oracle, two):
    """Nobody's day changes, and no gist is asked for."""
    oracle.teach(SAY, said(""))
    assert await talk_of(hamlet, two) is None
    assert oracle.asked("converse/conversation_gist") == []
    assert [mind.scratch.conversation for mind in two] == [None, None]


async def test_each_side_speaks_from_its_own_memory(hamlet, oracle, two):
    """No secret of one is ever in a question to the other."""
    await talk_of(hamlet, two)
    for request in oracle.history:
        if request.question != "converse/conversation_gist":
            other = BEN if request.persona == ADA else ADA
            texts = {memory.text for memory in request.fields["memories"]}
            assert texts == {f"{request.persona}'s secret"}
            assert request.fields["other"] == other


async def test_each_side_notes_what_the_other_is_to_it(hamlet, oracle, two):
    """Asked of both, and kept by each for itself."""
    oracle.teach(
        "converse/relationship", lambda request: {"relationship": f"{request.persona} likes {request.fields['other']}."}
    )
    await talk_of(hamlet, two)
    assert two[0].scratch.impression_of(BEN).relationship == f"{ADA} likes {BEN}."
    assert two[1].scratch.impression_of(ADA).relationship == f"{BEN} likes {ADA}."


@pytest.mark.parametrize(
    "about", ["the party", "conversing about the party", "Conversing about conversing about the party."]
)
async def test_the_gist_is_said_once(hamlet, oracle, two, about):
    """The words that introduce it are not doubled (MIGRATION.md, fault 47)."""
    oracle.teach("converse/conversation_gist", {"about": about})
    assert (await talk_of(hamlet, two)).gist == "conversing about the party"


@given(st.lists(st.tuples(st.sampled_from([ADA, BEN]), st.text(max_size=400)), min_size=1, max_size=16))
def test_a_talk_lasts_as_long_as_it_takes_to_say(lines):
    """Eight characters a syllable, thirty syllables a minute, every minute begun counts, and one at least."""
    syllables = len("".join(f"{speaker}: {words}\n" for speaker, words in lines)) // 8
    minutes = speaking_minutes(tuple(lines))
    assert minutes == 1 or 30 * (minutes - 1) < syllables
    assert syllables <= 30 * minutes


TALKED = ConversationResult(((ADA, "Hello!"),), "conversing about tea", 2)


async def begun(hamlet, two):
    await start_conversation((two[0], hamlet.moment(ADA)), (two[1], hamlet.moment(BEN)), TALKED)


async def test_nobody_talks_to_somebody_who_has_just_fallen_asleep(hamlet, oracle, two):
    """Whoever was free a moment ago may not be any more."""
    two[1].scratch.begin(hamlet.action(BEN, "sleeping"))
    assert await talk_of(hamlet, two) is None
    assert oracle.history == []


def test_to_turn_to_a_talk_touches_only_oneself(hamlet, two):
    """The other's state stays as it is, down to the last key."""
    other = copy.deepcopy(two[1].scratch.as_json())
    enter_conversation(two[0], hamlet.view(), BEN, conversed=TALKED, schedule=two[0].scratch.schedule)
    assert two[0].scratch.conversation is not None
    assert two[1].scratch.as_json() == other


async def test_a_talk_begins_for_both_or_for_neither(hamlet, oracle, two):
    """If the telephone fails one side, the other does not stand there talking to itself."""
    before = [mind.scratch.as_json() for mind in two]
    rest = oracle.answers["plan/reschedule"][0]
    oracle.teach("plan/reschedule", rest, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await begun(hamlet, two)
    assert [mind.scratch.as_json() for mind in two] == before


async def test_a_talk_is_an_action_with_the_classic_fields(hamlet, two):
    """Address, event, emoji, transcript and end as classic readers know them; the day stays whole."""
    hamlet.now += timedelta(seconds=10)
    await begun(hamlet, two)
    for mind, other in zip(two, (BEN, ADA), strict=True):
        values = mind.scratch.as_json()
        assert (values["act_address"], values["act_event"]) == (f"<persona> {other}", (mind.name, "chat with", other))
        assert (values["act_description"], values["act_pronunciatio"]) == ("conversing about tea", "💬")
        assert (values["chatting_with"], values["chat"]) == (other, TALKED.transcript)
        assert (values["chatting_end_time"], values["act_duration"]) == ("February 13, 2023, 08:03:00", 2)
        assert (values["chatting_with_buffer"], values["act_path_set"]) == ({other: 800}, False)
        assert mind.scratch.schedule.minutes == MINUTES_PER_DAY
        assert "baking (conversing about tea)" in {row.text for row in mind.scratch.schedule.activities}


@pytest.mark.parametrize(("seconds_per_step", "steps"), [(10, 800), (60, 134), (1, 8000)])
async def test_the_cool_down_is_a_time_and_not_a_number_of_steps(hamlet, two, seconds_per_step, steps):
    """Two hours and a quarter, however long a step is (MIGRATION.md, fault 48)."""
    hamlet.seconds_per_step = seconds_per_step
    await begun(hamlet, two)
    assert two[0].scratch.cool_downs == {BEN: steps}
