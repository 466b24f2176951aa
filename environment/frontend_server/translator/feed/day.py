"""Pure: the day of a persona, told: its chapters, and its plan beside what it did. Times are minutes since midnight."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from translator.feed.doings import Doing

DAY = 1440
BORDERS = {"noon": 720, "afternoon": 840, "evening": 1080}
"""Begin of each chapter after the morning, as far as nothing begins that is worth a border."""
NEAR = 45
"""How far a border may move to where something begins."""
EARLIEST_MORNING, USUAL_MORNING = 180, 360
LATEST_EVENING, EARLIEST_NIGHT = 1320, 1200
SHORTEST = 10
"""An activity that takes less does not sum up a chapter."""
MAIN = 2
"""Activities that sum up a chapter."""
KEPT, DROPPED = 0.75, 0.1
"""Shares of the planned time from which a task was done as planned, and up to which it was not done."""
WORTH_TELLING = 1
"""Something else that took less than this is not worth telling."""


@dataclass(frozen=True)
class DoneStretch:
    """Something done on one day."""

    start: float
    end: float
    task: str
    place: str = ""
    partners: tuple[str, ...] = ()
    asleep: bool = False

    @property
    def minutes(self) -> float:
        return self.end - self.start


@dataclass(frozen=True)
class Chapter:
    """A part of a day."""

    kind: str
    start: float
    end: float
    tasks: tuple[str, ...] = ()
    """Tasks that took most of it, in the order of the day."""


class PlanState(StrEnum):
    """How a planned task went."""

    AHEAD = "ahead"
    KEPT = "kept"
    PARTLY = "partly"
    DROPPED = "dropped"


@dataclass(frozen=True)
class PlannedTask:
    """A task of a plan, beside what was done in its time."""

    task: str
    start: float
    end: float
    state: PlanState = PlanState.AHEAD
    instead: tuple[DoneStretch, ...] = ()
    """Activities other than the task, conversations included."""


def stretches(done: Iterable[Doing], midnight: int, steps_a_minute: float) -> list[DoneStretch]:
    """Return what was done on the day that begins with a step, which may be before the first one."""
    found = []
    for doing in done:
        start, end = ((step - midnight) / steps_a_minute for step in (doing.first, doing.end))
        if start < DAY and end > 0:
            stretch = DoneStretch(max(0, start), min(DAY, end), doing.task, doing.place, doing.partners, doing.asleep)
            found.append(stretch)
    return found


def chapters(done: Sequence[DoneStretch], until: float = DAY) -> list[Chapter]:
    """Return the chapters of a day up to a moment. They begin where something else begins, near the usual hour."""
    begins = _begins(done)
    morning, night = _morning(done), _night(done)
    borders = {"night": 0.0, "morning": morning}
    borders |= {kind: _nearest(usual, begins) for kind, usual in BORDERS.items()}
    if night is not None:
        borders["late"] = night
    ordered = sorted(borders.items(), key=lambda item: item[1])
    ends = [*(start for _, start in ordered[1:]), DAY]
    whole = [
        Chapter("night" if kind == "late" else kind, start, min(end, until))
        for (kind, start), end in zip(ordered, ends, strict=True)
    ]
    return [_summed_up(chapter, done) for chapter in whole if chapter.start < min(chapter.end, until)]


def _begins(done: Iterable[DoneStretch]) -> list[float]:
    """Return when something else begins; going on after a conversation is not a beginning."""
    alone = [one for one in done if not one.partners]
    return [later.start for earlier, later in pairwise(alone) if not _same(earlier.task, later.task)]


def _morning(done: Sequence[DoneStretch]) -> float:
    """Return when the night ends: on waking up, or when the day begins as usual."""
    if not done:
        return USUAL_MORNING
    woken = (later.start for earlier, later in pairwise(done) if earlier.asleep and not later.asleep)
    found = next((start for start in woken if EARLIEST_MORNING <= start < BORDERS["noon"] - NEAR), None)
    return float(USUAL_MORNING) if found is None else found


def _night(done: Sequence[DoneStretch]) -> float | None:
    """Return when a persona went to sleep for the night; the usual hour if that is not known, None if it stayed up."""
    if not done:
        return LATEST_EVENING
    last = done[-1]
    return last.start if last.asleep and last.start >= EARLIEST_NIGHT else None


def _nearest(usual: float, begins: Iterable[float]) -> float:
    near = [start for start in begins if abs(start - usual) <= NEAR]
    return min(near, key=lambda start: abs(start - usual), default=usual)


def _summed_up(chapter: Chapter, done: Sequence[DoneStretch]) -> Chapter:
    minutes: dict[str, float] = {}
    for one in _clipped(done, chapter.start, chapter.end):
        if not one.partners and (not one.asleep or chapter.kind == "night"):
            minutes[one.task] = minutes.get(one.task, 0) + one.minutes
    longest = sorted(minutes, key=lambda task: -minutes[task])[:MAIN]
    return replace(chapter, tasks=tuple(task for task in minutes if task in longest and minutes[task] >= SHORTEST))


def beside_plan(plan: Iterable[tuple[str, float]], done: Sequence[DoneStretch], now: float) -> list[PlannedTask]:
    """Return the tasks of a plan (with their minutes), each beside what was done in its time up to now."""
    rows: list[PlannedTask] = []
    start = 0.0
    for task, minutes in plan:
        if minutes > 0 and rows and _same(rows[-1].task, task):
            rows[-1] = replace(rows[-1], end=start + minutes)
        elif minutes > 0:
            rows.append(PlannedTask(task, start, start + minutes))
        start += max(0, minutes)
    return [_judged(row, done, now) for row in rows]


def _judged(row: PlannedTask, done: Sequence[DoneStretch], now: float) -> PlannedTask:
    inside = list(_clipped(done, row.start, min(row.end, now)))
    passed = sum(one.minutes for one in inside)
    if not passed:
        return row
    others = [one for one in inside if one.partners or not _same(one.task, row.task)]
    share = 1 - sum(one.minutes for one in others) / passed
    state = PlanState.KEPT if share >= KEPT else PlanState.DROPPED if share <= DROPPED else PlanState.PARTLY
    told = (one for one in _joined(others) if one.minutes >= WORTH_TELLING)
    return replace(row, state=state, instead=tuple(told))


def _joined(done: Iterable[DoneStretch]) -> Iterator[DoneStretch]:
    """Yield what was done, an activity that was only interrupted as one."""
    last: DoneStretch | None = None
    for one in done:
        if last and not one.partners and not last.partners and _same(one.task, last.task):
            last = replace(last, end=one.end)
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


def _clipped(done: Iterable[DoneStretch], start: float, end: float) -> Iterator[DoneStretch]:
    for one in done:
        clipped = replace(one, start=max(start, one.start), end=min(end, one.end))
        if clipped.minutes > 0:
            yield clipped


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
