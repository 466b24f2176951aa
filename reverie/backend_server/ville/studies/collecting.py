"""`collected/` of a study: what its runs were over time, as long tables of personas, pairs and towns.

They are computed of the saved runs, once all runs have ended, and again only if another run has ended or the study file
collects something else.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from ville.analysis.collect_plan import KEYS, PERSONA, WORDS, CollectPlan, Value
from ville.analysis.collected_run import CollectedRun, RunPart
from ville.analysis.comparison.compared_run import find_run
from ville.analysis.group_measures import GROUP
from ville.analysis.run import group_of
from ville.analysis.tables.column import Row
from ville.errors import BadArgument, BadStudy, Fault
from ville.json_types import Json
from ville.plain_text import nearest
from ville.result_table import ResultTable, TableRow, csv_cell
from ville.settings import Settings
from ville.storage.files import pretty, read_bytes, read_object_if_whole, write_text, writing
from ville.storage.past.moments import split_moment
from ville.storage.studies.study_folder import COLLECTED as COLLECTED_OF_RUN
from ville.storage.studies.study_folder import JobManifest, StudyFolder

COLLECTED, MADE = "collected", "made.json"
RUN_COLUMNS = ("run", "base", "arm", "seed", "step", "time")
VALUE_COLUMNS = ("measure", "value")
NUMBER = "number"
"""Column of Parquet files whose values are words: the value, if it is a number."""
TYPES: Mapping[str, str] = {"seed": "int64", "step": "int64", "time": "timestamp[s]", NUMBER: "double"}
"""Types of columns in Parquet files. All others are text; `value` is, if values may be words."""
MOST_ROWS = 50_000
"""Rows of a table that are kept in memory."""


def columns_of(table: str) -> tuple[str, ...]:
    """Return the columns of a table."""
    group = (GROUP,) if table == PERSONA else ()
    return (*RUN_COLUMNS, *KEYS[table], *group, *VALUE_COLUMNS)


def write_collected(folder: StudyFolder, plan: CollectPlan, jobs: Sequence[JobManifest], settings: Settings) -> None:
    """Write the tables of all runs that are done, unless they are there. Raises a ReverieError."""
    root = folder.root / COLLECTED
    done = [job for job in jobs if job.state == "done" and not job.is_shared]
    made = _described(plan, done)
    names = [f"{table}.csv" for table in plan.tables]
    if read_object_if_whole(root / MADE) == made and all((root / name).exists() for name in names):
        return
    with writing(root):
        root.mkdir(exist_ok=True)
        (root / MADE).unlink(missing_ok=True)
    by_simulation = {job.simulation: job for job in jobs}
    with ExitStack() as files:
        tables = {table: files.enter_context(CollectedFile(root, table)) for table in plan.tables}
        for job in done:
            for table, rows in _kept_rows(folder, job, plan) or _rows(job, by_simulation, plan, settings=settings):
                tables[table].write(rows)
        for file in tables.values():
            file.keep()
    with writing(root):
        for path in root.glob("[!.]*.[cp]*"):  # of what is collected no more, or with pyarrow, which is gone
            if path.stem not in plan.tables or (path.suffix != ".csv" and not find_spec("pyarrow")):
                path.unlink()
    write_text(root / MADE, pretty(made))


def _described(plan: CollectPlan, jobs: Sequence[JobManifest]) -> dict[str, Json]:
    """Return what is collected of which runs."""
    runs: dict[str, Json] = {job.run: job.ended for job in jobs}
    return {"v": 2, **_plan_values(plan), "runs": runs}


def _plan_values(plan: CollectPlan) -> dict[str, Json]:
    tables: dict[str, Json] = {table: [each.source for each in measures] for table, measures in plan.tables.items()}
    return {"every": plan.every.total_seconds(), "tables": tables}


def collected_content(
    job: JobManifest, jobs: Mapping[str, JobManifest], plan: CollectPlan, *, settings: Settings
) -> bytes:
    """Return what is collected of a run, to be kept when its simulation is removed. `jobs` are all, by simulation.
    Raises a ReverieError.
    """
    rows = [[table, some] for table, some in _rows(job, jobs, plan, settings=settings)]
    return json.dumps({**_plan_values(plan), "rows": rows}, default=str).encode()


def has_collected(folder: StudyFolder, run: str, plan: CollectPlan) -> bool:
    """Return whether all that a plan asks for is kept of a run whose simulation was removed. Raises CorruptFile."""
    return _kept_values(folder, run, plan) is not None


def _kept_values(folder: StudyFolder, run: str, plan: CollectPlan) -> Mapping[str, Any] | None:
    """Return what is kept of a run; None if nothing is, or something else was collected of it."""
    values = json.loads(folder.kept(run, COLLECTED_OF_RUN) or b"{}")
    asked = json.loads(json.dumps(_plan_values(plan), default=str))
    return values if {name: values.get(name) for name in asked} == asked else None


def _kept_rows(folder: StudyFolder, job: JobManifest, plan: CollectPlan) -> list[tuple[str, list[Row]]] | None:
    """Return the rows of a run whose simulation was removed; None if it is there. Raises BadStudy."""
    if job.kept == "all":
        return None
    if (values := _kept_values(folder, job.run, plan)) is None:
        said = f"{job.run} was not looked at over time as `collect` says now, and its simulation was not kept"
        raise BadStudy(Fault(said, "give `collect` its earlier value, or the study another name"))
    place = RUN_COLUMNS.index("time")
    return [
        (table, [(*row[:place], datetime.fromisoformat(row[place]), *row[place + 1 :]) for row in rows])
        for table, rows in values["rows"]
    ]


def _parts(job: JobManifest, jobs: Mapping[str, JobManifest], settings: Settings) -> Iterator[RunPart]:
    """Yield the beginnings that a run shares, the oldest first, and the run."""
    if before := jobs.get(split_moment(job.origin).name):
        yield from _parts(before, jobs, settings)
    yield RunPart(job.first_step, find_run(settings.fs_storage, settings.replays, job.simulation))


def _rows(
    job: JobManifest, jobs: Mapping[str, JobManifest], plan: CollectPlan, *, settings: Settings
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of a run, moment by moment, each time those of one table."""
    run = CollectedRun(list(_parts(job, jobs, settings)))
    every = -(-plan.every // timedelta(seconds=run.run.meta.sec_per_step))
    for moment in run.moments(max(1, every)):
        head = (job.run, job.base, job.arm, job.seed, moment.step, moment.time)
        for table, measures in plan.tables.items():
            yield (
                table,
                [
                    (*head, *whose, *_group(table, whose, job), each.name, value)
                    for each in measures
                    for whose, value in each.of(moment)
                ],
            )


def _group(table: str, whose: Sequence[str], job: JobManifest) -> tuple[str, ...]:
    """Return the group of a persona, as far as a table has one."""
    return (group_of(whose[0], job.groups),) if table == PERSONA else ()


class CollectedFile:
    """A table that is being written, as CSV, and as Parquet if pyarrow is installed. It is kept as a whole, or not."""

    def __init__(self, root: Path, table: str) -> None:
        self._root, self._table = root, table
        self._columns = columns_of(table)
        self._parquet: Any = None
        self._rows: list[Row] = []
        self._wide = (*self._columns, NUMBER) if table == PERSONA else self._columns

    def __enter__(self) -> Self:
        with writing(self._root):
            self._file = self._partial("csv").open("w", encoding="utf-8", newline="")
        self._csv = csv.writer(self._file, lineterminator="\n")
        self._csv.writerow(self._columns)
        if find_spec("pyarrow"):
            arrow = import_module("pyarrow")
            types = TYPES if self._table == PERSONA else {**TYPES, "value": "double"}
            self._schema = arrow.schema([(name, _arrow_type(arrow, types.get(name, "string"))) for name in self._wide])
            self._parquet = import_module("pyarrow.parquet").ParquetWriter(self._partial("parquet"), self._schema)
        return self

    def __exit__(self, *_fault: object) -> None:
        self._close()
        for path in (self._partial("csv"), self._partial("parquet")):
            path.unlink(missing_ok=True)

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows. Raises CannotWrite."""
        self._rows += rows
        if len(self._rows) >= MOST_ROWS:
            self._flush()

    def _flush(self) -> None:
        rows, self._rows = self._rows, []
        with writing(self._root):
            self._csv.writerows(map(_cells, rows))
            if self._parquet and rows:
                self._parquet.write_table(self._batch(rows))

    def keep(self) -> None:
        """Give the files their names. Raises CannotWrite."""
        self._flush()
        with writing(self._root):
            self._close()
            for ending in ("csv", "parquet") if self._parquet else ("csv",):
                self._partial(ending).replace(self._root / f"{self._table}.{ending}")

    def _batch(self, rows: Sequence[Row]) -> Any:
        columns = dict(zip(self._columns, map(list, zip(*rows, strict=True)), strict=True))
        if self._table == PERSONA:
            values = columns["value"]
            columns[NUMBER] = [None if isinstance(value, str) else value for value in values]
            columns["value"] = [None if value is None else str(csv_cell(value)) for value in values]
        return import_module("pyarrow").table(columns, schema=self._schema)

    def _close(self) -> None:
        self._file.close()
        if self._parquet:
            self._parquet.close()

    def _partial(self, ending: str) -> Path:
        return self._root / f".{self._table}.{ending}.partial"


def _cells(row: Row) -> list[object]:
    return [csv_cell(str(cell) if isinstance(cell, datetime) else cell) for cell in row]


def _arrow_type(arrow: Any, name: str) -> Any:
    return arrow.timestamp("s") if name.startswith("timestamp") else arrow.type_for_alias(name)


def read_collected(folder: StudyFolder, table: str) -> ResultTable:
    """Return a table as it was last written. Raises BadArgument if there is none."""
    if table not in KEYS:
        raise BadArgument(f"There is no table '{table}' of what is collected: {nearest(table, KEYS)}")
    path = folder.root / COLLECTED / f"{table}.csv"
    if not path.exists():
        line = f"The study {folder.name} has collected nothing of a {table}. Add `collect: {{{table}: [...]}}` to its"
        raise BadArgument(f"{line} file, and run it to its end: docs/studies.md")
    rows = csv.DictReader(io.StringIO(read_bytes(path).decode("utf-8"), newline=""))
    return ResultTable(columns_of(table), map(_read_row, rows))


def _read_row(row: Mapping[str, str]) -> TableRow:
    times = {"seed": int(row["seed"]), "step": int(row["step"]), "time": datetime.fromisoformat(row["time"])}
    return {**row, **times, "value": _read_value(row["measure"], row["value"])}


def _read_value(measure: str, text: str) -> Value:
    return None if not text else text if measure in WORDS else float(text)
