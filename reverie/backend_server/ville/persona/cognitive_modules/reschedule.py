"""Replanning of a part of the day when something unplanned happens (paper §4.3.1)."""

from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase, minute_of_day
from ville.persona.cognitive_modules.subtasks import at_minute, day_lines, schedule_entries, slot_at
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule, Slot
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.plan import Reschedule

HOUR = 60
LONG_BLOCK = 120
"""Minutes from which an activity is replanned alone; a shorter one is replanned together with the next."""


async def reschedule(
    mind: Mind, moment: Moment, happened: str, minutes: int, *, since: int | None = None
) -> Schedule:  # fmt: skip
    """Return today's schedule with an activity of so many minutes inserted now, or at an earlier minute of the day.

    A model replans the rest of the affected window. The activity is cut at midnight.
    """
    schedule = Schedule.whole_day(mind.scratch.schedule.activities)
    begins = minute_of_day(moment.now) if since is None else since
    ends = min(begins + minutes, MINUTES_PER_DAY)
    start, end = replanned_window(mind.scratch.hourly_schedule, begins, ends)
    now = slot_at(schedule, begins).activity
    asleep = mind.scratch.action is not None and mind.scratch.action.asleep
    inserted = Activity(clean_phrase(happened), ends - begins, of=None if asleep else now.of or now.what)
    afterwards: list[Activity] = []
    if ends < end:
        planned = [slot for slot in schedule.slots() if slot.start < end and slot.end > start]
        interruption = Slot(begins, ends, inserted)
        afterwards = await _afterwards(mind, moment, interruption, planned, remaining=end - ends)
    return schedule.with_window(start, end, [*schedule.between(start, begins), inserted, *afterwards])


def replanned_window(hourly: Schedule, begins: int, ends: int) -> tuple[int, int]:
    """Return the first and the last minute to replan: the current block, and the next one if that is short.

    The window starts on a full hour and ends no earlier than the interruption.
    """
    slots = list(Schedule.whole_day(hourly.activities).slots())
    place = next(number for number, slot in enumerate(slots) if slot.end > begins)
    block = slots[place]
    if block.end - block.start < LONG_BLOCK:
        block = slots[min(place + 1, len(slots) - 1)]
    last = next(slot for slot in slots if slot.end >= max(block.end, ends))
    return slots[place].start // HOUR * HOUR, last.end


async def _afterwards(
    mind: Mind, moment: Moment, interruption: Slot, planned: list[Slot], *, remaining: int
) -> list[Activity]:  # fmt: skip
    question = Reschedule(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        day=day_lines(mind.scratch.hourly_schedule, moment.now),
        planned=schedule_entries(planned, moment.now),
        happened=interruption.activity.text,
        start=at_minute(moment.now, interruption.start),
        minutes=interruption.activity.minutes,
        remaining=remaining,
    )
    answer = await ask(moment.caller, question)
    return [Activity.parse(" ".join(entry.what.split()), entry.minutes) for entry in answer.activities]
