"""The results of a study in its report: figures, the table of statistics, and what the runs cost."""

from collections.abc import Iterator, Sequence

from ville.analysis.group_measures import INTERFERENCE
from ville.analysis.run_counts import LEVEL
from ville.analysis.run_statistics import IntervalEstimate, RunDifference
from ville.analysis.statistics_table import verdict
from ville.analysis.study_figures import FigureWords, draw_measure
from ville.analysis.study_statistics import ArmDifference, ArmValues, BaseValues, MeasureByArm
from ville.plain_text import quantity
from ville.sharing.report.markup import Html, element, items, joined, section, table
from ville.sharing.report.study_facts import StudyFacts
from ville.storage.studies.study_folder import JobManifest

WORDS = FigureWords()
MOST_FOUND = 8
"""Differences that the report tells at its beginning."""
HEADING = ("Arm", "Verdict", "Runs", "Mean", "Difference", "g", "p", "p (Holm)")
COSTS = ("Arm", "Runs done", "Calls", "Tokens", "US dollars", "Seconds of work")
NOTES = (
    "Mean: over the runs of an arm. Difference: to the first arm, seed by seed where seeds pair. Brackets: 95% "
    "intervals, of Student, or of Welch where seeds do not pair. g: the difference in standard deviations of runs "
    "(Hedges). p: permutation test, and adjusted by Holm for what is tested together."
)


def findings(found: StudyFacts) -> Html:
    """Return what was found, in a line for each difference, the primary ones first."""
    lines = [
        joined([element("strong", measure.measure), f": {_found(measure, base, each)}"])
        for measure in found.measures
        for base in measure.bases
        for each in base.differences
    ]
    more = [f"… and {len(lines) - MOST_FOUND:,} more, below"] if len(lines) > MOST_FOUND else []
    return items([*lines[:MOST_FOUND], *more])


def _found(measure: MeasureByArm, base: BaseValues, of: ArmDifference) -> str:
    place = f" ({base.base})" if len(measure.bases) > 1 else ""
    plan = f" ({of.found.plan})" if of.found.plan else ""
    number = _estimate(of.found.estimate, measure.digits, of.found.same, signed=True)
    return f"{of.arm} − {base.arms[0].arm}{place} = {number}, {verdict(of.found)}{plan}"


def results_section(found: StudyFacts) -> Html:
    """Return all figures and their table."""
    if not found.measures:
        return section("results", "Results", element("p", "No run is done yet, so nothing was measured."))
    drawn = (
        element(
            "figure",
            element("figcaption", element("strong", each.measure), _plan_of(each)),
            element("div", Html(draw_measure(each)), class_="drawing"),
            class_="measure wide" if len(each.bases) * len(each.bases[0].arms) > 4 else "measure",  # noqa: PLR2004
        )
        for each in found.measures
    )
    return section(
        "results",
        "Results",
        _caution(found.differences),
        element("p", INTERFERENCE) if any(job.groups for job in found.runs) else Html(),
        element("div", *drawn, class_="figures"),
        element("p", WORDS.note, class_="soft"),
        element("h3", "Statistics"),
        table(HEADING, *_groups(found), words=2),
        element("p", NOTES, class_="soft"),
    )


def _plan_of(measure: MeasureByArm) -> Html:
    parts = {each.found.plan for base in measure.bases for each in base.differences}
    part = next((part for part in ("primary", "registered", "exploratory") if part in parts), "")
    return element("small", part) if part else Html()


def _caution(found: Sequence[RunDifference]) -> Html:
    """Return a warning if runs are too few to find anything."""
    few = [each for each in found if each.too_few]
    if not few:
        return Html()
    some = "No difference" if len(few) == len(found) else f"{len(few)} of {len(found)} differences"
    can = "can" if len(few) == len(found) else "cannot"
    needed = max(each.needed for each in few)
    smallest = min(each.smallest_p for each in few)
    least = f"{smallest:.2g}{' or more' if smallest < 1 else ''}"
    told = (
        f"{some} {can} be told from noise: with so few runs the adjusted p is {least}, whatever they show, "
        f"and not {LEVEL:g}. That is neither a difference nor none. Take {needed} seeds or more."
    )
    return element("p", element("strong", "Too few to say. "), told, class_="report-caution")


def _groups(found: StudyFacts) -> Iterator[tuple[object, Sequence[Sequence[object]]]]:
    for measure in found.measures:
        for base in measure.bases:
            place = f", {base.base}" if len(measure.bases) > 1 else ""
            yield f"{measure.measure}{place}", [_row(measure, base, arm) for arm in base.arms]


def _row(measure: MeasureByArm, base: BaseValues, arm: ArmValues) -> Sequence[object]:
    found = next((each.found for each in base.differences if each.arm == arm.arm), None)
    mean = _estimate(arm.estimate, measure.digits, arm.estimate.same()) if arm.estimate else None
    runs = f"{len(arm.runs)} of {arm.planned}"
    if found is None:
        return (arm.arm, "", runs, mean, *[""] * (len(HEADING) - 4))
    told = joined([verdict(found), element("small", found.plan) if found.plan else ""], " ")
    return (
        arm.arm,
        told,
        runs,
        mean,
        _estimate(found.estimate, measure.digits, found.same, signed=True),
        _effect(found),
        _p(found.p),
        _p(found.adjusted_p),
    )


def _estimate(estimate: IntervalEstimate, digits: int, same: str, *, signed: bool = False) -> str:
    number = WORDS.number(estimate.mean, digits, signed=signed)
    between = WORDS.interval(estimate, digits, signed=signed) or (f"({same})" if same else "")
    return f"{number} {between}".strip()


def _effect(found: RunDifference) -> str | None:
    if found.effect is None:
        return None
    between = found.effect_between
    ends = f" [{', '.join(WORDS.number(end, 2, signed=True) for end in between)}]" if between else ""
    return f"{WORDS.number(found.effect, 2, signed=True)}{ends}"


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"  # noqa: PLR2004 - three digits


def costs_section(found: StudyFacts) -> Html:
    """Return what the runs used."""
    shared = [job for job in found.jobs if job.is_shared]
    rows = [_used(arm, [job for job in found.runs if job.arm == arm]) for arm in found.note.arms]
    rows += [_used("shared beginnings", shared)] if shared else []
    rows += [_used("in all", found.jobs)] if len(rows) > 1 else []
    failed = sum(job.state == "failed" for job in found.runs)
    return section(
        "costs",
        "Costs",
        element("p", "The offline rules answered, so no model was asked and nothing was paid.")
        if found.by_rules
        else "",
        table(COSTS, ("", rows)),
        element("p", f"{quantity(failed, 'run has', 'runs have')} failed; the status of the study says why.")
        if failed
        else "",
        element("p", "Interviews are included. Seconds are those of the processes, over all tries.", class_="soft"),
    )


def _used(name: str, jobs: Sequence[JobManifest]) -> Sequence[object]:
    results = [job.result for job in jobs if job.result]
    cost = sum(each.cost for each in results)
    return (
        name,
        f"{sum(job.state == 'done' for job in jobs)} of {len(jobs)}",
        sum(each.calls for each in results),
        sum(each.tokens for each in results),
        f"{cost:.2f}",
        round(sum(job.seconds for job in jobs)),
    )
