"""How many 95% intervals hold the mean of what was drawn: Student's, which the project uses, and two bootstraps.

`python benchmarks/interval_coverage.py` draws samples of few runs from distributions whose means are known, and prints
a table: what is drawn, how many runs, and the share of intervals that hold the mean. 95% would be right.
docs/decisions/0010-intervals-by-t.md says what follows from it.
"""

import argparse
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy.stats import bootstrap  # type: ignore[import-untyped]

from ville.analysis.run_statistics import LEVEL, estimated_mean

MEAN = 5.0
"""Of all distributions."""
RESAMPLES = 999
DRAWN = {
    "normal": lambda lots, size: lots.normal(MEAN, 2, size),
    "counts (Poisson)": lambda lots, size: lots.poisson(MEAN, size).astype(float),
    "skewed (exponential)": lambda lots, size: lots.exponential(MEAN, size),
    "pairs of skewed": lambda lots, size: MEAN + lots.exponential(MEAN, size) - lots.exponential(MEAN, size),
}
Intervals = Iterable[tuple[float, float]]


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
            (samples,), np.mean, axis=1, n_resamples=RESAMPLES, confidence_level=1 - LEVEL, method=method, rng=0
        ).confidence_interval
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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000, metavar="N", help="how many of each kind")
    parser.add_argument(
        "--runs", type=int, nargs="+", default=[3, 5, 10], metavar="N", help="how many runs a sample has"
    )
    choice = parser.parse_args(arguments)
    for line in rows(choice.runs, choice.samples):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
