"""Whether an effect survives perturbations: its difference under each of them, and what can be said of it.

The intervals are Student's over pairs of seeds, as in studies (docs/decisions/0010-intervals-by-t.md). All
perturbations that are run are tested together (Holm 1979).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ville.analysis.run_statistics import IntervalEstimate, MeasuredRun, RunDifference, difference, jointly_tested

SURVIVES, TOO_FEW, LOST, REVERSED = "survives", "too few to say", "lost", "reversed"
UNCHANGED, LEFT_OUT, UNDONE = "changed nothing", "without effect here", "not done"
VANISHES, SHOWS = "vanishes", "shows the effect"
Sides = tuple[Sequence[MeasuredRun], Sequence[MeasuredRun]]
"""Runs of the arm that is compared with, and of the other one."""


@dataclass(frozen=True)
class PerturbedEffect:
    """The effect under one perturbation."""

    name: str
    says: str
    needs: str
    verdict: str
    found: RunDifference | None = None
    """None: it was not run, or no pair of runs is done."""
    why: str = ""
    """Why it was left out, or what else has to be said."""
    is_placebo: bool = False


@dataclass(frozen=True)
class RunPerturbation:
    """A perturbation with its runs."""

    name: str
    says: str
    needs: str
    sides: Sides = ((), ())
    left_out: str = ""
    """Why it was not run."""
    note: str = ""
    changed: bool = True
    """Whether at least one run is another one than without it."""
    expects_nothing: bool = False


def perturbed_effects(
    original: Sides, perturbed: Sequence[RunPerturbation]
) -> tuple[RunDifference | None, list[PerturbedEffect]]:
    """Return the effect as it is, and under each perturbation, in their order."""
    plain = _difference(original)
    run = [each for each in perturbed if not each.left_out and each.changed and all(each.sides)]
    tested = dict(
        zip((each.name for each in run), jointly_tested([difference(*each.sides) for each in run]), strict=True)
    )
    return plain, [_effect(each, plain, tested.get(each.name)) for each in perturbed]


def _difference(sides: Sides) -> RunDifference | None:
    return difference(*sides) if all(sides) else None


def _effect(each: RunPerturbation, plain: RunDifference | None, found: RunDifference | None) -> PerturbedEffect:
    if each.left_out:
        verdict = LEFT_OUT
    elif not all(each.sides) or plain is None:
        verdict = UNDONE
    elif found is None:
        verdict, found = UNCHANGED, _difference(each.sides)
    else:
        verdict = effect_verdict(plain.estimate, found.estimate)
        if each.expects_nothing:
            verdict = {SURVIVES: SHOWS, LOST: VANISHES, REVERSED: VANISHES}.get(verdict, TOO_FEW)
    why = each.left_out or each.note
    return PerturbedEffect(each.name, each.says, each.needs, verdict, found, why, each.expects_nothing)


def effect_verdict(plain: IntervalEstimate, found: IntervalEstimate) -> str:
    """Return what becomes of an effect.

    It survives if the interval leaves out zero on the same side. If it holds zero, the effect is lost, unless it also
    holds the effect as it was: then there are too few runs to say. Single runs never say. Pairs that all show the same
    have no interval, and count by what they show.
    """
    ends = _ends(found)
    if ends is None:
        return TOO_FEW
    low, high = ends
    if low > 0 or high < 0:
        return SURVIVES if (found.mean > 0) is (plain.mean > 0) else REVERSED
    return TOO_FEW if low <= plain.mean <= high else LOST


def is_shown(found: RunDifference | None) -> bool:
    """Return whether there is an effect: its interval leaves out zero, or all pairs show the same difference."""
    ends = _ends(found.estimate) if found else None
    return ends is not None and (ends[0] > 0 or ends[1] < 0)


def _ends(found: IntervalEstimate) -> tuple[float, float] | None:
    """Return what an effect lies between; None: a single run does not tell."""
    if found.all_same:
        return found.mean, found.mean
    return None if found.low is None or found.high is None else (found.low, found.high)
