"""Questions of reflection: which focal points recent memories raise, and which insights follow (paper §4.2)."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.answers.meant import Whole
from ville.persona.prompt_template.blanks import NumberedMemories, QuotedMemory
from ville.persona.prompt_template.perceive_questions import DEFAULT_POIGNANCY, MUNDANE, POIGNANT
from ville.persona.prompt_template.question import LONG, PLANNING, Question
from ville.persona.prompt_template.triples import triple_of


class FocalQuestions(Answer):
    questions: Items[Annotated[str, Field(max_length=caps.QUESTION)]] = Field(
        max_length=caps.QUESTIONS, description="the most salient high-level questions"
    )


@dataclass(frozen=True)
class FocalPoints(Question[FocalQuestions]):
    """Which high-level questions can be answered about the subjects of these memories?"""

    identity: str
    name: str
    memories: tuple[QuotedMemory, ...]
    count: int

    template = "reflect/focal_points.txt"
    answer = FocalQuestions
    tier = "advanced"
    temperature = PLANNING

    def fallback(self) -> FocalQuestions:
        return FocalQuestions(questions=[])


class Insight(Answer):
    text: str = Field(min_length=1, max_length=caps.THOUGHT, description="one sentence in the third person")
    because_of: Items[Whole] = Field(
        max_length=caps.EVIDENCE, description="numbers of the statements that it follows from"
    )
    subject: str = Field(default="", max_length=caps.KEYWORD)
    predicate: str = Field(default="", max_length=caps.KEYWORD)
    object: str = Field(default="", max_length=caps.KEYWORD)
    poignancy: Whole = Field(default=DEFAULT_POIGNANCY, ge=MUNDANE, le=POIGNANT)


class InsightList(Answer):
    insights: Items[Insight] = Field(max_length=caps.INSIGHTS)


def cited(answer: InsightList, name: str, statements: NumberedMemories) -> InsightList:
    """Leave out evidence that is not among the statements, and insights without any, unless none is left."""
    numbers = range(len(statements))
    found = [
        insight.model_copy(update={"because_of": evidence, **triple_of(insight, name)})
        for insight in answer.insights
        if (evidence := [number for number in dict.fromkeys(insight.because_of) if number in numbers])
    ]
    return answer.model_copy(update={"insights": found}) if found else answer


def check_evidence(answer: InsightList, statements: NumberedMemories) -> None:
    """Raise ValueError, worded for the model, if an insight cites what is not among the statements."""
    numbers = range(len(statements))
    for insight in answer.insights:
        if wrong := [number for number in insight.because_of or [-1] if number not in numbers]:
            raise ValueError(f"because_of: {wrong[0]} is not the number of a statement, 0 to {len(numbers) - 1}")


@dataclass(frozen=True)
class Insights(Question[InsightList]):
    """What high-level insights follow from these statements, and from which of them?"""

    identity: str
    name: str
    about: str
    """The focal point."""
    statements: NumberedMemories
    count: int

    template = "reflect/insights.txt"
    answer = InsightList
    answer_tokens = LONG
    tier = "advanced"
    temperature = PLANNING

    def fallback(self) -> InsightList:
        return InsightList(insights=[])

    def fitted(self, answer: InsightList, *, last: bool) -> InsightList:
        del last
        return cited(answer, self.name, self.statements)

    def check(self, answer: InsightList) -> None:
        check_evidence(answer, self.statements)


@dataclass(frozen=True)
class DirectInsights(Question[InsightList]):
    """What high-level insights follow from the latest memories, and from which of them?"""

    identity: str
    name: str
    statements: NumberedMemories
    count: int

    template = "reflect/direct_insights.txt"
    answer = InsightList
    answer_tokens = LONG
    tier = "advanced"
    temperature = PLANNING

    def fallback(self) -> InsightList:
        return InsightList(insights=[])

    def fitted(self, answer: InsightList, *, last: bool) -> InsightList:
        del last
        return cited(answer, self.name, self.statements)

    def check(self, answer: InsightList) -> None:
        check_evidence(answer, self.statements)
