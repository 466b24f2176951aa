"""A table of a run: what a row is, its columns, and the rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ville.analysis.tables.column import Row, TableColumn
from ville.analysis.tables.exported_run import ExportedRun


@dataclass(frozen=True)
class Table:
    """A table that every run has."""

    name: str
    meaning: str
    """In a sentence: what a row is."""
    columns: tuple[TableColumn, ...]
    rows: Callable[[ExportedRun], Iterator[Row]]
    """Yields the rows with all columns, private ones too. Raises CorruptFile."""
