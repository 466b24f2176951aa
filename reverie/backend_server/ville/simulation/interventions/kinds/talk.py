"""A real conversation of a user with a persona, which has the consequences of any conversation (paper §3.2)."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, Strict

from ville.errors import BadArgument, BadIntervention
from ville.persona.cognitive_modules.conversing.converse import (
    ConversationResult,
    enter_conversation,
    summed_up,
)
from ville.persona.cognitive_modules.conversing.encounter import available_to_talk
from ville.persona.cognitive_modules.conversing.impression import FormedImpression, keep_impression
from ville.persona.cognitive_modules.conversing.user_talk import memories_used, relate, reply, side_of
from ville.persona.cognitive_modules.mind import Mind, Moment, gather_all
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Scratch, Transcript
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.fields import MOST_LINES, Name, PersonaName, Turn
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.user_texts import checked_role


class RealTalk(Intervention):
    """A conversation of a user, in a role, with a persona, who remembers it."""

    kind: Literal["talk"] = "talk"
    who: PersonaName
    """Full name of the persona."""
    role: Annotated[Name, Field(alias="as")]
    lines: Annotated[tuple[Turn, ...], Strict(strict=False), Field(min_length=1, max_length=MOST_LINES)]


@dataclass(frozen=True)
class Participant:
    """A persona in a conversation with a user, or the resident for whom the user speaks."""

    mind: Mind
    moment: Moment
    other: str

    def boundary(self) -> AbstractAsyncContextManager[Moment]:
        """Return a context with the moment: interventions are always between two steps."""
        return nullcontext(self.moment)

    async def relate(self) -> FormedImpression:
        return await relate(self.mind, self.moment.embedder, self.other, boundary=self.boundary)


@dataclass(frozen=True)
class Consequence:
    """Changes that a conversation makes in one mind."""

    who: Participant
    formed: FormedImpression
    used: Sequence[ConceptNode]
    """Memories that came to mind during the conversation."""
    schedule: Schedule

    def apply(self, conversed: ConversationResult) -> None:
        mind, moment, other = self.who.mind, self.who.moment, self.who.other
        keep_impression(side_of(mind, moment, other), self.formed)
        mind.stream.mark_accessed(self.used, moment.now)
        enter_conversation(mind, moment.view, other, conversed=conversed, schedule=self.schedule)


async def prepare(target: Target, talk: RealTalk) -> Effect:
    """Ask what the conversation was about, and for answers if it has none.

    Raises UnknownPersona, BadIntervention if a persona cannot talk now, and ModelError.
    """
    talk = with_speakers(talk, target.town.personas)
    target.check_may_talk(talk.who, talk.role)
    pair = [(talk.who, talk.role), *([(talk.role, talk.who)] if talk.role in target.town.personas else [])]
    people = [Participant(target.mind(name), target.moment(name), other) for name, other in pair]
    for person in people:
        check_free(person.mind.scratch)
    formed = await gather_all(person.relate() for person in people)
    transcript = await _answered(people[0], formed[0], talk)
    conversed = await summed_up(people[0].moment, transcript)
    consequences = await gather_all(
        _consequence(person, impression, conversed) for person, impression in zip(people, formed, strict=True)
    )

    def apply() -> str:
        for consequence in consequences:
            consequence.apply(conversed)
        return f"{talk.who} and {talk.role} are {conversed.gist}"

    return Effect(talk.model_copy(update={"lines": transcript}), apply)


def check(around: Circumstances, talk: RealTalk, _step: int) -> None:
    """Check who speaks."""
    with_speakers(talk, around.homes)


def with_speakers(talk: RealTalk, people: Collection[str]) -> RealTalk:
    """Return the talk with the names of the speakers as they are. Raises BadIntervention."""
    try:
        role = checked_role(talk.role, talk.who, people)
    except BadArgument as fault:
        raise BadIntervention(f"talk: as: {fault}") from None
    names = {talk.who.lower(): talk.who, role.lower(): role, talk.role.lower(): role}
    for speaker, _ in talk.lines:
        if speaker.lower() not in names:
            raise BadIntervention(
                f"talk: lines: '{speaker}' takes no part in it. Lines are of {role} or of {talk.who}."
            )
    lines = tuple((names[speaker.lower()], said) for speaker, said in talk.lines)
    return talk.model_copy(update={"role": role, "lines": lines})


def check_free(scratch: Scratch) -> None:
    """Raise BadIntervention if a persona cannot talk now."""
    action, talk = scratch.action, scratch.conversation
    if available_to_talk(scratch):
        return
    state = "has not begun the day"
    if talk:
        state = f"is talking with {talk.partner}"
    elif action:
        state = "is asleep" if action.asleep else f"is {action.description}" if action.mends else "is waiting"
    raise BadIntervention(f"{scratch.name} {state}, and cannot talk now. Run some steps, for example: run until 09:00")


async def _answered(person: Participant, formed: FormedImpression, talk: RealTalk) -> Transcript:
    """Return the lines with answers: as they are, if there is one of the persona, else as the persona would answer."""
    if any(speaker == talk.who for speaker, _ in talk.lines):
        return talk.lines
    transcript: Transcript = ()
    for line in talk.lines:
        transcript = (*transcript, line)
        replied = await reply(person.mind, person.moment.embedder, formed, transcript, boundary=person.boundary)
        spoken = replied.spoken
        transcript = (*transcript, *([(talk.who, spoken.utterance)] if spoken.utterance else []))
        if spoken.ends or not spoken.utterance:
            break
    return transcript


async def _consequence(person: Participant, formed: FormedImpression, conversed: ConversationResult) -> Consequence:
    used = await memories_used(person.mind, person.moment, formed, conversed.transcript)
    schedule = await reschedule(person.mind, person.moment, conversed.gist, conversed.minutes)
    return Consequence(person, formed, used, schedule)


KIND = Kind(
    RealTalk,
    prepare,
    effect="a conversation of a user in a role, which the persona remembers; `lines` are pairs of speaker and words",
    check=check,
    told=Told("A user talks with %(names)s.", "%(words)s talks with %(names)s.", words="as"),
)
