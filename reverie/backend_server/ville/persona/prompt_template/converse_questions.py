"""Questions about conversations: relationship, next utterance, summary and thoughts afterwards (paper §4.3.2)."""

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from pydantic import Field

from ville.persona.memory_structures.social_impression import UNKNOWN
from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.answers.meant import Hour, Minutes, Whole, meant_text
from ville.persona.prompt_template.answers.speech import spoken_by
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, SaidOfLate, SituatedSelf
from ville.persona.prompt_template.perceive_questions import DEFAULT_POIGNANCY, MUNDANE, POIGNANT
from ville.persona.prompt_template.question import BRIEF, LONG, TALKING, Question
from ville.plain_text import shortened

ANYTHING = "this and that"
REPEATED_FEELING = re.compile(r" \(feeling: [^()]*\)\.?$")
"""End of an impression as it is quoted."""


class RelationshipSummary(Answer):
    relationship: str = Field(
        max_length=caps.RELATIONSHIP, description="one sentence: what the other person is to this one"
    )
    feeling: str = Field(
        default="", max_length=caps.FEELING, description="what this one feels about it, in a few words"
    )


@dataclass(frozen=True)
class Relationship(Question[RelationshipSummary]):
    """What is another persona to this one, from memory?"""

    identity: str
    name: str
    other: str
    memories: tuple[QuotedMemory, ...]
    known: str = ""
    """The impression so far; empty if there is none."""

    template = "converse/relationship.txt"
    answer = RelationshipSummary

    def fallback(self) -> RelationshipSummary:
        """Return the impression so far, unchecked because with its feeling it may be longer than an answer."""
        together = f"{self.name} and {self.other} live in the same town."
        return RelationshipSummary.model_construct(relationship=self.known or together, feeling="")

    def fitted(self, answer: RelationshipSummary, *, last: bool) -> RelationshipSummary:
        """Read an answer that says nothing as no answer, and leave out a feeling repeated from the impression."""
        del last
        said = stated(answer.relationship)
        return answer.model_copy(update={"relationship": said}) if said else self.fallback()


def stated(relationship: str) -> str:
    """Return a relationship without a feeling repeated from the impression; empty if it says nothing."""
    said = REPEATED_FEELING.sub("", relationship)
    return "" if said.strip(" .").casefold() in {"", UNKNOWN} else said


class ImpressionSummary(RelationshipSummary):
    summary: str = Field(
        default="", max_length=caps.SUMMARY, description="what this one knows of the other and has with it"
    )


@dataclass(frozen=True)
class Impression(Question[ImpressionSummary]):
    """What is another persona to this one, and what does this one know of it?"""

    identity: str
    name: str
    other: str
    known: str
    """Impression and summary so far; empty if there are none."""
    memories: tuple[QuotedMemory, ...]

    template = "converse/impression.txt"
    answer = ImpressionSummary

    def fallback(self) -> ImpressionSummary:
        return ImpressionSummary(relationship="")

    def fitted(self, answer: ImpressionSummary, *, last: bool) -> ImpressionSummary:
        """Read an answer that says nothing as no answer, and leave out a feeling repeated from the impression."""
        del last
        said = stated(answer.relationship)
        return answer.model_copy(update={"relationship": said}) if said else self.fallback()


class Utterance(Answer):
    utterance: str = Field(
        max_length=caps.UTTERANCE,
        description="what is said, one to three sentences, without the speaker's name; empty to leave",
    )
    ends: bool = Field(default=False, description="true if the conversation is over with this")


@dataclass(frozen=True)
class NextUtterance(Question[Utterance]):
    """What does this persona say next? (paper §4.3.2)"""

    identity: str
    name: str
    other: str
    now: datetime
    place: str
    situation: str
    """Activities of both when they met."""
    relationship: str
    last_talk: str
    """When and about what they last talked, or `never`."""
    memories: tuple[QuotedMemory, ...]
    transcript: tuple[DialogueTurn, ...]
    earlier: SaidOfLate | None = None
    """Utterances of the two in the last two days; None if they did not talk."""
    at_hand: SituatedSelf | None = None

    template = "converse/next_utterance.txt"
    answer = Utterance
    tier = "advanced"
    temperature = TALKING

    def fallback(self) -> Utterance:
        return Utterance(utterance="", ends=True)

    def fitted(self, answer: Utterance, *, last: bool) -> Utterance:
        del last
        return answer.model_copy(update={"utterance": spoken_by(self.name, answer.utterance, self.other)})


@dataclass(frozen=True)
class UtteranceByImpression(Question[Utterance]):
    """What does this persona say next, by what it knows of the other?"""

    identity: str
    name: str
    other: str
    now: datetime
    place: str
    situation: str
    """Activities of both when they met."""
    impression: str
    """Relationship of the other to this persona, and what this persona knows of the other."""
    memories: tuple[QuotedMemory, ...]
    transcript: tuple[DialogueTurn, ...]
    earlier: SaidOfLate | None = None
    """Utterances of the two in the last two days; None if they did not talk."""
    at_hand: SituatedSelf | None = None

    template = "converse/utterance_by_impression.txt"
    answer = Utterance
    tier = "advanced"
    temperature = TALKING

    def fallback(self) -> Utterance:
        return Utterance(utterance="", ends=True)

    def fitted(self, answer: Utterance, *, last: bool) -> Utterance:
        del last
        return answer.model_copy(update={"utterance": spoken_by(self.name, answer.utterance, self.other)})


class Gist(Answer):
    about: str = Field(
        min_length=1,
        max_length=caps.GIST,
        description="what they talked about, continuing 'conversing about …'",
    )


@dataclass(frozen=True)
class ConversationGist(Question[Gist]):
    """What was a conversation about?"""

    transcript: tuple[DialogueTurn, ...]

    template = "converse/conversation_gist.txt"
    answer = Gist
    answer_tokens = BRIEF

    def fallback(self) -> Gist:
        return Gist(about=ANYTHING)


class Afterthought(Answer):
    text: str = Field(
        max_length=caps.THOUGHT,
        description="one sentence in the third person, beginning with the name; empty if there is nothing",
    )
    predicate: str = Field(
        default="",
        max_length=caps.KEYWORD,
        description="the verb of the sentence subject-predicate-object about it",
    )
    object: str = Field(default="", max_length=caps.KEYWORD, description="the object of that sentence")
    poignancy: Whole = Field(default=DEFAULT_POIGNANCY, ge=MUNDANE, le=POIGNANT)


class Appointment(Answer):
    what: str = Field(
        default="",
        max_length=caps.ACTIVITY,
        description="what to do, with its place, as in a plan; empty if nothing was agreed on for today",
    )
    hour: Hour = Field(default=0, ge=0, le=23, description="full hour at which it begins")
    minutes: Minutes = Field(default=0, ge=0, description="how long it takes")


class Afterthoughts(Answer):
    for_planning: Afterthought = Field(description="what has to be remembered for planning, with day, hour and place")
    memo: Afterthought = Field(description="what was interesting about it")
    today: Appointment = Field(default_factory=Appointment, description="what was agreed on for later today")


@dataclass(frozen=True)
class AfterConversation(Question[Afterthoughts]):
    """What does this persona remember and plan after a conversation?"""

    identity: str
    name: str
    other: str
    now: datetime
    transcript: tuple[DialogueTurn, ...]
    day: tuple[str, ...] = ()
    """The plan for today, in a line each."""

    template = "converse/after_conversation.txt"
    answer = Afterthoughts

    def fallback(self) -> Afterthoughts:
        return Afterthoughts(for_planning=Afterthought(text=""), memo=Afterthought(text=""))


class KeptThought(Answer):
    text: str = Field(default="", max_length=caps.THOUGHT)
    poignancy: Whole = Field(default=DEFAULT_POIGNANCY, ge=MUNDANE, le=POIGNANT)


class KeptOfTalk(Answer):
    """Memories that one of the two keeps of a talk: afterthoughts, and the impression of the other."""

    for_planning: KeptThought
    memo: KeptThought
    today: Appointment = Field(default_factory=Appointment)
    relationship: str = Field(default="", max_length=caps.RELATIONSHIP)
    feeling: str = Field(default="", max_length=caps.FEELING)
    summary: str = Field(default="", max_length=caps.SUMMARY)

    @property
    def afterthoughts(self) -> Afterthoughts:
        planning, memo = (Afterthought(**each.model_dump()) for each in (self.for_planning, self.memo))
        return Afterthoughts(for_planning=planning, memo=memo, today=self.today)


@dataclass(frozen=True)
class AfterImpression(Question[KeptOfTalk]):
    """What does this persona remember, plan and think of the other after a conversation?"""

    identity: str
    name: str
    other: str
    known: str
    """Impression and summary so far; empty if there are none."""
    now: datetime
    transcript: tuple[DialogueTurn, ...]
    day: tuple[str, ...] = ()
    """The rest of the plan for today, in a line each."""

    template = "converse/after_impression.txt"
    answer = KeptOfTalk

    def fallback(self) -> KeptOfTalk:
        return KeptOfTalk(for_planning=KeptThought(), memo=KeptThought())

    def fitted(self, answer: KeptOfTalk, *, last: bool) -> KeptOfTalk:
        del last
        return answer.model_copy(update={"relationship": stated(answer.relationship)})


class SpokenLine(Answer):
    speaker: str = Field(max_length=caps.KEYWORD)
    said: str = Field(max_length=caps.UTTERANCE, description="one to three sentences")


class Whose(Answer):
    whose: str = Field(max_length=caps.KEYWORD, description="name")


class KeptByOne(KeptOfTalk, Whose):
    """The same for one of the two, with its name."""


class WholeConversation(Answer):
    lines: Items[SpokenLine] = Field(max_length=caps.LINES)
    about: str = Field(max_length=caps.GIST, min_length=1, description="continuing 'conversing about …'")
    kept: Items[KeptByOne] = Field(default_factory=list, max_length=caps.LINES)

    def kept_by(self, name: str) -> KeptByOne | None:
        """Return what one of the two keeps of it, if that is answered."""
        return next((each for each in self.kept if each.whose == name), None)


@dataclass(frozen=True)
class WholeTalk(Question[WholeConversation]):
    """What do two personas say to each other, and what does each keep of it?"""

    first: str
    second: str
    first_identity: str
    first_impression: str
    """Relationship of the second to the first, and what the first knows of the second."""
    first_memories: tuple[QuotedMemory, ...]
    first_day: tuple[str, ...]
    """The rest of its plan for today, in a line each."""
    second_identity: str
    second_impression: str
    second_memories: tuple[QuotedMemory, ...]
    second_day: tuple[str, ...]
    now: datetime
    place: str
    situation: str
    """Activities of both when they met."""
    most: int
    """Most utterances."""
    first_earlier: SaidOfLate | None = None
    """Utterances of the two in the last two days, as the first remembers them; None if they did not talk."""
    second_earlier: SaidOfLate | None = None

    template = "converse/whole_talk.txt"
    answer = WholeConversation
    answer_tokens = LONG
    tier = "advanced"
    temperature = TALKING

    def fallback(self) -> WholeConversation:
        return WholeConversation(lines=[], about=ANYTHING)

    def fitted(self, answer: WholeConversation, *, last: bool) -> WholeConversation:
        """Name both as the question does; on the last attempt, leave out what others say."""
        lines: list[SpokenLine] = []
        for line in answer.lines:
            speaker = self._one_of_the_two(line.speaker)
            if not speaker and not last:
                raise ValueError(f"lines: the speaker is {self.first} or {self.second}, not '{line.speaker}'")
            said = spoken_by(speaker, line.said, self.second if speaker == self.first else self.first)
            if speaker and said:
                lines.append(SpokenLine.model_construct(speaker=speaker, said=said))
        kept = [each.model_copy(update={"whose": whose, "relationship": stated(each.relationship)})
                for each in answer.kept if (whose := self._one_of_the_two(each.whose))]  # fmt: skip
        return answer.model_copy(update={"lines": _by_turns(lines)[: self.most], "kept": kept})

    def _one_of_the_two(self, text: str) -> str:
        """Return whom a name means, whole or first only; empty if it is neither."""
        said = meant_text(text).casefold()
        names = (self.first, self.second)
        whole = [name for name in names if said == name.casefold()]
        short = [name for name in names if said == name.partition(" ")[0].casefold()]
        return next(iter(whole), short[0] if len(short) == 1 else "")


def _by_turns(lines: list[SpokenLine]) -> list[SpokenLine]:
    """Return the lines with what one says in several of them as one."""
    said = ((speaker, [line.said for line in own]) for speaker, own in groupby(lines, key=lambda line: line.speaker))
    return [SpokenLine(speaker=speaker, said=shortened(" ".join(texts), caps.UTTERANCE)) for speaker, texts in said]
