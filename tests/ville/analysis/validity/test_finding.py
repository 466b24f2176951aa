"""Findings have the colour of their figure, texts for every colour, and intervals that are published ones."""

import pytest

from ville.analysis.run_statistics import IntervalEstimate
from ville.analysis.validity.finding import checks, estimated, finding, not_said, share_of
from ville.analysis.validity.report import figure_text, sorted_findings


@pytest.mark.parametrize("key", checks())
def test_every_check_has_thresholds_texts_and_a_source(key):
    """Red is on the other side of green, and each colour has words of its own."""
    check = checks()[key]
    sign = 1 if check["better"] == "higher" else -1
    assert sign * check["green"] >= sign * check["red"]
    assert [check["source"] != "", check["do"][-1], check["title"][-1]] == [True, ".", "?"]
    assert set(check["means"]) in ({"green", "amber", "red"}, set())
    assert len(set(check["means"].values())) == len(check["means"])


@pytest.mark.parametrize(
    ("figure", "colour"), [(0.031, "green"), (0.03, "green"), (0.0299, "amber"), (0.01, "amber"), (0.0099, "red")]
)
def test_the_colour_is_that_of_the_figure(figure, colour):
    """On both sides of both thresholds, which belong to the better colour."""
    assert finding("disagreement", IntervalEstimate(5, figure), "5 people").colour == colour


def test_an_interval_that_reaches_into_another_colour_is_said_to():
    certain = finding("disagreement", IntervalEstimate(5, 0.2, 0.1, 0.3), "5 people")
    doubtful = finding("disagreement", IntervalEstimate(5, 0.2, 0.02, 0.4), "5 people")
    assert [(each.colour, each.doubt) for each in (certain, doubtful)] == [
        ("green", ""),
        ("amber", "The interval reaches into green."),
    ]
    assert figure_text(doubtful).startswith("20.0% [2.0%, 40.0%] over 5 people (green from 3%, red below 1%")


def test_from_red_to_green_nothing_is_said():
    """Beside red it is amber; the page and the report say what it reaches into."""
    spans = finding("burstiness", IntervalEstimate(3, -0.006, -0.9, 0.9), "3 runs")
    assert (spans.colour, spans.says, spans.is_certain) == ("unknown", "Too little to say.", False)
    assert spans.as_json()["doubt"] == "The interval reaches from red to green."
    beside = finding("disagreement", IntervalEstimate(5, 0.005, 0.001, 0.02), "5 people")
    assert (beside.colour, beside.doubt) == ("amber", "The interval reaches into red.")


def test_runs_that_are_all_the_same_have_no_interval_and_are_not_certain():
    found = finding("disagreement", *estimated([(run, "Ada", 0.0) for run in "abc"]))
    assert (found.colour, found.low, found.doubt) == ("red", None, "All 3 runs show the same: no interval.")
    assert figure_text(found).startswith("0.0% over 3 runs (")


def test_a_report_goes_from_red_to_green():
    found = [finding("disagreement", IntervalEstimate(5, each), "5 people") for each in (0.2, 0.02, 0.0)]
    colours = [each.colour for each in sorted_findings([not_said("awareness", "No."), *found])]
    assert colours == ["red", "amber", "unknown", "green"]


def test_the_unit_is_the_run_if_there_are_three_and_the_person_otherwise():
    """A person of two runs counts once. Student: 1, 2, 3 has 2 ± 4.303 · 1 / √3."""
    two = [("a", "Ada", 1.0), ("b", "Ada", 3.0), ("a", "Ben", 4.0)]
    assert estimated(two)[0].mean == pytest.approx(3.0)
    assert estimated(two)[1] == "2 people"
    found, over = estimated([*two[:2], ("c", "Ada", 2.0), ("c", "Ben", 2.0)])
    assert (found.mean, over) == (pytest.approx(2.0), "3 runs")
    assert found.high == pytest.approx(2 + 4.3027 / 3**0.5, abs=1e-3)


def test_shares_have_the_interval_of_wilson():
    """None of ten: from 0 to z² / (n + z²); 6 of 453, as in the paper: 1.3 %."""
    none, paper = share_of(0, 10), share_of(6, 453)
    assert (none.low, none.high) == (pytest.approx(0.0), pytest.approx(3.8415 / 13.8415, abs=1e-4))
    assert (paper.mean, paper.low, paper.high) == pytest.approx((0.01325, 0.0061, 0.0286), abs=2e-4)
