"""Tables as Parquet files, if pyarrow is installed."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from ville.analysis.tables.column import ColumnType, Row, TableColumn
from ville.errors import MissingPackage

BATCH = 50_000
"""Rows that are held in memory."""
TYPES = {
    ColumnType.TEXT: "string",
    ColumnType.INTEGER: "int64",
    ColumnType.NUMBER: "float64",
    ColumnType.BOOLEAN: "bool",
    ColumnType.TIME: "timestamp[ms]",
}


def check_parquet() -> None:
    """Raise MissingPackage without pyarrow."""
    try:
        import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise MissingPackage("Parquet needs pyarrow. In the project folder, type: pip install .[tables]") from None


def write_parquet(columns: Sequence[TableColumn], rows: Iterable[Row], path: Path) -> int:
    """Write a Parquet file whose columns have unit and meaning as metadata, and return the number of rows."""
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = arrow.schema([_field(arrow, column) for column in columns])
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        left = iter(rows)
        while batch := list(islice(left, BATCH)):
            cells = zip(*batch, strict=True)
            arrays = [arrow.array(each, field.type) for each, field in zip(cells, schema, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


def _field(arrow: Any, column: TableColumn) -> Any:
    kind = arrow.type_for_alias(TYPES[column.type])
    return arrow.field(column.name, kind, metadata={"unit": column.unit, "meaning": column.meaning})
