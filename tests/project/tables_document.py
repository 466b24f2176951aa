"""Writes docs/tables.md from the tables that a run has: `python tests/project/tables_document.py`."""

from collections.abc import Iterator
from pathlib import Path

from ville.analysis.tables.run_tables import TABLES
from ville.analysis.tables.table import Table

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tables.md"
HEAD = """\
# Tables of a run

What a run was, for R, pandas, polars, DuckDB, Gephi or a spreadsheet:

```sh
cd reverie
python export.py two_days --to parquet
python export.py two_days@18:00 --to csv --tables ties,news --news "Valentine.*party" --out evening
```

| `--to` | writes |
|---|---|
| `parquet` | a folder with a file for each table; unit and meaning are metadata of the columns. Needs pyarrow: `pip install .[tables]`, of the installed package `pip install the-ville[tables]` |
| `csv`, `jsonl` | the same as text, in UTF-8. Missing values are empty cells, or `null`. In CSV, a text that spreadsheet programs would run, because it begins with `=`, `+`, `-`, `@`, a tab or a carriage return, has an apostrophe before it |
| `sqlite` | one database. The tables `about` and `columns` describe it |
| `graphml` | one file with the social graph: an edge for each row of `ties`, people with their traits |
| `otlp-json` | one file with the calls as traces of OpenTelemetry, for programs that show traces: a trace for each step, a span for each call |

Folders have a file `tables.json`: of which run and moment they are (with a digest of its memories), what is not in them, and
the columns with their types, units and meanings. All of an export is written, or nothing, and nothing is replaced without
`--replace`. The run is only read; it may go on meanwhile, if it is not saved just then.

Conversations with users, and what people remember of them, interviews, and prompts and answers of calls are private. They
are left out, and the command says so, unless `--private` is given.

In Python, without files:

```python
import ville

tables = ville.tables("two_days")
ties = tables["ties"].to_frame()
```

`tables["ties"].columns` has what is below, and `rows()` yields rows without holding all of them: two days of twenty-five
people are 432,000 movements. A notebook that draws the social graph and the curve of a piece of news is
[graph_and_news.ipynb](../examples/graph_and_news.ipynb).

DuckDB and polars read the files as they are:

```sql
SELECT person, sum(minutes) FROM 'two_days-tables/actions.parquet' WHERE partner IS NOT NULL GROUP BY person;
```

Times are game time without a zone, unless their unit says otherwise. A step is the key of everything that happens in one;
a memory is known by `person` and `memory`.

This page is generated from the tables: `python tests/project/tables_document.py`.
"""  # noqa: E501 - rows of a table are one line


def document() -> str:
    """Return the text of docs/tables.md."""
    return "\n".join([HEAD, *map(_section, TABLES.values())])


def _section(table: Table) -> str:
    return "\n".join([f"## `{table.name}`\n", f"{table.meaning}\n", *_rows(table), ""])


def _rows(table: Table) -> Iterator[str]:
    yield "| column | type | |"
    yield "|---|---|---|"
    for column in table.columns:
        unit = f", {column.unit}" if column.unit else ""
        private = " (only with `--private`)" if column.private else ""
        yield f"| `{column.name}` | {column.type}{unit} | {column.meaning}{private} |"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
