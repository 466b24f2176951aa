"""Split activities into steps, by the rows of data/activities."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from ville.offline.day.work import trade_of
from ville.offline.profile import Profile
from ville.offline.table import load, rows, shows

PACE = ((20, (5, 10)), (75, (5, 10, 10, 15)), (180, (10, 15, 15, 20)), (10_000, (15, 20, 25, 30)))
"""(Minutes of the activity up to, possible minutes of a step): longer activities have longer steps."""
SHORTEST = 5


@dataclass(frozen=True)
class ActivitySteps:
    """A row of data/activities. Of a step with slashes, one part is chosen."""

    means: re.Pattern[str]
    first: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    in_order: bool = False


@cache
def activities() -> dict[str, tuple[ActivitySteps, ...]]:
    """Return the rows by section, in the order in which they are looked through."""
    files = {name: load(f"activities/{name}.yaml") for name in ("work", "daily", "leisure")}
    order = (("work", "own work"), ("daily", "daily"), ("leisure", "leisure"), ("work", "crafts"), ("work", "counters"),
             ("work", "other work"))  # fmt: skip
    return {section: rows(files[name][section], ActivitySteps) for name, section in order}


@lru_cache(maxsize=8192)
def activity_of(text: str) -> ActivitySteps | None:
    """Return the first row that matches a phrase; shifts match work before anything else."""
    table = activities()
    sections = [*table.values()]
    if shows("a shift", text):
        sections = [table["own work"], table["counters"], *sections]
    return next((row for section in sections for row in section if row.means.search(text)), None)


def steps_of(activity: str, minutes: int, person: Profile, rng: Random) -> list[tuple[str, int]]:
    """Return steps and their minutes, which add up; neighbours differ."""
    row = activity_of(activity)
    if row is None and shows("work", activity):
        row = activity_of(trade_of(person).work[0])
    if row is None:
        return [(activity, minutes)]
    body = tuple(rng.choice(step.split(" / ")) for step in row.then)
    lengths, around = _lengths(minutes, rng), len(row.first) + len(row.last)
    if len(lengths) > around:
        names = [*row.first, *_body(row, body, len(lengths) - around, rng=rng), *row.last]
    else:
        names = rng.sample(body, min(len(body), len(lengths))) if body else [*row.first, *row.last]
        names = (names * len(lengths))[: len(lengths)]
    steps: list[tuple[str, int]] = []
    for what, length in zip(names, lengths, strict=True):
        if steps and steps[-1][0] == what:
            length += steps.pop()[1]  # noqa: PLW2901 - the step goes on
        steps.append((what, length))
    return steps


def _lengths(minutes: int, rng: Random) -> list[int]:
    """Return lengths of steps that add up to the minutes."""
    choices = next(choices for limit, choices in PACE if minutes <= limit)
    found: list[int] = []
    left = minutes
    while left >= choices[0] + SHORTEST:
        found.append(min(rng.choice(choices), left))
        left -= found[-1]
    return [*found[:-1], found[-1] + left] if found else [minutes]


def _body(row: ActivitySteps, body: tuple[str, ...], count: int, *, rng: Random) -> list[str]:
    """Draw steps: each comes once before any comes twice, and none follows itself."""
    if row.in_order and count <= len(body):
        return [body[number] for number in sorted(rng.sample(range(len(body)), count))]
    found: list[str] = []
    while len(found) < count:
        turn = rng.sample(body, len(body))
        if found and len(turn) > 1 and turn[0] == found[-1]:
            turn.append(turn.pop(0))
        found += turn
    return found[:count]
