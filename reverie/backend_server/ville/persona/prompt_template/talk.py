"""Questions about the user's words: whispers, interviews, and lines that treat agents as human beings."""

from dataclasses import dataclass, replace
from typing import Self

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer
from ville.persona.prompt_template.answers.meant import Whole, spoken_by
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, Today
from ville.persona.prompt_template.perceive import DEFAULT_POIGNANCY, MUNDANE, POIGNANT
from ville.persona.prompt_template.question import TALKING, Question
from ville.persona.prompt_template.triples import triple_of


class InnerThought(Answer):
    text: str = Field(
        min_length=1,
        max_length=caps.THOUGHT,
        description="the whisper as a statement about the person, in the third person",
    )
    subject: str = Field(default="", max_length=caps.KEYWORD)
    predicate: str = Field(default="", max_length=caps.KEYWORD)
    object: str = Field(default="", max_length=caps.KEYWORD)
    poignancy: Whole = Field(default=DEFAULT_POIGNANCY, ge=MUNDANE, le=POIGNANT)


@dataclass(frozen=True)
class Whispered(Question[InnerThought]):
    """What thought does a whisper become?"""

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


class Reply(Answer):
    utterance: str = Field(max_length=caps.UTTERANCE)


@dataclass(frozen=True)
class Interview(Question[Reply]):
    """What does this persona answer an interviewer? (paper §6.1)"""

    identity: str
    name: str
    memories: tuple[QuotedMemory, ...]
    transcript: tuple[DialogueTurn, ...]
    """The interview so far; its last turn is the question."""
    situation: str = "is being interviewed"
    today: Today | None = None

    template = "talk/interview.txt"
    answer = Reply
    tier = "advanced"
    temperature = TALKING

    def by(self, role: str) -> Self:
        """Return the question as it is asked by a user who speaks in a role."""
        return replace(self, situation=f"{self.situation} by {role}")

    def fallback(self) -> Reply:
        return Reply(utterance="")

    def fitted(self, answer: Reply, *, last: bool) -> Reply:
        del last
        interviewer = self.transcript[-1].speaker if self.transcript else ""
        return answer.model_copy(update={"utterance": spoken_by(self.name, answer.utterance, interviewer)})


class Concern(Answer):
    score: Whole = Field(ge=MUNDANE, le=POIGNANT, description="1: harmless; 10: treats the agent as a human being")


@dataclass(frozen=True)
class Anthropomorphising(Question[Concern]):
    """How much does a line to an agent treat it as a human being?"""

    comment: str

    template = "talk/anthropomorphising.txt"
    answer = Concern

    def fallback(self) -> Concern:
        return Concern(score=MUNDANE)
