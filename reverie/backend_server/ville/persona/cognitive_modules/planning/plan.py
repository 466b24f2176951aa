"""Planning (paper §4.3): a day plan and an hourly schedule in the morning, then one action after another."""

from dataclasses import replace
from datetime import datetime
from enum import Enum, auto

from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    gather_pair,
    quote_memories,
    remember,
    retrieve_memories,
)
from ville.persona.cognitive_modules.planning.hourly_schedule import hourly_schedule
from ville.persona.cognitive_modules.planning.next_action import begin_next_action
from ville.persona.cognitive_modules.planning.wander import FOR_THE_DAY, chance_memories
from ville.persona.memory_structures.concept_node import ConceptNode, Experience, thought
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import ChanceMemories
from ville.persona.prompt_template.plan import DayPlan, HourlySchedule, ReviseIdentity, WakeUpHour
from ville.storage.dates import weekday_text

PLAN_POIGNANCY = 5
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
        await plan_the_day(mind, moment, day)
    if mind.scratch.action_finished(moment.now):
        await begin_next_action(mind, moment)


async def plan_the_day(mind: Mind, moment: Moment, day: DayChange) -> None:
    """Plan the day: wake-up hour, identity, intentions and hourly schedule. A running action continues.

    Nothing changes if a call to a model fails, so that the next step can try again.
    """
    memories = await _morning_memories(mind, moment)
    wake_up_hour, identity = await _wake_up(mind, moment, day, memories)
    by_chance = chance_memories(mind, moment, FOR_THE_DAY)
    intentions = await _intentions(identity, moment, wake_up_hour, memories, by_chance=by_chance)
    schedule = await _schedule(identity, moment, wake_up_hour, intentions)
    await remember(mind, moment, [plan_thought(mind.name, moment.now, intentions)])
    scratch = mind.scratch
    scratch.identity = identity
    scratch.daily_req = list(intentions)
    scratch.schedule = scratch.hourly_schedule = schedule
    scratch.sights = {}
    scratch.action_places = {}


async def _morning_memories(mind: Mind, moment: Moment) -> list[ConceptNode]:
    """Return memories about the day ahead and about recent days."""
    focal_points = (
        f"{mind.name}'s plan for {weekday_text(moment.now)}.",
        f"Important recent events for {mind.name}'s life.",
    )
    ahead, behind = await retrieve_memories(mind, moment, focal_points, MORNING_MEMORIES)
    return [*ahead, *behind]


async def _wake_up(mind: Mind, moment: Moment, day: DayChange, memories: list[ConceptNode]) -> tuple[int, Identity]:
    """Return the wake-up hour, and the identity, which is revised on every day but the first, unless frozen."""
    scratch = mind.scratch
    question = WakeUpHour(identity=mind.identity_text(moment.now), first_name=scratch.identity.first_name)
    if day is not DayChange.NEW or moment.frozen(mind.name):
        return (await ask(moment.caller, question)).wake_up_hour, scratch.identity
    hour, identity = await gather_pair(ask(moment.caller, question), _revised_identity(mind, moment, memories))
    return hour.wake_up_hour, identity


async def _revised_identity(mind: Mind, moment: Moment, memories: list[ConceptNode]) -> Identity:
    identity = mind.scratch.identity
    question = ReviseIdentity(
        identity=mind.identity_text(moment.now),
        first_name=identity.first_name,
        today=moment.now.date(),
        currently=_without_status(identity.currently),
        daily_requirement=identity.daily_plan_req or "",
        memories=quote_memories(memories, moment.now),
    )
    revision = await ask(moment.caller, question)
    currently = _without_status(_one_line(revision.currently)) or identity.currently
    return replace(identity, currently=currently, daily_plan_req=_one_line(revision.daily_requirement))


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
