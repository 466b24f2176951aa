"""Formats of game time: `February 13, 2023, 00:00:00`, and in memories `2023-02-13 00:00:00`.

Months and days are English in every locale. Game time has no time zone.
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
    """Return a date as `February 03, 2023`."""
    return f"{MONTHS[day.month - 1]} {day.day:02}, {day.year:04}"


def time_text(moment: datetime) -> str:
    """Return a time as `February 03, 2023, 09:00:00`: in meta, movement and scratch files."""
    return f"{date_text(moment)}, {moment.hour:02}:{moment.minute:02}:{moment.second:02}"


def weekday_text(day: date) -> str:
    """Return a date as `Friday February 03`: in plans and prompts."""
    return f"{DAYS[day.weekday()]} {MONTHS[day.month - 1]} {day.day:02}"


def node_time_text(moment: datetime) -> str:
    """Return a time as `2023-02-03 09:00:00`: in the memory stream."""
    return moment.isoformat(" ", "seconds")


def parse_time(text: str) -> datetime:
    """Return a time in the format of meta.json; midnight for a date. The day may have one digit. Raises CorruptFile."""
    match = _TIME.fullmatch(text.strip()) if isinstance(text, str) else None
    try:
        if match:
            month, *numbers = match.groups(default="0")
            day, year, hour, minute, second = map(int, numbers)
            return datetime(year, MONTHS.index(month) + 1, day, hour, minute, second)  # noqa: DTZ001 - game time
    except ValueError:
        pass
    raise CorruptFile("'%(text)s' is not a time. Write it as February 13, 2023, 00:00:00.", text=text)


def parse_date(text: str) -> date:
    """Return a date in the format of meta.json. Raises CorruptFile."""
    return parse_time(text).date()


def parse_node_time(text: str) -> datetime:
    """Return a time in the format of the memory stream. Raises CorruptFile."""
    try:
        moment = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        moment = None
    if moment is None or moment.tzinfo:
        raise CorruptFile("'%(text)s' is not the time of a memory. Write it as 2023-02-13 00:00:00.", text=text)
    return moment
