"""Ask everyone what the paper asked (section 7), over seeds and arms: `study.py paper NAME`."""

import argparse
import sys
from collections.abc import Iterator, Mapping

from ville.analysis.run_statistics import IntervalEstimate
from ville.analysis.second_evaluation import EvaluatedRun, EvaluationRow
from ville.analysis.statistics_table import verdict
from ville.api.paper_functions import PaperEvaluation, paper_evaluation
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.plain_text import printable, shortened

ABOUT = "ask everyone what the paper asked, at the start and at the end of each run, and check it against memories"
LONGEST, SHOWN = 110, 5
NOTHING = "–"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the evaluation can be told."""
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="a study, or simulations of a town with different seeds"
    )
    add_json(parser, "write all numbers and answers to a file, too")
    add_replace(parser)
    parser.add_argument("--yes", action="store_true", help="let your model answer, which may cost money")


def act(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Print the evaluation. Raises a ReverieError."""
    check_json(choice)
    found = paper_evaluation(
        *choice.names, say=lambda line: print(printable(line), file=sys.stderr, flush=True), model=choice.yes, **flags
    )
    if not write_json(choice, found.as_json()):
        print(*map(printable, evaluation_lines(found)), sep="\n")
    return 0


def evaluation_lines(found: PaperEvaluation) -> Iterator[str]:
    """Yield the numbers by arm, how arms differ, and what those say who did not come."""
    rows = found.rows
    for arm in dict.fromkeys(row.arm for row in rows):
        runs = [run for run in found.runs if run.arm == arm]
        yield f"{found.of}{f', {arm}' if arm else ''}: everyone was asked in {', '.join(run.run for run in runs)}"
        yield f"  {'':<66}{'start':<24}{'end':<24}{'paper':<14}"
        yield from (line for row in rows if row.arm == arm for line in _lines(row))
        yield from _reason_lines(runs)
        yield from _made_up_lines(runs)
    for what, arm, change in found.differences:
        said = f"to the first arm, adjusted p {change.adjusted_p:.3f}: {verdict(change)}"
        yield f"{what}, {arm}: {_text(change.estimate, '', change.same)} {said}"


def _lines(row: EvaluationRow) -> Iterator[str]:
    """Yield a number at the start and at the end, and below it that of each run."""
    paper = " → ".join(filter(None, (row.paper_start, row.paper_end)))
    sides = zip((row.start, row.end), row.counts, strict=True)
    told = "".join(f"{_text(estimate, row.unit, said):<24}" for estimate, said in sides)
    yield f"  {row.what:<66}{told}{paper:<14}{row.over}".rstrip()
    if len(row.runs) > 1:
        values = (NOTHING if end is None else _number(end, row.unit) for _, _, end in row.runs)
        yield f"    at the end of each run: {', '.join(values)}"


def _text(estimate: IntervalEstimate | None, unit: str, said: str = "") -> str:
    """Return a mean with its interval or, without one, with what is `said` in its place."""
    if estimate is None:
        return NOTHING
    if estimate.low is None or estimate.high is None:
        return f"{_number(estimate.mean, unit)}{f' ({said})' if said else ''}"
    return f"{_number(estimate.mean, unit)} [{_number(estimate.low, unit)}, {_number(estimate.high, unit)}]"


def _number(value: float, unit: str) -> str:
    return f"{value:.1%}" if unit == "%" else f"{value:.3g}"


def _reason_lines(runs: list[EvaluatedRun]) -> Iterator[str]:
    told = [(run.run, each) for run in runs for each in run.reasons]
    if told:
        yield "  Asked why they did not come:"
    for name, each in told[:SHOWN]:
        yield f"    {name}, {each.who} ({each.reason.replace('_', ' ')}): {shortened(each.answer, LONGEST)}"
    if len(told) > SHOWN:
        yield f"    and {len(told) - SHOWN} more; --json FILE has all answers"


def _made_up_lines(runs: list[EvaluatedRun]) -> Iterator[str]:
    told = [(run.run, each) for run in runs for each in run.end.answers if each.is_hallucinated]
    for name, each in told[:SHOWN]:
        yield f"    without a memory: {name}, {each.who} on {each.about}: {shortened(each.answer, LONGEST)}"
