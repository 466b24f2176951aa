"""The frame of a day, set by rule: getting up, meals, appointments, duties and bed; the gaps between are to be filled.

Whatever fills the gaps, the day is in order, with meals at mealtimes and a night.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import TypeVar

from ville.lifestyle_hours import BEDS, DAY, DINES, HOUR, SMALL_HOURS, bed_minute, dinner_minute
from ville.offline.day.hours import span_in

GETTING_UP, READY = "waking up and completing the morning routine", "getting ready for bed"
HASTY = "getting ready for the day and having breakfast"
BREAKFAST, LUNCH, DINNER = "having breakfast", "having lunch", "having dinner"
NOON = 12 * HOUR
LEAST = 45
"""Minutes of the shortest gap; a shorter one is part of what comes before it."""
STRETCH = 80
"""Usual minutes of what is done in a gap: a longer gap is divided."""
QUARTER = 15
LEAST_WORK = 30
"""Minutes of the shortest part of a duty."""
LONG_WORK = 4 * HOUR
"""Minutes of a duty without a break from which an hour of it is a gap: to be filled with what else is done there."""
OCCASION = 2 * HOUR
"""Minutes that an occasion takes whose end is not known."""
LONG_OCCASION = 3 * HOUR
"""Minutes from which a time in mind leaves room for meals and duties."""
SHIFTS = (0, 60, -60, 120, -120)
"""Minutes by which a meal may be earlier or later than usual, best first."""
LATER = (0, 0, 30, 60)
"""Minutes after noon at which people begin their lunch."""
MEAL = re.compile(r"\b(?:breakfast|lunch|dinner|supper)\b|\b(?:завтрак|обед|ужин)", re.IGNORECASE)
NIGHT = re.compile(
    r"\b(?:sleep|sleeping|asleep|to bed|for bed|in bed|wak(?:e|ing) up|gett?(?:ing)? up|morning routine)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DaySpan:
    """A stretch of a day, in minutes after midnight. Without words it is a gap."""

    start: int
    end: int
    what: str = ""
    where: str = ""
    """`home`, the name of a sector, or empty: to be chosen, or said by the words."""
    is_gap: bool = False
    """Whether what is done in it, or where, is to be filled in."""


@dataclass(frozen=True)
class WorkSpan(DaySpan):
    """A stretch of a duty, which gives way to appointments and meals."""

    eats: str = ""
    """Where one eats in these hours; empty: to be chosen."""


SpanT = TypeVar("SpanT", bound=DaySpan)


@dataclass(frozen=True)
class Habits:
    """Hours at which a persona gets up, dines and goes to bed, in minutes after midnight."""

    wakes: int
    dines: int
    beds: int


def habits_of(lifestyle: str, wake_up_hour: int) -> Habits:
    """Return the hours that a lifestyle names, else the usual ones. Who goes to bed after midnight is up until then."""
    wakes, dines, beds = wake_up_hour * HOUR, dinner_minute(lifestyle), bed_minute(lifestyle)
    night = BEDS if beds is None else beds
    night = DAY if night <= SMALL_HOURS or night <= wakes + 4 * HOUR else night // QUARTER * QUARTER
    return Habits(wakes, DINES if dines is None else dines, night)


def frame_of(
    habits: Habits,
    appointments: Iterable[DaySpan],
    texts: Iterable[str],
    rng: Random,
    *,
    duties: Iterable[WorkSpan] = (),
) -> list[DaySpan]:
    """Return the stretches of a day from getting up to bed, one after another.

    `texts` are what a persona has in mind today: at the times that they name, something may begin or end.
    """
    due = [_on_time(each, habits) for each in duties if each.end > habits.wakes and each.start < habits.beds]
    spoken = [span_in(text) for text in texts]
    fixed = [_fitting(each, habits) for each in appointments if each.end > habits.wakes and each.start < habits.beds]
    ranges = [(span.start, span.end) for span in spoken if span.start is not None and span.end is not None]
    fixed = _with_morning(_apart(fixed), habits, work=min((each.start for each in due), default=habits.beds))
    meals = (
        (LUNCH, NOON + rng.choice(LATER), NOON - HOUR, NOON + 90),
        (DINNER, habits.dines, DINES - HOUR, DINES + 2 * HOUR),
    )
    for meal, hour, least, most in meals:
        if (start := _free_hour(hour, fixed, ranges, within=(max(least, habits.wakes + 90), most))) is not None:
            fixed = sorted([*fixed, _meal(meal, start, due)], key=lambda each: each.start)
    named = {moment for span in spoken for moment in (span.start, span.end) if moment is not None}
    rows = list(fixed)
    for each in _apart(due):
        rows += _with_a_change(list(_parts(each, fixed)), fixed, rng)
    return _with_gaps(sorted(rows, key=lambda each: each.start), habits, named, rng)


def without_occasions(duties: Iterable[WorkSpan], texts: Iterable[str]) -> list[WorkSpan]:
    """Return duties without the hours of occasions in mind: whether one goes there is to be said."""
    spoken = [span_in(text) for text in texts]
    hours = [(span.start, span.end or span.start + OCCASION) for span in spoken if span.start is not None]
    free = _apart(DaySpan(start, end) for start, end in hours if start < end <= start + LONG_OCCASION)
    return [part for each in duties for part in _parts(each, free)]


def _on_time(each: WorkSpan, habits: Habits) -> WorkSpan:
    """Return a duty within the waking hours; before it there is time for getting up, or else for breakfast, too."""
    wakes = habits.wakes
    start = each.start if each.start >= wakes + LEAST else wakes + HOUR + LEAST_WORK
    return replace(each, start=start, end=min(each.end, habits.beds - LEAST_WORK))


def _meal(meal: str, start: int, duties: Sequence[WorkSpan]) -> DaySpan:
    """Return a meal; during a duty, where one eats then."""
    eats = next((each.eats for each in duties if each.start < start + HOUR and start < each.end), "")
    return DaySpan(start, start + HOUR, meal, eats, is_gap=not eats)


def _parts(duty: WorkSpan, others: Iterable[DaySpan]) -> Iterator[WorkSpan]:
    """Yield the parts of a duty between other stretches, which are in order."""
    start = duty.start
    for each in [*others, DaySpan(duty.end, DAY)]:
        end = min(each.start, duty.end)
        if end - start >= LEAST_WORK:
            yield replace(duty, start=start, end=end)
        start = max(start, each.end)


def _with_a_change(parts: Sequence[WorkSpan], fixed: Sequence[DaySpan], rng: Random) -> Iterator[DaySpan]:
    """Yield parts of a duty; if the longest is long, an hour of it is a gap: before an appointment there, or at any."""
    longest = max(parts, key=lambda each: each.end - each.start, default=None)
    for part in parts:
        hours = (part.end - part.start) // HOUR
        if part is not longest or not part.where or hours * HOUR < LONG_WORK:
            yield part
            continue
        prepares = any(each.start == part.end and each.where == part.where for each in fixed if not each.is_gap)
        start = part.end - HOUR if prepares else part.start + HOUR * rng.randint(1, hours - 2)
        yield replace(part, end=start)
        yield DaySpan(start, start + HOUR, where=part.where, is_gap=True)
        if start + HOUR < part.end:
            yield replace(part, start=start + HOUR)


def _fitting(each: DaySpan, habits: Habits) -> DaySpan:
    return replace(each, start=max(each.start, habits.wakes + QUARTER), end=min(each.end, habits.beds))


def _apart(stretches: Iterable[SpanT]) -> list[SpanT]:
    """Return stretches in order; one that begins before another has ended begins when that ends."""
    found: list[SpanT] = []
    for each in sorted(stretches, key=lambda stretch: stretch.start):
        start = max(each.start, found[-1].end if found else 0)
        if each.end > start:
            found.append(replace(each, start=start))
    return found


def _with_morning(fixed: list[DaySpan], habits: Habits, *, work: int) -> list[DaySpan]:
    """Return a day that begins with getting up and breakfast, as far as there is time before `work`, and ends with
    going to bed.
    """
    wakes, beds = habits.wakes, habits.beds
    first = min((each.start for each in fixed), default=beds)
    first = min(first, work if work < wakes + HOUR + LEAST_WORK else beds)
    if first >= wakes + 2 * HOUR:
        morning = [
            DaySpan(wakes, wakes + HOUR, GETTING_UP, "home"),
            DaySpan(wakes + HOUR, wakes + HOUR + 30, BREAKFAST, is_gap=True),
        ]
    else:
        morning = [DaySpan(wakes, min(first, wakes + HOUR), HASTY, "home")]
    last = max((each.end for each in fixed), default=0)
    evening = [DaySpan(beds - 30, beds, READY, "home")] if beds < DAY and last <= beds - 30 else []
    return [*morning, *fixed, *evening]


def _free_hour(
    usual: int, fixed: Sequence[DaySpan], ranges: Sequence[tuple[int, int]], *, within: tuple[int, int]
) -> int | None:  # fmt: skip
    """Return the beginning of an hour for a meal: free of what is fixed and, if possible, of other times in mind."""
    hours = [max(within[0], min(usual, within[1])) + shift for shift in SHIFTS]
    free = [
        hour for hour in hours
        if within[0] <= hour <= within[1] and all(each.end <= hour or hour + HOUR <= each.start for each in fixed)
    ]  # fmt: skip
    quiet = [
        hour for hour in free
        if all(end <= hour or hour + HOUR <= start or end - start > LONG_OCCASION for start, end in ranges)
    ]  # fmt: skip
    return next(iter([*quiet, *free]), None)


def _with_gaps(fixed: Sequence[DaySpan], habits: Habits, named: set[int], rng: Random) -> list[DaySpan]:
    """Return what is fixed and the gaps between, divided at times that are in mind, and where they are long.

    Beside a duty, a short gap is part of what comes before it.
    """
    found: list[DaySpan] = []
    for each in [*fixed, DaySpan(habits.beds, habits.beds)]:
        end = found[-1].end if found else habits.wakes
        if found and 0 < each.start - end < LEAST and any(isinstance(row, WorkSpan) for row in (found[-1], each)):
            found[-1] = replace(found[-1], end=each.start)
        elif each.start > end:
            found += _divided(end, each.start, named, rng)
        if each.end > each.start:
            found.append(each)
    return found


def _divided(start: int, end: int, named: set[int], rng: Random) -> Iterator[DaySpan]:
    """Yield gaps of usual length from one minute to another."""
    cuts = [start, *sorted(moment for moment in named if start + LEAST <= moment <= end - LEAST), end]
    cuts = [cut for number, cut in enumerate(cuts) if number in {0, len(cuts) - 1} or cut - cuts[number - 1] >= LEAST]
    for first, last in pairwise(cuts):
        count = max(1, round((last - first) / STRETCH))
        length = (last - first) / count
        inner = [
            round((first + length * number) / QUARTER + rng.choice((-1, 0, 1))) * QUARTER for number in range(1, count)
        ]
        for one, other in pairwise([first, *inner, last]):
            yield DaySpan(one, other, is_gap=True)


def is_out_of_place(what: str) -> bool:
    """Return whether words for a gap name what has a time of its own: a meal, getting up or sleep."""
    return bool(MEAL.search(what) or NIGHT.search(what))
