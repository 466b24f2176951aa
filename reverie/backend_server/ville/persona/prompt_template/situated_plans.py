"""Questions of situated planning: where an activity is usually done, and in which steps. The world knows the rest."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.answers.meant import Minutes
from ville.persona.prompt_template.answers.minutes import scaled
from ville.persona.prompt_template.blanks import ChanceMemories
from ville.persona.prompt_template.question import BRIEF, PLANNING, USUAL, Question


class KindOfPlace(Answer):
    place: str = Field(max_length=caps.KIND, description="one to three words")
    thing: str = Field(default="", max_length=caps.KIND, description="one or two words")
    emoji: str = Field(default="", max_length=caps.EMOJI, description="one emoji")


@dataclass(frozen=True)
class WhereUsually(Question[KindOfPlace]):
    """In what kind of place, and at what thing, is this usually done? Asked once for all who do it."""

    doing: str

    template = "plan/where_usually.txt"
    answer = KindOfPlace
    answer_tokens = BRIEF

    def fallback(self) -> KindOfPlace:
        """Return no place: it is done where the persona is."""
        return KindOfPlace(place="")


class TimedStep(Answer):
    what: str = Field(min_length=1, max_length=caps.ACTIVITY, description="what is being done, in a few words")
    minutes: Minutes = Field(gt=0)


class TimedSteps(Answer):
    steps: Items[TimedStep] = Field(min_length=1, max_length=caps.STEPS)


@dataclass(frozen=True)
class StepByStep(Question[TimedSteps]):
    """How is an activity of an hour or more done, step by step? (paper §4.3)"""

    identity: str
    first_name: str
    day: tuple[str, ...]
    """The plan for today around this activity, in a line each."""
    activity: str
    start: datetime
    minutes: int
    number: int
    """About how many steps it takes."""
    by_chance: ChanceMemories | None = None
    """Memories that come to mind by chance, if any (`mind_wandering`)."""

    template = "plan/step_by_step.txt"
    answer = TimedSteps
    answer_tokens = USUAL
    temperature = PLANNING

    def fallback(self) -> TimedSteps:
        """Return the activity itself as its only step."""
        return TimedSteps.model_construct(steps=[TimedStep.model_construct(what=self.activity, minutes=self.minutes)])

    def fitted(self, answer: TimedSteps, *, last: bool) -> TimedSteps:
        """Scale the minutes: how long steps take in relation to each other is what a model knows."""
        del last
        return answer.model_copy(update={"steps": scaled(answer.steps, self.minutes)})


@dataclass(frozen=True)
class StepByStepBriefly(StepByStep):
    """The same in fewer words, without the rest of the day."""

    template = "plan/step_by_step_briefly.txt"
