"""How many seeds a study needs to see a difference that would matter, by how much its runs have varied so far."""

from collections.abc import Iterable, Sequence

from ville.analysis.run_counts import cautious_spread, runs_to_see
from ville.analysis.run_statistics import RunDifference
from ville.analysis.study_statistics import MeasureByArm
from ville.result_table import ResultTable, TableRow

COLUMNS = ("measure", "base", "arm", "paired", "runs", "spread", "seeds", "cautious_seeds")


def planned_table(measures: Iterable[MeasureByArm], difference: float) -> ResultTable:
    """Return a row for each measure, base and arm that is compared with the first one."""
    rows = (
        {"measure": measure.measure, "base": base.base, "arm": each.arm, **_planned(each.found, difference)}
        for measure in measures
        for base in measure.bases
        for each in base.differences
    )
    return ResultTable(COLUMNS, rows)


def _planned(found: RunDifference, difference: float) -> TableRow:
    seeds = [
        runs_to_see(difference, spread, paired=found.is_paired, tests=found.tests) if spread else None
        for spread in _spreads(found)
    ]
    return {
        "paired": found.is_paired,
        "runs": min(found.sizes),
        "spread": found.spread,
        **dict(zip(("seeds", "cautious_seeds"), seeds, strict=True)),
    }


def _spreads(found: RunDifference) -> Sequence[float | None]:
    """Return how much runs vary, and how much they may vary if the pilot was lucky; None: it does not tell."""
    freedom = found.sizes[0] - 1 if found.is_paired else sum(found.sizes) - 2
    if not found.spread:
        return None, None
    return found.spread, cautious_spread(found.spread, freedom)
