"""What planning asks: when to get up, what the day holds, how an activity is done, and where."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.blanks import PlaceOptions, QuotedMemory, ScheduleEntry
from ville.persona.prompt_template.question import Answer, Question

HOURS = 24
DEFAULT_WAKE_UP_HOUR = 8
"""The innocent hour to get up."""
TOLERANCE = 0.25
"""Share by which subtasks may miss their total before the answer counts as malformed; what is less is bent to fit."""


class WakeUpTime(Answer, title="Hour"):
    wake_up_hour: int = Field(ge=0, lt=HOURS, description="hour of the day, 0 to 23")


@dataclass(frozen=True)
class WakeUpHour(Question[WakeUpTime]):
    """At what hour does this persona get up?"""

    identity: str
    first_name: str

    template = "plan/wake_up_hour.txt"
    answer = WakeUpTime

    def fallback(self) -> WakeUpTime:
        return WakeUpTime(wake_up_hour=DEFAULT_WAKE_UP_HOUR)


class RevisedIdentity(Answer, title="Revision"):
    currently: str = Field(
        max_length=caps.CURRENTLY,
        description="what this person is now busy with, two to four sentences in the third person",
    )
    daily_requirement: str = Field(
        max_length=caps.REQUIREMENT, description="what has to happen today, one or two sentences; may be empty"
    )


@dataclass(frozen=True)
class ReviseIdentity(Question[RevisedIdentity]):
    """What is on this persona's mind on the morning of a new day, given what yesterday brought?"""

    identity: str
    first_name: str
    today: date
    currently: str
    daily_requirement: str
    memories: tuple[QuotedMemory, ...]

    template = "plan/revise_identity.txt"
    answer = RevisedIdentity
    tier = "advanced"

    def fallback(self) -> RevisedIdentity:
        """Nothing has changed, however long it is: these are no words of a model."""
        return RevisedIdentity.model_construct(currently=self.currently, daily_requirement=self.daily_requirement)


class Intentions(Answer):
    plans: list[Annotated[str, Field(max_length=caps.PLAN)]] = Field(
        min_length=1, max_length=caps.PLANS, description="four to eight things to do today, each with its time"
    )


@dataclass(frozen=True)
class DayPlan(Question[Intentions]):
    """The day in broad strokes. (paper §4.3)"""

    identity: str
    first_name: str
    today: date
    wake_up_hour: int
    memories: tuple[QuotedMemory, ...]
    """What was heard of or resolved for today; empty on the first day."""

    template = "plan/day_plan.txt"
    answer = Intentions
    tier = "advanced"

    def fallback(self) -> Intentions:
        return Intentions(plans=[f"wake up and get ready at {self.wake_up_hour}:00", "spend a quiet day at home"])


class HourlyActivities(Answer):
    activities: list[Annotated[str, Field(max_length=caps.HOUR)]] = Field(
        min_length=HOURS, max_length=HOURS, description="one activity for each hour from 0"
    )


PARTS = (2, 4)
"""Into how many equal parts an hour may be split."""


@dataclass(frozen=True)
class HourlySchedule(Question[HourlyActivities]):
    """What this persona does in each of the day's 24 hours. (paper §4.3)"""

    identity: str
    first_name: str
    today: date
    wake_up_hour: int
    day_plan: tuple[str, ...]

    template = "plan/hourly_schedule.txt"
    answer = HourlyActivities

    def fallback(self) -> HourlyActivities:
        asleep, awake = self.wake_up_hour, HOURS - self.wake_up_hour
        return HourlyActivities(activities=["sleeping"] * asleep + ["spending time at home"] * awake)

    def check(self, answer: HourlyActivities) -> None:
        if empty := [hour for hour, activity in enumerate(answer.activities) if not activity]:
            raise ValueError(f"activities: hour {empty[0]} is empty")
        for hour, activity in enumerate(answer.activities):
            if max(map(len, split_hour(activity))) > caps.ACTIVITY:
                raise ValueError(f"activities: hour {hour} has an activity of more than {caps.ACTIVITY} characters")


def split_hour(activity: str) -> list[str]:
    """Return the two or four equal parts of an hour, as in `having lunch | reading`, or the activity as it is."""
    parts = activity.split(" | ")
    return parts if len(parts) in PARTS else [activity]


class Subtask(Answer):
    what: str = Field(min_length=1, max_length=caps.ACTIVITY, description="what is being done, in a few words")
    minutes: int = Field(gt=0)


class Breakdown(Answer):
    subtasks: list[Subtask] = Field(min_length=1, max_length=caps.STEPS)


@dataclass(frozen=True)
class Subtasks(Question[Breakdown]):
    """How an activity of an hour or more is done in steps of 5 to 15 minutes. (paper §4.3)"""

    identity: str
    first_name: str
    around: tuple[ScheduleEntry, ...]
    """The activity's neighbours in the schedule, itself included."""
    activity: str
    start: datetime
    minutes: int

    template = "plan/subtasks.txt"
    answer = Breakdown

    def fallback(self) -> Breakdown:
        """The activity itself is the only step, as it stands in the schedule."""
        return Breakdown(subtasks=[Subtask.model_construct(what=self.activity, minutes=self.minutes)])

    def check(self, answer: Breakdown) -> None:
        check_total([subtask.minutes for subtask in answer.subtasks], self.minutes)


class Whereabouts(Answer):
    sector: str = Field(max_length=caps.PLACE)
    arena: str = Field(max_length=caps.PLACE)
    game_object: str = Field(max_length=caps.PLACE, description="the object used there; empty if the arena lists none")
    emoji: str = Field(max_length=caps.EMOJI, description="one or two emoji that show the action")
    predicate: str = Field(
        max_length=caps.KEYWORD, description="the verb of the sentence subject-predicate-object about the person"
    )
    object: str = Field(max_length=caps.KEYWORD, description="the object of that sentence")
    object_state: str = Field(
        max_length=caps.STATE, description="what state the used object is in meanwhile, a few words; may be empty"
    )


@dataclass(frozen=True)
class WhereAndHow(Question[Whereabouts]):
    """Where an action is done, with what, and how it looks: one answer for the classic's eight."""

    identity: str
    name: str
    action: str
    activity: str
    """The hourly activity that the action is part of."""
    now: datetime
    here: str
    """Address of the place where the persona is."""
    home: str
    """Address of the arena where the persona lives."""
    options: PlaceOptions

    template = "plan/where_and_how.txt"
    answer = Whereabouts

    def fallback(self) -> Whereabouts:
        sector, arena = _first_known(self.options, self.home)
        objects = self.options.places[sector][arena]
        return Whereabouts.model_construct(
            sector=sector, arena=arena, game_object=objects[0] if objects else "",
            emoji="🙂", predicate="is", object=self.action, object_state="",
        )  # fmt: skip

    def check(self, answer: Whereabouts) -> None:
        places = self.options.places
        if answer.sector not in places:
            raise ValueError(f"sector: {answer.sector!r} is not one of {', '.join(places)}")
        if answer.arena not in places[answer.sector]:
            raise ValueError(f"arena: {answer.arena!r} is not one of {', '.join(places[answer.sector])}")
        objects = places[answer.sector][answer.arena]
        if objects and answer.game_object not in objects:
            raise ValueError(f"game_object: {answer.game_object!r} is not one of {', '.join(objects)}")


class NewSpell(Answer):
    what: str = Field(min_length=1, max_length=caps.SCHEDULE_ENTRY)
    minutes: int = Field(ge=0)


class NewSchedule(Answer):
    activities: list[NewSpell] = Field(min_length=1, max_length=caps.STEPS)


@dataclass(frozen=True)
class Reschedule(Question[NewSchedule]):
    """How the rest of a stretch of the day goes after something came in between."""

    identity: str
    name: str
    planned: tuple[ScheduleEntry, ...]
    """The stretch as it was planned."""
    happened: str
    """What came in between, as it will stand in the schedule."""
    start: datetime
    """When the interruption begins."""
    minutes: int
    """How long it takes."""
    remaining: int
    """Minutes of the stretch that are left after it: what the answer has to fill."""

    template = "plan/reschedule.txt"
    answer = NewSchedule

    def fallback(self) -> NewSchedule:
        """What was planned last fills the time, as it stands in the schedule."""
        return NewSchedule(activities=[NewSpell.model_construct(what=self.planned[-1].what, minutes=self.remaining)])

    def check(self, answer: NewSchedule) -> None:
        check_total([entry.minutes for entry in answer.activities], self.remaining)


def check_total(minutes: list[int], wanted: int) -> None:
    """Raise ValueError when durations are too far from their total to be bent to it."""
    if abs(sum(minutes) - wanted) > TOLERANCE * wanted:
        raise ValueError(f"the minutes add up to {sum(minutes)}, but have to add up to {wanted}")


def _first_known(options: PlaceOptions, home: str) -> tuple[str, str]:
    """Home if it can be chosen, else the first place that can."""
    _, *parts = home.split(":")
    if len(parts) > 1 and parts[1] in options.places.get(parts[0], {}):
        return parts[0], parts[1]
    sector = next(name for name, arenas in options.places.items() if arenas)
    return sector, next(iter(options.places[sector]))
