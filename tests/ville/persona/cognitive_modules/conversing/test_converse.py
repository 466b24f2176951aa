"""Laws of conversations between two minds."""

import asyncio
import copy
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import Unreachable
from ville.persona.cognitive_modules.conversing import converse as converse_module
from ville.persona.cognitive_modules.conversing.converse import (
    ConversationResult,
    converse,
    enter_conversation,
    speaking_minutes,
    start_conversation,
)
from ville.persona.cognitive_modules.conversing.speaker import MOST_UTTERANCES
from ville.persona.cognitive_modules.conversing.talk_end import LEAST
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import thought
from ville.persona.prompt_template.caps import FEELING, RELATIONSHIP
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


TOPICS = [said(f"Have you heard of the {what}s in the {what} garden?") for what in ("fox", "owl", "bee", "cat", "newt")]


@pytest.fixture
def as_in_the_paper(two):
    """Two minds that are asked the questions of the paper."""
    for mind in two:
        mind.settings = replace(mind.settings, questions="paper")
    return two


async def test_speakers_alternate(hamlet, oracle, as_in_the_paper):
    """The one who approached begins; the one who ends it has the last word."""
    oracle.teach(SAY, said("Hello!"), said("Hello, Ada."), said("Goodbye!", ends=True))
    conversed = await talk_of(hamlet, as_in_the_paper)
    assert conversed.transcript == ((ADA, "Hello!"), (BEN, "Hello, Ada."), (ADA, "Goodbye!"))
    assert [request.fields["name"] for request in oracle.asked(SAY)] == [ADA, BEN, ADA]


@pytest.mark.parametrize(
    ("flag", "lines"), [("false", MOST_UTTERANCES), (False, MOST_UTTERANCES), ("true", 1), ("Yes", 1), (1, 1)]
)
async def test_the_end_flag_is_read_as_a_boolean(hamlet, oracle, as_in_the_paper, flag, lines):
    """Not as the letters of a word (docs/migration/faults.md, 39)."""
    oracle.teach(SAY, *[said("Hello!", ends=flag)] * MOST_UTTERANCES)
    assert len((await talk_of(hamlet, as_in_the_paper)).transcript) == lines


async def test_a_conversation_has_at_most_eight_rounds(hamlet, as_in_the_paper):
    """However much there is to say."""
    conversed = await talk_of(hamlet, as_in_the_paper)
    assert len(conversed.transcript) == MOST_UTTERANCES


async def test_a_model_does_not_end_a_talk_with_its_first_words(hamlet, oracle, two):
    """The end is decided by rule: an answer to a leave-taking, or enough said."""
    oracle.teach(SAY, said("Good morning, Ben! How is your tea?", ends=True), *TOPICS)
    length = len((await talk_of(hamlet, two)).transcript)
    assert LEAST < length < MOST_UTTERANCES
    oracle.teach(SAY, said("Good morning!"), said("I must go, see you later!"), said("Take care, Ben."), *TOPICS)
    assert [each for _, each in (await talk_of(hamlet, two)).transcript][-1] == "Take care, Ben."


async def test_an_echo_is_asked_once_more(hamlet, oracle, two):
    """A second echo ends the talk, and is not said."""
    news = "The fair on Saturday begins at ten on the square."
    oracle.teach(SAY, said(news), said("Then I shall bring both of my children."), said(news), said("Bring hats!"))
    spoken = [each for _, each in (await talk_of(hamlet, two)).transcript]
    assert spoken[:3] == [news, "Then I shall bring both of my children.", "Bring hats!"]
    assert "words of Ada's own" in oracle.asked(SAY)[3].fields["cue"]
    oracle.teach(SAY, said(news), said("Then I shall bring both of my children."), said(news))
    assert len((await talk_of(hamlet, two)).transcript) == 2


async def test_who_only_echoes_a_greeting_passes_by(hamlet, oracle, two):
    """There is no talk of one utterance but a nod, and no other attempt for a while."""
    oracle.teach(SAY, said("The fair on Saturday begins at ten on the square."))
    ada = hamlet.moment(ADA)
    assert await converse((two[0], ada), (two[1], hamlet.moment(BEN))) is None
    assert ada.caller.tally.nods == [BEN]
    assert all(mind.scratch.cool_downs[other] for mind, other in zip(two, (BEN, ADA), strict=True))


async def test_an_answer_has_a_key_for_each_part_of_an_utterance(hamlet, oracle, two):
    """In situated questions, by the keys that the schema asks for; so it is read, as one utterance."""
    oracle.teach(SAY, lambda request: dict.fromkeys(request.schema["properties"], f"I am {request.persona}."))
    transcript = (await talk_of(hamlet, two)).transcript
    assert transcript[0] == (ADA, f"I am {ADA}. I am {ADA}.")
    greeting, comes_to = oracle.asked(SAY)[0].schema["properties"]
    assert greeting.startswith("Ada greets Ben")
    assert comes_to.startswith("Ada ")


async def test_a_goodbye_that_says_back_the_other_one_is_its_first_sentence(hamlet, oracle, two):
    """It is not asked once more. Ada takes leave of Ben, whatever the model says, and he of her."""
    bye = "Goodbye, Ada! The party on Saturday begins at five on the square."
    oracle.teach(SAY, said("Is there bread left?"), said("There is a loaf of rye."), said(bye), said(bye))
    transcript = (await talk_of(hamlet, two)).transcript
    assert [words for _, words in transcript[2:]] == [bye.replace("Ada", "Ben"), "Goodbye, Ada!"]
    assert len(oracle.asked(SAY)) == len(transcript)


async def test_each_subject_comes_up_once(hamlet, oracle, two):
    """It is drawn by seed and step, so that a talk that is begun again is the same; secrets are none."""
    secret = thought(hamlet.now, (ADA, "has", "plan"), "Ada secretly plans to move away", poignancy=9)
    two[0].stream.add(secret, [1.0] * 13)
    oracle.teach(SAY, *TOPICS)
    await talk_of(hamlet, two)
    subjects = [request.fields["subject"] for request in oracle.asked(SAY) if request.persona == ADA]
    told = [subject for subject in subjects if subject]
    assert told
    assert len(told) == len(set(told))
    assert not any("move away" in subject for subject in told)
    before = len(oracle.asked(SAY))
    oracle.teach(SAY, *TOPICS)
    await talk_of(hamlet, two)
    again = [request.fields["subject"] for request in oracle.asked(SAY)[before:] if request.persona == ADA]
    assert again == subjects


async def test_a_question_is_answered_but_not_twice_in_a_row(hamlet, oracle, two):
    """Who is asked in every turn comes to something else all the same."""
    two[1].stream.add(thought(hamlet.now, (BEN, "has", "cat"), "Ben Reed has a new cat", poignancy=9), [1.0] * 13)
    oracle.teach(SAY, *(said(f"What about topic {number}?") for number in range(9)))
    await talk_of(hamlet, two)
    turns = [request.fields for request in oracle.asked(SAY) if not request.fields["parting"]]
    assert [bool(turn["subject"]) for turn in turns[:4]] == [True, False, False, True]


async def test_an_empty_utterance_ends_a_conversation(hamlet, oracle, as_in_the_paper):
    """It is not part of the transcript."""
    oracle.teach(SAY, said("Hello!"), said(""))
    assert (await talk_of(hamlet, as_in_the_paper)).transcript == ((ADA, "Hello!"),)
    assert len(oracle.asked(SAY)) == 2


async def test_without_a_first_utterance_there_is_no_conversation(hamlet, oracle, two):
    """No schedule changes and no summary is asked for."""
    oracle.teach(SAY, said(""))
    assert await talk_of(hamlet, two) is None
    assert oracle.asked("converse/conversation_gist") == []
    assert [mind.scratch.conversation for mind in two] == [None, None]


async def test_speakers_use_only_their_own_memories(hamlet, oracle, two):
    """No secret of one is in a question to the other."""
    await talk_of(hamlet, two)
    for request in oracle.history:
        if request.question != "converse/conversation_gist":
            other = BEN if request.persona == ADA else ADA
            texts = {memory.text for memory in request.fields["memories"]}
            assert texts <= {f"{request.persona}'s secret"}
            assert request.fields["other"] == other


async def test_both_speakers_note_their_relationship(hamlet, oracle, two):
    """Each is asked, and keeps its own answer."""
    oracle.teach(
        "converse/relationship", lambda request: {"relationship": f"{request.persona} likes {request.fields['other']}."}
    )
    await talk_of(hamlet, two)
    assert two[0].scratch.impression_of(BEN).relationship == f"{ADA} likes {BEN}."
    assert two[1].scratch.impression_of(ADA).relationship == f"{BEN} likes {ADA}."


FRIENDS, RIVALS = (
    {"relationship": f"They are {what}.", "feeling": felt} for what, felt in [("friends", "warmth"), ("rivals", "")]
)


async def test_an_impression_is_brought_up_to_date(hamlet, oracle, two):
    """The next talk starts from it, also after saving; an answer without a feeling keeps the old one."""
    oracle.teach("converse/relationship", FRIENDS, FRIENDS, RIVALS)
    await talk_of(hamlet, two)
    two[0].scratch = Scratch.load(ADA, json.loads(json.dumps(two[0].scratch.as_json())))
    await talk_of(hamlet, two)
    asked = [request.fields["known"] for request in oracle.asked("converse/relationship") if request.persona == ADA]
    assert asked == ["", "They are friends. (feeling: warmth)"]
    assert two[0].scratch.impression_of(BEN) == SocialImpression("They are rivals.", "warmth")


async def test_a_repeated_impression_does_not_grow(hamlet, oracle, two):
    """Its feeling, which is quoted with it, does not become a part of the relationship."""
    two[0].scratch.note_impression(BEN, SocialImpression("They are friends.", "warmth"))
    oracle.teach("converse/relationship", lambda request: {"relationship": request.fields["known"], "feeling": "joy"})
    await talk_of(hamlet, two)
    assert two[0].scratch.impression_of(BEN) == SocialImpression("They are friends.", "joy")


async def test_without_impressions_each_relationship_is_formed_anew(hamlet, oracle, two):
    """From memories alone. It is noted, but no feeling is."""
    two[0].settings = MindSettings(impressions=False)
    oracle.teach("converse/relationship", FRIENDS)
    for _ in range(2):
        await talk_of(hamlet, two)
    assert {request.fields["known"] for request in oracle.asked("converse/relationship") if request.persona == ADA} == {
        ""
    }
    assert two[0].scratch.impression_of(BEN) == SocialImpression("They are friends.")


LONGEST = SocialImpression("x" * RELATIONSHIP, "y" * FEELING)


class SlowChat:
    """Chat that answers one persona after some turns of the loop, or fails."""

    def __init__(self, hamlet, turns, *, failing):
        self.hamlet, self.turns, self.failing = hamlet, turns, failing

    async def complete(self, request):
        for _ in range(self.turns):
            await asyncio.sleep(0)
        if self.failing:
            raise Unreachable("no answer")
        return await self.hamlet.oracle.complete(request)

    def moment(self, name):
        moment = self.hamlet.moment(name)
        return replace(moment, caller=replace(moment.caller, chat=self))


@pytest.mark.parametrize("failing", [ADA, BEN])
@pytest.mark.parametrize("turns", [(0, 9), (9, 0), (0, 0)])
async def test_a_failed_call_for_one_leaves_no_trace_in_either(hamlet, two, failing, turns):
    """Whichever of the calls ends first, so that a replay gives the same files."""
    hamlet.now += timedelta(hours=1)
    before = [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two]
    sides = [
        (mind, SlowChat(hamlet, count, failing=mind.name == failing).moment(mind.name))
        for mind, count in zip(two, turns, strict=True)
    ]
    with pytest.raises(Unreachable):
        await converse(*sides)
    assert [(mind.scratch.as_json(), mind.stream.accessed_texts()) for mind in two] == before


@pytest.mark.parametrize(
    "answer", [{"nonsense": 1}, {"relationship": "None", "feeling": "fear"}, {"relationship": "Unknown."}]
)
@pytest.mark.parametrize("before", [SocialImpression(), SocialImpression("They are friends.", "warmth"), LONGEST])
async def test_without_a_usable_answer_an_impression_stays(hamlet, oracle, two, *, before, answer):
    """The talk goes on with it; neither the fallback is kept nor an answer that says nothing."""
    two[0].scratch.note_impression(BEN, before)
    oracle.teach("converse/relationship", answer)
    await talk_of(hamlet, two)
    assert two[0].scratch.impression_of(BEN) == before
    assert before.text in oracle.asked("converse/next_utterance")[0].fields["relationship"]


@pytest.fixture
def by_rules(monkeypatch):
    """Talks as the rules answer them."""
    monkeypatch.setattr(converse_module, "answered_by_rules", lambda _: True)


@pytest.mark.usefixtures("by_rules")
@pytest.mark.parametrize(("lines", "told"), [(2, 2), (3, 3), (6, 3)])
async def test_who_thinks_meanwhile_is_asked_what_a_talk_is_about_before_it_is_over(hamlet, oracle, two, lines, told):
    """Once, while the next line is asked for: the rules by the first three lines, by all if there are no more."""
    for mind in two:
        mind.settings = replace(mind.settings, thinking="meanwhile", questions="paper")
    oracle.teach(SAY, *(said(f"Line {number}.") for number in range(lines)), said(""))
    conversed = await talk_of(hamlet, two)
    (asked,) = oracle.asked("converse/conversation_gist")
    assert (len(conversed.transcript), len(asked.fields["transcript"])) == (lines, told)
    assert conversed.gist == "conversing about the party"


@pytest.mark.parametrize("before", [2, 3, 5])
async def test_a_model_that_thinks_meanwhile_is_told_all_but_the_goodbyes(hamlet, oracle, two, before):
    """News may be told late: what a talk is about is asked while one of the two says goodbye."""
    for mind in two:
        mind.settings = replace(mind.settings, thinking="meanwhile", questions="situated")
    oracle.teach(SAY, *TOPICS[:before], said("Goodbye, see you later!"), said("Bye!"))
    conversed = await talk_of(hamlet, two)
    (asked,) = oracle.asked("converse/conversation_gist")
    assert len(conversed.transcript) - len(asked.fields["transcript"]) in (1, 2)


@pytest.mark.parametrize(
    "about", ["the party", "conversing about the party", "Conversing about conversing about the party."]
)
async def test_the_summary_has_one_prefix(hamlet, oracle, two, about):
    """Its introductory words are not doubled (docs/migration/faults.md, 47)."""
    oracle.teach("converse/conversation_gist", {"about": about})
    assert (await talk_of(hamlet, two)).gist == "conversing about the party"


@given(st.lists(st.tuples(st.sampled_from([ADA, BEN]), st.text(max_size=400)), min_size=1, max_size=16))
def test_duration_follows_from_the_transcript(lines):
    """Eight characters per syllable, thirty syllables per minute, rounded up, at least a minute."""
    syllables = len("".join(f"{speaker}: {words}\n" for speaker, words in lines)) // 8
    minutes = speaking_minutes(tuple(lines))
    assert minutes == 1 or 30 * (minutes - 1) < syllables
    assert syllables <= 30 * minutes


TALKED = ConversationResult(((ADA, "Hello!"),), "conversing about tea", 2)


async def begun(hamlet, two):
    await start_conversation((two[0], hamlet.moment(ADA)), (two[1], hamlet.moment(BEN)), TALKED)


async def test_no_conversation_starts_with_a_persona_that_has_fallen_asleep(hamlet, oracle, two):
    """It may have been available at the start of the step."""
    two[1].scratch.begin(hamlet.action(BEN, "sleeping"))
    assert await talk_of(hamlet, two) is None
    assert oracle.history == []


def test_entering_a_conversation_changes_only_the_own_state(hamlet, two):
    """The state of the other stays the same, down to the last key."""
    other = copy.deepcopy(two[1].scratch.as_json())
    enter_conversation(two[0], hamlet.view(), BEN, conversed=TALKED, schedule=two[0].scratch.schedule)
    assert two[0].scratch.conversation is not None
    assert two[1].scratch.as_json() == other


async def test_a_conversation_starts_for_both_or_neither(hamlet, oracle, two):
    """If a call fails for one, the other does not talk to itself."""
    for mind in two:
        mind.settings = replace(mind.settings, questions="paper")
    before = [mind.scratch.as_json() for mind in two]
    rest = oracle.answers["plan/reschedule"][0]
    oracle.teach("plan/reschedule", rest, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await begun(hamlet, two)
    assert [mind.scratch.as_json() for mind in two] == before


async def test_a_conversation_is_an_action_as_in_the_released_code(hamlet, two):
    """Address, event, emoji, transcript and end are the same; the schedule stays a whole day."""
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
async def test_the_cool_down_does_not_depend_on_the_length_of_a_step(hamlet, two, seconds_per_step, steps):
    """Two hours and a quarter (docs/migration/faults.md, 48)."""
    hamlet.seconds_per_step = seconds_per_step
    await begun(hamlet, two)
    assert two[0].scratch.cool_downs == {BEN: steps}
