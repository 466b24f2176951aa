"""How long activities are done step by step; thought out when they begin, or an hour before."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule, Slot
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import ScheduleEntry
from ville.persona.prompt_template.plan import Subtasks

LONG = 60
"""Minutes from which on an activity has steps."""
AHEAD = 60
"""Minutes between thinking of the steps and the first of them."""
ASLEEP = ("sleeping", "asleep", "in bed")
PERHAPS_ASLEEP = ("sleep", "bed")

Steps = list[tuple[str, int]]
"""What is done, and for how many minutes."""


def slot_at(schedule: Schedule, minute: int) -> Slot:
    return list(schedule.slots())[schedule.index(minute)]


def slots_to_split(schedule: Schedule, minute: int) -> tuple[Slot | None, Slot | None]:
    """What is on now and what is on in an hour, each only if it still has to be split into steps."""
    current = slot_at(schedule, minute)
    later = slot_at(schedule, minute + AHEAD) if minute + AHEAD < MINUTES_PER_DAY else current
    return (
        current if has_steps(current.activity) else None,
        later if later != current and has_steps(later.activity) else None,
    )


def has_steps(activity: Activity) -> bool:
    """A long activity that is no step itself; nobody sleeps step by step, but going to bed takes some."""
    if activity.of is not None or activity.minutes < LONG or any(word in activity.what for word in ASLEEP):
        return False
    return activity.minutes <= LONG or not any(word in activity.what for word in PERHAPS_ASLEEP)


async def decompose(mind: Mind, moment: Moment, schedule: Schedule, slot: Slot | None) -> Steps:
    """The steps of an activity, together as long as it is; none if there is nothing to split."""
    if slot is None:
        return []
    minutes = slot.activity.minutes
    question = Subtasks(
        identity=mind.identity_text(moment.now),
        first_name=mind.scratch.identity.first_name,
        around=_neighbours(schedule, slot, moment.now),
        activity=slot.activity.what,
        start=at_minute(moment.now, slot.start),
        minutes=minutes,
    )
    answer = await ask(moment.caller, question)
    steps = [(clean_phrase(step.what) or slot.activity.what, step.minutes) for step in answer.subtasks]
    return scale_to_fit(steps, minutes)


def scale_to_fit(steps: Sequence[tuple[str, int]], minutes: int) -> Steps:
    """The same steps, every one shortened or drawn out in proportion, so that they end when the time is up."""
    total = sum(length for _, length in steps)
    bent_steps, done, end = [], 0, 0
    for what, length in steps:
        done += length
        start, end = end, round(done * minutes / total)
        bent_steps.append((what, end - start))
    return bent_steps


def _neighbours(schedule: Schedule, slot: Slot, today: datetime) -> tuple[ScheduleEntry, ...]:
    slots = list(schedule.slots())
    place = slots.index(slot)
    return schedule_entries(slots[max(0, place - 1) : place + 2], today)


def schedule_entries(slots: Sequence[Slot], today: datetime) -> tuple[ScheduleEntry, ...]:
    """A part of a schedule as it stands in a prompt."""
    return tuple(
        ScheduleEntry(at_minute(today, slot.start), slot.activity.minutes, slot.activity.text) for slot in slots
    )


def at_minute(today: datetime, minute: int) -> datetime:
    """A minute of today, counted from midnight."""
    return today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=minute)
