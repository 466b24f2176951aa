"""The tables that follow from what everyone shows in each step: movements, and actions with their lengths."""

from collections.abc import Iterator
from dataclasses import dataclass

from ville.analysis.tables.column import PERSON, STEP, TIME, Row, boolean, integer, number, text
from ville.analysis.tables.exported_run import ExportedRun
from ville.analysis.tables.table import Table
from ville.analysis.task_spans import TaskSpan, activity_and_place, shown
from ville.storage.steps.frames import FrameRecord, tile_of

MINUTE = 60


def _movements(exported: ExportedRun) -> Iterator[Row]:
    for step, frame in exported.frames():
        time = exported.time(step)
        for name, record in frame.items():
            activity, place = activity_and_place(record)
            yield step, time, name, *tile_of(record), record["pronunciatio"], activity, place, bool(record["chat"])


@dataclass
class _Action:
    """An action that is being followed."""

    first: int
    last: int
    record: FrameRecord
    """As last seen."""
    span: TaskSpan
    """The action as it is shown, without its length."""
    place: str


def _actions(exported: ExportedRun) -> Iterator[Row]:
    """Yield actions in the order in which they end; those that end in the same step, in the order of people."""
    open_ones: dict[str, _Action] = {}
    for step, frame in exported.frames():
        for name, record in frame.items():
            now = open_ones.get(name)
            if now and now.last + 1 == step and now.record is record:
                now.last = step
                continue
            seen = _Action(step, step, record, shown(name, record), activity_and_place(record)[1])
            if now and (now.last + 1, now.span, now.place) == (step, seen.span, seen.place):
                seen.first = now.first
            elif now:
                yield _action_row(exported, name, now)
            open_ones[name] = seen
    for name, last in open_ones.items():
        yield _action_row(exported, name, last)


def _action_row(exported: ExportedRun, name: str, done: _Action) -> Row:
    steps = done.last - done.first + 1
    minutes = steps * exported.whole.meta.sec_per_step / MINUTE
    span = done.span
    what = (span.activity, span.subtask, done.place, span.partner or None, span.waits)
    return name, done.first, exported.time(done.first), steps, minutes, *what


_ACTIVITY = text("activity", "what the person does")
_WHERE = text("place", "address of the object, arena or person at which it does that")

MOVEMENTS = Table(
    "movements",
    "What a person shows in a step. Visitors are among them.",
    (
        STEP,
        TIME,
        PERSON,
        integer("x", "column on which the person stands after the step, from 0 in the west", "tiles"),
        integer("y", "row, from 0 in the north", "tiles"),
        text("emoji", "one to three emoji of the activity"),
        text("activity", "what the person does, subtasks in parentheses"),
        _WHERE,
        boolean("talks", "whether it talks with someone"),
    ),
    _movements,
)
ACTIONS = Table(
    "actions",
    "An action of a person, from its first step to its last.",
    (
        PERSON,
        integer("step", "first step"),
        TIME,
        integer("steps", "number of steps that it lasts"),
        number("minutes", "the same in game time", "minutes"),
        _ACTIVITY,
        text("subtask", "the part of it; empty if it was not split"),
        _WHERE,
        text("partner", "with whom the person talks; missing if it does not"),
        boolean("waits", "whether it waits for another person to finish"),
    ),
    _actions,
)
