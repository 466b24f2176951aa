"""How many 95% intervals hold the mean of what was drawn, and how many tests find a difference that is there or not.

`python benchmarks/interval_coverage.py` draws samples of few runs from distributions whose means are known, and prints
two tables. In the first are the shares of intervals that hold the mean: those that the project prints (Student's of a
mean, and of pairs; Welch's of two sides, of which one varies three times as much; those of an effect size of 1, of
sides and of pairs; Wilson's of a share), and beside Student's two bootstraps. 95% would be right. In the second are the
shares of studies that find a difference: of one measure that does not differ, of any of six that do not (Holm), and of
one that differs as much as the project says that so many runs can see. At most 5%, at most 5%, and 80% would be right.
docs/decisions/0010-intervals-by-t.md says what follows from it.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
from scipy.stats import bootstrap  # type: ignore[import-untyped]

from ville.analysis.effect_sizes import effect_interval
from ville.analysis.run_counts import LEVEL, POWER, seen_from
from ville.analysis.run_statistics import MeasuredRun, RunDifference, difference, estimated_mean, jointly_tested
from ville.analysis.why.verdict import Rate

MEAN = 5.0
"""Of all distributions."""
RESAMPLES, BATCH = 999, 50
EFFECT = 1.0
"""True difference, in standard deviations."""
MEASURES = 6
"""Of a study whose measures do not differ."""
DRAWN = {
    "normal": lambda lots, size: lots.normal(MEAN, 2, size),
    "counts (Poisson)": lambda lots, size: lots.poisson(MEAN, size).astype(float),
    "skewed (exponential)": lambda lots, size: lots.exponential(MEAN, size),
    "pairs of skewed": lambda lots, size: MEAN + lots.exponential(MEAN, size) - lots.exponential(MEAN, size),
}
SHARES = (0.1, 0.3, 0.5)
"""Of runs in which something comes."""
Intervals = Iterable[tuple[float, float]]
Side = Callable[[np.ndarray], list[MeasuredRun]]


def students(samples: np.ndarray) -> Intervals:
    """Yield the intervals of the project."""
    for sample in samples:
        found = estimated_mean(sample.tolist())
        yield (found.mean, found.mean) if found.low is None or found.high is None else (found.low, found.high)


def drawn(samples: np.ndarray, method: str) -> Intervals:
    """Return bootstrap intervals. BCa has none of a constant sample, which then holds nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = bootstrap(
            (samples,),
            np.mean,
            axis=1,
            n_resamples=RESAMPLES,
            batch=BATCH,
            confidence_level=1 - LEVEL,
            method=method,
            rng=0,
        ).confidence_interval  # fmt: skip
    return zip(found.low, found.high, strict=True)


def share(intervals: Intervals) -> float:
    """Return the share of intervals that hold the mean."""
    held = [low <= MEAN <= high for low, high in intervals]
    return sum(held) / len(held)


def rows(sizes: Sequence[int], samples: int) -> Iterator[str]:
    """Yield the table."""
    yield f"{'':<22}{'runs':>6}{'Student':>10}{'percentile':>12}{'BCa':>8}"
    for name, draw in DRAWN.items():
        for size in sizes:
            found = draw(np.random.default_rng(size), (samples, size))
            shares = [share(students(found)), *(share(drawn(found, method)) for method in ("percentile", "BCa"))]
            yield f"{name:<22}{size:>6}{shares[0]:>10.0%}{shares[1]:>12.0%}{shares[2]:>8.0%}"


def other_rows(sizes: Sequence[int], samples: int, studies: int) -> Iterator[str]:
    """Yield the coverage of the intervals that are not of a mean. Tests of two sides, which come with one, are slow."""
    for size in sizes:
        lots = np.random.default_rng(size)
        sides = zip(lots.normal(MEAN, 1, (studies, size)), lots.normal(2 * MEAN, 3, (studies, size)), strict=True)
        apart = (difference(*map(unpaired, both)).estimate for both in sides)
        yield f"{'two sides (Welch)':<22}{size:>6}{share((each.low, each.high) for each in apart):>10.0%}"
    for name, is_paired in (("g of two sides", False), ("g of pairs", True)):
        for size in sizes:
            lots = np.random.default_rng(size)
            both = zip(lots.normal(0, 1, (studies, size)), lots.normal(EFFECT, 1, (studies, size)), strict=True)
            found = (effect_interval(one.tolist(), other.tolist(), paired=is_paired) for one, other in both)
            held = [low <= EFFECT <= high for low, high in filter(None, found)]
            yield f"{name:<22}{size:>6}{sum(held) / len(held):>10.0%}"
    for true in SHARES:
        for size in sizes:
            came = np.random.default_rng(size).binomial(size, true, samples)
            held = [low <= true <= high for low, high in (Rate(int(each), size).interval for each in came)]
            yield f"{f'{true:.0%} of runs (Wilson)':<22}{size:>6}{sum(held) / samples:>10.0%}"


def unpaired(values: np.ndarray) -> list[MeasuredRun]:
    return [MeasuredRun(str(place), None, float(value)) for place, value in enumerate(values)]


def paired(values: np.ndarray) -> list[MeasuredRun]:
    return [MeasuredRun(str(place), place, float(value)) for place, value in enumerate(values)]


def drawn_study(lots: np.random.Generator, side: Side, size: int, by: float = 0.0) -> RunDifference:
    """Return the difference of two sides of normal numbers that is planted."""
    first, second = lots.normal(MEAN, 1, (2, size))
    return difference(side(first), side(second + by))


def found_rows(sizes: Sequence[int], studies: int) -> Iterator[str]:
    """Yield how many studies find a difference."""
    yield f"{'':<22}{'runs':>6}{'none':>10}{'none of 6':>12}{'planted':>10}{'as said':>10}"
    for name, side, spread in (("pairs", paired, 2**0.5), ("two sides", unpaired, 1.0)):
        for size in sizes:
            draw = partial(drawn_study, np.random.default_rng(size), side, size)
            seen = seen_from(spread, size, size, paired=side is paired)
            none = sum(draw().exceeds_noise for _ in range(studies))
            several = ([draw() for _ in range(MEASURES)] for _ in range(studies))
            of_six = sum(any(each.exceeds_noise for each in jointly_tested(study)) for study in several)
            planted = sum(draw(seen or 0.0).exceeds_noise for _ in range(studies))
            said = f"{POWER:.0%}" if seen else "too few"
            shares = none / studies, of_six / studies, planted / studies
            yield f"{name:<22}{size:>6}{shares[0]:>10.0%}{shares[1]:>12.0%}{shares[2]:>10.0%}{said:>10}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000, metavar="N", help="how many of each kind")
    parser.add_argument("--studies", type=int, default=400, metavar="N", help="how many of each kind")
    parser.add_argument(
        "--runs", type=int, nargs="+", default=[3, 5, 10, 30], metavar="N", help="how many runs a sample has"
    )
    choice = parser.parse_args(arguments)
    for line in (*rows(choice.runs, choice.samples), *other_rows(choice.runs, choice.samples, choice.studies)):
        print(line)
    print()
    print(*found_rows(choice.runs, choice.studies), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
