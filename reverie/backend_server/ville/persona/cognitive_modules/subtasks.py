"""Decomposition of long activities into subtasks (paper §4.3), when they begin or an hour before."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase
from ville.persona.cognitive_modules.place_choice import surroundings
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule, Slot
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import ScheduleEntry, clock
from ville.persona.prompt_template.plan import Subtask, Subtasks

LONG = 60
"""Minutes from which an activity is decomposed."""
AHEAD = 60
"""Minutes before its start at which an activity is decomposed."""
NEVER_SPLIT = ("sleeping", "asleep", "in bed")
SPLIT_UP_TO_AN_HOUR = ("sleep", "bed")
"""Words of activities that are hardly decomposed, as in the released code: getting ready for bed is, a night is not."""


def slot_at(schedule: Schedule, minute: int) -> Slot:
    return list(schedule.slots())[schedule.index(minute)]


def slots_to_split(schedule: Schedule, minute: int) -> tuple[Slot | None, Slot | None]:
    """Return the current activity and the one in an hour, each only if it still has to be decomposed."""
    current = slot_at(schedule, minute)
    later = slot_at(schedule, minute + AHEAD) if minute + AHEAD < MINUTES_PER_DAY else current
    return (
        current if needs_subtasks(current.activity) else None,
        later if later != current and needs_subtasks(later.activity) else None,
    )


def needs_subtasks(activity: Activity) -> bool:
    """Return whether an activity is long, not a subtask itself, and not sleep."""
    if activity.of is not None or activity.minutes < LONG or any(word in activity.what for word in NEVER_SPLIT):
        return False
    return activity.minutes <= LONG or not any(word in activity.what for word in SPLIT_UP_TO_AN_HOUR)


async def decompose(mind: Mind, moment: Moment, slot: Slot | None) -> list[Subtask]:
    """Return the subtasks of an activity, which together take as long; empty without an activity."""
    if slot is None:
        return []
    around = surroundings(mind, moment)
    question = Subtasks(
        identity=mind.identity_text(moment.now),
        first_name=mind.scratch.identity.first_name,
        options=around.options,
        here=around.here,
        home=around.home,
        day=day_lines(mind.scratch.hourly_schedule, moment.now),
        activity=slot.activity.what,
        start=at_minute(moment.now, slot.start),
        minutes=slot.activity.minutes,
    )
    answer = await ask(moment.caller, question)
    return [
        subtask.model_copy(update={"what": clean_phrase(subtask.what) or slot.activity.what})
        for subtask in answer.subtasks
    ]


def day_lines(hourly: Schedule, today: datetime) -> tuple[str, ...]:
    """Return the plan for today as quoted in prompts: `7:00 AM: having breakfast`."""
    return tuple(f"{clock(at_minute(today, slot.start))}: {slot.activity.what}" for slot in hourly.slots())


def schedule_entries(slots: Sequence[Slot], today: datetime) -> tuple[ScheduleEntry, ...]:
    """Return a part of a schedule as quoted in prompts."""
    return tuple(
        ScheduleEntry(at_minute(today, slot.start), slot.activity.minutes, slot.activity.text) for slot in slots
    )


def at_minute(today: datetime, minute: int) -> datetime:
    """Return the time of a minute of the day."""
    return today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=minute)
