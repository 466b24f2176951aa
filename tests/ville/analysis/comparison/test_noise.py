"""Repeated runs of two sides: what differs, how surely, and what makes the comparison doubtful."""

import json
from dataclasses import dataclass, replace
from itertools import count
from types import SimpleNamespace

import pytest

from ville.analysis.comparison import noise
from ville.analysis.comparison.noise import compare_repeats
from ville.analysis.paper_measures import Measure
from ville.analysis.run_counts import LEVEL
from ville.analysis.run_statistics import MeasuredRun, difference

NUMBERS = count()


@dataclass
class Run:
    """As much of a run as is compared: a measured value, and where it comes from."""

    name: str
    value: float | None
    seed: int | None = None
    steps: int = 100
    lineage: tuple[str, ...] = ()
    ledger: str | None = "ledger"

    @property
    def run_file(self):
        return {} if self.seed is None else {"seed": self.seed}

    @property
    def meta(self):
        return SimpleNamespace(fork_sim_code=self.lineage[1])


def side(values, seeds=None, **more):
    """Return runs that come from one base, with these values and seeds."""
    known = seeds or [None] * len(values)
    names = (f"run {next(NUMBERS)}" for _ in values)
    return [
        Run(name, value, seed, **({"lineage": (name, "base")} | more))
        for name, value, seed in zip(names, values, known, strict=True)
    ]


@pytest.fixture(autouse=True)
def one_measure(monkeypatch):
    """Only the value of a run is measured."""
    monkeypatch.setattr(noise, "MEASURES", (Measure("  guests", lambda run: run.value, digits=2),))


SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)
"""Additional sleep of ten patients by two drugs, and the 95% intervals of R's `t.test`: see test_run_statistics.py."""


@pytest.mark.parametrize(
    ("seeds", "interval", "exceeds"),
    [(range(10), (0.7001142, 2.4598858), True), (None, (-0.2054832, 3.3654832), False)],
)
def test_a_difference_has_students_95_percent_interval(seeds, interval, exceeds):
    """Of pairs with the same seed; of sides without, that of Welch. Beside it is the spread within sides."""
    found = compare_repeats(side(SLEEP[0], seeds), side(SLEEP[1], seeds))
    (guests,) = found.measures
    apart = guests.difference
    assert (guests.what, guests.digits, apart.exceeds_noise) == ("guests", 2, exceeds)
    assert (guests.a, guests.b) == tuple(map(tuple, SLEEP))
    assert (apart.estimate.mean, apart.estimate.low, apart.estimate.high) == pytest.approx((1.58, *interval))
    assert guests.spread == pytest.approx(((3.200556 + 4.009) / 2) ** 0.5)
    assert (len(found.pairs), found.warnings) == (10 if seeds else 0, ())
    assert not found.too_few


@pytest.mark.parametrize(("size", "paired"), [(3, False), (4, False), (5, True), (6, True)])
def test_so_few_runs_that_nothing_could_exceed_the_noise_are_called_too_few(size, paired):
    """With one more, something could: 2 of 70 arrangements of four and four runs, 2 of 64 signs of six pairs."""
    seeds = range(size) if paired else None
    found = compare_repeats(side([0] * size, seeds), side([9] * size, seeds))
    needed = 6 if paired else 4
    assert (found.needed, found.too_few) == (needed, size < needed)
    assert found.smallest_p == pytest.approx({3: 2 / 20, 4: 2 / 70, 5: 2 / 32, 6: 2 / 64}[size])


def test_runs_that_can_reach_the_level_are_not_too_few():
    """It is the highest p that exceeds the noise."""
    found = compare_repeats(side([0] * 4), side([9] * 4))
    for p, can in ((LEVEL, True), (LEVEL + 1e-9, False)):
        assert replace(found, smallest_p=p).too_few is not can


def test_measures_are_tested_together(monkeypatch):
    """The more of them differ, the more runs it takes; what is the same in all runs is no test."""
    numbers = iter(range(99))
    again = [Measure(f"guests {next(numbers)}", lambda run: run.value, digits=2) for _ in range(3)]
    monkeypatch.setattr(noise, "MEASURES", (*again, Measure("steps", lambda run: run.steps)))
    found = compare_repeats(side([0] * 6, range(6)), side([9] * 6, range(6)))
    assert (found.tests, found.smallest_p, found.too_few, found.needed) == (3, 3 * 2 / 2**6, True, 7)
    assert [each.difference.p for each in found.measures] == [2 / 2**6] * 3 + [1]
    assert [each.difference.adjusted_p for each in found.measures] == [3 * 2 / 2**6] * 3 + [1]
    more = compare_repeats(side([0] * 7, range(7)), side([9] * 7, range(7)))
    assert [each.difference.exceeds_noise for each in more.measures] == [True] * 3 + [False]
    assert [row["verdict"] for row in more.table()] == ["more than noise"] * 3 + ["not more than noise"]


def test_all_of_it_is_json():
    """With what follows from it."""
    found = compare_repeats(side([0, 0], [1, 2]), side([9, 8], [1, 2]))
    read = json.loads(json.dumps(found.as_json()))
    assert (read["needed"], read["too_few"], read["smallest_p"]) == (6, True, 0.5)
    assert (read["a"], read["b"], read["pairs"]) == ([*found.a], [*found.b], [[*pair] for pair in found.pairs])
    assert [(each["what"], each["difference"]["mean"]) for each in read["measures"]] == [("guests", 8.5)]


def test_random_arrangements_are_those_of_the_seed():
    """There are too many to try all."""
    mine, other = [7, 1, 8, 2, 8, 1, 8, 2, 8, 4], [5, 9, 0, 9, 5, 9, 9, 6, 9, 9]
    a, b = side(mine), side(other)
    runs = [[MeasuredRun(run.name, None, run.value) for run in each] for each in (a, b)]
    found = {seed: compare_repeats(a, b, seed=seed) for seed in (1, 2, 3)}
    assert {seed: each.measures[0].difference.p for seed, each in found.items()} == {
        seed: difference(*runs, seed=seed).p for seed in found
    }
    assert len({each.measures[0].difference.p for each in found.values()}) > 1
    assert [each.seed for each in found.values()] == [1, 2, 3]


def test_runs_without_a_partner_are_left_out_by_name():
    """Of either side, if others pair; if none do, all count, and none is left out."""
    a, b = side([1, 2, 9], [1, 2, 3]), side([5, 4, 7], [2, 1, 8])
    found = compare_repeats(a, b)
    assert found.pairs == ((a[1].name, b[0].name), (a[0].name, b[1].name))
    assert (found.measures[0].difference.estimate.mean, found.smallest_p) == (3, 2 / 2**2)
    assert found.warnings == (
        f"Left out, because the other side has no run with the same seed: {a[2].name}, {b[2].name}.",
    )
    assert compare_repeats(side([1, 2], [1, 2]), side([5, 4], [3, 4])).warnings == ()
    assert (found.a, found.b) == (tuple(run.name for run in a), tuple(run.name for run in b))


def test_what_one_run_does_not_reach_is_not_compared():
    """On whichever side. Nothing is: no sum is over fewer runs than there are."""
    for values in ([1, None], [None, 1]):
        assert compare_repeats(side(values), side([2, 3])).measures == ()
        assert compare_repeats(side([2, 3]), side(values)).measures == ()
    assert compare_repeats(side([0, 1]), side([0, 3])).measures[0].difference.estimate.mean == 1


def test_single_runs_have_a_difference_and_nothing_else():
    """They do not tell how much runs vary."""
    (guests,) = compare_repeats(side([1]), side([4])).measures
    apart = guests.difference
    assert (apart.estimate.mean, apart.estimate.low, apart.estimate.high, apart.p) == (3, None, None, 1)
    assert (guests.spread, apart.effect, apart.seen_from) == (None, None, None)


STEPS = "The runs of side {} have different numbers of steps: 97, 104."
ORIGINS = "The runs of side {} have different origins: one, other."
SAME = "Two runs of side {} by the rules have the same seed: they are one run."


@pytest.mark.parametrize(
    ("doubtful", "warning"),
    [
        (lambda: [*side([1], steps=97), *side([2], steps=104)], STEPS),
        (lambda: [*side([1], lineage=("x", "other")), *side([2], lineage=("y", "one"))], ORIGINS),
        (lambda: side([1, 2], [7, 7], ledger=None), SAME),
        (lambda: [*side([1], lineage=("x", "a", "base")), *side([2], lineage=("y", "base"))], ""),
        (lambda: side([1, 2], [7, 7]), ""),
        (lambda: [*side([1], [7], ledger=None), *side([2], [7])], ""),
        (lambda: side([1, 2], [7, 8], ledger=None), ""),
    ],
)
def test_what_makes_runs_of_a_side_differ_beside_chance_is_said(doubtful, warning):
    """Other lengths or origins, unless they have an ancestor in common; or nothing can: they are the same run."""
    for letter, sides in {"A": (doubtful(), side([3, 4])), "B": (side([3, 4]), doubtful())}.items():
        assert compare_repeats(*sides).warnings == ((warning.format(letter),) if warning else ())
