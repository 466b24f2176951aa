"""A persona's day as a list of activities that together take 1,440 minutes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

MINUTES_PER_DAY = 1440
"""Minutes."""
SLEEPING = "sleeping"


@dataclass(frozen=True)
class Activity:
    """`what` for so many minutes, perhaps as a part `of` something."""

    what: str
    minutes: int
    of: str | None = None

    @property
    def text(self) -> str:
        """As on disk: `task (subtask)`."""
        return self.what if self.of is None else f"{self.of} ({self.what})"

    @classmethod
    def parse(cls, text: str, minutes: int) -> "Activity":
        """The way back: what stands in the last parentheses is a part of what stands before them."""
        opening = _last_opening(text)
        if opening is None:
            return cls(text, minutes)
        return cls(text[opening + 2 : -1], minutes, of=text[:opening])


class Slot(NamedTuple):
    """An activity and when it takes place, in minutes after midnight."""

    start: int
    end: int
    activity: Activity


@dataclass(frozen=True)
class Schedule:
    """A day. Frozen: whoever changes it gets a new one, and that one is a whole day.

    One read from disk may fall short of a day and hold rows of no or negative length; it stays as it is until changed.
    """

    activities: tuple[Activity, ...] = ()

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]]) -> "Schedule":
        return cls(tuple(Activity.parse(str(text), int(minutes)) for text, minutes in rows))

    @classmethod
    def whole_day(cls, activities: Iterable[Activity]) -> "Schedule":
        """Without empty rows, cut at midnight, filled up with sleep."""
        return cls(tuple(fitted([*activities, Activity(SLEEPING, MINUTES_PER_DAY)], MINUTES_PER_DAY)))

    def rows(self) -> list[list[Any]]:
        return [[activity.text, activity.minutes] for activity in self.activities]

    def __len__(self) -> int:
        return len(self.activities)

    def __getitem__(self, index: int) -> Activity:
        return self.activities[index]

    @property
    def minutes(self) -> int:
        return sum(activity.minutes for activity in self.activities)

    def slots(self) -> Iterator[Slot]:
        """Every row with its time."""
        end = 0
        for activity in self.activities:
            start, end = end, end + activity.minutes
            yield Slot(start, end, activity)

    def index(self, minute: int) -> int:
        """The row that holds a minute; the last one for any minute after the end. Raises ValueError without rows."""
        if not self.activities:
            raise ValueError("A schedule without rows holds no minute.")
        holding = (index for index, slot in enumerate(self.slots()) if slot.end > minute)
        return next(holding, len(self.activities) - 1)

    def at(self, minute: int) -> Activity:
        return self.activities[self.index(minute)]

    def decomposed(self, index: int, parts: Iterable[tuple[str, int]]) -> "Schedule":
        """The row split into parts that together take as long as it did: cut short, or the last one drawn out."""
        row = self.activities[index]
        pieces = fitted([Activity(what, minutes, of=row.text) for what, minutes in parts], row.minutes)
        rows = [*self.activities[:index], *(pieces or [row]), *self.activities[index + 1 :]]
        return Schedule.whole_day(rows)

    def with_window(self, start: int, end: int, activities: Iterable[Activity]) -> "Schedule":
        """Something else between two minutes; what reaches into the window from either side is cut there."""
        whole = Schedule.whole_day(self.activities)
        middle = fitted(activities, end - start) or list(whole.between(start, end))
        return Schedule((*whole.between(0, start), *middle, *whole.between(end, MINUTES_PER_DAY)))

    def between(self, start: int, end: int) -> Iterator[Activity]:
        """What happens in a part of the day, cut at both ends."""
        for slot in self.slots():
            minutes = min(slot.end, end) - max(slot.start, start)
            if minutes > 0:
                yield replace(slot.activity, minutes=minutes)


def fitted(activities: Iterable[Activity], minutes: int) -> list[Activity]:
    """As many of them as fit, empty ones left out; the last one ends exactly when the time is up."""
    rows: list[Activity] = []
    left = minutes
    for activity in activities:
        if activity.minutes > 0 and left > 0:
            rows.append(replace(activity, minutes=min(activity.minutes, left)))
            left -= rows[-1].minutes
    if rows and left:
        rows[-1] = replace(rows[-1], minutes=rows[-1].minutes + left)
    return rows


def _last_opening(text: str) -> int | None:
    """Where the ` (` stands that belongs to a parenthesis at the very end."""
    depth = 0
    for place in range(len(text) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth == 0:
            opens = place < len(text) - 1 and text[place - 1 : place + 1] == " ("
            return place - 1 if opens and place > 1 else None
    return None
