"""The classic spellings of time: `February 13, 2023, 00:00:00` and, in memories, `2023-02-13 00:00:00`.

English whatever the locale; game time has no zone.
"""

import re
from datetime import date, datetime

from ville.errors import CorruptFile

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TIME = re.compile(rf"({'|'.join(MONTHS)}) (\d\d?), (\d{{4}})(?:, (\d\d?):(\d\d?):(\d\d?))?")


def date_text(day: date) -> str:
    """`February 03, 2023`."""
    return f"{MONTHS[day.month - 1]} {day.day:02}, {day.year:04}"


def time_text(moment: datetime) -> str:
    """`February 03, 2023, 09:00:00`, as in meta, movement and scratch."""
    return f"{date_text(moment)}, {moment:%H:%M:%S}"


def weekday_text(day: date) -> str:
    """`Friday February 03`, as minds say it."""
    return f"{DAYS[day.weekday()]} {MONTHS[day.month - 1]} {day.day:02}"


def node_time_text(moment: datetime) -> str:
    """`2023-02-03 09:00:00`, as in the memory stream."""
    return moment.isoformat(" ", "seconds")


def parse_time(text: str) -> datetime:
    """A time, or midnight of a date, in the spelling of meta; the day may be unpadded. Raises CorruptFile."""
    match = _TIME.fullmatch(text.strip()) if isinstance(text, str) else None
    try:
        if match:
            month, *numbers = match.groups(default="0")
            day, year, hour, minute, second = map(int, numbers)
            return datetime(year, MONTHS.index(month) + 1, day, hour, minute, second)  # noqa: DTZ001 - game time
    except ValueError:
        pass
    raise CorruptFile(f"'{text}' is no time: write it as February 13, 2023, 00:00:00.")


def parse_date(text: str) -> date:
    """Raises CorruptFile."""
    return parse_time(text).date()


def parse_node_time(text: str) -> datetime:
    """Raises CorruptFile."""
    try:
        moment = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        moment = None
    if moment is None or moment.tzinfo:
        raise CorruptFile(f"'{text}' is no time of a memory: write it as 2023-02-13 00:00:00.")
    return moment
