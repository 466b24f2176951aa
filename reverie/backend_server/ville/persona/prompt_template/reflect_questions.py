"""Questions of reflection: which focal points recent memories raise, and which insights follow (paper §4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from pydantic.json_schema import JsonSchemaValue

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.answers.meant import Whole
from ville.persona.prompt_template.answers.poignancy import DEFAULT_POIGNANCY, Poignancy
from ville.persona.prompt_template.blanks import NumberedMemories, QuotedMemory
from ville.persona.prompt_template.question import LONG, PAPER, PLANNING, Question, Wording
from ville.persona.prompt_template.triples import triple_of

FEW = 2
"""Insights that situated questions ask for: small models say what is more in other words."""
REASONS = 3
"""Most statements that situated questions ask for as the reason of an insight."""


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

    def schema_in(self, wording: Wording) -> JsonSchemaValue:
        """Return the schema; situated questions ask for as many short questions as are needed."""
        whole = super().schema_in(wording)
        if wording == PAPER:
            return whole
        asked = whole["properties"]["questions"]
        short = {**asked["items"], "maxLength": caps.CONCISE["questions"]}
        return {**whole, "properties": {"questions": {**asked, "items": short, "maxItems": self.count}}}

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
    poignancy: Poignancy = DEFAULT_POIGNANCY


class InsightList(Answer):
    insights: Items[Insight] = Field(max_length=caps.INSIGHTS)


class Concluding(Question[InsightList]):
    """Question for insights, each with the numbers of the statements that it follows from."""

    name: str
    statements: NumberedMemories
    answer = InsightList
    answer_tokens = LONG
    tier = "advanced"
    temperature = PLANNING

    def fallback(self) -> InsightList:
        return InsightList(insights=[])

    def worded(self) -> Mapping[str, str]:
        return {"count": str(FEW)}

    def schema_in(self, wording: Wording) -> JsonSchemaValue:
        """Return the schema; situated questions ask for a few short insights, without subject, verb and object, and for
        numbers of statements that exist.
        """
        whole = super().schema_in(wording)
        if wording == PAPER:
            return whole
        insight = whole["$defs"][Insight.__name__]["properties"]
        number = {"type": "integer", "minimum": 0, "maximum": max(0, len(self.statements) - 1)}
        evidence = {**insight["because_of"], "items": number, "minItems": 1, "maxItems": REASONS}
        kept = {"text": insight["text"], "because_of": evidence}
        kept["poignancy"] = insight["poignancy"]
        parts = {Insight.__name__: {**whole["$defs"][Insight.__name__], "properties": kept}}
        listed = {**whole["properties"]["insights"], "maxItems": FEW}
        return {**whole, "$defs": parts, "properties": {"insights": listed}}

    def fitted(self, answer: InsightList, *, last: bool) -> InsightList:
        """Leave out evidence that is not among the statements, and insights without any, unless none is left."""
        del last
        found = [
            insight.model_copy(update={"because_of": evidence, **triple_of(insight, self.name)})
            for insight in answer.insights
            if (evidence := [number for number in dict.fromkeys(insight.because_of) if self._exists(number)])
        ]
        return answer.model_copy(update={"insights": found}) if found else answer

    def check(self, answer: InsightList) -> None:
        """Raise ValueError, worded for the model, if an insight cites what is not among the statements."""
        for insight in answer.insights:
            if wrong := [number for number in insight.because_of or [-1] if not self._exists(number)]:
                last = len(self.statements) - 1
                raise ValueError(f"because_of: {wrong[0]} is not the number of a statement, 0 to {last}")

    def _exists(self, number: int) -> bool:
        return 0 <= number < len(self.statements)


@dataclass(frozen=True)
class Insights(Concluding):
    """Question which high-level insights follow from what is remembered about a focal point."""

    identity: str
    name: str
    about: str
    """The focal point."""
    statements: NumberedMemories
    count: int
    """Most insights that questions of the paper ask for."""

    template = "reflect/insights.txt"


@dataclass(frozen=True)
class DirectInsights(Concluding):
    """Question which high-level insights follow from the latest memories."""

    identity: str
    name: str
    statements: NumberedMemories
    count: int

    template = "reflect/direct_insights.txt"
