"""Whether the difference between repeated runs exceeds the noise within each side. The unit is the run."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from statistics import fmean, stdev
from typing import Any

from numpy import array, sort
from numpy.random import RandomState

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.notebook import repeats_table
from ville.analysis.paper_measures import MEASURES

DRAWS = 10_000
"""Random draws of the bootstrap, and of the permutation test if there are more arrangements than that."""
LEVEL = 0.05
KEPT = 4096
"""Intervals that are kept in memory, for pages that ask again."""


@dataclass(frozen=True)
class RepeatedMeasure:
    """One measure over all runs of two sides."""

    what: str
    a: tuple[float, ...]
    b: tuple[float, ...]
    difference: float
    """Mean of B minus mean of A."""
    spread: float | None
    """Standard deviation within sides, pooled; None if there is a single run on each side."""
    low: float
    """95% interval of the difference: bootstrap, seeded."""
    high: float
    p: float
    """Share of all arrangements of the runs whose means differ at least as much (permutation test)."""
    digits: int

    @property
    def exceeds_noise(self) -> bool:
        return self.p <= LEVEL


@dataclass(frozen=True)
class RepeatComparison:
    """N runs on each side."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    seed: int
    """Of the random draws."""
    measures: tuple[RepeatedMeasure, ...]
    smallest_p: float
    """The smallest p that so many runs can give."""
    warnings: tuple[str, ...] = ()

    @property
    def too_few(self) -> bool:
        """Whether no difference could exceed the noise with so few runs."""
        return self.smallest_p > LEVEL

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {**asdict(self), "too_few": self.too_few}

    def _repr_html_(self) -> str:
        return repeats_table(self)


def compare_repeats(a: Sequence[ComparedRun], b: Sequence[ComparedRun], *, seed: int = 0) -> RepeatComparison:
    """Return the difference of means of each measure beside the spread within sides."""
    found = []
    for measure in MEASURES:
        sides = ([measure.of(run) for run in side] for side in (a, b))
        mine, other = ([value for value in side if value is not None] for side in sides)
        if len(mine) == len(a) and len(other) == len(b):
            found.append(_measured(measure.what.strip(), mine, other, seed=seed, digits=measure.digits))
    names = [tuple(run.name for run in side) for side in (a, b)]
    smallest = 1 / comb(len(a) + len(b), len(a)) * (1 + (len(a) == len(b)))
    return RepeatComparison(names[0], names[1], seed, tuple(found), smallest, tuple(_warnings(a, b)))


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


def _measured(what: str, a: Sequence[float], b: Sequence[float], *, seed: int, digits: int) -> RepeatedMeasure:
    low, high = interval(a, b, seed=seed)
    p, difference = permutation_p(a, b, seed=seed), fmean(b) - fmean(a)
    return RepeatedMeasure(what, tuple(a), tuple(b), difference, pooled_spread(a, b), low, high, p, digits)


def pooled_spread(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the standard deviation within two samples, pooled; None without any repetition."""
    freedom = len(a) + len(b) - 2
    if freedom < 1:
        return None
    squares = sum(stdev(side) ** 2 * (len(side) - 1) for side in (a, b) if len(side) > 1)
    return float((squares / freedom) ** 0.5)


def interval(a: Sequence[float], b: Sequence[float], *, seed: int) -> tuple[float, float]:
    """Return the 95% percentile interval of the difference of means: both samples drawn anew, with replacement."""
    lots = Random(f"interval {seed}")  # noqa: S311 - statistics
    drawn = sorted(fmean(lots.choices(b, k=len(b))) - fmean(lots.choices(a, k=len(a))) for _ in range(DRAWS))
    return drawn[int(DRAWS * LEVEL / 2)], drawn[int(DRAWS * (1 - LEVEL / 2)) - 1]


@lru_cache(maxsize=KEPT)
def mean_interval(values: tuple[float, ...], *, seed: int = 0) -> tuple[float, float]:
    """Return the 95% percentile interval of a mean: the sample drawn anew, with replacement."""
    lots = RandomState(seed)
    chosen = lots.randint(0, len(values), size=(DRAWS, len(values)))
    drawn = sort(array(values)[chosen].mean(axis=1))
    return float(drawn[int(DRAWS * LEVEL / 2)]), float(drawn[int(DRAWS * (1 - LEVEL / 2)) - 1])


def permutation_p(a: Sequence[float], b: Sequence[float], *, seed: int) -> float:
    """Return the share of arrangements whose means differ at least as much; of all, or of as many as are drawn."""
    values, size = [*a, *b], len(a)
    observed = abs(fmean(b) - fmean(a)) - 1e-12
    total, count = sum(values), 0
    exact = comb(len(values), size) <= DRAWS
    arrangements = combinations(values, size) if exact else _drawn(values, size, seed)
    number = 0
    for number, chosen in enumerate(arrangements, 1):  # noqa: B007 - counted
        mine = sum(chosen)
        count += abs((total - mine) / (len(values) - size) - mine / size) >= observed
    return count / number if exact else (count + 1) / (number + 1)


def _drawn(values: Sequence[float], size: int, seed: int) -> Iterator[list[float]]:
    lots = Random(f"permutation {seed}")  # noqa: S311 - statistics
    for _ in range(DRAWS):
        yield lots.sample(values, size)
