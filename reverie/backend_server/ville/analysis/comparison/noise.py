"""Whether the difference between repeated runs of two sides exceeds the noise."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.notebook import repeats_table
from ville.analysis.effect_sizes import pooled_spread
from ville.analysis.paper_measures import MEASURES, Measure
from ville.analysis.run_counts import LEVEL, runs_needed, smallest_p
from ville.analysis.run_statistics import MeasuredRun, RunDifference, difference, jointly_tested, paired_runs
from ville.analysis.statistics_table import STATISTICS, statistic_cells
from ville.json_types import Json, JsonObject
from ville.result_table import ResultTable


@dataclass(frozen=True)
class RepeatedMeasure:
    """One measure over all runs of two sides."""

    what: str
    a: tuple[float, ...]
    b: tuple[float, ...]
    difference: RunDifference
    """B minus A; if runs are paired, of the runs that are. Tested together with those of all measures."""
    spread: float | None
    """Standard deviation within sides, pooled; None if there is a single run on each side."""
    digits: int

    def as_json(self) -> JsonObject:
        """Return what pages show."""
        own = {name: getattr(self, name) for name in ("what", "a", "b", "spread", "digits")}
        return {**own, "difference": self.difference.as_json()}


@dataclass(frozen=True)
class RepeatComparison:
    """N runs on each side."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    """Runs of A and B with the same seed, whose differences are compared. Empty: the means of all runs are."""
    seed: int
    """Of the random arrangements, if there are too many to try all."""
    measures: tuple[RepeatedMeasure, ...]
    smallest_p: float
    """The smallest p that so many runs can give, adjusted for all measures that are tested (Holm 1979)."""
    tests: int
    """Measures that are tested: all that are not the same in all runs."""
    warnings: tuple[str, ...] = ()

    @property
    def too_few(self) -> bool:
        """Whether no difference could exceed the noise with so few runs."""
        return self.smallest_p > LEVEL

    @property
    def needed(self) -> int:
        """Number of runs on each side, or of pairs, with which a difference can exceed the noise."""
        return runs_needed(paired=bool(self.pairs), tests=self.tests)

    def as_json(self) -> dict[str, Json]:
        """Return all of it as JSON."""
        measures: list[Json] = [measure.as_json() for measure in self.measures]
        return {**asdict(self), "measures": measures, "too_few": self.too_few, "needed": self.needed}

    def table(self) -> ResultTable:
        """Return the differences as rows, for `to_frame()` and `to_latex()`."""
        rows = [{"measure": each.what, **statistic_cells(each.difference)} for each in self.measures]
        return ResultTable(("measure", *STATISTICS), rows)

    def _repr_html_(self) -> str:
        return repeats_table(self)


def compare_repeats(a: Sequence[ComparedRun], b: Sequence[ComparedRun], *, seed: int = 0) -> RepeatComparison:
    """Return the difference of each measure that all runs have, beside the spread within sides."""
    names = [tuple(run.name for run in side) for side in (a, b)]
    pairs = tuple((one.run, other.run) for one, other in paired_runs(_seeded(a), _seeded(b)))
    sizes = (len(pairs), len(pairs)) if pairs else (len(a), len(b))
    measures = _jointly_tested([_measured(measure, a, b, seed=seed) for measure in MEASURES])
    tests = max(1, sum(each.difference.can_differ for each in measures))
    least = min(1.0, smallest_p(*sizes, paired=bool(pairs)) * tests)
    warnings = (*_warnings(a, b), *_left_out(names, pairs))
    return RepeatComparison(names[0], names[1], pairs, seed, measures, least, tests, warnings)


def _jointly_tested(measures: Sequence[RepeatedMeasure | None]) -> tuple[RepeatedMeasure, ...]:
    known = [each for each in measures if each]
    adjusted = jointly_tested([each.difference for each in known])
    return tuple(replace(each, difference=found) for each, found in zip(known, adjusted, strict=True))


def _seeded(side: Sequence[ComparedRun], values: Sequence[float] = ()) -> list[MeasuredRun]:
    """Return the runs of a side with their seeds and values."""
    known = values or [0.0] * len(side)
    return [MeasuredRun(run.name, run.run_file.get("seed"), value) for run, value in zip(side, known, strict=True)]


def _measured(
    measure: Measure, a: Sequence[ComparedRun], b: Sequence[ComparedRun], *, seed: int
) -> RepeatedMeasure | None:
    """Return one measure; None if a run does not reach far enough for it."""
    mine, other = ([value for run in side if (value := measure.of(run)) is not None] for side in (a, b))
    if (len(mine), len(other)) != (len(a), len(b)):
        return None
    found = difference(_seeded(a, mine), _seeded(b, other), seed=seed)
    spread = pooled_spread(mine, other)
    return RepeatedMeasure(measure.what.strip(), tuple(mine), tuple(other), found, spread, measure.digits)


def _left_out(names: Sequence[Sequence[str]], pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield which runs are not compared, because no run of the other side has their seed."""
    paired = {name for pair in pairs for name in pair}
    alone = [name for side in names for name in side if pairs and name not in paired]
    if alone:
        yield f"Left out, because the other side has no run with the same seed: {', '.join(alone)}."


def _warnings(a: Sequence[ComparedRun], b: Sequence[ComparedRun]) -> Iterator[str]:
    """Yield what makes runs of one side differ beside chance."""
    for letter, side in zip("AB", (a, b), strict=True):
        origins = () if set.intersection(*({*run.lineage[1:]} for run in side)) else side
        for what, values in (
            ("numbers of steps", {run.steps for run in side}),
            ("origins", {run.meta.fork_sim_code for run in origins}),
        ):
            if len(values) > 1:
                yield f"The runs of side {letter} have different {what}: {', '.join(map(str, sorted(values)))}."
        seeds = [run.run_file.get("seed") for run in side if run.ledger is None]
        if len(set(seeds)) < len(seeds):
            yield f"Two runs of side {letter} by the rules have the same seed: they are one run."
