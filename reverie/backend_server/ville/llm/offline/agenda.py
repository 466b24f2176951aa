"""Plans in words: hours into lines such as `have lunch at home from 12:15pm to 1:15pm`, and lines into hours again."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random

from ville.llm.offline.day import FIXED, HOURS, ROUTINE, SLEEP
from ville.llm.offline.hours import DAY, HOUR, Span, span_in, spoken_hour, without_times
from ville.llm.offline.profile import Profile
from ville.llm.offline.verbs import gerund, plain

SLEEPING = "sleeping"
IDLE = "relaxing at home"
QUARTER, QUARTERS = 15, 4
SHIFTS = (-30, -15, 0, 0, 0, 15, 15, 30, 30, 45)
"""Minutes by which one thing gives way to the next earlier or later than on the full hour."""
_BED_WORDS = ("go to bed", "going to bed", "sleep", "fall asleep", "turn in", "in bed")


def lines_of(hours: Sequence[str], person: Profile, rng: Random) -> list[str]:
    """Return a day in broad strokes, one line for each stretch; sleep is where nothing is said."""
    blocks = [(what, HOUR * len(list(same))) for what, same in groupby(hours)]
    found, starts = [], _starts(blocks, person, rng)
    for (what, _), start, end in zip(blocks, starts, starts[1:], strict=False):
        if what == ROUTINE:
            found.append(f"{what} at {spoken_hour(start)}")
        elif what != SLEEP:
            found.append(f"{plain(what)} from {spoken_hour(start)} to {spoken_hour(end)}")
    return [*found, f"go to bed at {spoken_hour(person.beds)}"]


def _starts(blocks: Sequence[tuple[str, int]], person: Profile, rng: Random) -> list[int]:
    """Minutes at which the blocks begin, and the end of the day; none of them shorter than an hour."""
    starts = [sum(minutes for _, minutes in blocks[:number]) for number in range(len(blocks) + 1)]
    most = [0] * len(starts)
    for number in range(len(blocks) - 1, 0, -1):
        fixed = any(FIXED.search(what) for what, _ in blocks[number - 1 : number + 1]) or blocks[number][0] == ROUTINE
        most[number] = 0 if fixed else min(max(SHIFTS), most[number + 1] + blocks[number][1] - HOUR)
    shifted = [0]
    for number in range(1, len(blocks)):
        least = shifted[-1] - starts[number] + starts[number - 1] + HOUR
        fits = [shift for shift in SHIFTS if max(least, min(0, most[number])) <= shift <= most[number]]
        fits = [0] if most[number] == 0 else fits
        shifted.append(rng.choice(fits or [max(0, min(least, most[number]))]))
    found = [start + shift for start, shift in zip(starts, [*shifted, 0], strict=True)]
    if blocks[-1][0] == SLEEP and found[-2] < person.beds < DAY:
        found[-2] = person.beds // QUARTER * QUARTER
    return found


def hours_of(lines: Iterable[str], person: Profile, wakes: int) -> list[str]:
    """Return what a person does in each hour, by a plan; an hour may be split: `having lunch | reading`."""
    day: list[str | None] = [None] * (HOURS * QUARTERS)
    stretches = _stretches(lines)
    for number, (span, what) in enumerate(stretches):
        start = min((span.start or 0) // QUARTER, len(day) - 1)
        following = stretches[number + 1][0].start if number + 1 < len(stretches) else None
        end = _end(span, following, person, sleeps=what == SLEEPING)
        for quarter in range(start, max(start + 1, min(len(day), end))):
            if day[quarter] is None or what == SLEEPING:
                day[quarter] = what
    bed = min(len(day), person.beds // QUARTER)
    whole = [
        what or (SLEEPING if number < wakes * QUARTERS or number >= bed else IDLE) for number, what in enumerate(day)
    ]
    return [_hour(whole[start : start + QUARTERS]) for start in range(0, len(whole), QUARTERS)]


def _hour(quarters: Sequence[str]) -> str:
    """The four quarters of an hour in as few parts of equal length as will do."""
    halves = quarters[0] == quarters[1] and quarters[2] == quarters[3]
    return " | ".join(quarters[:1] if len(set(quarters)) == 1 else quarters[::2] if halves else quarters)


def _end(span: Span, following: int | None, person: Profile, *, sleeps: bool) -> int:
    """The quarter by which a stretch is over."""
    if span.end is not None and not (span.start is not None and span.end <= span.start):
        return -(-span.end // QUARTER)
    if following is not None:
        return following // QUARTER
    return HOURS * QUARTERS if sleeps else person.beds // QUARTER


def _stretches(lines: Iterable[str]) -> list[tuple[Span, str]]:
    """The lines that name a time, by their beginnings."""
    found = []
    for line in lines:
        span = span_in(line)
        span = Span(0, span.end) if span.start is None and span.end is not None else span
        what = without_times(line)
        asleep = what.lower().startswith(_BED_WORDS)
        if span.start is not None and what and not (asleep and span.start < DAY // 4):
            found.append((span, SLEEPING if asleep else gerund(what[:1].lower() + what[1:])))
    return sorted(found, key=lambda stretch: stretch[0].start or 0)
