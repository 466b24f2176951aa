"""Outcomes of the hypotheses of a registered study: whether each held in its direction, with its interval."""

from collections.abc import Iterator, Sequence

from ville.analysis.run_statistics import RunDifference
from ville.analysis.statistics_table import SAME
from ville.analysis.study_statistics import MeasureByArm
from ville.result_table import ResultTable, TableRow
from ville.storage.studies.registration import Direction, Hypothesis, Registration

COLUMNS = (*("measure", "base", "arm", "direction", "primary", "difference", "low", "high", "adjusted_p", "outcome"),)
HELD, AGAINST, NOISE = "held", "did not hold: the other way round", "did not hold: not more than noise"
TOO_FEW, UNKNOWN = "too few runs to say", "not measured"


def hypothesis_table(measures: Sequence[MeasureByArm], registered: Registration | None) -> ResultTable:
    """Return a row for each hypothesis and base, the primary measures first."""
    hypotheses = registered.hypotheses if registered else ()
    primary = registered.primary if registered else ()
    order = sorted(hypotheses, key=lambda each: each.measure not in primary)
    rows = (row for each in order for row in _rows(each, measures, is_primary=each.measure in primary))
    return ResultTable(COLUMNS, rows)


def _rows(hypothesis: Hypothesis, measures: Sequence[MeasureByArm], *, is_primary: bool) -> Iterator[TableRow]:
    said = {"measure": hypothesis.measure, "arm": hypothesis.arm, "direction": hypothesis.direction}
    none: TableRow = {**dict.fromkeys(COLUMNS), **said, "primary": is_primary, "outcome": UNKNOWN}
    bases = [base for measure in measures if measure.measure == hypothesis.measure for base in measure.bases]
    if not bases:
        yield none
    for base in bases:
        row = {**none, "base": base.base}
        for each in base.differences:
            if each.arm == hypothesis.arm:
                found = each.found
                numbers = {"difference": found.estimate.mean, "low": found.estimate.low, "high": found.estimate.high}
                row |= {
                    **numbers,
                    SAME: found.same,
                    "adjusted_p": found.adjusted_p,
                    "outcome": outcome(found, hypothesis.direction),
                }
        yield row


def outcome(found: RunDifference, direction: Direction) -> str:
    """Return whether a difference is as expected, as far as so many runs can tell."""
    if found.too_few:
        return TOO_FEW
    if not found.exceeds_noise:
        return NOISE
    grows = found.estimate.mean > 0
    return HELD if direction == "other" or grows == (direction == "more") else AGAINST
