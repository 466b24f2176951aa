"""Where people go and how long they stay, and what they do by the hour: read from what they show, minute by minute."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, lru_cache
from pathlib import Path

import yaml

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.task_spans import PLACE
from ville.storage.steps.frames import FrameRecord, tile_of

FILE = Path(__file__).with_name("activities.yaml")
MINUTE, DAY = 60, 1440
OTHER = "other"


@dataclass(frozen=True)
class Trip:
    """A way from one building or place to another."""

    who: str
    begins: int
    """Minute since midnight of the first day."""
    minutes: int
    stayed: int | None
    """Minutes at the place where it ends, until the next trip; None if the run ends before."""


@dataclass(frozen=True)
class TimeUse:
    """Minutes of all people by kind of activity and hour of the day."""

    minutes: Mapping[tuple[str, int], int]

    @property
    def total(self) -> int:
        return sum(self.minutes.values())

    def by_hour(self, kind: str) -> list[int]:
        """Return the minutes of an activity in each hour of the day."""
        return [self.minutes.get((kind, hour), 0) for hour in range(24)]

    def share(self, kind: str) -> float:
        return sum(self.by_hour(kind)) / self.total if self.total else 0.0


@dataclass(frozen=True)
class _Look:
    """A look at a person in a minute."""

    minute: int
    tile: tuple[int, int]
    sector: str
    activity: str


@dataclass(frozen=True)
class Mobility:
    """Movements and time use of a run."""

    run: str
    trips: tuple[Trip, ...]
    time_use: TimeUse


def mobility(run: ComparedRun) -> Mobility:
    """Return the movements and the time use of a run, of which a look a minute is read."""
    looks: dict[str, list[_Look]] = {}
    begin = run.meta.time_of(0)
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    stride = max(1, MINUTE // run.meta.sec_per_step)
    for step in range(run.first, run.steps, stride):
        minute = (run.meta.time_of(step) - midnight) // timedelta(minutes=1)
        for name, record in run.frame(step).items():
            if name in run.people:
                looks.setdefault(name, []).append(_look(minute, record))
    trips = tuple(trip for name, seen in looks.items() for trip in _trips(name, seen))
    every = (look for seen in looks.values() for look in seen)
    return Mobility(
        run.name, trips, TimeUse(Counter((kind_of(each.activity), each.minute % DAY // 60) for each in every))
    )


def _look(minute: int, record: FrameRecord) -> _Look:
    activity, _, place = record["description"].rpartition(PLACE)
    return _Look(minute, tile_of(record), place.split(":")[1] if ":" in place else "", activity)


def _trips(who: str, looks: Sequence[_Look]) -> Iterator[Trip]:
    """Yield the trips of a person: from the minute in which it does something elsewhere until it stands still."""
    ways: list[tuple[int, int]] = []
    at = 0
    for place in range(1, len(looks)):
        changed = looks[place].sector and looks[place].sector != looks[place - 1].sector
        if place <= at or not changed:
            continue
        end = place
        while end + 1 < len(looks) and looks[end].tile != looks[end + 1].tile:
            end += 1
        if end > place:
            ways.append((place, end))
            at = end
    for number, (begin, end) in enumerate(ways):
        leaves = looks[ways[number + 1][0]].minute if number + 1 < len(ways) else None
        stayed = None if leaves is None else leaves - looks[end].minute
        yield Trip(who, looks[begin].minute, looks[end].minute - looks[begin].minute, stayed)


@lru_cache(maxsize=65_536)
def kind_of(activity: str) -> str:
    """Return the kind of an activity: the first in activities.yaml whose words it has."""
    return next((kind for kind, pattern in _kinds().items() if pattern.search(activity)), OTHER)


def kinds() -> tuple[str, ...]:
    """Return all kinds of activities."""
    return (*_kinds(), OTHER)


@cache
def _kinds() -> Mapping[str, re.Pattern[str]]:
    table: Mapping[str, Sequence[str]] = yaml.safe_load(FILE.read_text("utf-8"))
    return {kind: re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE) for kind, words in table.items()}
