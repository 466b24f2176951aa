"""Question of perception: the importance of new observations (paper §4.1)."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.json_schema import JsonSchemaValue

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer
from ville.persona.prompt_template.answers.poignancy import (
    DEFAULT_POIGNANCY,
    MUNDANE,
    POIGNANT,
    Rating,
    poignancy_of,
)
from ville.persona.prompt_template.blanks import NumberedTexts
from ville.persona.prompt_template.question import BRIEF, Question


def _default_on_last_attempt(value: object, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> object:
    try:
        return validate(value)
    except ValidationError:
        if info.context:
            return DEFAULT_POIGNANCY
        raise


def _score_in(value: object) -> object:
    """Return the only number in an object such as `{"happening": "rain", "score": 3}`; any other value unchanged."""
    inside = map(poignancy_of, value.values()) if isinstance(value, dict) else ()
    numbers = [each for each in inside if isinstance(each, int)]
    return numbers[0] if len(numbers) == 1 else value


Score = Annotated[Rating, BeforeValidator(_score_in), WrapValidator(_default_on_last_attempt)]


class Importances(Answer):
    """Scores in the order of the happenings. A model gives them as `{"1": 4, "2": 1}`; lists are read too."""

    scores: list[Score] = Field(max_length=caps.SCORES)


@dataclass(frozen=True)
class HowImportant(Question[Importances]):
    """How poignant are these happenings to this persona, from 1 (mundane) to 10 (life-changing)? (paper §4.1)"""

    identity: str
    """Without daily habits and date."""
    first_name: str
    happenings: NumberedTexts

    template = "perceive/how_important.txt"
    answer = Importances
    answer_tokens = BRIEF

    def schema(self) -> JsonSchemaValue:
        """Return a schema with one score for each happening, by its number."""
        score = {"type": "integer", "minimum": MUNDANE, "maximum": POIGNANT}
        numbers = [str(number) for number in range(1, len(self.happenings) + 1)]
        return {"type": "object", "properties": dict.fromkeys(numbers, score), "required": numbers}

    def fallback(self) -> Importances:
        return Importances.model_construct(scores=[DEFAULT_POIGNANCY] * len(self.happenings))

    def fitted(self, answer: Importances, *, last: bool) -> Importances:
        """Match scores by their order if their number is wrong: at once if all are alike, else on the last attempt.

        What has no score gets the one of all others, or the default.
        """
        alike = len(answer.scores) > 1 == len(set(answer.scores))
        if not last and not alike:
            return answer
        missing = [answer.scores[0] if alike else DEFAULT_POIGNANCY] * (len(self.happenings) - len(answer.scores))
        scores = [*answer.scores, *missing][: len(self.happenings)]
        return answer.model_copy(update={"scores": [min(max(score, MUNDANE), POIGNANT) for score in scores]})

    def check(self, answer: Importances) -> None:
        if len(answer.scores) != len(self.happenings):
            raise ValueError(f"scores: {len(self.happenings)} numbers are needed, not {len(answer.scores)}")
        if wrong := [score for score in answer.scores if not MUNDANE <= score <= POIGNANT]:
            raise ValueError(f"scores: {wrong[0]} is not between {MUNDANE} and {POIGNANT}")


@dataclass(frozen=True)
class HowImportantBriefly(HowImportant):
    """The same in fewer words."""

    template = "perceive/how_important_briefly.txt"
