"""Questions of reflection: which focal points recent memories raise, and which insights follow (paper §4.2)."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.blanks import NumberedMemories, QuotedMemory
from ville.persona.prompt_template.perceive import DEFAULT_POIGNANCY, MUNDANE, POIGNANT
from ville.persona.prompt_template.question import PLANNING, Answer, Question


class FocalQuestions(Answer):
    questions: list[Annotated[str, Field(max_length=caps.QUESTION)]] = Field(
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
    because_of: list[int] = Field(
        max_length=caps.EVIDENCE, description="numbers of the statements that it follows from"
    )
    subject: str = Field(min_length=1, max_length=caps.KEYWORD)
    predicate: str = Field(min_length=1, max_length=caps.KEYWORD)
    object: str = Field(min_length=1, max_length=caps.KEYWORD)
    poignancy: int = Field(default=DEFAULT_POIGNANCY, ge=MUNDANE, le=POIGNANT)


class InsightList(Answer):
    insights: list[Insight] = Field(max_length=caps.INSIGHTS)


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
    tier = "advanced"
    temperature = PLANNING

    def fallback(self) -> InsightList:
        return InsightList(insights=[])

    def check(self, answer: InsightList) -> None:
        for insight in answer.insights:
            if not any(0 <= number < len(self.statements) for number in insight.because_of):
                raise ValueError(
                    f"because_of: {insight.because_of} names no statement from 0 to {len(self.statements) - 1}"
                )
