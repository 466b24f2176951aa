"""The statistics of a study as a table: `statistics.csv`, a row for each measure, base and arm."""

from collections.abc import Iterable, Sequence

from ville.analysis.run_statistics import RunDifference
from ville.analysis.study_statistics import ArmValues, BaseValues, MeasureByArm
from ville.result_table import ResultTable, TableRow

ARM = ("measure", "base", "arm", "runs", "mean", "mean_low", "mean_high")
STATISTICS = (
    *("pairs", "difference", "low", "high", "effect", "effect_low", "effect_high", "superiority", "p"),
    *("adjusted_p", "tests", "smallest_p", "verdict", "seen_from"),
)
"""Of a difference; docs/studies.md says what each is."""
SAME = "same"
"""Part of rows that tables leave out: the words in place of an interval if nothing varies."""
PLAN = "plan"
"""Column: the part of a difference in a registered plan; empty if nothing was registered."""
COLUMNS = (*ARM, *STATISTICS, PLAN)
FOR_PAPERS = (
    *("measure", "arm", "pairs", "difference", "low", "high"),
    *("effect", "effect_low", "effect_high", "p", "adjusted_p", "verdict"),
)
"""Columns of differences that fit on a page."""
NOTHING: TableRow = dict.fromkeys((*STATISTICS, PLAN))


def statistics_table(measures: Iterable[MeasureByArm]) -> ResultTable:
    """Return a row for each arm; cells of differences are empty for the first arm, with which others are compared."""
    rows = (row for measure in measures for base in measure.bases for row in _rows(measure.measure, base))
    return ResultTable(COLUMNS, rows)


def differences_table(measures: Sequence[MeasureByArm]) -> ResultTable:
    """Return the rows of all arms that are compared with the first one."""
    return ResultTable(COLUMNS, (row for row in statistics_table(measures) if row["difference"] is not None))


def differences_in_latex(measures: Sequence[MeasureByArm]) -> str:
    """Return the differences as a LaTeX table for a paper; bases are named if there are several."""
    found = differences_table(measures)
    bases = ("base",) if any(len(measure.bases) > 1 for measure in measures) else ()
    planned = (PLAN,) if any(row[PLAN] for row in found) else ()
    return found.to_latex((*bases, *FOR_PAPERS, *planned))


def statistic_cells(found: RunDifference) -> TableRow:
    """Return a difference as cells."""
    estimate = found.estimate
    lowest, highest = found.effect_between or (None, None)
    return {
        **{name: getattr(found, name) for name in STATISTICS if hasattr(found, name)},
        "pairs": len(found.pairs),
        "difference": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "effect_low": lowest,
        "effect_high": highest,
        "verdict": verdict(found),
        SAME: found.same,
    }


def interval_words(row: TableRow) -> str:
    """Return the interval of a difference as it follows its mean, or that nothing varies; empty for a single run."""
    if row["low"] is None:
        return f" ({row[SAME]})" if row.get(SAME) else ""
    return f" [{row['low']:+.4g}, {row['high']:+.4g}]"


def verdict(found: RunDifference) -> str:
    """Return what can be said of a difference."""
    if found.exceeds_noise:
        return "more than noise"
    return "too few runs to say" if found.too_few else "not more than noise"


def _rows(measure: str, base: BaseValues) -> Iterable[TableRow]:
    cells = {each.arm: statistic_cells(each.found) | {PLAN: each.found.plan or None} for each in base.differences}
    for arm in base.arms:
        yield _arm(measure, base.base, arm) | cells.get(arm.arm, NOTHING)


def _arm(measure: str, base: str, arm: ArmValues) -> TableRow:
    estimate = arm.estimate
    values = (estimate.mean, estimate.low, estimate.high) if estimate else (None, None, None)
    return dict(zip(ARM, (measure, base, arm.arm, len(arm.runs), *values), strict=True))
