"""Lists of a day as models write them: with times of a 12-hour clock, in one field, as lines, or without ends."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from itertools import pairwise
from typing import Protocol, Self, TypeVar

from ville.persona.prompt_template.answers.clock_times import NOON, first_time, read_end, read_time


class TimedRow(Protocol):
    """An activity with its times."""

    @property
    def start(self) -> time: ...

    @property
    def end(self) -> time: ...

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self: ...


TimedRowT = TypeVar("TimedRowT", bound=TimedRow)
HALF_DAY, DAY = NOON * 60, 2 * NOON * 60
"""Minutes."""
BEGINNINGS = {"from", "start", "starttime", "begin", "begins", "starts"}
ENDS = {"to", "end", "endtime", "until", "ends"}
TIMES = {"time", "times", "timeslot", "slot", "hours", "hour", "period", "span", "when", "at"}
"""Keys of a time, spelled plainly."""
PLACES = {"where", "place", "location"}
_CLOCK = r"\d{1,2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?"
LINE = re.compile(
    rf"^\W*(?P<time>{_CLOCK}(?:\s*(?:[-–—]|\bto\b|\buntil\b)\s*{_CLOCK})?)\s*(?:[:,)–—-]\s*|\s)(?P<what>\D.*)$",
    re.IGNORECASE,
)
"""A row of a day in one line: `7:00 - 8:00: having breakfast`."""
BARE_TIME = re.compile(r"(?<![\d:.])(\d|1[0-2]):([0-5]\d)(?![\d:]|\s?[ap]\.?m\b)", re.IGNORECASE)
"""A time that may be one of the morning or of the afternoon."""


def in_order(starts: Sequence[int], *, asleep: bool = False) -> list[int]:
    """Return the minutes of a day at which activities begin, in order. Raise ValueError, worded for the model.

    What runs backwards is twelve hours later if that puts it in order, or once the night after midnight, which is left
    as it is. A day that begins `asleep` at twelve begins at midnight.
    """
    result, past_midnight = list(starts), False
    if asleep and len(result) > 1 and result[0] // 60 == NOON and result[1] < result[0]:
        result[0] -= HALF_DAY
    for number in range(1, len(result)):
        before, this = result[number - 1], result[number]
        if this >= before and not (past_midnight and this > result[0]):
            continue
        if not past_midnight and this < HALF_DAY and this + HALF_DAY >= before:
            result[number] += HALF_DAY
        elif not past_midnight and this <= result[0]:
            past_midnight = True
        else:
            raise ValueError(
                f"{clock_text(this)} comes after {clock_text(before)}: write times of a 24-hour clock, in order"
            )
    return result


def rows_in_order(rows: Sequence[TimedRowT], *, asleep: bool) -> list[TimedRowT]:
    """Return the activities of a day, of which later ones may have been written on a 12-hour clock.

    Raise ValueError, worded for the model, if they have no order. `asleep` says whether the day begins in bed.
    """
    said = [(_minute(row.start), _minute(row.end)) for row in rows]
    starts = in_order([start for start, _ in said], asleep=asleep)
    result = []
    for row, start, (_, end), following in zip(rows, starts, said, [*starts[1:], None], strict=True):
        times = {"start": _time(start), "end": _time(end_in_order(start, end, following))}
        result.append(row.model_copy(update=times))
    return result


def _minute(moment: time) -> int:
    return moment.hour * 60 + moment.minute


def _time(minute: int) -> time:
    return time(*divmod(minute, 60))


def end_in_order(start: int, end: int, following: int | None) -> int:
    """Return when an activity ends: twelve hours later if it ended before it began, and the next begins no earlier."""
    later = end + HALF_DAY
    fits = end <= start < later < DAY and following is not None and later <= following
    return later if fits else end


def lines_in_order(lines: Sequence[str]) -> list[str]:
    """Return the lines of a plan with times of a 24-hour clock. Raise ValueError, worded for the model."""
    timed = [(number, _minute(found)) for number, line in enumerate(lines) if (found := first_time(line))]
    result = list(lines)
    for (number, start), meant in zip(timed, in_order([start for _, start in timed]), strict=True):
        if meant != start:
            result[number] = BARE_TIME.sub(_half_a_day_later, lines[number])
    return result


def _half_a_day_later(found: re.Match[str]) -> str:
    return f"{int(found[1]) % NOON + NOON}:{found[2]}"


def clock_text(minute: int) -> str:
    return f"{minute // 60 % 24}:{minute % 60:02}"


def rows_of(value: object) -> object:
    """Return the rows of a day, each an object with `from`, `to` and `activity`; what is none, unchanged.

    An activity without an end lasts until the next begins, the last one until midnight.
    """
    items = _rows_by_time(value) if isinstance(value, Mapping) else value
    if isinstance(items, str):
        items = [line for line in items.splitlines() if line.strip()]
    if not isinstance(items, list):
        return value
    rows = [_row(item) for item in items]
    timed = [row for row in rows if isinstance(row, dict) and "from" in row]
    for row, following in [*pairwise(timed), *((row, {"from": "24:00"}) for row in timed[-1:])]:
        row.setdefault("to", following["from"])
    return rows


def _rows_by_time(value: Mapping[object, object]) -> object:
    """Return the rows of an object whose keys are times and whose values are texts."""
    if value and all(isinstance(text, str) and LINE.match(f"{key}: {text}") for key, text in value.items()):
        return [f"{key}: {text}" for key, text in value.items()]
    return value


def _row(item: object) -> object:
    """Return a row with its times under the keys that were asked for."""
    if isinstance(item, str) and (found := LINE.match(item)):
        return {**_times(found["time"]), "activity": found["what"]}
    if not isinstance(item, Mapping):
        return item
    row = {_renamed(str(key)): value for key, value in item.items()}
    if "from" in row and "to" not in row:
        return row | _times(row["from"])
    if "from" not in row and "time" in row:
        return row | _times(row.pop("time"))
    return row


def _renamed(key: str) -> str:
    plain = re.sub(r"[\W_]+", "", key).casefold()
    return next((name for name, keys in (("from", BEGINNINGS), ("to", ENDS), ("time", TIMES)) if plain in keys), key)


def _times(written: object) -> dict[str, object]:
    """Return both ends of a span, or the beginning."""
    try:
        is_span = read_time(written) != read_end(written)
    except ValueError:
        is_span = False
    return {"from": written, "to": written} if is_span else {"from": written}


def plan_lines(value: object) -> object:
    """Return the lines of a plan, with those that are objects as texts: `have lunch at 12:00, cafe`."""
    if isinstance(value, Mapping) and _rows_by_time(value) is not value:
        value = [{"time": key, "what": text} for key, text in value.items()]
    if not isinstance(value, list):
        return value
    return [" ".join(_plan_line(item)) if _is_plan(item) else item for item in value]


def _is_plan(item: object) -> bool:
    return isinstance(item, Mapping) and len(item) > 0 and all(isinstance(part, str | int) for part in item.values())


def _plan_line(item: Mapping[str, object]) -> Iterator[str]:
    """Yield what is planned, its time and its place, unless the words before say it already."""
    row = {_renamed(str(key)): str(value).strip() for key, value in item.items()}
    times = [row.pop(key) for key in ("time", "from", "to") if key in row]
    where = [row.pop(key) for key in list(row) if key.casefold() in PLACES]
    said = max(row.values(), key=len, default="")
    yield said
    if times and times[0] not in said:
        yield f"at {times[0]}" if len(times) == 1 else f"from {times[0]} to {times[1]}"
    if where and where[0].casefold() not in said.casefold():
        yield f"({where[0]})"
