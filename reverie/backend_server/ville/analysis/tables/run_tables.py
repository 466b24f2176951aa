"""All tables of a run, by name, as rows or as data frames."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NewsTopic
from ville.analysis.tables.call_tables import CALL_TABLE, FALLBACK_TABLE
from ville.analysis.tables.column import Cell, ColumnType, Row, TableColumn
from ville.analysis.tables.exported_run import ExportedRun
from ville.analysis.tables.memory_tables import COMMITMENTS, CONVERSATIONS, MEMORIES, RETRIEVALS
from ville.analysis.tables.people_table import PEOPLE
from ville.analysis.tables.social_tables import NEWS, TELLINGS, TIES
from ville.analysis.tables.step_tables import ACTIONS, MOVEMENTS
from ville.analysis.tables.table import Table
from ville.errors import BadArgument
from ville.plain_text import nearest
from ville.result_table import pandas

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        PEOPLE, MOVEMENTS, ACTIONS, CONVERSATIONS, MEMORIES, RETRIEVALS, COMMITMENTS, TIES, NEWS, TELLINGS,
        CALL_TABLE, FALLBACK_TABLE,
    )
}  # fmt: skip
"""All tables, in the order of the documents."""
FRAME_TYPES: Mapping[ColumnType, str] = {
    ColumnType.TEXT: "str",
    ColumnType.INTEGER: "Int64",
    ColumnType.NUMBER: "Float64",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.TIME: "datetime64[s]",
}
"""Types of pandas that can be missing."""


class RunTable:
    """One table of a run. Its rows are read anew whenever they are asked for."""

    def __init__(self, exported: ExportedRun, table: Table) -> None:
        self._exported = exported
        self._table = table

    def __repr__(self) -> str:
        return f"<table {self.name}: {', '.join(column.name for column in self.columns)}>"

    @property
    def name(self) -> str:
        """Name of the table, for example `movements`."""
        return self._table.name

    @property
    def meaning(self) -> str:
        """In a sentence: what a row is."""
        return self._table.meaning

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns, each with `name`, `type`, `unit` and `meaning`."""
        return tuple(column for column in self._table.columns if self._exported.private or not column.private)

    def rows(self) -> Iterator[Row]:
        """Yield the rows in the order of the run, as tuples. Raises CorruptFile."""
        shown = len(self.columns)  # private columns are the last ones
        return (tuple(map(_whole, row[:shown])) for row in self._table.rows(self._exported))

    def to_frame(self) -> Any:
        """Return the table as a `pandas.DataFrame`. Raises MissingPackage without pandas, and CorruptFile."""
        rows = list(self.rows())
        values = zip(self.columns, zip(*rows, strict=True) if rows else [()] * len(self.columns), strict=True)
        return pandas().DataFrame(
            {column.name: pandas().Series(list(cells), dtype=FRAME_TYPES[column.type]) for column, cells in values}
        )


def _whole(cell: Cell) -> Cell:
    """Return a value; of a text, halves of surrogate pairs, which no file can hold, are question marks."""
    return cell.encode("utf-8", "replace").decode() if isinstance(cell, str) and not cell.isascii() else cell


class RunTables(Mapping[str, RunTable]):
    """The tables of a run, by name: `tables["movements"].to_frame()`. Nothing is written, and no model is asked."""

    def __init__(self, run: ComparedRun, *, private: bool = False, news: Sequence[NewsTopic] = ()) -> None:
        self._exported = ExportedRun(run, private=private, news=news)

    def __repr__(self) -> str:
        return f"<tables of {self.run.name}: {', '.join(self)}>"

    def __getitem__(self, name: str) -> RunTable:
        if name not in TABLES:
            raise KeyError(name)
        return RunTable(self._exported, TABLES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(TABLES)

    def __len__(self) -> int:
        return len(TABLES)

    @property
    def run(self) -> ComparedRun:
        """The run of which the tables are made."""
        return self._exported.whole

    @property
    def private(self) -> bool:
        """Whether tables have what is private."""
        return self._exported.private

    @property
    def left_out(self) -> dict[str, int]:
        """How many private conversations, and memories that tell of them, are left out."""
        return dict(self._exported.counts_left_out)

    def chosen(self, names: Sequence[str]) -> list[RunTable]:
        """Return the tables of these names, or all. Raises BadArgument."""
        for name in names:
            if name not in TABLES:
                raise BadArgument(f"There is no table '{name}': {nearest(name, TABLES)}")
        return [self[name] for name in names or TABLES]
