"""Figures of studies: well-formed whatever things are called, and true to the values."""

from itertools import pairwise
from math import isclose
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.figure_scale import FigureScale, swarm
from ville.analysis.study_figures import FigureWords, draw_measure, figure_files
from ville.analysis.study_statistics import measures_by_arm
from ville.storage.studies.study_folder import JobManifest, JobResult

SVG = "{http://www.w3.org/2000/svg}"
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=60)
NUMBERS = st.floats(-1e6, 1e6) | st.integers(-30, 30).map(float)
TABLES = st.lists(st.lists(NUMBERS, min_size=1, max_size=6), min_size=1, max_size=5)


def measure(table, what="guests", arms=None, bases=("base",)):
    """A measure with a value for each seed of each arm, the same from each base."""
    arms = arms or [f"arm {place}" for place in range(len(table))]
    jobs = [
        JobManifest(
            run=f"{place}-{seed}{'' if base == bases[0] else base}", simulation="x", base=base, arm=arm, seed=seed,
            origin=base, first_step=0, until_step=1, state="done", result=JobResult(measures={what: value}),
        )
        for base in bases
        for place, (arm, values) in enumerate(zip(arms, table, strict=True))
        for seed, value in enumerate(values)
    ]  # fmt: skip
    (found,) = measures_by_arm([what], arms, jobs)
    return found


def circles(svg, kind):
    root = ET.fromstring(svg)  # noqa: S314 - drawn here
    return root, [each for each in root.iter(f"{SVG}circle") if each.get("class") == kind]


@given(TABLES, st.integers(1, 3))
def test_every_run_is_a_dot_within_the_figure_and_higher_if_its_value_is(table, bases):
    """Each pair is a dot of the lower panel. From whatever base: all have one scale. The same values give the same
    figure.
    """
    found = measure(table, bases=[f"base {number}" for number in range(bases)])
    svg = draw_measure(found, title="Guests")
    assert draw_measure(found, title="Guests") == svg
    root, dots = circles(svg, "dot")
    runs = [run for base in found.bases for arm in base.arms for run in arm.runs]
    assert len(dots) == len(runs)
    _, pairs = circles(svg, "pair")
    assert len(pairs) == sum(len(each.found.pairs) for base in found.bases for each in base.differences)
    width, height = (float(part) for part in root.get("viewBox").split()[2:])
    for dot in (*dots, *pairs):
        assert 0 < float(dot.get("cx")) < width
        assert 0 < float(dot.get("cy")) < height
    by_value = sorted(zip(runs, dots, strict=True), key=lambda both: both[0].value)
    heights = [float(dot.get("cy")) for _, dot in by_value]
    assert heights == sorted(heights, reverse=True)


@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=3), st.integers(2, 4))
def test_the_columns_of_a_base_are_beside_those_of_the_others(table, bases):
    """Lines join only runs of one base; its name stands above its columns."""
    names = [f"base{number}" for number in range(bases)]
    root, dots = circles(draw_measure(measure(table, bases=names)), "dot")
    spans = []
    for part in range(bases):
        places = [float(dot.get("cx")) for dot in dots[part * len(dots) // bases : (part + 1) * len(dots) // bases]]
        spans.append((min(places), max(places)))
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    for line in root.iter(f"{SVG}polyline"):
        xs = [float(point.split(",")[0]) for point in line.get("points").split()]
        assert any(low <= min(xs) and max(xs) <= high for low, high in spans)
    above = {each.text: float(each.get("x")) for each in root.iter(f"{SVG}text") if each.text in names}
    assert list(above) == names
    assert list(above.values()) == sorted(above.values())


@given(NAMES, st.lists(NAMES, min_size=2, max_size=3, unique=True))
def test_names_are_text_whatever_they_are(what, arms):
    """Markup in them stays text; the numbers can be read and searched."""
    svg = draw_measure(measure([[1.0, 2.0]] * len(arms), what, arms), title=what, links={"0-0": '/x/?"<&'})
    root, _ = circles(svg, "dot")
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        "svg", "title", "desc", "rect", "text", "line", "polyline", "circle", "a"
    }  # fmt: skip
    if what.isprintable():
        assert root.find(f"{SVG}title").text == what
    assert [each.get("href") for each in root.iter(f"{SVG}a")] == ['/x/?"<&']
    assert "1.5" in [each.text for each in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("size", [3, 5, 6, 9])
def test_runs_that_are_too_few_to_say_are_drawn_and_told_otherwise(size):
    """Hollow and dashed with these words; otherwise the p that is told is the adjusted one."""
    found = measure([[1.0] * size, [float(seed) for seed in range(2, size + 2)]])
    root, unsure = circles(draw_measure(found), "unsure")
    (told,) = [each.text for each in root.iter(f"{SVG}text") if each.get("class") == "verdict"]
    dashed = [
        each for each in root.iter(f"{SVG}line") if each.get("stroke-dasharray") and each.get("stroke-width") == "1.8"
    ]
    (difference,) = found.bases[0].differences
    few = size < 6
    assert (difference.found.too_few, len(unsure), len(dashed)) == (few, few, few)
    assert told == ("too few to say" if few else f"p = {difference.found.adjusted_p:.3f}")


@given(st.lists(NAMES, unique=True, max_size=8))
def test_each_measure_has_a_file_of_its_own(measures):
    """Within the folder, and with a name that every system can write."""
    files = figure_files(measures)
    assert list(files) == measures
    assert len({file.casefold() for file in files.values()}) == len(measures)
    assert not any(set(file) & set('/\\:*?"<>|') or file.startswith(".") for file in files.values())


@given(st.lists(NUMBERS, min_size=1, max_size=9), st.booleans())
def test_a_scale_shows_all_values_and_a_few_round_ticks(values, whole):
    """Ticks of what is counted are whole; none is negative unless a value is."""
    scale = FigureScale.around(values, 200.0, 10.0, whole=whole)
    assert min(values) < 0 or all(tick > -1e-9 for tick in scale.ticks)
    assert all(10.0 - 1e-6 <= scale.at(value) <= 200.0 + 1e-6 for value in values)
    assert 0 < len(scale.ticks) <= 8
    assert not whole or all(isclose(tick, round(tick), abs_tol=1e-9) for tick in scale.ticks)


@given(st.lists(st.integers(0, 40).map(float), max_size=12))
def test_dots_of_a_swarm_do_not_hide_each_other(heights):
    """Unless there are more of them than the column is wide; none leaves the column."""
    aside = swarm(heights, apart=9.0, width=100.0)
    assert all(abs(each) <= 50.0 + 1e-9 for each in aside)
    for one in range(len(heights)):
        for other in range(one):
            near = abs(heights[one] - heights[other]) < 9.0
            assert not near or abs(aside[one] - aside[other]) > 9.0 - 1e-6


def test_numbers_have_true_minus_signs_and_no_negative_zero():
    """And the decimal sign of the reader's language."""
    words = FigureWords(decimal=",")
    assert words.number(-1.25, 1, signed=True).startswith("−1,")
    assert words.number(-0.01, 1, signed=True) == words.number(0.01, 1, signed=True) == "0,0"
    assert words.number(2, 0, signed=True) == "+2"
