"""Planning (paper §4.3): a day plan and an hourly schedule in the morning, then one action after another.

Activities with times become a whole day. Gaps are filled from the day plan, those of the night with sleep.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from enum import Enum, auto
from itertools import groupby
from typing import NamedTuple

from ville.lifestyle_hours import waking_hour
from ville.offline.day.plan_rules import still_true
from ville.persona.cognitive_modules.committing.commit import commit_by_identity, commit_by_plan
from ville.persona.cognitive_modules.committing.own_facts import note_own_facts
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    clean_phrase,
    gather_pair,
    quote_memories,
    remember,
    retrieve_memories,
)
from ville.persona.cognitive_modules.planning.filled_day import filled_day
from ville.persona.cognitive_modules.planning.next_action import begin_next_action
from ville.persona.cognitive_modules.planning.wander import FOR_THE_DAY, chance_memories
from ville.persona.memory_structures.facts.fact_words import are_same_event
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, SLEEPING, Activity, Schedule
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Experience, thought
from ville.persona.prompt_template.answers.clock_times import first_time
from ville.persona.prompt_template.ask import answered_by_rules, ask
from ville.persona.prompt_template.blanks import ChanceMemories
from ville.persona.prompt_template.day_questions import BringUpToDate
from ville.persona.prompt_template.plan_questions import (
    DayPlan,
    HourlyActivity,
    HourlySchedule,
    ReviseIdentity,
    WakeUpHour,
)
from ville.storage.dates import weekday_text

HOUR = 60
BEDTIME = 22 * HOUR
"""Minute from which a day without a plan for it is sleep."""


class Stretch(NamedTuple):
    """Activity between two minutes of the day."""

    start: int
    end: int
    what: str


def hourly_schedule(said: Sequence[HourlyActivity], wake_up_hour: int, day_plan: Iterable[str]) -> Schedule:
    """Return a day that begins asleep. Gaps are filled from the day plan, those of the night with sleep.

    Where activities overlap, the one that begins later counts, or else the shorter one.
    """
    wakes = wake_up_hour * HOUR
    stretches = sorted(map(_stretch, said), key=lambda each: (each.start, -each.end))
    day = [*_by_plan(day_plan, wakes), Stretch(BEDTIME, MINUTES_PER_DAY, SLEEPING), *stretches]
    awake = next((each.what for each in stretches if each.start >= wakes), stretches[-1].what)
    minutes = [awake] * MINUTES_PER_DAY
    for start, end, what in [*day, Stretch(0, wakes, SLEEPING)]:
        minutes[start:end] = [what] * (end - start)
    return Schedule.whole_day(Activity(what, len(list(same))) for what, same in groupby(minutes))


def _stretch(said: HourlyActivity) -> Stretch:
    start, end = _minute(said.start), _minute(said.end)
    return Stretch(start, end if end > start else MINUTES_PER_DAY, clean_phrase(said.activity))


def _minute(moment: time) -> int:
    return moment.hour * HOUR + moment.minute


def _by_plan(day_plan: Iterable[str], wakes: int) -> list[Stretch]:
    """Return the lines of a day plan, each until midnight, by start; without a time, an hour after the line before."""
    stretches: list[Stretch] = []
    following = wakes
    for line in day_plan:
        found = first_time(line)
        start = _minute(found) if found else following
        if wakes <= start < MINUTES_PER_DAY and (what := clean_phrase(line)):
            stretches.append(Stretch(start if stretches else wakes, MINUTES_PER_DAY, what))
            following = start + HOUR
    return sorted(stretches, key=lambda each: each.start)


PLAN_POIGNANCY = 5
MOST_AHEAD = 3
"""Appointments of which the present concerns speak at least."""
STATUS = "Status:"
"""Prefix of `currently` in files of the released code."""
MORNING_MEMORIES = 20
"""Number of memories per focal point for planning the day."""


class DayChange(Enum):
    """Whether a step is a persona's first, the first of a new day, or on the same day as its last."""

    FIRST = auto()
    NEW = auto()
    SAME = auto()


def day_change(scratch: Scratch, now: datetime) -> DayChange:
    if scratch.curr_time is None:
        return DayChange.FIRST
    return DayChange.SAME if scratch.curr_time.date() == now.date() else DayChange.NEW


async def plan(mind: Mind, moment: Moment, day: DayChange) -> None:
    """Make sure that there is a plan for today and a current action."""
    if day is not DayChange.SAME or not mind.scratch.schedule:
        note_own_facts(mind)
        commit_by_identity(mind, moment.view)
        await plan_the_day(mind, moment, day)
        commit_by_plan(mind, moment)
    if mind.scratch.action_finished(moment.now):
        await begin_next_action(mind, moment)


async def plan_the_day(mind: Mind, moment: Moment, day: DayChange) -> None:
    """Plan the day: wake-up hour, identity, intentions and hourly schedule. A running action continues.

    Nothing changes if a call to a model fails, so that the next step can try again.
    """
    ahead, behind = await _morning_memories(mind, moment)
    memories = [*ahead, *behind]
    wake_up_hour, identity = await _wake_up(mind, moment, day, memories)
    by_chance = chance_memories(mind, moment, FOR_THE_DAY)
    if mind.settings.questions == "situated":
        intentions, schedule = await filled_day(
            mind, moment, identity, wake_up_hour=wake_up_hour, memories=(ahead, behind), by_chance=by_chance
        )
    else:
        intentions = await _intentions(identity, moment, wake_up_hour, memories, by_chance=by_chance)
        schedule = await _schedule(identity, moment, wake_up_hour, intentions)
    await remember(mind, moment, [plan_thought(mind.name, moment.now, intentions)])
    scratch = mind.scratch
    scratch.identity = identity
    scratch.daily_req = list(intentions)
    scratch.schedule = scratch.hourly_schedule = schedule
    scratch.sights = {}
    scratch.action_places = {}


async def _morning_memories(mind: Mind, moment: Moment) -> list[list[ConceptNode]]:
    """Return memories about the day ahead and about recent days."""
    focal_points = (
        f"{mind.name}'s plan for {weekday_text(moment.now)}.",
        f"Important recent events for {mind.name}'s life.",
    )
    return await retrieve_memories(mind, moment, focal_points, MORNING_MEMORIES)


async def _wake_up(mind: Mind, moment: Moment, day: DayChange, memories: list[ConceptNode]) -> tuple[int, Identity]:
    """Return the wake-up hour, and the identity, which is revised on every day but the first, unless frozen."""
    scratch = mind.scratch
    if day is not DayChange.NEW or moment.frozen(mind.name):
        return await _wake_up_hour(mind, moment), scratch.identity
    return await gather_pair(_wake_up_hour(mind, moment), _revised_identity(mind, moment, memories))


async def _wake_up_hour(mind: Mind, moment: Moment) -> int:
    """Return the hour that the lifestyle names, else the answer of a model."""
    identity = mind.scratch.identity
    if mind.settings.questions == "situated" and (named := waking_hour(identity.lifestyle)) is not None:
        return named
    question = WakeUpHour(identity=mind.identity_text(moment.now), first_name=identity.first_name)
    return (await ask(moment.caller, question)).wake_up_hour


async def _revised_identity(mind: Mind, moment: Moment, memories: list[ConceptNode]) -> Identity:
    identity = mind.scratch.identity
    situated = mind.settings.questions == "situated"
    question = (BringUpToDate if situated else ReviseIdentity)(
        identity=mind.identity_text(moment.now),
        first_name=identity.first_name,
        today=moment.now.date(),
        currently=_without_status(identity.currently),
        daily_requirement=identity.daily_plan_req or "",
        memories=quote_memories(memories, moment.now),
    )
    revision = await ask(moment.caller, question)
    currently = _without_status(_one_line(revision.currently)) or identity.currently
    requirement = _one_line(revision.daily_requirement)
    if situated and not answered_by_rules(moment.caller):
        currently = " ".join([currently, *_left_out(mind, moment, currently)])
        requirement = " ".join(f"{each}." for each in still_true(identity.daily_plan_req or "", moment.now.date()))
    return replace(identity, currently=currently, daily_plan_req=requirement)


def _left_out(mind: Mind, moment: Moment, text: str) -> Iterator[str]:
    """Yield the next appointments of which a text does not speak, by their dates: models forget them."""
    long_ago = moment.now - timedelta(weeks=1)
    for each in mind.facts.commitments.ahead(moment.now)[:MOST_AHEAD]:
        if not are_same_event(each.what, text):
            yield f"{mind.name} has an appointment on {each.text(long_ago)}."


def _without_status(currently: str) -> str:
    return currently.removeprefix(STATUS).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


async def _intentions(
    identity: Identity,
    moment: Moment,
    wake_up_hour: int,
    memories: list[ConceptNode],
    *,
    by_chance: ChanceMemories | None,
) -> tuple[str, ...]:
    """Return the day in broad strokes."""
    question = DayPlan(
        identity=identity.text(moment.now.date()),
        first_name=identity.first_name,
        today=moment.now.date(),
        wake_up_hour=wake_up_hour,
        memories=quote_memories(memories, moment.now),
        by_chance=by_chance,
    )
    return tuple(_one_line(item) for item in (await ask(moment.caller, question)).plans if item)


async def _schedule(
    identity: Identity, moment: Moment, wake_up_hour: int, intentions: tuple[str, ...]
) -> Schedule:  # fmt: skip
    question = HourlySchedule(
        identity=identity.text(moment.now.date()),
        first_name=identity.first_name,
        today=moment.now.date(),
        wake_up_hour=wake_up_hour,
        day_plan=intentions,
    )
    return hourly_schedule((await ask(moment.caller, question)).activities, wake_up_hour, intentions)


def plan_thought(name: str, now: datetime, intentions: tuple[str, ...]) -> Experience:
    """Return the memory of a plan, in the wording of the released code."""
    today = weekday_text(now)
    text = f"This is {name}'s plan for {today}: {', '.join(item.rstrip(',.') for item in intentions)}."
    return thought(now, (name, "plan", today), text, poignancy=PLAN_POIGNANCY, keywords=("plan",))
