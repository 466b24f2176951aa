"""How an activity is gone about: the steps of its row in the tables, in an order and at a pace of its own each time."""

import re
from functools import lru_cache
from random import Random

from ville.llm.offline.days.deeds import SHIFT
from ville.llm.offline.people.person import Person
from ville.llm.offline.people.trades import trade_of
from ville.llm.offline.tables.activity import Activity
from ville.llm.offline.tables.crafts import COUNTERS, CRAFTS
from ville.llm.offline.tables.leisure import LEISURE
from ville.llm.offline.tables.own_work import OWN_WORK
from ville.llm.offline.tables.routines import ROUTINES

TABLE = (*OWN_WORK, *ROUTINES, *LEISURE, *CRAFTS)
PACE = ((20, (5, 10)), (75, (5, 10, 10, 15)), (180, (10, 15, 15, 20)), (10_000, (15, 20, 25, 30)))
"""Minutes of the whole → minutes of a step: long stretches are taken more calmly."""
SHORTEST = 5
_PATTERN = re.compile(SHIFT, re.IGNORECASE)


@lru_cache(maxsize=4096)
def activity_of(text: str) -> Activity | None:
    """The row that a phrase means. Who stands behind a counter is at work, who sits before it is not."""
    rows = (*OWN_WORK, *COUNTERS, *TABLE) if _PATTERN.search(text) else TABLE
    return next((row for row in rows if row.pattern.search(text)), None)


def steps_of(activity: str, minutes: int, person: Person, rng: Random) -> list[tuple[str, int]]:
    """Steps and their minutes, which add up; neighbours differ."""
    row = activity_of(activity) or _by_trade(activity, person)
    if row is None:
        return _plain(activity, minutes)
    opening, body, closing = row.steps
    body = tuple(rng.choice([one.strip() for one in step.split(" / ")]) for step in body)
    lengths = _lengths(minutes, rng)
    if len(lengths) < len(opening) + len(closing) + 1:
        names = (
            [*opening, *closing] if len(lengths) > 1 and not body else [*rng.sample(body, min(len(body), len(lengths)))]
        )
        names = (names * len(lengths))[: len(lengths)]
    else:
        names = [*opening, *_body(row, body, len(lengths) - len(opening) - len(closing), rng=rng), *closing]
    return _merged(list(zip(names, lengths, strict=True)))


def _lengths(minutes: int, rng: Random) -> list[int]:
    """Lengths of steps that add up to the minutes."""
    choices = next(choices for limit, choices in PACE if minutes <= limit)
    found: list[int] = []
    left = minutes
    while left >= choices[0] + SHORTEST:
        found.append(min(rng.choice(choices), left))
        left -= found[-1]
    if found:
        found[-1] += left
        return found
    return [minutes]


def _body(row: Activity, body: tuple[str, ...], count: int, *, rng: Random) -> list[str]:
    """That many steps; every step comes before any comes twice, and none follows itself."""
    if row.in_order and count <= len(body):
        return [body[number] for number in sorted(rng.sample(range(len(body)), count))]
    found: list[str] = []
    while len(found) < count:
        round_ = list(body)
        rng.shuffle(round_)
        if found and len(round_) > 1 and round_[0] == found[-1]:
            round_.append(round_.pop(0))
        found += round_
    return found[:count]


def _merged(steps: list[tuple[str, int]]) -> list[tuple[str, int]]:
    merged: list[tuple[str, int]] = []
    for what, minutes in steps:
        if merged and merged[-1][0] == what:
            merged[-1] = (what, merged[-1][1] + minutes)
        else:
            merged.append((what, minutes))
    return merged


def _by_trade(activity: str, person: Person) -> Activity | None:
    """What nobody put in a table, but sounds like work, is done as the person's trade does it."""
    if not re.search(r"\b(?:work|busy|project|business|practi[sc]|finish|make|making|prepar)", activity):
        return None
    return activity_of(trade_of(person).phrases[0])


def _plain(activity: str, minutes: int) -> list[tuple[str, int]]:
    """An activity that no table knows: a start, a break, and the thing itself."""
    if minutes < 6 * SHORTEST:
        return [(activity, minutes)]
    half = minutes // 2 - SHORTEST
    rest = minutes - half - 2 * SHORTEST
    return [("getting things ready", SHORTEST), (activity, half), ("taking a short break", SHORTEST), (activity, rest)]
