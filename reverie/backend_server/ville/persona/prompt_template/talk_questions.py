"""Questions about the user's words: whispers, interviews, and lines that treat agents as human beings."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import Self

from pydantic import Field, ValidationInfo, ValidatorFunctionWrapHandler, field_validator
from pydantic.json_schema import JsonSchemaValue

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer
from ville.persona.prompt_template.answers.clock_times import in_24_hours, read_time
from ville.persona.prompt_template.answers.meant import Hour, Minutes, Whole
from ville.persona.prompt_template.answers.poignancy import DEFAULT_POIGNANCY, MUNDANE, POIGNANT, Poignancy
from ville.persona.prompt_template.answers.speech import spoken_by
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, SituatedSelf, Today
from ville.persona.prompt_template.conversation_answers import Appointment
from ville.persona.prompt_template.perceive_questions import HowImportant
from ville.persona.prompt_template.question import (
    BRIEF,
    FOR_RULES,
    IN_ANOTHER,
    JUDGING,
    TALKING,
    AnswerT,
    Question,
    Wording,
)
from ville.persona.prompt_template.situated_words import situated_text
from ville.persona.prompt_template.talk_words import key_of
from ville.persona.prompt_template.triples import triple_of
from ville.plain_text import one_line, shortened
from ville.reply_form import IN_WORDS, ReplyForm


class InnerThought(Answer):
    text: str = Field(
        min_length=1,
        max_length=caps.THOUGHT,
        description="the whisper as a statement about the person, in the third person",
    )
    subject: str = Field(default="", max_length=caps.KEYWORD)
    predicate: str = Field(default="", max_length=caps.KEYWORD)
    object: str = Field(default="", max_length=caps.KEYWORD)
    poignancy: Poignancy = DEFAULT_POIGNANCY


@dataclass(frozen=True)
class Whispered(Question[InnerThought]):
    """What thought does a whisper become, where grammar does not tell?"""

    identity: str
    name: str
    whisper: str

    template = "talk/whispered.txt"
    answer = InnerThought

    def fallback(self) -> InnerThought:
        thought = InnerThought.model_construct(text=self.whisper, subject="")
        return thought.model_copy(update=triple_of(thought, self.name))

    def fitted(self, answer: InnerThought, *, last: bool) -> InnerThought:
        del last
        return answer.model_copy(update=triple_of(answer, self.name))


@dataclass(frozen=True)
class WhispersMatter(HowImportant):
    """How much do thoughts matter to this persona that were just whispered to it?"""

    template = "talk/whispers_matter.txt"


NOTHING = "nothing"
STEM = 4
"""Letters by which words are compared; shorter ones mean little."""


class CalledOff(Answer):
    called_off: str = Field(default=NOTHING, max_length=caps.ACTIVITY)
    what: str = Field(default="", max_length=caps.ACTIVITY)
    hour: Hour = Field(default=0, ge=0, le=23)
    minutes: Minutes = Field(default=0, ge=0)

    @property
    def today(self) -> Appointment:
        """Activity that takes its place; none if the plan stays as it is."""
        stays = self.called_off == NOTHING
        return Appointment() if stays else Appointment(what=self.what, hour=self.hour, minutes=self.minutes)

    @property
    def instead_of(self) -> str:
        """The activity that is called off."""
        return self.called_off.partition(": ")[2]


@dataclass(frozen=True)
class ChangedToday(Question[CalledOff]):
    """What does a whisper change in the plan for today?"""

    name: str
    whisper: str
    now: datetime
    day: tuple[str, ...]
    """What is left of the plan for today, in a line each."""

    template = "talk/changed_today.txt"
    answer = CalledOff
    answer_tokens = BRIEF

    def fallback(self) -> CalledOff:
        return CalledOff()

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        return {"called_off": (*self.day, NOTHING)}

    @property
    def is_about_the_day(self) -> bool:
        """Whether the whisper shares a word with the plan; only then is there something to ask."""
        return bool(words_in(self.whisper) & words_in(" ".join(self.day)) - words_in(self.name))

    def fitted(self, answer: CalledOff, *, last: bool) -> CalledOff:
        """Return the answer; what calls off no line of the plan changes nothing, and what is said without hour or
        length takes those of the line.
        """
        del last
        shown = {in_24_hours(line): line for line in self.day}
        line = shown.get(in_24_hours(answer.called_off))
        if line is None:
            return CalledOff()
        hours = self._hours_of(line)
        if answer.hour > self.now.hour:
            hours["hour"] = answer.hour
        if answer.minutes:
            hours["minutes"] = answer.minutes
        return answer.model_copy(
            update={"what": answer.what.removeprefix(f"{self.name} "), "called_off": line, **hours}
        )

    def _hours_of(self, line: str) -> dict[str, int]:
        """Return the full hour at which a line of the plan begins, and the minutes until the next."""
        starts = [read_time(each.partition(": ")[0]) for each in self.day]
        begins, ends = [*starts, time.min][(place := self.day.index(line)) : place + 2]
        return {"hour": begins.hour, "minutes": (ends.hour or 24) * 60 + ends.minute - begins.hour * 60}


def words_in(text: str) -> set[str]:
    """Return how the longer words of a text begin."""
    return {word[:STEM] for word in re.findall(r"\w+", text.lower()) if len(word) > STEM}


class Reply(Answer):
    utterance: str = Field(max_length=caps.UTTERANCE)


@dataclass(frozen=True)
class AskedInInterview(Question[AnswerT]):
    """Base of questions of an interviewer."""

    identity: str
    name: str
    memories: tuple[QuotedMemory, ...]
    transcript: tuple[DialogueTurn, ...]
    """The interview so far; its last turn is the question."""
    situation: str = "is being interviewed"
    today: Today | None = None
    further: tuple[QuotedMemory, ...] = field(default=(), metadata=FOR_RULES)
    """Memories not retrieved that have words of the question, or are of the day."""
    own: tuple[str, ...] | None = field(default=None, metadata=FOR_RULES)
    """Sentences that are certain of the persona; None if none are kept."""
    at_hand: SituatedSelf | None = None
    unheard: tuple[str, ...] = field(default=(), metadata=IN_ANOTHER)
    """Names in the question that stand nowhere in its mind; not for rules, which look for themselves."""

    tier = "advanced"

    def with_own_keys(self, value: object) -> object:
        own = self.at_hand is not None and isinstance(value, dict) and self._key in value
        (name,) = self.answer.model_fields
        return {name: value[self._key]} if own and isinstance(value, dict) else value

    @property
    def _key(self) -> str:
        asked = self.transcript[-1].said if self.transcript else ""
        return key_of(f"{self.name.partition(' ')[0]} answers: {asked}")

    def worded(self) -> Mapping[str, str]:
        """Return the interview with its last question apart, which is to be answered."""
        if not self.transcript:
            return {}
        *before, last = self.transcript
        so_far = f"So far:\n{situated_text(tuple(before))}\n\n" if before else ""
        unheard = f"\nNothing that {self.name} remembers names {' or '.join(self.unheard)}." if self.unheard else ""
        return {"transcript": f'{so_far}{last.speaker} asks: "{in_24_hours(last.said)}"{unheard}'}

    def by(self, role: str) -> Self:
        """Return the question as it is asked by a user who speaks in a role."""
        return replace(self, situation=f"{self.situation} by {role}")


@dataclass(frozen=True)
class Interview(AskedInInterview[Reply]):
    """What does this persona answer an interviewer? (paper §6.1)"""

    template = "talk/interview.txt"
    answer = Reply
    temperature = TALKING

    def schema(self) -> JsonSchemaValue:
        """Return the schema; in situated questions, the key of the answer is the question."""
        whole = super().schema()
        if self.at_hand is None:
            return whole
        said = whole["properties"]["utterance"]
        most = min(said["maxLength"], caps.CONCISE["utterance"])
        return {**whole, "properties": {self._key: {**said, "maxLength": most}}, "required": [self._key]}

    def fallback(self) -> Reply:
        return Reply(utterance="")

    def fitted(self, answer: Reply, *, last: bool) -> Reply:
        del last
        interviewer = self.transcript[-1].speaker if self.transcript else ""
        return answer.model_copy(update={"utterance": spoken_by(self.name, answer.utterance, interviewer)})


class FormedReply(Answer):
    """An answer in a form that was asked for, word for word as it was given: words such as `none` may be choices."""

    answer: str = Field(max_length=caps.UTTERANCE)

    @field_validator("*", mode="wrap")
    @classmethod
    def _field(cls, value: object, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> object:
        del info
        while isinstance(value, list | dict) and len(value) == 1:
            (value,) = value.values() if isinstance(value, dict) else value
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return validate(shortened(one_line(said), caps.UTTERANCE))


@dataclass(frozen=True)
class TypedInterview(AskedInInterview[FormedReply]):
    """What does this persona answer an interviewer who wants the answer in a form?

    On the last attempt what was said is kept as it is: whether it has a value is for the form to say.
    """

    form: ReplyForm = IN_WORDS

    template = "talk/typed_interview.txt"
    answer = FormedReply
    temperature = JUDGING
    answer_tokens = BRIEF

    def schema(self) -> JsonSchemaValue:
        """Return the schema: the form, below the key `answer`, or in situated questions below the question."""
        key = "answer" if self.at_hand is None else self._key
        return {"type": "object", "properties": {key: self.form.schema()}, "required": [key]}

    def schema_in(self, wording: Wording) -> JsonSchemaValue:
        """Return the schema, the same in all words: a scale from 1 to 10 is asked in numbers, unlike importance."""
        del wording
        return self.schema()

    def worded(self) -> Mapping[str, str]:
        """Return the interview, and the form with choices word for word."""
        return {**super().worded(), "form": str(self.form)}

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        """Return the choices; the answer is not judged as words of its own."""
        return {"answer": self.form.choices}

    def fallback(self) -> FormedReply:
        return FormedReply(answer="")

    def fitted(self, answer: FormedReply, *, last: bool) -> FormedReply:
        if not last and (wrong := self.form.fault(answer.answer)):
            raise ValueError(wrong)
        return answer


class Concern(Answer):
    score: Whole = Field(ge=MUNDANE, le=POIGNANT, description="1: harmless; 10: treats the agent as a human being")


@dataclass(frozen=True)
class Anthropomorphising(Question[Concern]):
    """How much does a line to an agent treat it as a human being?"""

    comment: str

    template = "talk/anthropomorphising.txt"
    answer = Concern
    answer_tokens = BRIEF

    def fallback(self) -> Concern:
        return Concern(score=MUNDANE)
