"""Answer the questions of situated days: what fills one, where an activity is usually done, and in which steps."""

from collections.abc import Collection, Sequence
from random import Random

from ville.offline.day.day import HOURS
from ville.offline.day.hours import DAY, HOUR, minutes_of
from ville.offline.day.place_rules import look_of, place_in
from ville.offline.day.plan_rules import IDLE, TimedActivity, day_plan, hours_of, revise_identity
from ville.offline.day.subtask_rules import steps_of
from ville.offline.day.whims import whims_of, with_a_whim
from ville.offline.profile import profile_of
from ville.offline.rule_types import Answer, DayGap, Fields, Shelf
from ville.offline.table import shows

FEW_STEPS = 5
MEALS_OF_A_DAY = ("breakfast", "lunch", "dinner")


def where_usually(fields: Fields, rng: Random) -> Answer:
    """Return what the table of looks says of an activity."""
    del rng
    look = look_of(fields["doing"])
    return {"place": look.where, "thing": ", ".join(look.objects[:3]), "emoji": look.emoji}


def step_by_step(fields: Fields, rng: Random) -> Answer:
    """Return a few of the steps of an activity, each once."""
    person = profile_of(fields["identity"])
    steps = steps_of(fields["activity"], max(1, fields["minutes"]), person, rng)
    few = list({what: (what, minutes) for what, minutes in steps}.values())[:FEW_STEPS]
    return {"steps": [what for what, _ in with_a_whim(few, whims_of(fields.get("by_chance"), person), rng)]}


def fill_the_day(fields: Fields, rng: Random) -> Answer:
    """Fill each gap with what the day would hold then, most of the time; of a meal, say where."""
    person = profile_of(fields["identity"])
    lines = day_plan(fields, rng)["plans"]
    day = hours_of(lines, person, fields["wake_up_hour"] % HOURS)
    work = {line.what for line in fields["lines"]}
    gaps = [(line, _else_there(day, line, work, _most_of(day, line))) for line in fields["lines"] if not line.what]
    meals = {meal: next((each.what for each in day if meal in each.what), "at home") for meal in MEALS_OF_A_DAY}
    where = {meal: place_in(what, fields["eating"]) for meal, what in meals.items()}
    filled = {f"{line.start:%H:%M}": {"what": what, "where": place_in(what, fields["places"])} for line, what in gaps}
    return {**where, **filled}


def _else_there(day: Sequence[TimedActivity], gap: DayGap, work: Collection[str], usual: str) -> str:
    """Return what is usual in a gap or, if that is work at a known place, what else the day would hold there."""
    others = (
        each.what for each in day
        if each.what not in work and gap.where in each.what
        and not (shows("no pastime", each.what) or shows("an occasion", each.what))
    )  # fmt: skip
    return next(others, usual) if gap.where and usual in work else usual


def _most_of(day: Sequence[TimedActivity], gap: DayGap) -> str:
    """Return what takes most of a gap."""
    first, last = (moment.hour * HOUR + moment.minute for moment in (gap.start, gap.end))
    lengths: dict[str, int] = {}
    for each in day:
        start, end = (minutes_of(clock) for clock in (each.start, each.end))
        minutes = min(last or DAY, end or DAY) - max(first, start)
        if minutes > 0 and not shows("no pastime", each.what):
            lengths[each.what] = lengths.get(each.what, 0) + minutes
    return max(lengths, key=lambda what: lengths[what], default=IDLE)


RULES: Shelf = {
    "day/bring_up_to_date": revise_identity,
    "day/fill_the_day": fill_the_day,
    "day/where_usually": where_usually,
    "day/step_by_step": step_by_step,
    "day/step_by_step_briefly": step_by_step,
}
