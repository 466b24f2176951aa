"""A day, hour by hour: what has to be, meals at their times, work, and pastimes in what is left."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

from ville.llm.offline.days.duties import Duty, duties_of, meal_place
from ville.llm.offline.days.pastimes import liking, taste
from ville.llm.offline.english.hours import HOUR, Span
from ville.llm.offline.people.news import News, called_alike
from ville.llm.offline.people.person import Person
from ville.llm.offline.people.trades import projects_of, trade_of

HOURS = 24
SLEEP = "sleep"
ROUTINE = "wake up and complete the morning routine"
HASTY = "get ready for the day and have breakfast"
NIGHT = "get ready for bed"
LUNCH, DINNER = "have lunch", "have dinner"
MEALS = (LUNCH, DINNER, "have breakfast")
SATURDAY = 5
CAFE_OPENS, PUB_OPENS = 8, 17
LONG_SHIFT = 5
"""Hours of one duty in which there is a break for lunch."""
ONCE = ("pub", "run in", "walk in", "records", "letter", "shopping", "weights", "harp", "guitar", "pool", "game")
LONG_DUTY, CHANGES = 4, 0.8
"""Hours of one duty that leave room for something else, and how often that room is used."""
PUB = re.compile(r"\b(?:pub|tavern|crown|drink at)\b", re.IGNORECASE)
EVEN, STAYS = 0.5, 0.4
"""How often a weekend's stretch of work is dropped, and how often a pastime takes two hours."""
HABIT = {LUNCH: 0.85, DINNER: 0.7}
"""How often people eat where they are said to eat."""
EATING_OUT = {
    LUNCH: (("at the cafe", 5.0), ("at home", 4.0)),
    DINNER: (("at home", 7.0), ("at the pub", 1.6), ("at the cafe", 1.0)),
}
"""Where people eat who are not expected anywhere, and how often."""


@dataclass
class Day:
    """The hours of somebody's day, as they fill up. None: still free."""

    person: Person
    today: date
    wakes: int
    """Hour."""
    rng: Random
    hours: list[str | None]

    @property
    def bed(self) -> int:
        """Hour by which the person is asleep; 24 for those who go to bed after midnight."""
        return min(HOURS, (self.person.beds + 29) // HOUR)

    def fill(self, start: int, end: int, what: str) -> None:
        """Put an activity into the free hours from start to end."""
        for hour in range(max(0, start), min(HOURS, end)):
            if self.hours[hour] is None:
                self.hours[hour] = what

    def free(self, hour: int) -> bool:
        return self.wakes < hour < min(self.bed, HOURS) and self.hours[hour] is None


def day_of(
    person: Person, today: date, *, wakes: int, going: Sequence[News], rng: Random, missed: Sequence[News] = ()
) -> list[str]:
    """24 phrases in base form. `going`: occasions of today that the person wants to go to, `missed`: the others."""
    day = Day(person, today, wakes, rng, [None] * HOURS)
    _sleep(day)
    _appointments(day, going)
    _duties(day)
    _meals(day)
    _wishes(day)
    _work(day)
    _change_of_work(day)
    _pastimes(day)
    _stay_away(day, missed)
    return [hour or "relax at home" for hour in day.hours]


def _sleep(day: Day) -> None:
    day.fill(0, day.wakes, SLEEP)
    day.fill(day.wakes, day.wakes + 1, ROUTINE)
    day.fill(max(day.bed, day.wakes + 1), HOURS, SLEEP)


def _appointments(day: Day, going: Sequence[News]) -> None:
    for item in going:
        start, end = hours_of_occasion(item.span)
        hosts = called_alike(item.who or "-", day.person.name)
        where = f" at {item.place}" if item.place else ""
        what = f"host the {item.what}{where}" if hosts else attendance(item)
        day.fill(start, end, what)
        if hosts:
            day.fill(start - 1, start, f"decorate {item.place or 'the house'} for the {item.what}")


def attendance(item: News) -> str:
    """`attend Isabella Rodriguez's Valentine's Day party at Hobbs Cafe`."""
    return f"attend {item.noun}{f' at {item.place}' if item.place else ''}"


def _stay_away(day: Day, missed: Sequence[News]) -> None:
    """Who has declined an invitation is not seen at its place at its hour, unless at work."""
    shifts = {duty.what for duty in duties_of(day.person) if duty.is_shift}
    for item in missed:
        place = re.compile(rf"\b(?:{re.escape(item.place)}|the {re.escape(item.place.split()[-1].lower())})\b")
        for hour in range(*hours_of_occasion(item.span)):
            what = day.hours[hour] or ""
            if item.place and place.search(what) and what not in shifts:
                day.hours[hour] = f"{what.split(' at ')[0]} at home" if what.startswith(MEALS) else "relax at home"


def hours_of_occasion(span: Span) -> tuple[int, int]:
    """The hours an appointment takes; two if nobody said how long."""
    start = span.start if span.start is not None else 18 * HOUR
    end = span.end if span.end is not None else start + 2 * HOUR
    return start // HOUR, max(start // HOUR + 1, -(-end // HOUR))


def _duties(day: Day) -> None:
    """Duties that have a time."""
    for duty in duties_of(day.person):
        if duty.start is None:
            continue
        start = max(duty.start // HOUR, day.wakes + 1)
        end = -(-duty.end // HOUR) if duty.end is not None else max(start + 1, day.person.dines // HOUR)
        if start == day.wakes + 1 and day.hours[day.wakes] == ROUTINE:
            if duty.start // HOUR <= day.wakes:
                start += 1
            else:
                day.hours[day.wakes] = HASTY
        day.fill(start, end, duty.what)


def _meals(day: Day) -> None:
    dinner = _first_free(day, (day.person.dines // HOUR, *_around(day.person.dines // HOUR)))
    if dinner is not None:
        day.hours[dinner] = _meal(DINNER, day)
    if day.hours[day.wakes] == ROUTINE and day.free(day.wakes + 1):
        out = day.rng.random() < (taste(day.person.name, "breakfast out") - 0.6) / 2
        where = f"at {meal_place(day.person) or 'the cafe'}" if out and day.wakes >= CAFE_OPENS - 1 else "at home"
        day.hours[day.wakes + 1] = f"have breakfast {where}"
    _lunch(day, dinner)


def _around(hour: int) -> tuple[int, ...]:
    return (hour + 1, hour - 1, hour + 2, hour - 2)


def _first_free(day: Day, wanted: Sequence[int]) -> int | None:
    return next((hour for hour in wanted if 0 <= hour < HOURS and day.free(hour)), None)


def _lunch(day: Day, dinner: int | None) -> None:
    """Around noon, later for late risers; in a long shift there is a break for it."""
    noon = max(12, min(14, day.wakes + 3))
    wanted = (noon, noon + 1) if taste(day.person.name, "lunch") < 1.0 else (noon + 1, noon)
    for hour in wanted:
        if dinner is not None and hour >= dinner - 1:
            continue
        if day.free(hour) or _may_break(day, hour):
            day.hours[hour] = _meal(LUNCH, day, at_work=day.hours[hour])
            return


def _may_break(day: Day, hour: int) -> bool:
    """Whether a duty goes on long enough on both sides for a break."""
    return hour + 1 < HOURS and day.hours[hour] is not None and day.hours.count(day.hours[hour]) >= LONG_SHIFT and (
        day.hours[hour - 1] == day.hours[hour] == day.hours[hour + 1]
    )  # fmt: skip


def _meal(meal: str, day: Day, at_work: str | None = None) -> str:
    person = day.person
    if "cafe" in (at_work or "").lower() or "bar counter" in (at_work or ""):
        return f"{meal} at {_workplace(at_work or '')}"
    favourite = meal_place(person)
    if favourite and day.rng.random() < HABIT[meal]:
        return f"{meal} at {favourite}"
    early = person.is_child or person.dines < PUB_OPENS * HOUR
    offered = [(place, weight) for place, weight in EATING_OUT[meal] if not (early and PUB.search(place))]
    places = [place for place, _ in offered]
    weights = [weight * taste(person.name, f"{meal} {place}") for place, weight in offered]
    return f"{meal} {day.rng.choices(places, weights)[0]}"


def _workplace(duty: str) -> str:
    """`Hobbs Cafe` from `stand behind the cafe counter of Hobbs Cafe`."""
    return (
        duty.rsplit(" of ", maxsplit=1)[-1]
        if " of " in duty
        else duty.rsplit(" at ", maxsplit=1)[-1]
        if " at " in duty
        else "work"
    )


def _wishes(day: Day) -> None:
    """Duties that only have to be done some time: those with many hours in the evening first, short ones by day."""
    for duty in duties_of(day.person):
        if duty.start is None:
            for hour in _hours_for(day, duty):
                day.hours[hour] = duty.what


def _hours_for(day: Day, duty: Duty) -> list[int]:
    if duty.hours is None:
        start = day.rng.choice(range(day.wakes + 2, max(day.wakes + 3, min(17, day.bed - 2))))
        around = sorted((hour for hour in range(HOURS) if day.free(hour)), key=lambda hour: abs(hour - start))
        return around[: 1 if day.rng.random() < EVEN else 2]
    evening = [hour for hour in range(day.person.dines // HOUR, HOURS) if day.free(hour)]
    daytime = [hour for hour in range(day.person.dines // HOUR - 1, day.wakes, -1) if day.free(hour)]
    return [*evening[: duty.hours], *daytime[: max(0, duty.hours - len(evening))]]


def _work(day: Day) -> None:
    """A stretch before and a stretch after lunch for those whose hours are their own; less at weekends."""
    if sum(1 for hour in day.hours if hour in {duty.what for duty in duties_of(day.person)}) >= LONG_SHIFT:
        return
    trade = trade_of(day.person)
    phrases = [*trade.phrases, *projects_of(day.person) * 2]
    noon = next((hour for hour, what in enumerate(day.hours) if (what or "").startswith(LUNCH)), 12)
    for part, length in enumerate(trade.hours):
        if day.today.weekday() >= SATURDAY and day.rng.random() < EVEN:
            continue
        first, last = (day.wakes + 1, noon) if part == 0 else (noon + 1, day.person.dines // HOUR)
        free = [hour for hour in range(first, last) if day.free(hour)]
        wanted = max(1, length + day.rng.choice((-1, 0, 0, 1)))
        skipped = day.rng.randint(0, max(0, len(free) - wanted))
        what = day.rng.choice(phrases)
        for hour in free[skipped : skipped + wanted]:
            day.hours[hour] = what


def _change_of_work(day: Day) -> None:
    """In a long duty an hour or two go to what the person is at: no two days behind a counter are quite alike."""
    for duty in duties_of(day.person):
        hours = [hour for hour, what in enumerate(day.hours) if what == duty.what]
        own = _own_work(day.person, duty)
        if len(hours) < LONG_DUTY or not own or day.rng.random() > CHANGES:
            continue
        first = day.rng.choice(hours[1:-1])
        what = day.rng.choice(own)
        for hour in (first, first + 1)[: day.rng.choice((1, 2))]:
            if hour in hours[:-1]:
                day.hours[hour] = what


def _own_work(person: Person, duty: Duty) -> list[str]:
    """Who serves has projects of their own; who studies has other subjects at the same place."""
    own = list(projects_of(person))
    if duty.is_shift:
        place = _workplace(duty.what)
        return [what if place in what else f"{what} at {place}" for what in own]
    where = re.search(r" (?:in|at) (?:the |[A-Z]).*$", duty.what)
    place = where[0] if where else ""
    return [
        what if " in " in what or " at " in what else f"{what}{place}" for what in (*own, *trade_of(person).phrases)
    ]


def key(what: str) -> str:
    """What is one pastime for one day: once to the pub, one run, one walk."""
    if PUB.search(what):
        return "pub"
    return next((word for word in ONCE if word in what), what)


def _pastimes(day: Day) -> None:
    """What is left of the day, by liking and by the hour; the last free hour is for getting ready for bed."""
    if day.person.beds <= HOURS * HOUR and day.free(day.bed - 1) and day.bed - 1 > day.wakes + 1:
        day.hours[day.bed - 1] = NIGHT
    done = {key(hour) for hour in day.hours if hour}
    eats_at_home = f"{DINNER} at home" in day.hours
    for hour in range(HOURS):
        if not day.free(hour):
            continue
        liked = [(pastime, weight) for pastime, weight in liking(day.person)
                 if pastime.first <= hour <= pastime.last and key(pastime.what) not in done
                 and (eats_at_home or not pastime.what.startswith("cook"))]  # fmt: skip
        if not liked:
            continue
        chosen = day.rng.choices([pastime for pastime, _ in liked], [weight for _, weight in liked])[0]
        done.add(key(chosen.what))
        long = day.rng.random() < STAYS and "shopping" not in chosen.what
        day.fill(hour, hour + (2 if long else 1), chosen.what)
