"""Means, intervals and differences of the measures of a study."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.statistics_table import differences_table, interval_words
from ville.analysis.study_statistics import measures_by_arm
from ville.storage.studies.study_folder import JobManifest, JobResult

VALUES = st.lists(st.integers(-20, 20), min_size=2, max_size=6)
ARMS = ("plain", "told")
WHAT = "guests"


def job(arm, seed, value, *, base="base", state="done"):
    result = JobResult(measures={WHAT: value})
    return JobManifest(
        run=f"{arm}-s{seed}-{base}", simulation=f"x-{arm}-s{seed}", base=base, arm=arm, seed=seed, origin=base,
        first_step=0, until_step=9, state=state, result=result,
    )  # fmt: skip


def measured(*jobs):
    """The measure of the only base."""
    (found,) = measures_by_arm([WHAT], ARMS, jobs)
    (base,) = found.bases
    return base


@given(VALUES, st.integers(-9, 9))
def test_what_all_pairs_have_in_common_is_seen_through_any_noise_between_seeds(values, more):
    """If an arm adds the same to each seed, the difference is that in all pairs; in whatever order the runs are."""
    plain = [job("plain", seed, value) for seed, value in enumerate(values)]
    told = [job("told", seed, value + more) for seed, value in enumerate(values)]
    (difference,) = measured(*plain, *reversed(told)).differences
    estimate = difference.found.estimate
    assert (estimate.mean, estimate.low, estimate.all_same) == (more, None, True)
    assert estimate.count == len(values)


def test_what_all_pairs_show_stands_in_place_of_an_interval():
    """In tables the cells are empty; in words it is said. A single pair says nothing."""
    jobs = [job(arm, seed, seed + (arm == "told")) for arm in ARMS for seed in (1, 2, 3)]
    (row,) = differences_table(measures_by_arm([WHAT], ARMS, jobs))
    assert (row["difference"], row["low"], row["high"]) == (1, None, None)
    assert interval_words(row) == " (all 3 pairs show the same)"
    (single,) = differences_table(measures_by_arm([WHAT], ARMS, [jobs[0], jobs[3]]))
    assert interval_words(single) == ""


def test_pairs_have_the_same_seed():
    """Runs of only one arm count in its own mean, and in no difference."""
    found = measured(job("plain", 1, 10), job("plain", 2, 20), job("told", 1, 13), job("told", 3, 50))
    (difference,) = found.differences
    assert [pair.value for pair in difference.found.pairs] == [3]
    assert found.arms[1].estimate.mean == (13 + 50) / 2


@given(VALUES, VALUES)
def test_what_begins_from_one_base_does_not_change_what_is_said_of_another(here, there):
    """No mean is over different bases, and no pair; but all differences of a study are tested together."""
    own = [job(arm, seed, value + (arm == "told")) for arm in ARMS for seed, value in enumerate(here)]
    others = [job(arm, seed, value + (arm == "told"), base="other") for arm in ARMS for seed, value in enumerate(there)]
    (found,) = measures_by_arm([WHAT], ARMS, [*own, *others])
    for base, alone in zip(found.bases, (measured(*own), measured(*others)), strict=True):
        assert base.arms == alone.arms
        ((among,), (difference,)) = (each.differences for each in (base, alone))
        assert replace(among.found, tests=1, adjusted_p=difference.found.adjusted_p) == difference.found
        assert (among.found.tests, difference.found.tests) == (2, 1)


def test_without_shared_seeds_the_means_are_compared():
    """And nothing is said to be paired."""
    (difference,) = measured(job("plain", 1, 1), job("plain", 2, 3), job("told", 3, 8), job("told", 4, 10)).differences
    assert (difference.found.pairs, difference.found.estimate.mean) == ((), 7)
    assert difference.found.estimate.low < 7 < difference.found.estimate.high


def test_only_runs_that_are_done_and_measured_count():
    """A single one has a mean but no interval; an arm without any has neither, and no difference."""
    found = measured(
        job("plain", 1, 4), job("plain", 2, None), job("plain", 3, 9, state="failed"), job("told", 1, None),
        job("plain", 4, 9).model_copy(update={"result": None}),
    )  # fmt: skip
    plain, told = found.arms
    assert (plain.planned, plain.estimate.count, plain.estimate.mean, plain.estimate.low) == (4, 1, 4, None)
    assert (told.runs, told.estimate, found.differences) == ((), None, ())
    assert measures_by_arm([WHAT, "other"], ARMS, [job("plain", 1, None)]) == ()


@pytest.mark.parametrize(
    ("values", "digits", "whole"),
    [
        ((0, 0), 1, True),
        ((3, 12345), 1, True),
        ((0.5, 0), 3, False),
        ((0.999, -0.1), 3, False),
        ((1.5, 1), 2, False),
        ((9.99, -99.9), 1, False),
        ((-100.5, 1), 0, False),
        ((123456.7, 1), 0, False),
        ((0.00012, 0), 6, False),
        ((1e-9, 0), 6, False),
    ],
)
def test_means_have_three_significant_digits(values, digits, whole):
    """Of the largest value, whatever its sign, and at most six decimals; means of counts have one."""
    jobs = [job(arm, 1, value) for arm, value in zip(ARMS, values, strict=True)]
    (found,) = measures_by_arm([WHAT], ARMS, jobs)
    assert (found.digits, found.whole) == (digits, whole)


def test_measures_and_bases_are_in_the_order_given():
    """Runs that are of no arm, because several begin with them, are in none."""
    jobs = [job("", 1, 7, base="c"), job("plain", 1, 1, base="b"), job("told", 1, 2, base="a")]
    (found,) = measures_by_arm(["other", WHAT], ARMS, jobs)
    assert (found.measure, [base.base for base in found.bases]) == (WHAT, ["b", "a"])
    assert [[arm.planned for arm in base.arms] for base in found.bases] == [[1, 0], [0, 1]]
    assert [[arm.arm for arm in base.arms] for base in found.bases] == [list(ARMS)] * 2
