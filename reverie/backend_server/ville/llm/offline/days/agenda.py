"""Plans in words: hours into lines such as `have lunch at home from 12pm to 1pm`, and lines into hours again."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from ville.llm.offline.days.day import HOURS, ROUTINE, SLEEP
from ville.llm.offline.english.hours import DAY, HOUR, Span, span_in, spoken_hour, without_times
from ville.llm.offline.english.verbs import gerund, plain
from ville.llm.offline.people.person import Person

SLEEPING = "sleeping"
IDLE = "relaxing at home"
_BED_WORDS = ("go to bed", "going to bed", "sleep", "fall asleep", "turn in", "in bed")


def lines_of(hours: Sequence[str], person: Person) -> list[str]:
    """A day in broad strokes, one line for each stretch; sleep is where nothing is said."""
    found = []
    start = 0
    for what, group in groupby(hours):
        length = len(list(group))
        if what == ROUTINE:
            found.append(f"{what} at {spoken_hour(start * HOUR)}")
        elif what != SLEEP:
            found.append(f"{plain(what)} from {spoken_hour(start * HOUR)} to {spoken_hour((start + length) * HOUR)}")
        start += length
    return [*found, f"go to bed at {spoken_hour(person.beds)}"]


def hours_of(lines: Iterable[str], person: Person, wakes: int) -> list[str]:
    """What a person does in each hour of the day, by the lines of a plan."""
    hours: list[str | None] = [None] * HOURS
    stretches = _stretches(lines)
    for number, (span, what) in enumerate(stretches):
        start = min((span.start or 0) // HOUR, HOURS - 1)
        following = stretches[number + 1][0].start if number + 1 < len(stretches) else None
        end = _end(span, following, person, sleeps=what == SLEEPING)
        for hour in range(start, max(start + 1, end)):
            if hour < HOURS and (hours[hour] is None or what == SLEEPING):
                hours[hour] = what
    bed = min(HOURS, (person.beds + 29) // HOUR)
    return [what or (SLEEPING if hour < wakes or hour >= bed else IDLE) for hour, what in enumerate(hours)]


def _end(span: Span, following: int | None, person: Person, *, sleeps: bool) -> int:
    if span.end is not None and not (span.start is not None and span.end <= span.start):
        return -(-span.end // HOUR)
    if following is not None:
        return following // HOUR
    return HOURS if sleeps else min(HOURS, (person.beds + 29) // HOUR)


def _stretches(lines: Iterable[str]) -> list[tuple[Span, str]]:
    """The lines that name a time, by their beginnings."""
    found = []
    for line in lines:
        span = span_in(line)
        if span.start is None and span.end is not None:
            span = Span(0, span.end)
        if span.start is None:
            continue
        what = without_times(line)
        asleep = what.lower().startswith(_BED_WORDS)
        if asleep and span.start < DAY // 4:
            continue
        found.append((span, SLEEPING if asleep else gerund(what[:1].lower() + what[1:])))
    return sorted((stretch for stretch in found if stretch[1]), key=lambda stretch: stretch[0].start or 0)
