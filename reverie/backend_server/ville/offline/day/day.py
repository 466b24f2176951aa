"""Fill a day hour by hour: sleep, appointments, duties, meals, work, pastimes."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from random import Random

from ville.offline.day.duties import Duty, duties_of, meal_place
from ville.offline.day.hours import HOUR, Span
from ville.offline.day.whims import Whim
from ville.offline.day.work import projects_of, trade_of
from ville.offline.grammar import first_of
from ville.offline.profile import Profile, taste
from ville.offline.table import Value, load, rows, shows
from ville.offline.talks.news import NewsItem

HOURS = 24
SLEEP = "sleep"
FREE = "relax at home"
ROUTINE = "wake up and complete the morning routine"
HASTY = "get ready for the day and have breakfast"
NIGHT = "get ready for bed"
LUNCH, DINNER = "have lunch", "have dinner"
MEALS = (LUNCH, DINNER, "have breakfast")
SATURDAY = 5
CAFE_OPENS, PUB_OPENS = 8, 17
LONG_SHIFT = 5
"""Hours of a duty that include a lunch break."""
LONG_DUTY, CHANGES = 4, 0.8
"""Hours of a duty that may include another activity, and how often they do."""
EVEN, STAYS, OUTSIDE = 0.5, 0.4, 0.7
"""Probabilities: a block of weekend work is dropped, a pastime takes two hours, work is done outside."""
_PLACED_IN = re.compile(r" (?:in|at) (?:the |[A-Z]|home).*$")


@dataclass(frozen=True)
class Pastime:
    """A row of pastimes.yaml."""

    what: str
    first: int
    last: int
    weight: float = 1.0
    signs: re.Pattern[str] | None = None
    tempers: str = ""


@dataclass
class DaySchedule:
    """The 24 hours of a day while they are filled; None is free."""

    person: Profile
    today: date
    wakes: int
    """Hour of waking."""
    rng: Random
    hours: list[str | None]
    prepares_until: int = 0
    """Hour at which preparing one's own occasion ends."""

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
        return self.wakes < hour < self.bed and self.hours[hour] is None

    def projects(self, hour: int) -> list[str]:
        """Return current projects; preparations only until their occasion begins."""
        return [
            what for what in projects_of(self.person) if hour < self.prepares_until or not shows("preparations", what)
        ]


@cache
def _routines() -> Value:
    return load("routines.yaml")


@cache
def _pastimes() -> tuple[Pastime, ...]:
    return rows(load("pastimes.yaml"), Pastime)


def day_of(
    person: Profile, today: date, *, wakes: int, going: Sequence[NewsItem], rng: Random,
    missed: Sequence[NewsItem] = (), ahead: bool = False, whims: Sequence[Whim] = (),
) -> list[str]:  # fmt: skip
    """Return 24 phrases in base form.

    `going`: occasions of today that the person goes to, `missed`: the others, `ahead`: an own one is on another day,
    `whims`: what memories that came to mind by chance may lead to.
    """
    own = [hours_of_occasion(item.span)[0] for item in going if item.is_of(person.name)]
    day = DaySchedule(person, today, wakes, rng, [None] * HOURS, prepares_until=min(own, default=HOURS if ahead else 0))
    _sleep(day)
    _appointments(day, going)
    _duties(day)
    _meals(day)
    _wishes(day)
    _work(day)
    _change_of_work(day)
    _follow(day, whims)
    _leisure(day)
    _stay_away(day, missed)
    return [hour or FREE for hour in day.hours]


def _sleep(day: DaySchedule) -> None:
    day.fill(0, day.wakes, SLEEP)
    day.fill(day.wakes, day.wakes + 1, ROUTINE)
    day.fill(max(day.bed, day.wakes + 1), HOURS, SLEEP)


def _appointments(day: DaySchedule, going: Sequence[NewsItem]) -> None:
    for item in going:
        start, end = hours_of_occasion(item.span)
        hosts = item.is_of(day.person.name)
        where = f" at {item.place}" if item.place else ""
        day.fill(start, end, f"host the {item.what}{where}" if hosts else attendance(item))
        if hosts:
            day.fill(start - 1, start, f"decorate {item.place or 'the house'} for the {item.what}")


def attendance(item: NewsItem) -> str:
    """Return `attend Isabella Rodriguez's Valentine's Day party at Hobbs Cafe`."""
    return f"attend {item.noun}{f' at {item.place}' if item.place else ''}"


def hours_of_occasion(span: Span) -> tuple[int, int]:
    """Return first and last hour of an occasion; two hours if its end is unknown."""
    start = span.start if span.start is not None else 18 * HOUR
    end = span.end if span.end is not None else start + 2 * HOUR
    return start // HOUR, max(start // HOUR + 1, -(-end // HOUR))


def _stay_away(day: DaySchedule, missed: Sequence[NewsItem]) -> None:
    """Keep personas that do not attend an occasion away from its place, unless they work there."""
    shifts = {duty.what for duty in duties_of(day.person) if duty.is_shift}
    for item in missed:
        place = re.compile(rf"\b(?:{re.escape(item.place)}|the {re.escape(item.place.split(' ')[-1].lower())})\b")
        start, end = hours_of_occasion(item.span)
        for hour in range(start - 1, min(end + 1, HOURS)):
            what = day.hours[hour] or ""
            if item.place and place.search(what) and what not in shifts:
                day.hours[hour] = f"{what.split(' at ')[0]} at home" if what.startswith(MEALS) else FREE


def _duties(day: DaySchedule) -> None:
    """Put in the duties that have a time; an early one leaves a short hour for the morning."""
    for duty in duties_of(day.person):
        if duty.start is not None:
            start = max(duty.start // HOUR, day.wakes + 1)
            end = -(-duty.end // HOUR) if duty.end is not None else max(start + 1, day.person.dines // HOUR)
            if duty.start // HOUR == day.wakes + 1 and day.hours[day.wakes] == ROUTINE:
                day.hours[day.wakes] = HASTY
            day.fill(start + (duty.start // HOUR <= day.wakes), end, duty.what)


def _meals(day: DaySchedule) -> None:
    """Put in dinner at its hour, breakfast after the morning routine, and lunch around noon."""
    at, wakes = day.person.dines // HOUR, day.wakes
    dinner = next(
        (hour for hour in (at, at + 1, at - 1, at + 2, at - 2) if 0 <= hour < HOURS and day.free(hour)), HOURS
    )
    if dinner < HOURS:
        day.hours[dinner] = meal_of(DINNER, day.person, day.rng)
    if day.hours[wakes] == ROUTINE and day.free(wakes + 1):
        day.hours[wakes + 1] = breakfast_of(day.person, wakes, day.rng)
    noon = max(12, min(14, wakes + 3))
    for hour in (noon, noon + 1) if taste(day.person.name, "lunch") < 1 else (noon + 1, noon):
        if hour < dinner - 1 and (day.free(hour) or _may_break(day, hour)):
            day.hours[hour] = meal_of(LUNCH, day.person, day.rng, at_work=day.hours[hour] or "")
            return


def _may_break(day: DaySchedule, hour: int) -> bool:
    """Return whether a long duty goes on before and after this hour."""
    around = set(day.hours[hour - 1 : hour + 2])
    return None not in around and len(around) == 1 and day.hours.count(day.hours[hour]) >= LONG_SHIFT


def breakfast_of(person: Profile, wakes: int, rng: Random) -> str:
    """Return `have breakfast at home`, or out, for who gets up at this hour."""
    out = wakes >= CAFE_OPENS - 1 and rng.random() < _routines()["breakfast out"]
    return f"have breakfast at {(meal_place(person) or 'the cafe') if out else 'home'}"


def meal_of(meal: str, person: Profile, rng: Random, *, at_work: str = "") -> str:
    """Return `have lunch at the cafe`: where a persona works, has its habits, or goes by its taste."""
    row = _routines()["meals"][meal]
    if "cafe" in at_work.lower() or "bar counter" in at_work:
        return f"{meal} at {_workplace(at_work)}"
    favourite = meal_place(person)
    if favourite and rng.random() < row["habit"]:
        return f"{meal} at {favourite}"
    early = person.is_child or person.dines < PUB_OPENS * HOUR
    offered = {place: weight for place, weight in row["where"].items() if not (early and shows("a pub", place))}
    weights = [weight * taste(person.name, f"{meal} {place}") for place, weight in offered.items()]
    return f"{meal} {rng.choices(list(offered), weights)[0]}"


def _workplace(duty: str) -> str:
    """Return `Hobbs Cafe` for `stand behind the cafe counter of Hobbs Cafe`."""
    found = re.search(r".* (?:of|at) (.+)", duty)
    return found[1] if found else "work"


def _wishes(day: DaySchedule) -> None:
    """Put in the duties without a time: long ones in the evening first, short ones by day."""
    for duty in duties_of(day.person):
        if duty.start is None:
            for hour in _hours_for(day, duty):
                day.hours[hour] = duty.what


def _hours_for(day: DaySchedule, duty: Duty) -> list[int]:
    if duty.hours is None:
        start = day.rng.choice(range(day.wakes + 2, max(day.wakes + 3, min(17, day.bed - 2))))
        around = sorted((hour for hour in range(HOURS) if day.free(hour)), key=lambda hour: abs(hour - start))
        return around[: 1 if day.rng.random() < EVEN else 2]
    dines = day.person.dines // HOUR
    evening = [hour for hour in range(dines, HOURS) if day.free(hour)]
    daytime = [hour for hour in range(dines - 1, day.wakes, -1) if day.free(hour)]
    return [*evening[: duty.hours], *daytime[: max(0, duty.hours - len(evening))]]


def _work(day: DaySchedule) -> None:
    """Put in work before and after lunch for personas without a shift; less at weekends."""
    duties = {duty.what for duty in duties_of(day.person)}
    if sum(1 for hour in day.hours if hour in duties) >= LONG_SHIFT:
        return
    trade = trade_of(day.person)
    noon = next((hour for hour, what in enumerate(day.hours) if (what or "").startswith(LUNCH)), 12)
    for part, length in enumerate(trade.hours):
        if day.today.weekday() >= SATURDAY and day.rng.random() < EVEN:
            continue
        first, last = (day.wakes + 1, noon) if part == 0 else (noon + 1, day.person.dines // HOUR)
        free = [hour for hour in range(first, last) if day.free(hour)]
        wanted = max(1, length + day.rng.choice((-1, 0, 0, 1)))
        skipped = day.rng.randint(0, max(0, len(free) - wanted))
        what = day.rng.choice([*trade.work, *day.projects(first) * 2])
        if trade.places and not _PLACED_IN.search(what) and day.rng.random() < OUTSIDE:
            what = f"{what} {day.rng.choice(trade.places)}"
        for hour in free[skipped : skipped + wanted]:
            day.hours[hour] = what


def _change_of_work(day: DaySchedule) -> None:
    """Give an hour of a long duty to something else that can be done there: no two days behind a counter are alike."""
    for duty in duties_of(day.person):
        hours = [hour for hour, what in enumerate(day.hours) if what == duty.what]
        if len(hours) < LONG_DUTY or day.rng.random() > CHANGES:
            continue
        hour = day.rng.choice(hours[1:-1])
        where = f" at {_workplace(duty.what)}" if duty.is_shift else "".join(_PLACED_IN.findall(duty.what)[:1])
        own = [*day.projects(hour + 1), *(() if duty.is_shift else trade_of(day.person).work)]
        if own:
            what = day.rng.choice(own)
            day.hours[hour] = what if _PLACED_IN.search(what) else f"{what}{where}"


def _follow(day: DaySchedule, whims: Sequence[Whim]) -> None:
    """Put each whim into a free hour that suits it, but not into the last one before bed."""
    for whim in whims:
        if free := [hour for hour in range(whim.first, whim.last + 1) if day.free(hour) and hour < day.bed - 1]:
            day.hours[day.rng.choice(free)] = whim.what


def _key(what: str) -> str:
    """Return what a pastime counts as: each kind is done once a day."""
    if shows("a pub", what):
        return "pub"
    return next((word for word in _routines()["once a day"] if word in what), what)


def _leisure(day: DaySchedule) -> None:
    """Fill the rest with pastimes by liking and hour; the last free hour is for getting ready for bed."""
    if day.person.beds <= HOURS * HOUR and day.free(day.bed - 1) and day.bed - 1 > day.wakes + 1:
        day.hours[day.bed - 1] = NIGHT
    done = {_key(hour) for hour in day.hours if hour}
    eats_at_home = f"{DINNER} at home" in day.hours
    for hour in range(HOURS):
        liked = [
            (pastime, weight) for pastime, weight in liking(day.person)
            if pastime.first <= hour <= pastime.last and _key(pastime.what) not in done
            and (eats_at_home or not pastime.what.startswith("cook"))
        ]  # fmt: skip
        if not liked or not day.free(hour):
            continue
        chosen = day.rng.choices([pastime for pastime, _ in liked], [weight for _, weight in liked])[0]
        done.add(_key(chosen.what))
        long = day.rng.random() < STAYS and "shopping" not in chosen.what
        day.fill(hour, hour + (2 if long else 1), chosen.what)


def pastime_at(person: Profile, hour: int, done: Collection[str], rng: Random) -> str:
    """Return a pastime that suits a persona at an hour, of a kind that is not among what is done; empty if none is."""
    kinds = {_key(what) for what in done}
    liked = [
        (pastime, weight) for pastime, weight in liking(person)
        if pastime.first <= hour <= pastime.last
        and _key(pastime.what) not in kinds and not pastime.what.startswith("cook")
    ]  # fmt: skip
    weights = [weight for _, weight in liked]
    return rng.choices([pastime.what for pastime, _ in liked], weights)[0] if liked else ""


@lru_cache(maxsize=1024)
def liking(person: Profile) -> tuple[tuple[Pastime, float], ...]:
    """Return the pastimes that suit a persona, with weights of its own."""
    liked = []
    for pastime in _pastimes():
        suits = pastime.signs is None or pastime.signs.search(person.words)
        if suits and not (person.is_child and shows("a pub", pastime.what)):
            named = pastime.what.split(" ")[-1] in person.words and f"{first_of(pastime.what)}s" in person.words
            weight = pastime.weight * (2 if person.tempers & set(pastime.tempers.split()) else 1) * (2 if named else 1)
            liked.append((pastime, weight * taste(person.name, pastime.what)))
    return tuple(liked)
