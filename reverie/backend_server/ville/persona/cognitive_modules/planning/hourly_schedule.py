"""The hourly schedule (paper §4.3): activities with times become a whole day, completed from the day plan."""

from collections.abc import Iterable, Sequence
from datetime import time
from itertools import groupby
from typing import NamedTuple

from ville.persona.cognitive_modules.mind import clean_phrase
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, SLEEPING, Activity, Schedule
from ville.persona.prompt_template.answers.clock_times import first_time
from ville.persona.prompt_template.plan import HourlyActivity

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
