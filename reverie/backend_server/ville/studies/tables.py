"""The tables of a study: `runs.csv`, `answers.csv`, `groups.csv` if groups are drawn, `timings.csv`, and
`measures.parquet` if pyarrow is installed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec

from ville.analysis.statistics_table import differences_in_latex, statistics_table
from ville.analysis.study_figures import draw_measure, figure_files
from ville.analysis.study_statistics import measures_by_arm
from ville.result_table import ResultTable, TableRow
from ville.storage.files import writing
from ville.storage.past.moments import split_moment
from ville.storage.studies.registration import Registration, registration_of
from ville.storage.studies.study_folder import FIGURES, JobManifest, JobResult, StudyFolder
from ville.studies.study import Study

RUNS, ANSWERS, GROUPS, TIMINGS, PARQUET = "runs.csv", "answers.csv", "groups.csv", "timings.csv", "measures.parquet"
STATISTICS, DIFFERENCES = "statistics.csv", "differences.tex"
RUN_COLUMNS = ("run", "base", "arm", "seed", "state")
COST_COLUMNS = ("calls", "tokens", "cost")
ANSWER_COLUMNS = ("run", "base", "arm", "seed", "when", "ask", "role", "who", "group", "answer", "form", "value")
GROUP_COLUMNS = ("run", "base", "arm", "seed", "who", "group")
MOST_AT_ONCE = 200
"""Jobs whose answers are held at once."""
TIMING_COLUMNS = ("run", "host", "started", "ended", "seconds", "tries")


def write_tables(folder: StudyFolder, measures: Sequence[str], jobs: Sequence[JobManifest]) -> None:
    """Write all tables. `jobs` are in the order of the rows; what they have answered is read from the folder, a few at
    a time. Raises CannotWrite and CorruptFile.
    """
    runs = run_table(jobs, measures)
    folder.write_table(RUNS, runs.to_csv())
    folder.write_table(ANSWERS, _answer_lines(folder, [job.run for job in jobs if job.result]))
    if groups := group_table(jobs):
        folder.write_table(GROUPS, groups.to_csv())
    folder.write_table(TIMINGS, ResultTable(TIMING_COLUMNS, map(_timing, jobs)).to_csv())
    if find_spec("pyarrow"):
        _write_parquet(folder, runs)


def write_statistics(folder: StudyFolder, study: Study, jobs: Sequence[JobManifest]) -> None:
    """Draw the measures of all runs that are done, and write their statistics. Raises CannotWrite."""
    names, arms = [measure.name for measure in study.measures], [arm.name for arm in study.arms]
    files = statistics_files(names, arms, jobs, registration_of(folder))
    folder.write_figures({name.removeprefix(f"{FIGURES}/"): text for name, text in files.items() if "/" in name})
    for name in (STATISTICS, DIFFERENCES):
        folder.write_table(name, files[name])


def statistics_files(
    measures: Sequence[str], arms: Sequence[str], jobs: Sequence[JobManifest], registered: Registration | None
) -> dict[str, str]:
    """Return the statistics of all runs that are done, and a figure of each measure, by their names in the folder."""
    found = measures_by_arm(measures, arms, jobs, registered)
    names = figure_files(measures)
    tables = {STATISTICS: statistics_table(found).to_csv(), DIFFERENCES: differences_in_latex(found)}
    return tables | {f"{FIGURES}/{names[each.measure]}": draw_measure(each, title=each.measure) for each in found}


def run_table(jobs: Sequence[JobManifest], measures: Sequence[str]) -> ResultTable:
    """Return the runs as rows: what each is, its measures, and what it used.

    What a shared beginning used counts for each of its runs, so that runs can be compared.
    """
    by_simulation = {job.simulation: job for job in jobs}
    rows = (_run_row(job, measures, by_simulation) for job in jobs if not job.is_shared)
    return ResultTable((*RUN_COLUMNS, *measures, *COST_COLUMNS), rows)


def _run_row(job: JobManifest, measures: Sequence[str], jobs: Mapping[str, JobManifest]) -> TableRow:
    result = job.result
    values = {name: result.measures.get(name) if result else None for name in measures}
    parts = list(_with_beginnings(job, jobs))
    used = {name: sum(getattr(part, name) for part in parts) if result else None for name in COST_COLUMNS}
    return {name: getattr(job, name) for name in RUN_COLUMNS} | values | used


def _with_beginnings(job: JobManifest, jobs: Mapping[str, JobManifest]) -> Iterable[JobResult]:
    """Yield the results of a run, and of the beginnings that it shares."""
    now: JobManifest | None = job
    while now:
        if now.result:
            yield now.result
        now = jobs.get(split_moment(now.origin).name)


def answer_table(jobs: Iterable[JobManifest]) -> ResultTable:
    """Return the answers of all runs as rows."""
    rows = (
        {name: getattr(job, name) for name in ANSWER_COLUMNS[:4]} | answer.as_json()
        for job in jobs
        if job.result and not job.is_shared
        for answer in job.result.answers
    )
    return ResultTable(ANSWER_COLUMNS, rows)


def group_table(jobs: Iterable[JobManifest]) -> ResultTable:
    """Return who was drawn for which group in each run as rows; none without `assign`."""
    rows = (
        {name: getattr(job, name) for name in GROUP_COLUMNS[:4]} | {"who": who, "group": group}
        for job in jobs
        if not job.is_shared
        for group, people in job.groups.items()
        for who in people
    )
    return ResultTable(GROUP_COLUMNS, rows)


def _answer_lines(folder: StudyFolder, runs: Sequence[str]) -> Iterator[str]:
    """Yield the text of the table of answers."""
    yield ResultTable(ANSWER_COLUMNS, ()).to_csv()
    for start in range(0, len(runs), MOST_AT_ONCE):
        some = runs[start : start + MOST_AT_ONCE]
        known = {job.run: job for job in folder.some_jobs(some)}
        found = answer_table(known[run] for run in some if run in known)
        yield found.to_csv().partition("\n")[2]


def _timing(job: JobManifest) -> TableRow:
    host = job.provenance.get("host", "")
    return {name: host if name == "host" else getattr(job, name) for name in TIMING_COLUMNS}


def _write_parquet(folder: StudyFolder, runs: ResultTable) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    table = arrow.table({name: [row[name] for row in runs] for name in runs.columns})
    path = folder.root / PARQUET
    with writing(path):
        partial = path.with_name(f".{PARQUET}.partial")
        parquet.write_table(table, partial)
        partial.replace(path)
