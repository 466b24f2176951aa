"""Test the first-named causes of acts by taking them away, and keep the acts with what is true of them.

`python benchmarks/causes.py two_days --acts 40 --out causes.jsonl` draws actions, utterances and thoughts of a run,
traces each (`why.py`), and runs it again without each cause: does the act vanish? Prints the share
of first-named causes that this confirms, with its interval, and what the others were; beside it, the same for the
memory that retrieval scored best, which an explanation might name instead. Without a run, one of three people is made
first (`--steps`: how long). A run with a ledger needs `--yes`: the model of the settings answers afresh what
decides the act, or with `--whole` everything.

`--out` keeps a line for each act: the question ("Why did … ?") and its candidate causes in a seeded order, each with
what became of the act without it, and how that was tested (`way`). `--score ANSWERS --truth causes.jsonl` scores
explanations of others: lines with the `id` of an act and `causes`, the ids of candidates, the first-named first.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from scipy.stats import binomtest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "reverie" / "backend_server"))

from ville.analysis.comparison.compared_run import ComparedRun, find_run  # noqa: E402 - its folder is added above
from ville.analysis.why.acts import every_act  # noqa: E402
from ville.analysis.why.cause import Act, ActCause, Chain, Removal  # noqa: E402
from ville.analysis.why.claims import Claim, claims_of  # noqa: E402
from ville.analysis.why.verdict import Verdict, undecidable  # noqa: E402
from ville.api.town_session import TownSession  # noqa: E402
from ville.assembly.asking_why import trace  # noqa: E402
from ville.assembly.deletion import CauseTester  # noqa: E402
from ville.assembly.fresh_answers import budget_of_all  # noqa: E402
from ville.assembly.retraced_steps import RetracedSteps  # noqa: E402
from ville.errors import BadArgument, ReverieError  # noqa: E402
from ville.json_types import JsonObject  # noqa: E402
from ville.llm.accounting.common_budget import CommonBudget  # noqa: E402
from ville.settings import Settings, load_settings  # noqa: E402

THREE, HISTORY = "base_the_ville_isabella_maria_klaus", "the_ville/agent_history_init_n3.csv"
WHISPERED_AT = 2880
KINDS = ("action", "utterance", "thought")
RULES, QUESTION, WHOLE = "by the rules", "deciding question asked afresh", "everything asked afresh"
"""Ways of testing a cause."""
COST = "about (1 + causes) x repeats questions an act, or with --whole so many runs. --yes pays for it."
BEST_SCORED = "best-scored memory"
VERBS = {"action": "did {who} do this", "utterance": "did {who} say this", "thought": "did {who} think this"}


def drawn(run: ComparedRun, count: int, seed: int, kinds: Sequence[str] = KINDS) -> list[Act]:
    """Return acts of a run, about as many of each kind, in the order of their steps: none that has no cause within the
    run, and none of its first step.
    """
    acts = defaultdict(list)
    for act in every_act(run):
        if act.step > run.first and "sleeping" not in act.words:
            acts[act.kind].append(act)
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    for each in acts.values():
        rng.shuffle(each)
    turns = (each[place] for place in range(count) for kind in kinds if place < len(each := acts[kind]))
    return sorted(list(dict.fromkeys(turns))[:count], key=lambda act: act.step)


def rival(chain: Chain) -> Claim | None:
    """Return the claim that the best-scored of all retrieved memories is the cause, unless it is named already."""
    asked = chain.of_act.asked or [each for cause in chain.causes.values() for each in cause.asked[:1]][:1]
    scored = [memory for each in asked for retrieval in each.retrievals for memory in retrieval.taken]
    if not scored:
        return None
    best, who, step = max(scored, key=lambda memory: memory.score), chain.act.who, asked[0].step
    if any(cause.node == best.node for claim in claims_of(chain) for cause in claim.causes):
        return None
    removal = Removal(step, memories=((who, best.node),))
    cause = ActCause(f"{who}: {best.node}, best-scored", "memory", who, step, "", best.text, node=best.node)
    return Claim((cause,), removal)


def tested(tester: CauseTester, chain: Chain, claim: Claim, *, within: int) -> Verdict:
    """Return the verdict on a claim; one that is too far back is not tested."""
    if claim.removal and within and chain.act.step - claim.removal.step > within:
        return undecidable(chain.act, claim.cause, f"more than {within:,} steps before the act")
    return tester.test(chain, claim, alone=False)


def row_of(chain: Chain, verdicts: Sequence[tuple[str, Claim, Verdict]], number: int, *, way: str) -> JsonObject:
    """Return an act as a line of the benchmark: candidates in a seeded order, not in that of their naming. `way`: how
    they were tested.
    """
    act = chain.act
    shuffled = random.Random(number).sample(verdicts, len(verdicts))  # noqa: S311 - not for secrets
    candidates = [
        {
            "id": f"c{place}",
            "named": named,
            "kind": claim.cause.kind,
            "words": claim.cause.words,
            "truth": verdict.decision,
            "without": verdict.without,
            "why": verdict.why,
            "instead": verdict.instead,
        }
        for place, (named, claim, verdict) in enumerate(shuffled, 1)
    ]
    return {
        "id": f"{chain.run} {number}",
        "run": chain.run,
        "way": way,
        "kind": act.kind,
        "who": act.who,
        "step": act.step,
        "time": chain.of_act.time,
        "act": act.words,
        "question": f"Why {VERBS[act.kind].format(who=act.who)} at {chain.of_act.time}: {act.words}",
        "causes": candidates,
    }


def rows(
    settings: Settings, run: ComparedRun, choice: argparse.Namespace, *, budget: CommonBudget | None
) -> Iterator[JsonObject]:
    """Yield the acts with their tested causes. `budget`: of the model of a run with a ledger."""
    steps = RetracedSteps(settings, run)
    way = RULES if budget is None else WHOLE if choice.whole else QUESTION
    tester = CauseTester(settings, steps, repeats=choice.repeats, budget=budget, whole=choice.whole)
    for number, act in enumerate(drawn(run, choice.acts, choice.seed, choice.kinds), 1):
        began = time.perf_counter()
        chain = trace(steps, act)
        if chain.of_act.is_end or chain.missing:
            continue  # it is a perception or a history, of which nothing came before; or its step cannot be computed
        named = [(f"named {place}", claim) for place, claim in enumerate(claims_of(chain)[: choice.claims], 1)]
        other = rival(chain) if choice.rival else None
        claims = [*named, *([(BEST_SCORED, other)] if other else [])]
        verdicts = [(name, claim, tested(tester, chain, claim, within=choice.within)) for name, claim in claims]
        row = row_of(chain, verdicts, number, way=way)
        first = verdicts[0][2] if verdicts else None
        said = f"{first.decision}: {first.why[:90]}" if first else "no cause named"
        took = time.perf_counter() - began
        print(f"{number:>4} {act.kind:<10}{took:>5.0f} s  {act.words[:60]:<60}  {said}", flush=True)
        yield row


def share(truths: Iterable[str]) -> str:
    """Return how many of the decided claims are confirmed, with a Wilson interval."""
    count = Counter(truths)
    decided = count["confirmed"] + count["not confirmed"]
    if not decided:
        return f"nothing decided ({count['not decidable']} not decidable)"
    low, high = binomtest(count["confirmed"], decided).proportion_ci(method="wilson")
    rest = f", {count['not decidable']} not decidable" if count["not decidable"] else ""
    return (
        f"{count['confirmed']} of {decided} confirmed, {count['confirmed'] / decided:.0%} [{low:.0%}, {high:.0%}]{rest}"
    )


def report(found: Sequence[JsonObject]) -> Iterator[str]:
    """Yield the shares, by how a cause was named and by kind of act, and the first-named causes that failed."""
    named = defaultdict(list)
    for row in found:
        for cause in row["causes"]:
            named[cause["named"]].append(cause["truth"])
            if cause["named"] == "named 1":
                named[f"named 1, {row['kind']}"].append(cause["truth"])
                named[f"named 1, {row['kind']} by {cause['kind']}"].append(cause["truth"])
    yield from (f"{name:<40}{share(truths)}" for name, truths in sorted(named.items()))
    for row in found:
        for cause in row["causes"]:
            if cause["named"] == "named 1" and cause["truth"] != "confirmed":
                yield f"  {row['kind']} of {row['who']}, step {row['step']:,}: {row['act'][:70]}"
                yield f"    {cause['truth']} {cause['kind']}: {cause['words'][:70]} ({cause['why'][:90]})"


def truth_of(known: Mapping[str, str], named: str) -> str:
    """Return the verdict on a cause that an explanation names; what is no candidate is not confirmed."""
    return known.get(named, "not confirmed")


def scores(truth: Sequence[JsonObject], answers: Sequence[JsonObject]) -> Iterator[str]:
    """Yield how good explanations are: whether the first-named cause is one, and how many of the named ones are."""
    known = {row["id"]: {cause["id"]: cause["truth"] for cause in row["causes"]} for row in truth}
    given = {row["id"]: row["causes"] for row in answers}
    first = [truth_of(known[name], causes[0]) for name, causes in given.items() if name in known and causes]
    every = [truth_of(known[name], each) for name, causes in given.items() if name in known for each in causes]
    has_one = [name for name, causes in known.items() if "confirmed" in causes.values()]
    hit = sum(any(truth_of(known[name], each) == "confirmed" for each in given.get(name, ())) for name in has_one)
    yield f"first-named   {share(first)}"
    yield f"all named     {share(every)}"
    yield f"found         a confirmed cause of {hit} of {len(has_one)} acts that have one"
    yield f"unanswered    {len(known) - len(given.keys() & known.keys())} of {len(known)}"


def read(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def small_run(settings: Settings, steps: int) -> ComparedRun:
    """Make a run of three people by the rules, of whom one is whispered something."""
    with TownSession(settings, THREE, "three") as town:
        town.load_history(HISTORY)
        if steps > WHISPERED_AT:
            words = "You want to run for mayor in the local election"
            town.plan([{"step": WHISPERED_AT, "kind": "whisper", "who": "Klaus Mueller", "words": words}])
        town.run(steps=steps)
    return find_run(settings.fs_storage, settings.replays, "three")


def main() -> int:
    choice = parser().parse_args()
    if choice.score:
        print(*scores(read(choice.truth), read(choice.score)), sep="\n")
        return 0
    settings = load_settings({"fs_storage": choice.storage} if choice.storage else {})
    with tempfile.TemporaryDirectory() as folder:
        try:
            if choice.run:
                run = find_run(settings.fs_storage, settings.replays, choice.run)
                if run.ledger and not choice.yes:
                    raise BadArgument(f"{run.name} was lived with a model, which answers afresh: {COST}")
            else:
                run = made(settings, Path(folder), choice.steps)
                settings = replace(settings, fs_storage=Path(folder))
            found = []
            with budget_of_all(settings) if run.ledger else nullcontext() as budget:
                for row in rows(settings, run, choice, budget=budget):
                    found.append(row)
                    if choice.out:
                        choice.out.write_text("".join(f"{json.dumps(each)}\n" for each in found), "utf-8")
        except ReverieError as fault:
            print(fault, file=sys.stderr)
            return 1
    print(*report(found), sep="\n")
    return 0


def made(settings: Settings, folder: Path, steps: int) -> ComparedRun:
    """Return a small run below a folder."""
    shutil.copytree(settings.fs_storage / THREE, folder / THREE)
    return small_run(replace(settings, fs_storage=folder, seed=1), steps)


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("run", nargs="?", default="", help="a saved run; none: three people are run first, by the rules")
    found.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    found.add_argument("--steps", type=int, default=8640, help="steps of the run that is made (default: %(default)s)")
    found.add_argument("--acts", type=int, default=40, help="acts that are drawn (default: %(default)s)")
    found.add_argument("--seed", type=int, default=1, help="of the draw (default: %(default)s)")
    found.add_argument("--claims", type=int, default=2, help="named causes that are tested for each (default: 2)")
    found.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="kinds of acts (default: all)")
    found.add_argument("--repeats", type=int, default=4, help="with a model: runs of each side (default: 4)")
    found.add_argument("--whole", action="store_true", help="with a model: ask everything afresh, as `ville why`")
    found.add_argument("--yes", action="store_true", help="pay for the answers of a model")
    found.add_argument("--within", type=int, default=0, help="do not test what is more steps back than this")
    found.add_argument("--no-rival", dest="rival", action="store_false", help="do not test the best-scored memory")
    found.add_argument("--out", type=Path, help="file for the benchmark, JSON lines")
    found.add_argument("--score", type=Path, help="file of answers to score, JSON lines")
    found.add_argument("--truth", type=Path, help="file of the benchmark, for --score")
    return found


if __name__ == "__main__":
    sys.exit(main())
