"""An audit in words, as a table and as a figure."""

from collections.abc import Iterator, Sequence

from ville.analysis.forest_figure import draw_forest
from ville.analysis.perturbed_effects import (
    LEFT_OUT,
    LOST,
    REVERSED,
    SHOWS,
    SURVIVES,
    TOO_FEW,
    UNCHANGED,
    UNDONE,
    VANISHES,
    PerturbedEffect,
    is_shown,
)
from ville.analysis.run_statistics import RunDifference
from ville.analysis.statistics_table import statistic_cells
from ville.analysis.study_figures import FigureWords
from ville.plain_text import quantity
from ville.result_table import ResultTable, TableRow
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.audit.audit_plan import AuditPlan
from ville.studies.audit.audit_results import AuditResults, CauseFound, counted

TABLE, FIGURE, PLAN, TEXT = "audit.csv", "audit.svg", "audit.json", "audit.txt"
PLAIN = "as it is"
CELLS = ("pairs", "difference", "low", "high", "effect", "p", "adjusted_p", "tests")
COLUMNS = ("perturbation", "says", "verdict", *CELLS, "more_than_noise", "why")
WORDS = FigureWords()
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def write_audit(folder: StudyFolder, plan: AuditPlan, results: AuditResults) -> list[str]:
    """Write table, figure and text into the folder of the audit, and return the text. Raises CannotWrite."""
    lines = list(audit_lines(plan, results))
    folder.write_table(TABLE, audit_table(results).to_csv())
    folder.write_table(TEXT, "\n".join(lines) + "\n")
    if results.plain:
        title = f"{plan.contrast.measure}: {plan.contrast.treated.name} − {plan.contrast.control.name}"
        folder.write_figures({FIGURE: draw_forest(title, results.plain, results.effects, digits=_digits(results))})
    return lines


def audit_table(results: AuditResults) -> ResultTable:
    """Return the effect as it is, and under each perturbation, as rows."""
    plain = {"perturbation": "", "says": PLAIN, "verdict": "", "why": "", **_cells(results.plain)}
    plain |= {"adjusted_p": None, "tests": None, "more_than_noise": None}
    rows: list[TableRow] = [
        {
            "perturbation": each.name,
            "says": each.says,
            "verdict": each.verdict,
            **_cells(each.found),
            "why": each.why,
        }
        for each in results.effects
    ]
    return ResultTable(COLUMNS, [plain, *rows])


def _cells(found: RunDifference | None) -> TableRow:
    if found is None:
        return dict.fromkeys((*CELLS, "more_than_noise"))
    cells = statistic_cells(found)
    return {name: cells[name] for name in CELLS} | {"more_than_noise": found.exceeds_noise}


def audit_lines(plan: AuditPlan, results: AuditResults) -> Iterator[str]:
    """Yield the answer in words."""
    plain, effects = results.plain, results.effects
    if plain is None:
        yield "No pair of runs is done, so there is no effect to audit yet."
        return
    yield _headline(plan, results, plain)
    if is_shown(plain):
        yield from _verdicts(plain, effects)
    yield from _uncounted(effects)
    for cause in results.causes:
        yield from _cause_lines(cause)
    if not results.causes and is_shown(plain):
        yield from _single_cause(plan, plain)
    yield from _share(results)


def _verdicts(plain: RunDifference, effects: Sequence[PerturbedEffect]) -> Iterator[str]:
    """Yield what the effect needs, what cannot be said, and what the placebo shows."""
    if needed := list(dict.fromkeys(each.needs for each in counted(effects, LOST, REVERSED))):
        yield f"It needs {_listed(needed)}."
    if turned := list(counted(effects, REVERSED)):
        yield f"It is reversed by: {_named(turned)}."
    if unsaid := list(counted(effects, TOO_FEW)):
        yield f"{_number(len(unsaid))} cannot be said with {_pairs(plain)}: {_named(unsaid)}."
    if plain.estimate.all_same:
        yield (
            f"All {_pairs(plain)} show the same difference, so it has no interval: that is the same answer "
            f"{plain.estimate.count} times, and no certainty."
        )
    yield from _placebos(effects)
    yield from _adjusted(plain, effects)


def _headline(plan: AuditPlan, results: AuditResults, plain: RunDifference) -> str:
    contrast, digits = plan.contrast, _digits(results)
    between = WORDS.interval(plain.estimate, digits, signed=True)
    number = f"{WORDS.number(plain.estimate.mean, digits, signed=True)}{f', {between}' if between else ''}"
    what = f"The effect of {contrast.treated.name} on '{contrast.measure}' ({number}, {_pairs(plain)})"
    tried = list(counted(results.effects, SURVIVES, TOO_FEW, LOST, REVERSED))
    if not is_shown(plain):
        return f"{what} cannot be told from none, so there is nothing that could survive. Take more seeds."
    survived = len(list(counted(results.effects, SURVIVES)))
    return f"{what} survives {survived} of {quantity(len(tried), 'perturbation', 'perturbations')}."


def _placebos(effects: Sequence[PerturbedEffect]) -> Iterator[str]:
    for each in effects:
        if not each.is_placebo or each.verdict in {LEFT_OUT, UNDONE}:
            continue
        if each.verdict in {VANISHES, UNCHANGED}:
            yield f"With a {each.says} it vanishes, as it should."
        elif each.verdict == SHOWS:
            yield f"A {each.says} shows the effect, too: it does not come of what is said."
        else:
            yield f"Whether it vanishes with a {each.says} cannot be said with so few seeds."


def _adjusted(plain: RunDifference, effects: Sequence[PerturbedEffect]) -> Iterator[str]:
    """Yield how many effects are more than noise when all that were tried are tested together."""
    tested = [each.found for each in effects if each.found and not each.is_placebo and each.verdict != UNCHANGED]
    if not tested:
        return
    most = max(tested, key=lambda found: found.tests)
    above = sum(found.exceeds_noise for found in tested)
    yield (
        f"'Survives' means: the 95% interval leaves out zero on the same side. Tested together (permutation, Holm), "
        f"{above} of {len(tested)} are more than noise."
    )
    if any(found.too_few for found in tested):
        yield f"{_pairs(plain)} cannot be more than noise, whatever they show: for that, take {most.needed} or more."


def _uncounted(effects: Sequence[PerturbedEffect]) -> Iterator[str]:
    if same := [each for each in effects if each.verdict == UNCHANGED and not each.is_placebo]:
        yield f"Not counted, because every run was the same: {_named(same)}."
    reasons: dict[str, list[PerturbedEffect]] = {}
    for each in effects:
        if each.verdict == LEFT_OUT:
            reasons.setdefault(each.why, []).append(each)
    for why, those in reasons.items():
        yield f"Without effect here, and not run: {_named(those)} ({why})."
    if undone := [each for each in effects if each.verdict == UNDONE]:
        yield f"Not done: {_named(undone)}."


def _cause_lines(cause: CauseFound) -> Iterator[str]:
    necessary, enough = is_shown(cause.without), is_shown(cause.alone)
    told = (
        f"necessary (without it {_difference(cause.without)} less)" if necessary else "not shown to be necessary",
        f"sufficient (alone {_difference(cause.alone)})" if enough else "not shown to be sufficient",
    )
    yield f"{cause.what}: {told[0]}, {told[1]}."


def _single_cause(plan: AuditPlan, plain: RunDifference) -> Iterator[str]:
    """Yield whether the only cause there is was necessary and sufficient, seed by seed."""
    if not plan.contrast.own or not plain.pairs:
        return
    same = (plain.estimate.mean > 0, plain.estimate.mean < 0)
    shown = sum((pair.value > 0, pair.value < 0) == same for pair in plain.pairs)
    yield (
        f"Causes: both arms have the same pasts, and nothing else differs between them. The intervention is necessary, "
        f"for the effect is what is missing without it; by itself it is enough in {shown} of {_pairs(plain)}."
    )


def _share(results: AuditResults) -> Iterator[str]:
    share = results.share
    if share.all_asked:
        made = quantity(share.calls, "call", "calls") if share.calls else quantity(share.asked, "question", "questions")
        part = _percent(share.calls or share.asked, share.all_asked)
        yield (
            f"Asked: {made}, {part} of the {share.all_asked:,} questions that it takes to run both arms of each "
            "perturbation from their start."
        )
    steps = f"{share.steps:,} of {share.all_steps:,} steps"
    yield f"Computed: {steps} of these, {_percent(share.steps, share.all_steps)}."


def _difference(found: RunDifference | None) -> str:
    return WORDS.number(found.estimate.mean, 2, signed=True) if found else "nothing"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def _digits(results: AuditResults) -> int:
    return 1 if results.whole else 3


def _pairs(found: RunDifference) -> str:
    return quantity(len(found.pairs) or found.estimate.count, "seed", "seeds")


def _number(count: int) -> str:
    text = SMALL_NUMBERS[count] if count < len(SMALL_NUMBERS) else str(count)
    return text[:1].upper() + text[1:]


def _named(effects: Sequence[PerturbedEffect]) -> str:
    return ", ".join(each.says for each in effects)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
