"""Question of perception: the importance of new observations (paper §4.1)."""

from dataclasses import dataclass

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.question import Answer, Question

MUNDANE, POIGNANT = 1, 10
DEFAULT_POIGNANCY = 5
"""Used when no model gives an importance."""


class Importances(Answer):
    scores: list[int] = Field(
        max_length=caps.SCORES, description="one whole number from 1 to 10 for each happening, in the same order"
    )


@dataclass(frozen=True)
class HowImportant(Question[Importances]):
    """How poignant are these happenings to this persona, from 1 (mundane) to 10 (life-changing)? (paper §4.1)"""

    identity: str
    first_name: str
    happenings: tuple[str, ...]

    template = "perceive/how_important.txt"
    answer = Importances

    def fallback(self) -> Importances:
        return Importances.model_construct(scores=[DEFAULT_POIGNANCY] * len(self.happenings))

    def check(self, answer: Importances) -> None:
        if len(answer.scores) != len(self.happenings):
            raise ValueError(f"scores: {len(self.happenings)} numbers are needed, not {len(answer.scores)}")
        if wrong := [score for score in answer.scores if not MUNDANE <= score <= POIGNANT]:
            raise ValueError(f"scores: {wrong[0]} is not between {MUNDANE} and {POIGNANT}")
