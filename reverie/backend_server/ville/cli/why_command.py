"""Trace what someone did, said or thought back to its causes, and test them: `why.py NAME@17:10 "Maria Lopez" --test`.

Without a moment, what is done at the end of the run. The simulation is only read; tests run in temporary folders.
"""

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from ville.analysis.why.cause import ActCause, CauseKind, Chain
from ville.analysis.why.claims import Claim, claims_of
from ville.analysis.why.heard import HeardQuestion, HeardRetrieval, ScoredMemory
from ville.analysis.why.verdict import Verdict
from ville.assembly.asking_why import find_act, trace, usage_of
from ville.assembly.cost_model import cost_model
from ville.assembly.deletion import CauseTester
from ville.assembly.fresh_answers import budget_of_all, model_of
from ville.assembly.retraced_steps import RetracedSteps
from ville.cli.number_flags import count_of
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.errors import ReverieError
from ville.plain_text import printable, shortened
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import EndSignal, on_end_signal, raise_end_signal

SAVED, COMPRESSED = "saved", "compressed"
WIDTH, TEXT = 100, 60
"""Most characters of a cause, and of a memory in the table of scores."""
DEEPEST = 6
"""Levels of causes that are printed; `--json` has all."""
BEST = 6
"""Retrieved memories in a table."""
REPEATS, MOST_REPEATS = 10, 1000
SAYS: dict[CauseKind, str] = {
    "perception": "saw",
    "history": "from the beginning",
    "intervention": "from outside",
    "memory": "remembered",
    "reflection": "thought",
    "plan": "planned for the day",
    "entry": "plan",
    "talk": "talked",
    "utterance": "said",
    "action": "did",
}


def chain_lines(chain: Chain, verdicts: Sequence[Verdict] = ()) -> Iterator[str]:
    """Yield a chain as an outline, with what was asked for the act."""
    act, of_act = chain.act, chain.of_act
    verb = {"action": "is", "utterance": "says", "thought": "remembers"}[act.kind]
    yield f"{act.who} {verb}: {act.words}"
    yield f"{chain.run}, {of_act.time}, step {act.step:,}"
    yield ""
    yield "Why"
    found = {verdict.cause: verdict for verdict in verdicts}
    for depth, cause, again in chain.outline():
        if 0 < depth <= DEEPEST:
            yield f"{'  ' * depth}{_line(cause, act.who)}{' (see above)' if again and cause.because else ''}"
            if cause.key in found and not again:
                yield f"{'  ' * depth}    → {found[cause.key].decision}: {found[cause.key].why}"
    if of_act.is_end:
        yield f"  {_line(of_act, act.who)}"
    for asked in of_act.asked[-1:]:
        yield from _asked_lines(asked, {cause.node for cause in chain.named})
    if chain.missing:
        yield ""
        yield f"Missing: {chain.missing}"


def _line(cause: ActCause, who: str) -> str:
    """Return a cause in a line: who, when, how, and the words."""
    whose = "" if cause.who in {who, ""} else f"{cause.who} "
    when = "" if cause.kind == "history" else f"{cause.time.rpartition(', ')[2][:5]} "
    words = shortened(cause.words, WIDTH)
    return f"{when}{whose}{SAYS[cause.kind]}: {words}{f' [{cause.node}]' if cause.node else ''}"


def _asked_lines(asked: HeardQuestion, named: Collection[str]) -> Iterator[str]:
    """Yield a question with its answer, and the scores of the retrieval that found a named memory, or of the first."""
    yield ""
    yield f"Asked ({asked.question}), and answered: {shortened(' '.join(asked.answer.split()), WIDTH)}"
    finding = [each for each in asked.retrievals if any(memory.node in named for memory in each.taken)]
    for retrieval in [*finding, *asked.retrievals][:1]:
        yield from _table(retrieval)


def _table(retrieval: HeardRetrieval) -> Iterator[str]:
    """Yield what was retrieved for a focal point, with scores, and the best of what was not."""
    recency, relevance, importance = (f"x {weight:g}" for weight in retrieval.weights)
    yield f"Retrieved for: {shortened(' '.join(retrieval.focus.split()), WIDTH)}"
    yield f"  {'':<{TEXT + 10}}{'recency':>9}{'relevance':>11}{'importance':>12}{'score':>7}"
    yield f"  {'':<{TEXT + 10}}{recency:>9}{relevance:>11}{importance:>12}"
    yield from (_score("", each) for each in retrieval.taken[:BEST])
    if len(retrieval.taken) > BEST:
        yield f"  and {len(retrieval.taken) - BEST} more"
    yield from (_score("not taken", each) for each in retrieval.runners_up[:2])


def _score(mark: str, each: ScoredMemory) -> str:
    why = mark or ("names them" if each.reserved else "")
    cells = f"{each.recency:>9.2f}{each.relevance:>11.2f}{each.importance:>12.2f}{each.score:>7.2f}"
    return f"  {shortened(f'{each.node} {each.text}', TEXT):<{TEXT}}{why:>10}{cells}"


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        with on_end_signal(raise_end_signal):  # copies in temporary folders are deleted
            return _answered(choice)
    except EndSignal as signalled:
        return signalled.code


def _answered(choice: argparse.Namespace) -> int:
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    try:
        check_json(choice)
        settings = load_settings({name: path for name, path in folders.items() if path})
        is_compressed = choice.store == COMPRESSED
        asked = {"said": choice.said, "memory": choice.memory}
        run, act = find_act(settings, choice.name, choice.who, **asked, compressed=is_compressed)
        steps = RetracedSteps(settings, run)
        chain = trace(steps, act)
        claims = claims_of(chain) if choice.test else []
        if claims and run.ledger and not choice.yes:
            print(_cost(settings, steps, chain, choice), file=sys.stderr)
            return 1
        verdicts = _tested(settings, steps, chain, claims=claims, choice=choice)
        found = {**chain.as_json(), "verdicts": [verdict.as_json() for verdict in verdicts]}
        is_printed = write_json(choice, found)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    if not is_printed:
        print(*map(printable, chain_lines(chain, verdicts)), sep="\n")
    return 0


def _cost(settings: Settings, steps: RetracedSteps, chain: Chain, choice: argparse.Namespace) -> str:
    """Return what a test by a model would cost, from what these steps took before, at the price of the model that would
    answer. Raises a ReverieError.
    """
    chat, price, repeats = model_of(settings), cost_model(settings).advanced, choice.repeats
    calls, usage = usage_of(steps, chain.act, claims_of(chain), repeats=repeats, whole=choice.whole)
    cost = f"which would cost about {price.of(usage):.2f} dollars" if price else "whose price is not known"
    about = "about" if choice.whole else "up to about"
    return (
        f"The test asks {', '.join(chat.models.names)} {about} {calls:,} questions, {cost}, in {repeats} runs of each "
        "side. Add --yes to run it, or --repeats for other numbers."
    )


def _tested(
    settings: Settings, steps: RetracedSteps, chain: Chain, *, claims: Sequence[Claim], choice: argparse.Namespace
) -> list[Verdict]:  # fmt: skip
    if steps.run.ledger is None:
        tester = CauseTester(settings, steps)
        return [tester.test(chain, claim) for claim in claims]
    with budget_of_all(settings) as budget:
        tester = CauseTester(
            settings, steps, repeats=choice.repeats, budget=budget, whole=choice.whole, say=_say
        )  # fmt: skip
        return [tester.test(chain, claim) for claim in claims]


def _say(line: str) -> None:
    print(shortened(printable(line), WIDTH), file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", metavar="NAME@MOMENT", help="a saved or compressed simulation, and when")
    parser.add_argument("who", metavar="PERSONA", help="its name; a part is enough if only one fits")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--said", metavar="WORDS", default="", help="why it said this, the last time before the moment")
    asked.add_argument("--memory", metavar="NODE", default="", help="why it has this memory, for example node_12")
    parser.add_argument(
        "--test", action="store_true", help="test each named cause: what becomes of the act in a run without it?"
    )
    parser.add_argument(
        "--repeats", type=count_of("runs", MOST_REPEATS), default=REPEATS, metavar="N",
        help=f"with a model: runs of each side (default: {REPEATS}); by the rules, one is exact",
    )  # fmt: skip
    parser.add_argument(
        "--whole", action="store_true",
        help="with a model: ask everything afresh since the cause is taken away, and not only what decides the act",
    )  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="with a model: pay for the answers of the test")
    add_json(parser)
    add_replace(parser)
    parser.add_argument(
        "--store", choices=(SAVED, COMPRESSED), default=SAVED, help="which of two simulations of a name comes first"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
