"""Write the tables of a run in one of the formats, all of them or nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.errors import BadArgument
from ville.sharing.table_files.described import description
from ville.sharing.table_files.graph_file import write_graph
from ville.sharing.table_files.parquet_tables import check_parquet, write_parquet
from ville.sharing.table_files.placing import DESCRIPTION, placed
from ville.sharing.table_files.sqlite_tables import write_sqlite
from ville.sharing.table_files.text_tables import write_csv, write_json_lines
from ville.storage.files import pretty, safe_name, write_text

FILE_WRITERS: Mapping[str, Callable[..., int]] = {
    "parquet": write_parquet,
    "csv": write_csv,
    "jsonl": write_json_lines,
}
"""Formats with a file for each table, by the ending of the files."""
SQLITE, GRAPHML = "sqlite", "graphml"
FORMATS = (*FILE_WRITERS, GRAPHML, SQLITE)


@dataclass(frozen=True)
class TableExport:
    """An export that was written."""

    path: Path
    """Folder or file."""
    rows: Mapping[str, int]
    """Rows by table."""


def default_path(run: str, form: str) -> Path:
    """Return where an export goes if no place is named."""
    name = safe_name(run)
    return Path(f"{name}-tables" if form in FILE_WRITERS else f"{name}.{form}")


def export(
    tables: RunTables, form: str, path: Path, *, names: Sequence[str] = (), replace: bool = False
) -> TableExport:
    """Write tables, all unless some are named, to a folder or file. The run is only read.

    Raises BadArgument, MissingPackage, CannotWrite and CorruptFile; nothing is left behind then.
    """
    if form == GRAPHML and names:
        raise BadArgument("GraphML has the people and their ties, no chosen tables. Leave out --tables.")
    if form == "parquet":
        check_parquet()
    chosen = tables.chosen(names)
    with placed(path, replace=replace) as partial:
        if form in FILE_WRITERS:
            counts = _write_folder(tables, chosen, form, partial)
        else:
            counts = write_graph(tables, partial) if form == GRAPHML else write_sqlite(tables, chosen, partial)
        tables.run.check_unchanged()
    return TableExport(path, counts)


def _write_folder(tables: RunTables, chosen: Sequence[RunTable], form: str, folder: Path) -> dict[str, int]:
    folder.mkdir()
    write = FILE_WRITERS[form]
    counts = {table.name: write(table.columns, table.rows(), folder / f"{table.name}.{form}") for table in chosen}
    write_text(folder / DESCRIPTION, pretty(description(tables, chosen, counts)))
    return counts
