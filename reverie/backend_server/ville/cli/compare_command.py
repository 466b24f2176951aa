"""Compare two saved runs (`python compare.py A B`), or repeated runs of two sides (`python compare.py A1 A2 -- B1 B2`).

The simulations are only read.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ville.analysis.comparison.comparison import Comparison
from ville.analysis.comparison.firsts import FirstDifference
from ville.analysis.comparison.memory_streams import OwnRecords
from ville.analysis.comparison.noise import RepeatComparison, RepeatedMeasure
from ville.analysis.comparison.outcomes import MeasuredPair, Outcomes, RunCost
from ville.analysis.comparison.prompts import ChangedPrompt, WordSpan
from ville.analysis.comparison.spread import INTERVENTION, SIGHT, TALK, ReachedPersona
from ville.analysis.paper_measures import named_fact
from ville.api import functions as api
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.command_lines import typed
from ville.errors import BadArgument, ReverieError
from ville.json_types import JsonObject
from ville.plain_text import printable, quantity, shortened

MOST = 5
"""Items of a list that are printed; `--json` has more."""
WIDTH = 110
"""Longest words of a memory or talk that are printed."""
NOTHING = "–"


def comparison_lines(found: Comparison) -> Iterator[str]:
    """Yield the whole comparison."""
    yield f"A: {found.a.citation}"
    yield f"B: {found.b.citation}"
    yield from _section("Set-up", _set_up(found))
    yield from _section("Equal until", _equal(found))
    if not found.is_equal:
        yield from _section("First differences", _firsts(found))
        yield from _section("Prompts", _prompts(found))
        yield from _section("How it spread", _spread(found))
    yield from _section("Outcomes", _outcomes(found.outcomes))
    if not found.is_equal:
        yield from _section("Only in A", _own(found.only_a))
        yield from _section("Only in B", _own(found.only_b))
        yield from _section("Reached and moved", _reach(found))
        yield from _section("Noise", _noise_hint(found))
    yield from _section("Cost", _cost(found.outcomes))
    yield from _section("Run again", _rerun(found))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield ""
    yield title
    yield from (f"  {line}" for line in lines)


def _set_up(found: Comparison) -> Iterator[str]:
    set_up = found.set_up
    if not set_up.count:
        yield "no difference"
        return
    yield "one difference" if set_up.count == 1 else f"{set_up.count} differences"
    for each in set_up.differences:
        yield f"{each.what}: {each.a or NOTHING} (A), {each.b or NOTHING} (B)"
    for letter, rows in (("A", set_up.only_a), ("B", set_up.only_b)):
        for row in rows:
            who = f" to {row.who}" if row.who else ""
            yield f"only in {letter}, step {row.step:,} ({row.time}): {row.kind}{who}: {_short(row.words)}"


def _equal(found: Comparison) -> Iterator[str]:
    for letter, names in (("A", found.residents_a), ("B", found.residents_b)):
        if names:
            yield f"lives only in {letter}: {_listed(names)}"
    equal = found.equal
    compared = f"steps {equal.first:,} to {equal.end - 1:,}"
    if equal.end <= equal.first:
        yield "the runs have no steps in common"
    elif equal.until is None:
        until = "all memories" if found.a.steps == found.b.steps else "all memories until the shorter one ends"
        yield f"equal everywhere ({compared}, and {until})"
    else:
        yield f"step {equal.until:,}, {equal.until_time} ({compared})"
        parts = (("movement", equal.movement), ("environment", equal.environment), ("memories", equal.memories))
        yield ", ".join(f"{what} {'equal' if step is None else f'from step {step:,}'}" for what, step in parts)
    if found.a.steps != found.b.steps:
        shorter, longer = ("A", "B") if found.a.steps < found.b.steps else ("B", "A")
        yield f"A has {found.a.steps:,} steps, B has {found.b.steps:,}"
        yield f"{shorter} ends at {equal.end_time}; the rest of {longer} is not compared"


def _firsts(found: Comparison) -> Iterator[str]:
    for title, firsts in (("memory", found.memories), ("decision", found.decisions), ("move", found.moves)):
        if not firsts:
            yield f"{title}: no difference"
        for number, each in enumerate(firsts):
            yield f"{title if number == 0 else '':<9}{_when(each)}  {each.who}"
            yield from (f"{'':<11}{letter}: {_short(text)}" for letter, text in (("A", each.a), ("B", each.b)))


def _when(found: FirstDifference | ReachedPersona | ChangedPrompt) -> str:
    return f"step {found.step:,}, {found.time}"


def _prompts(found: Comparison) -> Iterator[str]:
    if not found.prompts:
        none = {"ledgers": "no difference", "traces": "no difference in the steps that were computed again"}
        yield none.get(found.prompts_from, f"not known: {found.prompts_from}")
    for each in found.prompts:
        yield f"{_when(each)}  {each.who}, {each.question}"
        if each.asked_by != "both":
            yield f"  only {each.asked_by.upper()} asked this"
        for line in each.lines[:MOST]:
            yield f"  {_marked(line)}"
        if len(each.lines) > MOST:
            yield f"  … and {len(each.lines) - MOST} more lines"
        if each.answer_a != each.answer_b:
            answers = (("A", each.answer_a), ("B", each.answer_b))
            yield from (f"  answer in {letter}: {_short(answer)}" for letter, answer in answers if answer)


def _marked(line: Sequence[WordSpan]) -> str:
    """Return a line with the words of A as [-…-] and of B as {+…+}."""
    forms = {"both": "{}", "a": "[-{}-]", "b": "{{+{}+}}"}
    return "".join(forms[span.of].format(span.words) for span in line)


def _spread(found: Comparison) -> Iterator[str]:
    ways = {
        INTERVENTION: "from outside",
        TALK: "in a talk with {}",
        SIGHT: "saw {}",
    }
    for each in found.spread:
        way = ways.get(each.via, "no contact recorded").format(each.through)
        yield f"{_when(each)}  {each.who}: {way}{f': {_short(each.words)}' if each.words else ''}"


def _outcomes(outcomes: Outcomes) -> Iterator[str]:
    yield f"{'':<26}{'A':>10}{'B':>10}{'B - A':>10}"
    yield from (_measure_line(each) for each in outcomes.measures if (each.a, each.b) != (None, None))
    for curve in outcomes.curves:
        tellers = [{(who, teller) for _, who, teller in side} for side in (curve.a, curve.b)]
        yield f"{curve.news}: {len(curve.a)} know in A, {len(curve.b)} in B"
        for letter, side, other in (("A", curve.a, tellers[1]), ("B", curve.b, tellers[0])):
            own = [
                f"{who} ({f'from {teller}, ' if teller else ''}step {step:,})"
                for step, who, teller in side
                if (who, teller) not in other
            ]
            yield from (f"  only in {letter}: {text}" for text in own[:MOST])
    for ties in outcomes.ties:
        for letter, names in (("A", ties.only_a), ("B", ties.only_b)):
            if names:
                yield f"{ties.what}, only in {letter}: {_listed(names)}"


def _measure_line(measure: MeasuredPair) -> str:
    difference = measure.b - measure.a if measure.a is not None and measure.b is not None else None
    cells = (_number(measure.a, measure.digits), _number(measure.b, measure.digits))
    change = "" if not difference else f"{difference:+,.{measure.digits}f}"
    return f"{named_fact(measure.what):<26}{cells[0]:>10}{cells[1]:>10}{change:>10}".rstrip()


def _own(own: OwnRecords) -> Iterator[str]:
    if not own.counts:
        yield "nothing"
        return
    yield f"{sum(own.counts.values()):,} memories of {len(own.counts)} people, {len(own.talks)} conversations"
    for title, memories in (("plan", own.plans), ("thought", own.memories)):
        for each in memories[:MOST]:
            yield f"{title}, step {each.step:,}, {each.who}: {_short(each.text)}"
    for talk in own.talks[:MOST]:
        first = f"{talk.lines[0][0]}: {talk.lines[0][1]}" if talk.lines else talk.about
        yield f"talk, step {talk.step:,}, {' and '.join(talk.names)}: {_short(first)}"


def _reach(found: Comparison) -> Iterator[str]:
    reach = found.reach
    yield f"acts otherwise: {_listed(reach.moved)}"
    if reach.reached:
        yield f"reached: {_listed(reach.reached)}"
        yield f"reached but unmoved: {_listed(reach.reached_unmoved)}"
        yield f"moved but unreached: {_listed(reach.moved_unreached)}"


def _noise_hint(found: Comparison) -> Iterator[str]:
    yield "one run on each side: these differences may be chance"
    yield f"for repeated runs: {typed('compare')} {found.a.name} … -- {found.b.name} …"


def _cost(outcomes: Outcomes) -> Iterator[str]:
    for letter, cost in (("A", outcomes.cost_a), ("B", outcomes.cost_b)):
        yield f"{letter}: {_cost_text(cost)}"


def _cost_text(cost: RunCost | None) -> str:
    if cost is None:
        return "no calls to a model are recorded"
    used = f"{cost.calls:,} calls, {cost.tokens:,} tokens, {cost.dollars:.4f} dollars"
    return f"{used}; {cost.failed:,} failed, {cost.corrected:,} corrections"


def _rerun(found: Comparison) -> Iterator[str]:
    for side in (found.a, found.b):
        yield side.rerun or f"{side.name} is compressed, or was not run since its fork: there is no command"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 4 * MOST} more" if len(names) > 4 * MOST else ""
    return ", ".join(names[: 4 * MOST]) + more if names else "no one"


def _short(text: str) -> str:
    return shortened(text, WIDTH)


def _number(value: float | None, digits: int) -> str:
    return NOTHING if value is None else f"{value:,.{digits}f}"


def repeat_lines(found: RepeatComparison) -> Iterator[str]:
    """Yield the comparison of repeated runs."""
    yield f"A: {', '.join(found.a)}"
    yield f"B: {', '.join(found.b)}"
    yield from found.warnings
    yield ""
    heads = ("mean A", "mean B", "B - A", "spread", "effect")
    yield f"{'':<26}{''.join(f'{head:>10}' for head in heads)}{'95% interval':>22}{'p':>8}{'adjusted':>10}"
    yield from map(_repeat_line, found.measures)
    yield ""
    yield "Unit: the run. Spread: standard deviation within sides. Effect: Hedges' g, the difference in spreads."
    how = f"{len(found.pairs)} pairs of the same seed" if found.pairs else "Runs are not paired by seed"
    yield f"{how}. Interval: Student's t. p: permutation test, seed {found.seed}; adjusted for {_tests(found)} by Holm."
    beyond = [named_fact(measure.what) for measure in found.measures if measure.difference.exceeds_noise]
    if found.too_few:
        most = f"even the largest difference would have an adjusted p of {found.smallest_p:.2f}"
        enough = f"{found.needed} {'seeds for both sides' if found.pairs else 'on each side'}"
        yield f"Too few runs to say: {most}. Take at least {enough}."
    elif beyond:
        yield f"Exceeds the noise (adjusted p at most 0.05): {', '.join(beyond)}. All others do not."
    else:
        yield "No difference exceeds the noise."


def _tests(found: RepeatComparison) -> str:
    return quantity(found.tests, "measure that differs", "measures that differ")


def _repeat_line(measure: RepeatedMeasure) -> str:
    digits, found = max(measure.digits, 1), measure.difference
    means = (sum(side) / len(side) for side in (measure.a, measure.b))
    low, high = found.estimate.low, found.estimate.high
    without = "all show the same" if found.estimate.all_same else NOTHING
    interval = f"{low:+,.{digits}f} to {high:+,.{digits}f}" if low is not None and high is not None else without
    effect = NOTHING if found.effect is None else f"{found.effect:+,.2f}"
    cells = "".join(f"{_number(mean, digits):>10}" for mean in means)
    apart = f"{found.estimate.mean:>+10,.{digits}f}{_number(measure.spread, digits):>10}{effect:>10}{interval:>22}"
    return f"{named_fact(measure.what):<26}{cells}{apart}{found.p:>8.2f}{found.adjusted_p:>10.2f}"


AGAINST = "--against"


def main(arguments: list[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    choice = _parser().parse_args([AGAINST if word == "--" else word for word in given])
    try:
        check_json(choice)
        lines, found = _compared(choice)
        is_printed = write_json(choice, found)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    if not is_printed:
        print(*map(printable, lines), sep="\n")
    return 0


def _compared(choice: argparse.Namespace) -> tuple[list[str], JsonObject]:
    """Return the lines to print and the content of the JSON file. Raises a ReverieError."""
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    places = {name: path for name, path in folders.items() if path}
    if choice.against:
        repeats = api.compare_sides(choice.names, choice.against, draws_seed=choice.seed, **places)
        return list(repeat_lines(repeats)), repeats.as_json()
    try:
        a, b = choice.names
    except ValueError:
        template = "Name two simulations: compare.py A B. For repeated runs: compare.py A1 A2 -- B1 B2"
        raise BadArgument(template) from None
    found = api.compare(a, b, news=choice.news or "", trace=not choice.no_trace, **places)
    return list(comparison_lines(found)), found.as_json()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="a saved or compressed simulation; NAME@MOMENT: until then"
    )
    parser.add_argument(
        AGAINST, nargs="+", metavar="NAME", help="runs of the other side; -- means the same: A1 A2 -- B1 B2"
    )
    parser.add_argument("--news", metavar="WORDS", help="also compare how this spread; a regular expression")
    parser.add_argument(
        "--no-trace", action="store_true", help="do not compute steps by the rules again to know their prompts"
    )
    add_json(parser)
    add_replace(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of the random draws for repeated runs (default: 0)")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
