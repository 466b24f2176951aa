"""An effect under a perturbation is judged by its interval, and by the effect as it is."""

import pytest

from ville.analysis.forest_figure import draw_forest
from ville.analysis.perturbed_effects import RunPerturbation, is_shown, perturbed_effects
from ville.analysis.run_statistics import MeasuredRun


def runs(*values):
    return [MeasuredRun(f"run-{seed}", seed, value) for seed, value in enumerate(values)]


ORIGINAL = (runs(0, 1, 2, 3), runs(4, 6, 6, 8))  # +4, +5, +4, +5
CASES = {
    "survives": (runs(0, 0, 0, 0), runs(2, 3, 2, 3)),
    "reversed": (runs(5, 5, 6, 6), runs(1, 2, 2, 2)),
    "lost": (runs(0, 1, 2, 3), runs(0, 2, 1, 3)),
    "too few to say": (runs(0, 0, 0, 0), runs(9, -3, 8, 0)),
}


def test_the_interval_decides():
    """Zero left out on the same side, on the other one; zero held, with and without the effect as it was."""
    named = [RunPerturbation(name, name, name, sides) for name, sides in CASES.items()]
    plain, effects = perturbed_effects(ORIGINAL, named)
    assert plain.estimate.mean == 4.5
    assert [each.verdict for each in effects] == list(CASES)
    assert {each.found.tests for each in effects} == {4}
    assert all(each.found.adjusted_p >= each.found.p for each in effects)


def test_pairs_that_all_differ_alike_count_by_what_they_show():
    """They have no interval and are drawn as a dot alone."""
    alike = {"survives": runs(2, 3, 4, 5), "reversed": runs(-1, 0, 1, 2), "lost": runs(0, 1, 2, 3)}
    named = [RunPerturbation(name, name, name, (runs(0, 1, 2, 3), told)) for name, told in alike.items()]
    plain, effects = perturbed_effects((runs(0, 1, 2, 3), runs(1, 2, 3, 4)), named)
    assert (plain.estimate.mean, plain.estimate.low, plain.same) == (1, None, "all 4 pairs show the same")
    assert is_shown(plain)
    assert [each.verdict for each in effects] == list(alike)
    assert "[" not in draw_forest("Effect", plain, effects, digits=1)


def test_what_changes_nothing_is_not_tested():
    """Neither what was not run, nor what gave the same runs, makes others more doubtful."""
    same = RunPerturbation("same", "same", "", ORIGINAL, changed=False)
    idle = RunPerturbation("idle", "idle", "", left_out="the rules answer")
    undone = RunPerturbation("undone", "undone", "", (runs(1), ()))
    _, (unchanged, left_out, not_done, kept) = perturbed_effects(
        ORIGINAL, [same, idle, undone, RunPerturbation("kept", "kept", "", CASES["survives"])]
    )
    found = [each.verdict for each in (unchanged, left_out, not_done, kept)]
    assert found == ["changed nothing", "without effect here", "not done", "survives"]
    assert kept.found.tests == 1


@pytest.mark.parametrize(
    ("case", "verdict"),
    [("survives", "shows the effect"), ("lost", "vanishes"), ("too few to say", "too few to say")],
)
def test_of_a_placebo_the_effect_is_not_expected(case, verdict):
    placebo = RunPerturbation("placebo", "placebo", "", CASES[case], expects_nothing=True)
    _, (found,) = perturbed_effects(ORIGINAL, [placebo])
    assert (found.verdict, found.is_placebo) == (verdict, True)


def test_single_seeds_never_say():
    _, (found,) = perturbed_effects((runs(0), runs(1)), [RunPerturbation("one", "one", "", (runs(0), runs(0)))])
    assert found.verdict == "too few to say"


def test_the_figure_has_a_line_for_each_and_names_its_verdict():
    """Texts that are no XML are escaped; what is too few to say is dashed."""
    named = [RunPerturbation(name, f"{name} <&>", name, sides) for name, sides in CASES.items()]
    plain, effects = perturbed_effects(ORIGINAL, named)
    drawn = draw_forest("know: a − b", plain, effects, digits=1)
    assert drawn.count("<circle") == len(CASES) + 1
    assert all(f">{name}</text>" in drawn and f"{name} &lt;&amp;&gt;" in drawn for name in CASES)
    assert drawn.count("stroke-dasharray") == 2  # the zero line and one interval
