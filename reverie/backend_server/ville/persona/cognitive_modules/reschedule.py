"""When something comes in between, the stretch of the day around it is planned anew."""

from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase, minute_of_day
from ville.persona.cognitive_modules.subtasks import at_minute, scale_to_fit, schedule_entries, slot_at
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule, Slot
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.plan import Reschedule

HOUR = 60
LONG_BLOCK = 120
"""Minutes from which on a planned activity is a stretch of its own; a shorter one goes together with the next."""


async def reschedule(mind: Mind, moment: Moment, happened: str, minutes: int) -> Schedule:
    """Today with something of so many minutes put in now; what stood in its stretch is shortened, moved or dropped.

    What would last beyond midnight is cut there.
    """
    schedule = Schedule.whole_day(mind.scratch.schedule.activities)
    begins = minute_of_day(moment.now)
    ends = min(begins + minutes, MINUTES_PER_DAY)
    start, end = replanned_window(mind.scratch.hourly_schedule, begins, ends)
    now = slot_at(schedule, begins).activity
    between = Activity(clean_phrase(happened), ends - begins, of=now.of or now.what)
    afterwards: list[Activity] = []
    if ends < end:
        planned = [slot for slot in schedule.slots() if slot.start < end and slot.end > start]
        afterwards = await _afterwards(mind, moment, between, planned, remaining=end - ends)
    return schedule.with_window(start, end, [*schedule.between(start, begins), between, *afterwards])


def replanned_window(hourly: Schedule, begins: int, ends: int) -> tuple[int, int]:
    """First and last minute of what is planned anew: the present block, with the next one if it is short.

    It begins on a full hour and reaches at least until the interruption is over.
    """
    slots = list(Schedule.whole_day(hourly.activities).slots())
    place = next(number for number, slot in enumerate(slots) if slot.end > begins)
    block = slots[place]
    if block.end - block.start < LONG_BLOCK:
        block = slots[min(place + 1, len(slots) - 1)]
    last = next(slot for slot in slots if slot.end >= max(block.end, ends))
    return slots[place].start // HOUR * HOUR, last.end


async def _afterwards(
    mind: Mind, moment: Moment, between: Activity, planned: list[Slot], *, remaining: int
) -> list[Activity]:  # fmt: skip
    begins = minute_of_day(moment.now)
    question = Reschedule(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        planned=schedule_entries(planned, moment.now),
        happened=between.text,
        start=at_minute(moment.now, begins),
        minutes=between.minutes,
        remaining=remaining,
    )
    answer = await ask(moment.caller, question)
    rows = scale_to_fit([(" ".join(entry.what.split()), entry.minutes) for entry in answer.activities], remaining)
    return [Activity.parse(what, minutes) for what, minutes in rows]
