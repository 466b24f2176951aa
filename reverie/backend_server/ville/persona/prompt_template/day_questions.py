"""Questions of situated planning: where an activity is usually done, in which steps, and what fills a day.

The rest is known: places by the world, and the frame of a day by the lifestyle.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from itertools import zip_longest
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic.json_schema import JsonSchemaValue

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.blanks import ChanceMemories, QuotedMemory
from ville.persona.prompt_template.plan_questions import RevisedIdentity, ReviseIdentity
from ville.persona.prompt_template.question import BRIEF, FOR_RULES, IN_ANOTHER, PLANNING, USUAL, Question
from ville.persona.prompt_template.situated_words import situated_text
from ville.persona.prompt_template.talk_words import HABITS, without_secrets


class ConcernsOfToday(RevisedIdentity):
    currently: str = Field(max_length=caps.CURRENTLY, description="two short sentences in the third person")
    daily_requirement: str = Field(default="", max_length=caps.REQUIREMENT)
    """Models are not asked: what a day has to hold stays."""


@dataclass(frozen=True)
class BringUpToDate(ReviseIdentity):
    """With what is this persona busy on a new day? What it was busy with until then is part of its identity."""

    currently: str = field(metadata=IN_ANOTHER)
    daily_requirement: str = field(metadata=IN_ANOTHER)

    template = "day/bring_up_to_date.txt"
    answer = ConcernsOfToday
    answer_tokens = BRIEF

    def fallback(self) -> ConcernsOfToday:
        """Return the identity unchanged, as the question of the paper does."""
        return ConcernsOfToday.model_construct(currently=self.currently, daily_requirement=self.daily_requirement)

    def schema(self) -> JsonSchemaValue:
        schema = super().schema()
        return {**schema, "properties": {"currently": schema["properties"]["currently"]}}


class KindOfPlace(Answer):
    place: str = Field(max_length=caps.KIND, description="one to three words")
    thing: str = Field(default="", max_length=caps.KIND, description="one or two words")
    emoji: str = Field(default="", max_length=caps.EMOJI, description="one emoji")


@dataclass(frozen=True)
class WhereUsually(Question[KindOfPlace]):
    """In what kind of place, and at what thing, is this usually done? Asked once for all who do it."""

    doing: str

    template = "day/where_usually.txt"
    answer = KindOfPlace
    answer_tokens = BRIEF

    def fallback(self) -> KindOfPlace:
        """Return no place: it is done where the persona is."""
        return KindOfPlace(place="")


def _step(value: object) -> object:
    """Return the words of a step that has minutes, too."""
    return value.get("what", value) if isinstance(value, dict) else value


class FewSteps(Answer):
    steps: Items[Annotated[str, BeforeValidator(_step), Field(min_length=1, max_length=caps.ACTIVITY)]] = Field(
        min_length=1, max_length=caps.FEW_STEPS, description="three to five, each in two to six words"
    )


@dataclass(frozen=True)
class StepByStep(Question[FewSteps]):
    """In which steps is a long activity done whose words name several? Each takes as long (paper §4.3)."""

    identity: str
    first_name: str
    day: tuple[str, ...]
    """The plan for today around this activity, in a line each."""
    activity: str
    start: datetime
    minutes: int
    by_chance: ChanceMemories | None = None
    """Memories that come to mind by chance, if any (`mind_wandering`)."""

    template = "day/step_by_step.txt"
    answer = FewSteps
    answer_tokens = BRIEF
    temperature = PLANNING

    def fallback(self) -> FewSteps:
        """Return the activity itself as its only step."""
        return FewSteps.model_construct(steps=[self.activity])

    def fitted(self, answer: FewSteps, *, last: bool) -> FewSteps:
        """Leave out steps that are said twice: small models repeat themselves."""
        del last
        return answer.model_copy(update={"steps": list(dict.fromkeys(answer.steps))})


@dataclass(frozen=True)
class StepByStepBriefly(StepByStep):
    """The same in fewer words, without the rest of the day."""

    template = "day/step_by_step_briefly.txt"


class GapRow(Answer):
    what: str = Field(
        default="", max_length=caps.STROKE, description="activity in two to six words, with a verb in -ing"
    )
    where: str = Field(default="", max_length=caps.PLACE)
    at: str = Field(default="", max_length=caps.CLOCK)


MEALS = ("breakfast", "lunch", "dinner")
LIFESTYLE = re.compile(rf"{HABITS}.*")
GAP, FREE = 60, "(free)"
"""Most characters of what is done in a gap, two to six words; and how a gap is shown."""
TIME = re.compile(r"\d{1,2}:\d\d")


class FilledGaps(Answer):
    """The places of meals, and what fills gaps, by the times at which they begin."""

    breakfast: str = Field(default="", max_length=caps.PLACE)
    lunch: str = Field(default="", max_length=caps.PLACE)
    dinner: str = Field(default="", max_length=caps.PLACE)
    gaps: Items[GapRow] = Field(default=[], max_length=caps.HOURLY)

    @property
    def meals(self) -> Mapping[str, str]:
        """The places of meals."""
        return dict(zip(MEALS, (self.breakfast, self.lunch, self.dinner), strict=True))

    @classmethod
    def as_meant(cls, value: object, form: object) -> object:
        if not isinstance(value, dict):
            return form
        times = {at: row for at, row in value.items() if TIME.fullmatch(str(at)) and isinstance(row, dict)}
        rows = [{**row, "at": at} for at, row in times.items()]
        return {**value, "gaps": rows} if rows else form


@dataclass(frozen=True)
class DayLine:
    """A stretch of a day. Without words it is a gap, perhaps at a known place; a meal without a place lacks that."""

    start: time
    end: time
    what: str = ""
    where: str = ""

    @property
    def at(self) -> str:
        return f"{self.start:%H:%M}"

    def __str__(self) -> str:
        where = f", {self.where}" if self.where and self.where not in self.what else ""
        return f"{self.at}-{self.end:%H:%M} {self.what}{where}"


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _things(count: int, one: str, more: str) -> str:
    """`one thing`, or `3 different things`."""
    return f"one {one}" if count == 1 else f"{count} different {more}"


@dataclass(frozen=True)
class FillTheDay(Question[FilledGaps]):
    """What does this persona do in the gaps of a day that is begun by rule, and where? (paper §4.3)"""

    identity: str
    first_name: str
    today: date
    lines: tuple[DayLine, ...]
    """The day from getting up to bed."""
    places: tuple[str, ...]
    """Places that the persona knows, the home first."""
    appointments: tuple[str, ...]
    """Appointments of today, in a line each."""
    yesterday: tuple[str, ...]
    """Lines of the day before as it was lived; empty on the first day."""
    mind: tuple[QuotedMemory, ...]
    """The few memories that matter most for today."""
    wake_up_hour: int = field(metadata=FOR_RULES)
    eating: tuple[str, ...] = field(metadata=FOR_RULES)
    """Places where one can eat, the home first."""
    memories: tuple[QuotedMemory, ...] = field(default=(), metadata=FOR_RULES)
    """All memories that matter for today."""
    by_chance: ChanceMemories | None = None
    """Memories that come to mind by chance, if any (`mind_wandering`)."""
    parts_of_work: int = 0
    """Gaps that are for work or studies; none where the timetable has them."""

    template = "day/fill_the_day.txt"
    answer = FilledGaps
    answer_tokens = USUAL
    tier = "advanced"
    temperature = PLANNING

    @property
    def gaps(self) -> tuple[str, ...]:
        """The times at which gaps begin."""
        return tuple(line.at for line in self.lines if not line.what)

    @property
    def free(self) -> list[DayLine]:
        """The gaps that a model fills; those in the middle of a duty are left to the rules."""
        return [line for line in self.lines if not line.what and not line.where]

    def _lists(self) -> list[tuple[str, int]]:
        """Return the keys of an answer and how many activities each of them holds.

        As lists of different things, small models give different things; asked gap by gap, they fill all with the same.
        """
        own, free = self.parts_of_work, len(self.free) - self.parts_of_work
        work = f"{_things(own, 'part', 'parts')} of the work or studies of {self.first_name}"
        leisure = f"{_things(free, 'thing', 'things')} that {self.first_name} does in free time"
        return [(key, count) for key, count in ((work, own), (leisure, free)) if count]

    def schema(self) -> JsonSchemaValue:
        """Return a schema with two lists: what is worked at, and what is done in free time."""
        words = {"type": "string", "minLength": 1, "maxLength": GAP}
        properties = {
            key: {"type": "array", "items": words, "minItems": count, "maxItems": count} for key, count in self._lists()
        }
        whole = {key: value for key, value in super().schema().items() if key != "$defs"}
        return {**whole, "properties": properties, "required": list(properties)}

    def with_own_keys(self, value: object) -> object:
        """Return lists of activities as rows: parts of the work come first, and in turns with other things."""
        if not isinstance(value, dict):
            return value
        told = [str(each) for key, _ in self._lists() for each in _listed(value.get(key))]
        if not told:
            return value
        own, others = told[: self.parts_of_work], told[self.parts_of_work :]
        in_turns = [each for pair in zip_longest(own, others[: len(own)]) for each in pair if each is not None]
        whats = [*in_turns, *others[len(own) :]]
        named = [what.removeprefix(f"{self.first_name} ") for what in whats]
        return {"gaps": [{"what": what, "at": line.at} for what, line in zip(named, self.free, strict=False)]}

    def worded(self) -> Mapping[str, str]:
        """Return the timetable as a model sees it, and how many activities are asked for: neither habits, whose hours
        the timetable has, nor secrets are among what may be copied.
        """
        shown = [replace(line, what=FREE) if line in self.free else line for line in self.lines]
        lines = situated_text(tuple(str(line) for line in shown if line.what))
        return {
            "identity": LIFESTYLE.sub("", situated_text(self.identity)),
            "mind": situated_text(without_secrets(self.mind)),
            "lines": lines,
            "places": ", ".join(self.places),
            "parts_of_work": " and ".join(key for key, _ in self._lists()),
        }

    def fallback(self) -> FilledGaps:
        """Return nothing for any gap: what is done then is at home."""
        return self.fitted(FilledGaps(), last=True)

    def fitted(self, answer: FilledGaps, *, last: bool) -> FilledGaps:
        """Return one row for each gap, by its time or else in their order; any number of rows will do."""
        del last
        named = {row.at: row for row in answer.gaps}
        others = iter([row for row in answer.gaps if row.at not in self.gaps])
        rows = [named.get(at) or next(others, GapRow()) for at in self.gaps]
        return answer.model_copy(update={"gaps": rows})
