"""Questions of planning: wake-up hour, identity, day plan, hourly schedule, subtasks, place (paper §4.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema

from ville.persona.memory_structures.action import SLEEP_WORD
from ville.persona.memory_structures.identity import requirement_in
from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.answers.clock_order import lines_in_order, plan_lines, rows_in_order, rows_of
from ville.persona.prompt_template.answers.clock_times import read_end, read_time
from ville.persona.prompt_template.answers.meant import Hour, Minutes
from ville.persona.prompt_template.answers.minutes import check_total, nearly, scaled
from ville.persona.prompt_template.blanks import ChanceMemories, PlaceOptions, QuotedMemory, ScheduleEntry
from ville.persona.prompt_template.likely_day import likely_day
from ville.persona.prompt_template.likely_place import likely_site
from ville.persona.prompt_template.place_questions import Site, bent_site, check_site, read_site, site_choices
from ville.persona.prompt_template.question import BRIEF, LONG, PLANNING, Question

CLOCK = WithJsonSchema({"type": "string", "maxLength": caps.CLOCK})
Start = Annotated[time, BeforeValidator(read_time), CLOCK]
End = Annotated[time, BeforeValidator(read_end), CLOCK]
PARENTHESES = "(). "
"""Signs that activities do not have in schedules, at the end or at all."""
HOURS = 24
DEFAULT_WAKE_UP_HOUR = 8
"""Used when no model gives an hour."""


class WakeUpTime(Answer):
    wake_up_hour: Hour = Field(ge=0, lt=HOURS, description="hour of the day, 0 to 23")


@dataclass(frozen=True)
class WakeUpHour(Question[WakeUpTime]):
    """At what hour does this persona get up?"""

    identity: str
    first_name: str

    template = "plan/wake_up_hour.txt"
    answer = WakeUpTime
    answer_tokens = BRIEF

    def fallback(self) -> WakeUpTime:
        return WakeUpTime(wake_up_hour=DEFAULT_WAKE_UP_HOUR)


class RevisedIdentity(Answer):
    currently: str = Field(
        max_length=caps.CURRENTLY,
        description="what this person is now busy with, two to four sentences in the third person",
    )
    daily_requirement: str = Field(
        max_length=caps.REQUIREMENT, description="what has to happen today, one or two sentences; may be empty"
    )


@dataclass(frozen=True)
class ReviseIdentity(Question[RevisedIdentity]):
    """What are the present concerns of this persona on a new day, given its memories?"""

    identity: str
    first_name: str
    today: date
    currently: str
    daily_requirement: str
    memories: tuple[QuotedMemory, ...]

    template = "plan/revise_identity.txt"
    answer = RevisedIdentity
    tier = "advanced"
    temperature = PLANNING

    def fallback(self) -> RevisedIdentity:
        """Return the identity unchanged, unchecked because files of other engines may exceed the limits."""
        return RevisedIdentity.model_construct(currently=self.currently, daily_requirement=self.daily_requirement)


class Intentions(Answer):
    plans: Items[Annotated[str, Field(min_length=1, max_length=caps.PLAN)]] = Field(
        min_length=1, max_length=caps.PLANS, description="four to eight things to do today, each with its time"
    )

    @classmethod
    def as_meant(cls, value: object, form: object) -> object:
        return {"plans": plan_lines(form["plans"] if isinstance(form, dict) and "plans" in form else value)}


@dataclass(frozen=True)
class DayPlan(Question[Intentions]):
    """What does this persona do today, in broad strokes? (paper §4.3)"""

    identity: str
    first_name: str
    today: date
    wake_up_hour: int
    memories: tuple[QuotedMemory, ...]
    """Memories that matter for today; empty on the first day."""
    by_chance: ChanceMemories | None = None
    """Memories that come to mind by chance, if any (`mind_wandering`)."""

    template = "plan/day_plan.txt"
    answer = Intentions
    tier = "advanced"
    temperature = PLANNING

    def fitted(self, answer: Intentions, *, last: bool) -> Intentions:
        """Write times of a 12-hour clock as on a 24-hour clock; on the last attempt, leave times without an order."""
        try:
            return answer.model_copy(update={"plans": lines_in_order(answer.plans)})
        except ValueError:
            if not last:
                raise
            return answer

    def fallback(self) -> Intentions:
        """Return a day with what has to happen, unchecked because files of other engines may exceed the limits."""
        return Intentions.model_construct(plans=likely_day(self.wake_up_hour, requirement_in(self.identity)))


def _with_words(activity: str) -> str:
    """Return an activity. Raise ValueError if it has nothing but parentheses, which schedules leave out."""
    if not activity.strip(PARENTHESES):
        raise ValueError("an activity needs words")
    return activity


class HourlyActivity(Answer):
    model_config = ConfigDict(populate_by_name=True)

    start: Start = Field(alias="from", description="when it begins, such as 7:00")
    end: End = Field(alias="to", description="when it ends, such as 8:30")
    """An activity that ends at or before its start lasts until midnight."""
    activity: Annotated[str, AfterValidator(_with_words)] = Field(
        min_length=1, max_length=caps.ACTIVITY, description="what is being done, in a few words"
    )


class HourlyActivities(Answer):
    activities: Items[HourlyActivity] = Field(min_length=1, max_length=caps.HOURLY)

    @classmethod
    def as_meant(cls, value: object, form: object) -> object:
        return {"activities": rows_of(form["activities"] if isinstance(form, dict) and "activities" in form else value)}


@dataclass(frozen=True)
class HourlySchedule(Question[HourlyActivities]):
    """What does this persona do from hour to hour? (paper §4.3)"""

    identity: str
    first_name: str
    today: date
    wake_up_hour: int
    day_plan: tuple[str, ...]

    template = "plan/hourly_schedule.txt"
    answer = HourlyActivities
    answer_tokens = LONG
    temperature = PLANNING

    def fitted(self, answer: HourlyActivities, *, last: bool) -> HourlyActivities:
        """Read times of a 12-hour clock; on the last attempt, leave times without an order."""
        try:
            return answer.model_copy(
                update={
                    "activities": rows_in_order(answer.activities, asleep=SLEEP_WORD in answer.activities[0].activity)
                }
            )
        except ValueError:
            if not last:
                raise
            return answer

    def fallback(self) -> HourlyActivities:
        """Return only the hour of getting up: the day plan fills the rest."""
        start, end = time(self.wake_up_hour), time((self.wake_up_hour + 1) % HOURS)
        return HourlyActivities(activities=[HourlyActivity(start=start, end=end, activity="getting up")])


class Whereabouts(Answer):
    sector: str = Field(default="", max_length=caps.PLACE)
    arena: str = Field(default="", max_length=caps.PLACE)
    game_object: str = Field(
        default="", max_length=caps.PLACE, description="the object used there; empty if the arena lists none"
    )
    emoji: str = Field(default="", max_length=caps.EMOJI, description="one or two emoji that show the action")
    object_state: str = Field(
        default="", max_length=caps.STATE, description="state of that object meanwhile, a few words; may be empty"
    )

    @property
    def site(self) -> Site:
        return Site(self.sector, self.arena, self.game_object)


class Step(Answer):
    what: str = Field(min_length=1, max_length=caps.ACTIVITY, description="what is being done, in a few words")
    minutes: Minutes = Field(gt=0)


class Subtask(Whereabouts, Step):
    """A step and its place, which is empty if the model named none that is known."""


class Breakdown(Answer):
    subtasks: Items[Subtask] = Field(min_length=1, max_length=caps.STEPS)


@dataclass(frozen=True)
class Subtasks(Question[Breakdown]):
    """How is an activity of an hour or more done in subtasks of 5 to 15 minutes, and where? (paper §4.3)

    The place of a subtask that is missing or unclear is asked for when it begins.
    """

    identity: str
    first_name: str
    options: PlaceOptions
    here: str
    """Current `sector > arena`."""
    home: str
    """`sector > arena` of the home."""
    day: tuple[str, ...]
    """The plan for today, in a line each."""
    activity: str
    start: datetime
    minutes: int
    by_chance: ChanceMemories | None = None
    """Memories that come to mind by chance, if any (`mind_wandering`)."""

    template = "plan/subtasks.txt"
    answer = Breakdown
    answer_tokens = LONG
    temperature = PLANNING

    def fallback(self) -> Breakdown:
        """Return the activity itself as its only subtask."""
        return Breakdown.model_construct(
            subtasks=[Subtask.model_construct(what=self.activity, minutes=self.minutes)]
        )  # fmt: skip

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        return site_choices(self.options.places)

    def fitted(self, answer: Breakdown, *, last: bool) -> Breakdown:
        fits = last or nearly(answer.subtasks, self.minutes)
        subtasks = scaled(answer.subtasks, self.minutes) if fits else answer.subtasks
        return answer.model_copy(update={"subtasks": [self._placed(subtask) for subtask in subtasks]})

    def _placed(self, subtask: Subtask) -> Subtask:
        try:
            site = read_site(subtask.site, self.options.places, self.home.partition(" > ")[0])
        except ValueError:
            site = Site("", "", "")
        return subtask.model_copy(update=site._asdict())

    def check(self, answer: Breakdown) -> None:
        check_total(answer.subtasks, self.minutes)


@dataclass(frozen=True)
class SubtasksBriefly(Subtasks):
    """The same in fewer words, and with the plan around this time only."""

    template = "plan/subtasks_briefly.txt"


@dataclass(frozen=True)
class WhereAndHow(Question[Whereabouts]):
    """Where and with which object is an action done, and how is it displayed? (paper §5.1)

    One question for eight of the released code.
    """

    identity: str
    name: str
    action: str
    activity: str
    """The activity of which the action is a part."""
    now: datetime
    here: str
    """Current `sector > arena`."""
    home: str
    """`sector > arena` of the home."""
    options: PlaceOptions

    template = "plan/where_and_how.txt"
    answer = Whereabouts
    answer_tokens = BRIEF

    def fallback(self) -> Whereabouts:
        """Return a likely place, with nothing about the object in use."""
        site = likely_site(self._doing(), self.options.places, self.here, self.home)
        return Whereabouts.model_construct(**site._asdict(), emoji="🙂", object_state="")

    def _doing(self) -> str:
        return self.action if self.action == self.activity else f"{self.action}, {self.activity}"

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        return site_choices(self.options.places)

    def fitted(self, answer: Whereabouts, *, last: bool) -> Whereabouts:
        said, home = (answer.site, self.options.places), self.home.partition(" > ")[0]
        site = bent_site(*said, home, asleep=SLEEP_WORD in self._doing()) if last else read_site(*said, home)
        return answer.model_copy(update=site._asdict())

    def check(self, answer: Whereabouts) -> None:
        check_site(answer.site, self.options.places)


class NewSpell(Answer):
    what: str = Field(min_length=1, max_length=caps.SCHEDULE_ENTRY)
    minutes: Minutes = Field(ge=0)


class NewSchedule(Answer):
    activities: Items[NewSpell] = Field(min_length=1, max_length=caps.STEPS)


@dataclass(frozen=True)
class Reschedule(Question[NewSchedule]):
    """How does a part of the day continue after something unplanned? (paper §4.3.1)"""

    identity: str
    name: str
    planned: tuple[ScheduleEntry, ...]
    """The part of the day as it was planned."""
    happened: str
    """The unplanned activity, as written in the schedule."""
    start: datetime
    """When it begins."""
    minutes: int
    """How long it takes."""
    remaining: int
    """Minutes left after it, which the answer has to fill."""
    day: tuple[str, ...] = ()
    """The plan for today, in a line each."""

    template = "plan/reschedule.txt"
    answer = NewSchedule
    answer_tokens = LONG

    def fallback(self) -> NewSchedule:
        """Return what was planned for the time after the interruption, or the last planned activity."""
        after = self.start + timedelta(minutes=self.minutes)
        rows = [(entry.what, entry.start + timedelta(minutes=entry.minutes), entry.start) for entry in self.planned]
        kept = [
            NewSpell.model_construct(what=what, minutes=(end - max(start, after)) // timedelta(minutes=1))
            for what, end, start in rows
            if end > after
        ]
        last = NewSpell.model_construct(what=self.planned[-1].what, minutes=self.remaining)
        return NewSchedule.model_construct(activities=scaled(kept or [last], self.remaining))

    def fitted(self, answer: NewSchedule, *, last: bool) -> NewSchedule:
        fits = last or nearly(answer.activities, self.remaining)
        return answer.model_copy(update={"activities": scaled(answer.activities, self.remaining)}) if fits else answer

    def check(self, answer: NewSchedule) -> None:
        check_total(answer.activities, self.remaining)
