"""Write the tables of a run in one of the formats, all of them or nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.errors import BadArgument, CannotWrite
from ville.sharing.table_files.described import description
from ville.sharing.table_files.graph_file import write_graph
from ville.sharing.table_files.parquet_tables import check_parquet, write_parquet
from ville.sharing.table_files.sqlite_tables import write_sqlite
from ville.sharing.table_files.text_tables import write_csv, write_json_lines
from ville.sharing.table_files.trace_file import write_traces
from ville.storage.files import pretty, write_text
from ville.storage.named_files import check_free, check_place, placed
from ville.storage.safe_names import safe_name

FILE_WRITERS: Mapping[str, Callable[..., int]] = {
    "parquet": write_parquet,
    "csv": write_csv,
    "jsonl": write_json_lines,
}
"""Formats with a file for each table, by the ending of the files."""
SQLITE = "sqlite"
FIXED: Mapping[str, Callable[[RunTables, Path], dict[str, int]]] = {"graphml": write_graph, "otlp-json": write_traces}
"""Formats with one file of tables of their own."""
FORMATS = (*FILE_WRITERS, SQLITE, *FIXED)
DESCRIPTION = "tables.json"
"""File by which a folder of tables is known, with the meaning of all columns."""


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
    return Path(f"{name}-tables" if form in FILE_WRITERS else f"{name}.{form.replace('-', '.')}")


def export(
    tables: RunTables, form: str, path: Path, *, names: Sequence[str] = (), replace: bool = False
) -> TableExport:
    """Write tables, all unless some are named, to a folder or file. The run is only read.

    Raises BadArgument, MissingPackage, CannotWrite and CorruptFile; nothing is left behind then.
    """
    if form in FIXED and names:
        raise BadArgument(f"{form} has tables of its own. Leave out --tables.")
    if form == "parquet":
        check_parquet()
    chosen = tables.chosen(names)
    _check_free(path, form, replace=replace)
    with placed(path) as partial:
        if form in FILE_WRITERS:
            counts = _write_folder(tables, chosen, form, partial)
        else:
            counts = FIXED[form](tables, partial) if form in FIXED else write_sqlite(tables, chosen, partial)
        tables.run.check_unchanged()
    return TableExport(path, counts)


def _check_free(path: Path, form: str, *, replace: bool) -> None:
    """Raise CannotWrite if an export must not be written to a path; of folders, only those of tables are replaced."""
    if form not in FILE_WRITERS:
        check_free(path, replace=replace)
        return
    if path.is_file():
        raise CannotWrite("%(path)s is a file; %(form)s makes a folder. Name one with --out.", path=path, form=form)
    if path.is_symlink() or (path.is_dir() and not (path / DESCRIPTION).is_file()):
        template = "%(path)s is not a folder of tables, and stays as it is. Name another place with --out."
        raise CannotWrite(template, path=path)
    check_place(path, replace=replace)


def _write_folder(tables: RunTables, chosen: Sequence[RunTable], form: str, folder: Path) -> dict[str, int]:
    folder.mkdir()
    write = FILE_WRITERS[form]
    counts = {table.name: write(table.columns, table.rows(), folder / f"{table.name}.{form}") for table in chosen}
    write_text(folder / DESCRIPTION, pretty(description(tables, chosen, counts)))
    return counts
