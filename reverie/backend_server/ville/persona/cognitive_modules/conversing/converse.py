"""Conversations, turn by turn: each speaker uses only its own memory (paper §4.3.2)."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ville.json_types import JsonObject
from ville.persona.cognitive_modules.committing.at_hand import with_what_is_off
from ville.persona.cognitive_modules.conversing import social_memory
from ville.persona.cognitive_modules.conversing.encounter import (
    COOL_DOWN,
    available_to_talk,
    describe_last_talk,
    said_of_late,
)
from ville.persona.cognitive_modules.conversing.preparation import Preparation, prepared
from ville.persona.cognitive_modules.conversing.speaker import (
    MOST_UTTERANCES,
    Speaker,
    doing,
    doing_or_on_the_way,
)
from ville.persona.cognitive_modules.conversing.subject import subject_of_turn
from ville.persona.cognitive_modules.conversing.talk_end import (
    is_over,
    is_parting,
    most_utterances,
    to_its_end,
    to_the_other,
    without_echo,
)
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    clean_phrase,
    gather_pair,
    quote_memories,
    retrieve_memories,
)
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.cognitive_modules.situated import CONVERSING, situated_self
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Conversation, Scratch, Transcript
from ville.persona.memory_structures.stream.concept_node import CHATS_WITH, ConceptNode
from ville.persona.prompt_template.answers.content import SENTENCES
from ville.persona.prompt_template.ask import answered_by_rules, ask
from ville.persona.prompt_template.blanks import DialogueTurn, SituatedSelf
from ville.persona.prompt_template.conversation_answers import Utterance
from ville.persona.prompt_template.converse_questions import (
    ANYTHING,
    ConversationGist,
    NextUtterance,
    UtteranceByImpression,
)
from ville.persona.prompt_template.whole_talk_question import WholeTalk
from ville.world.address import NearPersona

UTTERANCE_MEMORIES, PAPER_MEMORIES = 4, 10
"""Number of memories retrieved per focal point before each utterance; the second with the questions of the paper."""
LINES_OF_GIST = 3
"""Lines that say at least what a talk is about where people think meanwhile: it is asked while the next one is."""
RECENT_TURNS = 4
"""Last turns of the conversation that serve as one focal point."""
CHARACTERS_PER_SYLLABLE, SYLLABLES_PER_MINUTE = 8, 30
"""Speed of speech, which sets how long a conversation takes."""
NEWS = "\nNews and invitations are passed on, with day, hour and place, to who should know."
AGAIN = "\n{name} answers in words of {name}'s own, briefly."
WHO_TALKS = re.compile(
    r"^(?:[^\W\d_]+ ){1,8}?(?:are |were |is |was )?"
    r"(?:discuss(?:ed|es|ing)?|(?:talk(?:ed|s|ing)?|spoke|speak(?:s|ing)?) about)\s+"
    r"|^(?:a |the )?(?:conversation|talk|discussion) (?:about|of|on)\s+",
    re.IGNORECASE,
)
"""Beginning of a topic that says who talks, instead of what about."""
BUBBLE = "💬"


@dataclass(frozen=True)
class ConversationResult:
    """Utterances of a conversation, and how long it takes."""

    transcript: Transcript
    gist: str
    """Summary as an activity: `conversing about ...`."""
    minutes: int
    kept: Mapping[str, JsonObject] = field(default_factory=dict)
    """Memories that each will keep of it, by name; without them, they are asked when the conversation ends."""


async def converse(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> ConversationResult | None:
    """Return the conversation that the first persona starts with the second.

    Return None if the first has nothing to say, or if the second is no longer available. Both moments are of the same
    step, each with its own caller.
    """
    if not available_to_talk(second[0].scratch):
        return None
    sides = _speakers(first, second)
    if first[0].settings.conversations == "whole":
        for side in sides:
            await conclude(side.mind, side.moment, "talk")
        return await _whole_talk(*sides)
    async with prepared(*sides) as preparations:
        transcript, gist = await _turn_by_turn(sides, preparations)
        for preparation in preparations:
            await preparation.relationship(MOST_UTTERANCES)
    if len(transcript) == 1 and not _by_paper_or_rules(sides[0]):
        _pass_by(*sides)
        return None
    if not transcript:
        return None
    if gist:
        return ConversationResult(transcript, gist, speaking_minutes(transcript))
    return await summed_up(sides[0].moment, transcript)


async def _turn_by_turn(
    sides: tuple[Speaker, Speaker], preparations: tuple[Preparation, Preparation]
) -> tuple[Transcript, str]:
    """Return what the two say, and what it is about if that was asked meanwhile; empty if it was not."""
    transcript: Transcript = ()
    gist = ""
    for turn in range(MOST_UTTERANCES):
        side = turn % 2
        speaking = speak(sides[side], await preparations[side].relationship(turn), transcript)
        if not gist and _says_what_about(sides[side], transcript):
            spoken, gist = await gather_pair(speaking, _gist(sides[0].moment, transcript))
        else:
            spoken = await speaking
        if spoken.utterance:
            transcript = (*transcript, (sides[side].mind.name, spoken.utterance))
        if spoken.ends or not spoken.utterance:
            break
    return transcript, gist


def _says_what_about(side: Speaker, transcript: Transcript) -> bool:
    """Return whether what a talk is about can be asked while its next line is: only goodbyes are to come. The rules may
    end a talk with any line.
    """
    if not side.mind.settings.muses or len(transcript) < LINES_OF_GIST:
        return False
    return answered_by_rules(side.moment.caller) or _takes_leave(side, transcript)


def _by_paper_or_rules(side: Speaker) -> bool:
    return side.mind.settings.questions != "situated" or answered_by_rules(side.moment.caller)


def _pass_by(*sides: Speaker) -> None:
    """Let two pass each other with a nod, of whom one had nothing to answer; they do not try again for a while."""
    sides[0].moment.caller.tally.nods.append(sides[0].other)
    for side in sides:
        note_cool_down(side.mind.scratch, side.other, side.moment.view)


async def _whole_talk(first: Speaker, second: Speaker) -> ConversationResult | None:
    """Return a conversation that one question writes, from what is on the mind of each. The minds do not change."""
    memories = await gather_pair(_memories_for_whole_talk(first), _memories_for_whole_talk(second))
    answer = await ask(first.moment.caller, _whole_talk_question(first, second, memories))
    transcript = tuple((line.speaker, line.said) for line in answer.lines)
    if first.mind.settings.questions == "situated" and not answered_by_rules(first.moment.caller):
        transcript = to_its_end(transcript)
    if not transcript:
        return None
    for side, nodes in zip((first, second), memories, strict=True):
        side.mind.stream.mark_accessed(nodes, side.moment.now)
    names = (first.mind.name, second.mind.name)
    kept = {name: own.model_dump(exclude={"whose"}) for name in names if (own := answer.kept_by(name))}
    return ConversationResult(transcript, _gist_phrase(answer.about), speaking_minutes(transcript), kept)


async def _memories_for_whole_talk(side: Speaker) -> list[ConceptNode]:
    points = social_memory.talk_points(side, ()) if len(side.mind.stream) else []
    vectors = await side.moment.embed(points)
    return social_memory.memories_in_whole_talk(side, [vectors[point] for point in points])


def _whole_talk_question(
    first: Speaker, second: Speaker, memories: tuple[list[ConceptNode], list[ConceptNode]]
) -> WholeTalk:
    now = first.moment.now
    return WholeTalk(
        first=first.mind.name,
        second=second.mind.name,
        first_identity=first.mind.scratch.identity.character,
        first_impression=social_memory.standing_impression(first),
        first_memories=quote_memories(with_what_is_off(first.mind, memories[0]), now),
        first_day=social_memory.rest_of_day(first.mind, now),
        second_identity=second.mind.scratch.identity.character,
        second_impression=social_memory.standing_impression(second),
        second_memories=quote_memories(with_what_is_off(second.mind, memories[1]), now),
        second_day=social_memory.rest_of_day(second.mind, now),
        now=now,
        place=first.place,
        situation=first.situation,
        most=MOST_UTTERANCES,
        first_earlier=said_of_late(first.mind.stream, second.mind.name, now),
        second_earlier=said_of_late(second.mind.stream, first.mind.name, now),
        cue=NEWS if first.mind.settings.pass_on_news and first.mind.settings.questions == "situated" else None,
        **_selves(first, second),
    )


def _selves(first: Speaker, second: Speaker) -> dict[str, SituatedSelf | None]:
    """Return what is true of both, by the fields of a question for a whole talk."""
    sides = {"first_now": first, "second_now": second}
    return {name: situated_self(side.mind, side.moment, facing=side.other) for name, side in sides.items()}


def _speakers(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> tuple[Speaker, Speaker]:
    (one, moment), (other, other_moment) = first, second
    situation = (
        f"{one.name} was {doing_or_on_the_way(one, one.name, moment)} when {one.name} saw {other.name}, who was "
        f"{doing_or_on_the_way(one, other.name, moment)}. {one.name} goes up to {other.name}."
    )
    most = MOST_UTTERANCES
    if one.settings.questions == "situated":
        seen = [moment.view.people[mind.name] for mind in (one, other)]
        chance = moment.randomness(f"{one.name} talks to {other.name}")
        most = min(most, most_utterances([one.scratch.identity, other.scratch.identity], seen, chance))
    return Speaker(one, moment, other.name, situation, most), Speaker(other, other_moment, one.name, situation, most)


async def speak(side: Speaker, relationship: str, transcript: Transcript) -> Utterance:
    """Return what this persona says next, and whether that ends the talk. Raise a ModelError.

    In situated questions a model only says what is said, to the other: earlier words are left out. If nothing is left,
    it is asked once more; of a goodbye, the first sentence is said. The end is decided by rule.
    """
    spoken = await _spoken(side, relationship, transcript, None)
    if _by_paper_or_rules(side):
        return spoken
    names = (name.split()[0] for name in (side.mind.name, side.other))
    spoken = spoken.model_copy(update={"utterance": to_the_other(spoken.utterance, *names)})
    if _takes_leave(side, transcript):
        own = _without_echo(side, spoken, transcript)
        return by_rule(side, own if own.utterance else _first_sentence(spoken), transcript)
    spoken = _without_echo(side, spoken, transcript)
    if not spoken.utterance and transcript:
        again = AGAIN.format(name=side.mind.scratch.identity.first_name)
        spoken = _without_echo(side, await _spoken(side, relationship, transcript, again), transcript)
    return by_rule(side, spoken, transcript)


def _first_sentence(spoken: Utterance) -> Utterance:
    return spoken.model_copy(update={"utterance": SENTENCES.split(spoken.utterance)[0]})


def _without_echo(side: Speaker, spoken: Utterance, transcript: Transcript) -> Utterance:
    """Return an utterance without what was said in this talk, or by the speaker of late; it may be empty."""
    late = said_of_late(side.mind.stream, side.other, side.moment.now)
    own = [turn.said for turn in late.turns if turn.speaker == side.mind.name] if late else []
    before = [*own, *(said for _, said in transcript)]
    said = without_echo(spoken.utterance, before, (side.mind.name, side.other))
    return spoken.model_copy(update={"utterance": said})


def by_rule(side: Speaker, spoken: Utterance, transcript: Transcript) -> Utterance:
    """Return an utterance that ends the talk if the rules say so; one without words always does."""
    if not spoken.utterance:
        return spoken
    said = (*transcript, (side.mind.name, spoken.utterance))
    return spoken.model_copy(update={"ends": is_over(said) or len(said) >= side.most})


def _takes_leave(side: Speaker, transcript: Transcript) -> bool:
    """Return whether it is time for a goodbye: the other has said one, or the talk has run its length."""
    return is_parting(transcript) or len(transcript) >= max(side.most - 2, 1)


async def _spoken(side: Speaker, relationship: str, transcript: Transcript, cue: str | None) -> Utterance:
    """Return the words for a turn: with situated questions, on a subject that is drawn, or a goodbye."""
    question, used = await _speaking(side, relationship, transcript)
    if side.mind.settings.questions == "situated":
        parting = _takes_leave(side, transcript)
        subject = "" if parting or cue else subject_of_turn(side, transcript, question.at_hand)
        news = NEWS if side.mind.settings.pass_on_news else None
        question = replace(question, cue=cue or news, parting=parting, subject=subject)
    spoken = await ask(side.moment.caller, question)
    side.mind.stream.mark_accessed(used, side.moment.now)
    return spoken


async def _speaking(
    side: Speaker, relationship: str, transcript: Transcript
) -> tuple[NextUtterance | UtteranceByImpression, list[ConceptNode]]:
    """Return the question for an utterance, and memories that count as accessed once it is answered."""
    if side.mind.settings.social_memory:
        found = await social_memory.memories_for_utterance(side, transcript)
        nodes = [each.node for each in found]
        return social_memory.utterance_by_impression(side, relationship, transcript, memories=nodes), nodes
    points = focal_points(side, relationship, transcript)
    retrieved = await retrieve_memories(side.mind, side.moment, points, utterance_memories(side), about=[side.other])
    memories = [node for some in retrieved for node in some]
    return utterance_question(side, relationship, transcript, memories=memories), []


def utterance_memories(side: Speaker) -> int:
    """Return how many memories are retrieved per focal point before an utterance."""
    return PAPER_MEMORIES if side.mind.settings.questions == "paper" else UTTERANCE_MEMORIES


def utterance_question(
    side: Speaker, relationship: str, transcript: Transcript, *, memories: Sequence[ConceptNode]
) -> NextUtterance:
    mind, now = side.mind, side.moment.now
    return NextUtterance(
        identity=mind.identity_text(now),
        name=mind.name,
        other=side.other,
        now=now,
        place=side.place,
        situation=side.situation,
        relationship=relationship,
        last_talk=describe_last_talk(mind.stream, side.other, now),
        memories=quote_memories(with_what_is_off(mind, memories), now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript),
        earlier=said_of_late(mind.stream, side.other, now),
        at_hand=situated_self(mind, side.moment, facing=side.other),
        manner=side.manner,
    )


def focal_points(side: Speaker, relationship: str, transcript: Transcript) -> list[str]:
    """Return what memories are retrieved for before an utterance: relationship, the other's action, last turns."""
    points = [relationship, f"{side.other} is {doing(side.other, side.moment)}"]
    if transcript:
        points.append("\n".join(f"{speaker}: {said}" for speaker, said in transcript[-RECENT_TURNS:]))
    return points


async def summed_up(moment: Moment, transcript: Transcript) -> ConversationResult:
    """Return the result of a conversation: its summary is asked for."""
    return ConversationResult(transcript, await _gist(moment, transcript), speaking_minutes(transcript))


async def _gist(moment: Moment, transcript: Transcript) -> str:
    question = ConversationGist(transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript))
    return _gist_phrase((await ask(moment.caller, question)).about)


def _gist_phrase(said: str) -> str:
    """Return what a conversation was about as an activity."""
    about = WHO_TALKS.sub("", clean_phrase(said))
    while about.lower().startswith(CONVERSING):
        about = about[len(CONVERSING) :].strip(" …")
    return f"{CONVERSING} {about or ANYTHING}"


def speaking_minutes(transcript: Transcript) -> int:
    """Return how long a conversation takes, at least a minute."""
    characters = sum(len(f"{speaker}: {said}\n") for speaker, said in transcript)
    return max(1, math.ceil(characters // CHARACTERS_PER_SYLLABLE / SYLLABLES_PER_MINUTE))


async def start_conversation(
    first: tuple[Mind, Moment], second: tuple[Mind, Moment], conversed: ConversationResult
) -> None:
    """Make the conversation the current action of both. If a call fails for one, nothing changes for either."""
    (one, moment), (other, other_moment) = first, second
    schedules = await gather_pair(
        reschedule(one, moment, conversed.gist, conversed.minutes),
        reschedule(other, other_moment, conversed.gist, conversed.minutes),
    )
    enter_conversation(one, moment.view, other.name, conversed=conversed, schedule=schedules[0])
    enter_conversation(other, moment.view, one.name, conversed=conversed, schedule=schedules[1])


def enter_conversation(
    mind: Mind, view: TownView, other: str, *, conversed: ConversationResult, schedule: Schedule
) -> None:
    """Make the conversation the current action of one persona, with a schedule that makes room for it."""
    action = Action(
        address=str(NearPersona(other)),
        start=view.now,
        minutes=conversed.minutes,
        description=conversed.gist,
        emoji=BUBBLE,
        event=(mind.name, CHATS_WITH, other),
    )
    mind.scratch.schedule = schedule
    kept = conversed.kept.get(mind.name)
    mind.scratch.begin(action, Conversation(other, conversed.transcript, action.ends, kept=kept))
    note_cool_down(mind.scratch, other, view)


def note_cool_down(scratch: Scratch, other: str, view: TownView) -> None:
    """Note that the persona does not start another conversation with the same partner for a while."""
    scratch.cool_downs[other] = math.ceil(COOL_DOWN.total_seconds() / view.seconds_per_step)
