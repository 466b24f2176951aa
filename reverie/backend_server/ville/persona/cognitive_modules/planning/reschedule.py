"""Replanning of a part of the day when something unplanned happens (paper §4.3.1)."""

from itertools import takewhile

from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase, minute_of_day
from ville.persona.cognitive_modules.planning.subtasks import at_minute, day_lines, schedule_entries
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule, Slot
from ville.persona.prompt_template.answers.minutes import scaled
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.plan_questions import NewSpell, Reschedule

HOUR = 60
LONG_BLOCK = 120
"""Minutes from which an activity is replanned alone; a shorter one is replanned together with the next."""


async def reschedule(
    mind: Mind, moment: Moment, happened: str, minutes: int, *, since: int | None = None, alarming: bool = False
) -> Schedule:  # fmt: skip
    """Return today's schedule with an activity of so many minutes inserted now, or at an earlier minute of the day.

    By rule, the current activity goes on in less time, and what follows keeps its hours: after anything that is not
    `alarming` with situated questions, and with a lifestyle policy if the activity is not over by then. Else a model
    replans the rest of the affected window. The inserted activity is cut at midnight.
    """
    schedule = Schedule.whole_day(mind.scratch.schedule.activities)
    begins = minute_of_day(moment.now) if since is None else since
    ends = min(begins + minutes, MINUTES_PER_DAY)
    start, end = replanned_window(mind.scratch.hourly_schedule, begins, ends)
    now = schedule.slot_at(begins).activity
    asleep = mind.scratch.action is not None and mind.scratch.action.asleep
    inserted = Activity(clean_phrase(happened), ends - begins, of=None if asleep else now.of or now.what)
    afterwards: list[Activity] = []
    if ends < end:
        planned = [slot for slot in schedule.slots() if slot.start < end and slot.end > start]
        interruption = Slot(begins, ends, inserted)
        rest = _shortened(schedule, begins, ends)
        if not alarming and (mind.settings.questions == "situated" or (mind.settings.policy and rest)):
            afterwards = [*rest, *schedule.between(ends + sum(each.minutes for each in rest), end)]
        else:
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


def _shortened(schedule: Schedule, begins: int, ends: int) -> list[Activity]:
    """Return the rest of the activity that goes on from one minute to another, to be done after that in less time.

    Empty if it would be over by then.
    """
    now = schedule.slot_at(begins).activity
    later = (slot for slot in schedule.slots() if slot.end > begins)
    rest = list(takewhile(lambda slot: (slot.activity.of or slot.activity.what) == (now.of or now.what), later))
    until = rest[-1].end
    if until <= ends:
        return []
    spells = [
        NewSpell.model_construct(what=slot.activity.text, minutes=slot.end - max(slot.start, begins)) for slot in rest
    ]
    return [Activity.parse(spell.what, spell.minutes) for spell in scaled(spells, until - ends)]


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
