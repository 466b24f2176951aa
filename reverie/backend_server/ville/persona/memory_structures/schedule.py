"""The schedule of a day: a list of activities that together take 1,440 minutes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

MINUTES_PER_DAY = 1440
SLEEPING = "sleeping"


@dataclass(frozen=True)
class Activity:
    """Activity and its minutes, possibly as a subtask `of` another activity."""

    what: str
    minutes: int
    of: str | None = None

    @property
    def text(self) -> str:
        """Text in scratch.json: `task (subtask)`."""
        return self.what if self.of is None else f"{self.of} ({self.what})"

    @classmethod
    def parse(cls, text: str, minutes: int) -> "Activity":
        """Return the activity of a text: what is in the last parentheses is the subtask."""
        opening = _last_opening(text)
        if opening is None:
            return cls(text, minutes)
        return cls(text[opening + 2 : -1], minutes, of=text[:opening])


class Slot(NamedTuple):
    """An activity with its start and end in minutes after midnight."""

    start: int
    end: int
    activity: Activity


@dataclass(frozen=True)
class Schedule:
    """Activities of a day. Methods that change it return a new schedule of exactly one day.

    A schedule from a file may be shorter and have rows without or with negative length; they stay until it is changed.
    """

    activities: tuple[Activity, ...] = ()

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, float]]) -> "Schedule":
        return cls(tuple(Activity.parse(text, int(minutes)) for text, minutes in rows))

    @classmethod
    def whole_day(cls, activities: Iterable[Activity]) -> "Schedule":
        """Return a schedule without empty rows, cut at midnight or filled up with sleep."""
        return cls(tuple(fit_to([*activities, Activity(SLEEPING, MINUTES_PER_DAY)], MINUTES_PER_DAY)))

    def whole(self) -> "Schedule":
        """Return it as a schedule of exactly one day: itself, if it is one."""
        is_whole = self.minutes == MINUTES_PER_DAY and all(activity.minutes > 0 for activity in self.activities)
        return self if is_whole else Schedule.whole_day(self.activities)

    def rows(self) -> list[list[str | int]]:
        return [[activity.text, activity.minutes] for activity in self.activities]

    def __len__(self) -> int:
        return len(self.activities)

    def __getitem__(self, index: int) -> Activity:
        return self.activities[index]

    @property
    def minutes(self) -> int:
        return sum(activity.minutes for activity in self.activities)

    @cached_property
    def _slots(self) -> tuple[Slot, ...]:
        ends = list(accumulate(activity.minutes for activity in self.activities))
        return tuple(map(Slot, [0, *ends], ends, self.activities))

    def slots(self) -> Iterator[Slot]:
        """Yield every row with its time."""
        return iter(self._slots)

    def index(self, minute: int) -> int:
        """Return the row at a minute, or the last row after the end. Raise ValueError if there are no rows."""
        if not self.activities:
            raise ValueError("The schedule has no rows.")
        holding = (index for index, slot in enumerate(self._slots) if slot.end > minute)
        return next(holding, len(self.activities) - 1)

    def at(self, minute: int) -> Activity:
        return self.activities[self.index(minute)]

    def slot_at(self, minute: int) -> Slot:
        """Return the row at a minute with its time, as `index` does."""
        return self._slots[self.index(minute)]

    def decomposed(self, index: int, parts: Iterable[tuple[str, int]]) -> "Schedule":
        """Return the schedule with a row split into parts; the last part is cut or extended to fit."""
        row = self.activities[index]
        pieces = fit_to([Activity(what, minutes, of=row.text) for what, minutes in parts], row.minutes)
        rows = [*self.activities[:index], *(pieces or [row]), *self.activities[index + 1 :]]
        return Schedule.whole_day(rows)

    def with_window(self, start: int, end: int, activities: Iterable[Activity]) -> "Schedule":
        """Return the schedule with other activities between two minutes."""
        whole = Schedule.whole_day(self.activities)
        middle = fit_to(activities, end - start) or list(whole.between(start, end))
        return Schedule((*whole.between(0, start), *middle, *whole.between(end, MINUTES_PER_DAY)))

    def between(self, start: int, end: int) -> Iterator[Activity]:
        """Yield the activities between two minutes, cut at both ends."""
        for slot in self.slots():
            minutes = min(slot.end, end) - max(slot.start, start)
            if minutes > 0:
                yield replace(slot.activity, minutes=minutes)


def fit_to(activities: Iterable[Activity], minutes: int) -> list[Activity]:
    """Return the activities that fit into so many minutes, without empty ones; the last is cut or extended to fit."""
    rows: list[Activity] = []
    remaining = minutes
    for activity in activities:
        if activity.minutes > 0 and remaining > 0:
            rows.append(activity)
            remaining -= activity.minutes
    if rows:
        rows[-1] = replace(rows[-1], minutes=rows[-1].minutes + remaining)
    return rows


def _last_opening(text: str) -> int | None:
    """Return the position of the ` (` that matches a closing parenthesis at the very end, if any."""
    depth = 0
    for place in range(len(text) - 1, 1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth == 0:
            return place - 1 if text[place - 1 : place + 1] == " (" else None
    return None
