"""A column of a table: its name, the type of its values, their unit, and what they mean."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

Cell = str | int | float | bool | datetime | None
"""A value of a table. None: it is not known, or there is none."""
Row = tuple[Cell, ...]
"""The values of a row, in the order of the columns."""


class ColumnType(StrEnum):
    """Type of the values of a column, as documents and files name it."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"
    """A time without a zone."""


@dataclass(frozen=True)
class TableColumn:
    """A column of a table."""

    name: str
    type: ColumnType
    meaning: str
    unit: str = ""
    """Empty for texts, counts and numbers without one."""
    private: bool = False
    """Whether only private tables have it."""


def text(name: str, meaning: str, *, private: bool = False) -> TableColumn:
    return TableColumn(name, ColumnType.TEXT, meaning, private=private)


def integer(name: str, meaning: str, unit: str = "") -> TableColumn:
    return TableColumn(name, ColumnType.INTEGER, meaning, unit)


def number(name: str, meaning: str, unit: str = "") -> TableColumn:
    return TableColumn(name, ColumnType.NUMBER, meaning, unit)


def boolean(name: str, meaning: str) -> TableColumn:
    return TableColumn(name, ColumnType.BOOLEAN, meaning)


def time(name: str, meaning: str, unit: str = "game time") -> TableColumn:
    return TableColumn(name, ColumnType.TIME, meaning, unit)


PERSON = text("person", "full name")
STEP = integer("step", "number of the step, from 0")
TIME = time("time", "when the step begins")
