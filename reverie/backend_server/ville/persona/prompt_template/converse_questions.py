"""Questions about conversations: relationship, next utterance, summary and thoughts afterwards (paper §4.3.2)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic.json_schema import JsonSchemaValue

from ville.offline.grammar import in_first_person
from ville.persona.prompt_template import talk_words
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.answers.speech import spoken_by
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, SaidOfLate, SituatedSelf
from ville.persona.prompt_template.conversation_answers import (
    Afterthought,
    Afterthoughts,
    Gist,
    ImpressionSummary,
    KeptOfTalk,
    KeptThought,
    OnlyMemo,
    RelationshipSummary,
    Utterance,
)
from ville.persona.prompt_template.question import BRIEF, FOR_RULES, IN_ANOTHER, TALKING, Question
from ville.persona.prompt_template.situated_words import situated_text

IN_WORDS = "the words"
PLAINLY = "plainly"
ANYTHING = "this and that"
TRIPLE = {"predicate", "object"}
"""Parts of an afterthought that situated questions do without."""


@dataclass(frozen=True)
class Relationship(Question[RelationshipSummary]):
    """What is another persona to this one, from memory?"""

    identity: str
    name: str
    other: str
    memories: tuple[QuotedMemory, ...]
    known: str = ""
    """The impression so far; empty if there is none."""
    at_hand: SituatedSelf | None = None

    template = "converse/relationship.txt"
    answer = RelationshipSummary

    def schema(self) -> JsonSchemaValue:
        return talk_words.with_feelings(super().schema(), self.at_hand)

    def worded(self) -> Mapping[str, str]:
        """Return what may be said of the other, without secrets: they would be part of the relationship, and told."""
        return {"identity": talk_words.character(self.identity), **_without_secrets(self.known, self.memories)}

    def fallback(self) -> RelationshipSummary:
        """Return the impression so far, unchecked because with its feeling it may be longer than an answer."""
        together = f"{self.name} and {self.other} live in the same town."
        return RelationshipSummary.model_construct(relationship=self.known or together, feeling="")

    def fitted(self, answer: RelationshipSummary, *, last: bool) -> RelationshipSummary:
        """Read an answer that says nothing as no answer, and leave out a feeling repeated from the impression."""
        del last
        said = talk_words.stated(answer.relationship)
        loves = answer.feeling in talk_words.FEELINGS and talk_words.loves_secretly(self.memories)
        feeling = talk_words.LOVE if loves else answer.feeling
        return answer.model_copy(update={"relationship": said, "feeling": feeling}) if said else self.fallback()


def _without_secrets(known: str, memories: Sequence[QuotedMemory]) -> dict[str, str]:
    return {
        "known": situated_text(talk_words.without_secret_sentences(known)),
        "memories": situated_text(talk_words.without_secrets(memories)),
    }


@dataclass(frozen=True)
class Impression(Question[ImpressionSummary]):
    """What is another persona to this one, and what does this one know of it?"""

    identity: str
    name: str
    other: str
    known: str
    """Impression and summary so far; empty if there are none."""
    memories: tuple[QuotedMemory, ...]
    at_hand: SituatedSelf | None = None

    template = "converse/impression.txt"
    answer = ImpressionSummary

    def schema(self) -> JsonSchemaValue:
        return talk_words.with_feelings(super().schema(), self.at_hand)

    def worded(self) -> Mapping[str, str]:
        return {"identity": talk_words.character(self.identity), **_without_secrets(self.known, self.memories)}

    def fallback(self) -> ImpressionSummary:
        return ImpressionSummary(relationship="")

    def fitted(self, answer: ImpressionSummary, *, last: bool) -> ImpressionSummary:
        """Read an answer that says nothing as no answer, and leave out a feeling repeated from the impression."""
        del last
        said = talk_words.stated(answer.relationship)
        return answer.model_copy(update={"relationship": said}) if said else self.fallback()


class Speaking(Question[Utterance]):
    """Question for an utterance. In situated ones, an answer has a key for each of its parts."""

    name: str
    other: str
    situation: str
    identity: str
    memories: tuple[QuotedMemory, ...]
    transcript: tuple[DialogueTurn, ...]
    earlier: SaidOfLate | None
    manner: str | None
    subject: str
    parting: bool
    at_hand: SituatedSelf | None

    def schema(self) -> JsonSchemaValue:
        whole = super().schema()
        if self.at_hand is None:
            return whole
        said = whole["properties"]["utterance"]
        parts = {
            part.key: {**said, "minLength": 1, "maxLength": part.most, "description": IN_WORDS} for part in self._parts
        }
        return {**whole, "properties": parts, "required": list(parts)}

    def with_own_keys(self, value: object) -> object:
        """Return the parts of an answer as one utterance."""
        if self.at_hand is None or not isinstance(value, dict):
            return value
        said = [(str(value[part.key]), part) for part in self._parts if value.get(part.key)]
        return {"utterance": talk_words.joined(said)} if said else value

    @property
    def _parts(self) -> tuple[talk_words.TurnPart, ...]:
        return talk_words.turn_parts(
            self.name, self.other, self.transcript,
            subject=self.subject, parting=self.parting, strangers=self.strangers,
        )  # fmt: skip

    @property
    def strangers(self) -> bool:
        """Whether the two have not met before."""
        known = any(self.other in memory.text for memory in self.memories if memory.kind != "event")
        return not known and self.earlier is None

    def worded(self) -> Mapping[str, str]:
        """Return how they met, the talk so far with its last words apart, few memories, and what this turn is about."""
        turn = ", then ".join(part.asked for part in self._parts)
        return {
            "identity": talk_words.character(self.identity),
            "situation": in_24_hours(talk_words.meeting(self.situation, self.name, self.at_hand)),
            "memories": talk_words.on_the_mind(self.name, self.other, self.memories, self.subject),
            "transcript": talk_words.so_far(self.name, self.transcript),
            "manner": f"{self.manner or PLAINLY}, with I and you: {turn}.",
        }

    def fallback(self) -> Utterance:
        return Utterance(utterance="", ends=True)

    def fitted(self, answer: Utterance, *, last: bool) -> Utterance:
        """Return the words as the persona says them: small models go on with a key and call the speaker by its name."""
        del last
        said = spoken_by(self.name, answer.utterance, self.other)
        if self.at_hand and re.match(rf"{re.escape(self.name.partition(' ')[0])}\b[^,.!?:]* [a-z]", said):
            said = in_first_person(said, self.name)
        return answer.model_copy(update={"utterance": said})


@dataclass(frozen=True)
class NextUtterance(Speaking):
    """Question for what this persona says next (paper §4.3.2)."""

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
    cue: str | None = None
    """How to go on, where the talk comes to its end; None if there is nothing to add."""
    manner: str | None = None
    """Way of speaking: `warmly, asks back`."""
    subject: str = field(default="", metadata=IN_ANOTHER)
    """Subject that the speaker comes to by itself, drawn by rule: `tells what comes next: …`; empty if nothing."""
    parting: bool = field(default=False, metadata=IN_ANOTHER)
    """Whether the speaker takes leave."""

    template = "converse/next_utterance.txt"
    answer = Utterance
    tier = "advanced"
    temperature = TALKING

    def worded(self) -> Mapping[str, str]:
        return {
            **super().worded(),
            "relationship": talk_words.may_be_quoted(self.relationship, self.name, self.other),
            "last_talk": talk_words.last_talked(self.last_talk, strangers=self.strangers),
        }


@dataclass(frozen=True)
class UtteranceByImpression(Speaking):
    """Question for what this persona says next, by its knowledge of the other."""

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
    cue: str | None = None
    """How to go on, where the talk comes to its end; None if there is nothing to add."""
    manner: str | None = None
    """Way of speaking: `warmly, asks back`."""
    subject: str = field(default="", metadata=IN_ANOTHER)
    """Subject that the speaker comes to by itself, drawn by rule: `tells what comes next: …`; empty if nothing."""
    parting: bool = field(default=False, metadata=IN_ANOTHER)
    """Whether the speaker takes leave."""

    template = "converse/utterance_by_impression.txt"
    answer = Utterance
    tier = "advanced"
    temperature = TALKING

    def worded(self) -> Mapping[str, str]:
        return {**super().worded(), "impression": talk_words.may_be_quoted(self.impression, self.name, self.other)}


@dataclass(frozen=True)
class ConversationGist(Question[Gist]):
    """What was a conversation about?"""

    transcript: tuple[DialogueTurn, ...]

    template = "converse/conversation_gist.txt"
    answer = Gist
    answer_tokens = BRIEF

    def fallback(self) -> Gist:
        return Gist(about=ANYTHING)


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
    at_hand: SituatedSelf | None = None

    template = "converse/after_conversation.txt"
    answer = Afterthoughts

    def worded(self) -> Mapping[str, str]:
        return {"identity": talk_words.character(self.identity)}

    def schema(self) -> JsonSchemaValue:
        """Return the schema; situated questions do without subject, verb and object of what is kept."""
        whole = super().schema()
        return whole if self.at_hand is None else _without_triple(whole)

    def fallback(self) -> Afterthoughts:
        return Afterthoughts(for_planning=Afterthought(text=""), memo=Afterthought(text=""))


@dataclass(frozen=True)
class AfterSmallTalk(AfterConversation):
    """The same after a talk that names no time, place or favour: only what was interesting."""

    now: datetime = field(metadata=FOR_RULES)
    day: tuple[str, ...] = field(default=(), metadata=FOR_RULES)

    template = "converse/after_small_talk.txt"
    answer = OnlyMemo

    def schema(self) -> JsonSchemaValue:
        whole = super().schema()
        return {**whole, "properties": {"memo": whole["properties"]["memo"]}, "required": ["memo"]}

    def fallback(self) -> OnlyMemo:
        return OnlyMemo(memo=Afterthought(text=""))


def _without_triple(schema: JsonSchemaValue) -> JsonSchemaValue:
    thought = schema["$defs"][Afterthought.__name__]
    kept = {name: part for name, part in thought["properties"].items() if name not in TRIPLE}
    return {**schema, "$defs": {**schema["$defs"], Afterthought.__name__: {**thought, "properties": kept}}}


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
    at_hand: SituatedSelf | None = None

    template = "converse/after_impression.txt"
    answer = KeptOfTalk

    def schema(self) -> JsonSchemaValue:
        return talk_words.with_feelings(super().schema(), self.at_hand)

    def worded(self) -> Mapping[str, str]:
        known = situated_text(talk_words.without_secret_sentences(self.known))
        return {"identity": talk_words.character(self.identity), "known": known}

    def fallback(self) -> KeptOfTalk:
        return KeptOfTalk(for_planning=KeptThought(), memo=KeptThought())

    def fitted(self, answer: KeptOfTalk, *, last: bool) -> KeptOfTalk:
        del last
        return answer.model_copy(update={"relationship": talk_words.stated(answer.relationship)})
