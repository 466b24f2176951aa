"""Appointments for later today: agreed on in talks, or called off."""

from datetime import datetime

from ville.persona.cognitive_modules.mind import Mind, clean_phrase, minute_of_day
from ville.persona.cognitive_modules.planning.reschedule import HOUR
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity
from ville.persona.prompt_template.conversation_answers import Appointment


def keep_appointment(mind: Mind, now: datetime, appointment: Appointment, *, instead_of: str = "") -> None:
    """Put an appointment for later today into the schedules, in place of what was planned.

    Nor is planned for any other time what it is `instead_of`: what comes before that goes on.
    """
    scratch, begun = mind.scratch, minute_of_day(now)
    start = appointment.hour * HOUR
    end = min(start + appointment.minutes, MINUTES_PER_DAY)
    if not (appointment.what and begun < start < end):
        return
    row = Activity(clean_phrase(appointment.what), end - start)
    planned = [slot for slot in scratch.hourly_schedule.slots() if slot.activity.what == instead_of]
    for slot in planned:
        if slot.start > begun:
            before = scratch.hourly_schedule.at(slot.start - 1)
            _put(mind, slot.start, slot.end, before)
    _put(mind, start, end, row)


def _put(mind: Mind, start: int, end: int, row: Activity) -> None:
    scratch = mind.scratch
    scratch.schedule = scratch.schedule.with_window(start, end, [row])
    scratch.hourly_schedule = scratch.hourly_schedule.with_window(start, end, [row])
