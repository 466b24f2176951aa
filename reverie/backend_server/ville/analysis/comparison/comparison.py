"""Compares two saved runs, in the order in which a researcher asks."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from ville.analysis.comparison.compared_run import LEDGER, ComparedRun
from ville.analysis.comparison.firsts import FirstDifference, first_decisions, first_memories, first_moves, told
from ville.analysis.comparison.memory_streams import OwnRecords, own_records
from ville.analysis.comparison.notebook import comparison_table
from ville.analysis.comparison.outcomes import Outcomes, compare_outcomes
from ville.analysis.comparison.prompts import (
    AskedQuestion,
    ChangedPrompt,
    changed_prompts,
    differing_lines,
)
from ville.analysis.comparison.rerun import citation, rerun_command
from ville.analysis.comparison.set_up import SetUpComparison, compare_set_ups
from ville.analysis.comparison.spread import ReachComparison, ReachedPersona, compare_reach, spread
from ville.analysis.comparison.steps import StepComparison, UnlikeSpan, compare_steps
from ville.analysis.measures import NewsTopic, hearings
from ville.errors import ReverieError
from ville.json_types import Json
from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import EMBEDDING
from ville.storage.folder.branches import ancestors, read_branch

Tracer = Callable[[ComparedRun, range], Iterable[AskedQuestion]]
"""Yields what the rules were asked in some steps of a run. Raises BadMoment if they cannot be computed again."""
MOST_TRACED = 2160
"""Steps that are computed again at most; six hours."""


@dataclass(frozen=True)
class SharedSteps:
    """How long two runs are equal, within the steps that both have."""

    first: int
    end: int
    """The step after the last one."""
    until: int | None
    """The first step at which anything differs; None if they are equal everywhere."""
    until_time: str
    movement: int | None
    environment: int | None
    memories: int | None
    end_time: str
    """When the shorter run ends. What the other one has later is not compared."""


@dataclass(frozen=True)
class ComparedSide:
    """Identity of one of the two runs."""

    name: str
    store: str
    """`saved` or `compressed`."""
    steps: int
    citation: str
    rerun: str
    """Command that computes it again; empty if there is none."""


@dataclass(frozen=True)
class Comparison:
    """Differences between two saved runs, in the order in which one asks."""

    a: ComparedSide
    b: ComparedSide
    set_up: SetUpComparison
    """Origin, seed, models, people and interventions that differ."""
    equal: SharedSteps
    """Until which step both are equal."""
    memories: tuple[FirstDifference, ...]
    """First memories that differ, one for each persona, at most five."""
    decisions: tuple[FirstDifference, ...]
    """First activities, talks or plans that differ."""
    moves: tuple[FirstDifference, ...]
    """First moves that lead elsewhere."""
    prompts: tuple[ChangedPrompt, ...]
    """First questions whose words differ, or that only one run asked."""
    prompts_from: str
    """`ledgers`, `traces` (the rules were asked again), or why the questions are not known."""
    spread: tuple[ReachedPersona, ...]
    """How the difference came to each persona."""
    reach: ReachComparison
    outcomes: Outcomes
    only_a: OwnRecords
    """Plans, conversations and memories that only the first run has."""
    only_b: OwnRecords
    residents_a: tuple[str, ...]
    """Those who are in the first run only. Nothing of theirs can be compared."""
    residents_b: tuple[str, ...]
    people: dict[str, tuple[UnlikeSpan, ...]]
    """Persona to the steps in which it shows something else; empty if in none."""

    @property
    def is_equal(self) -> bool:
        """Whether both runs have steps in common, and show and remember the same in all of them."""
        return self.equal.until is None and self.equal.end > self.equal.first

    def as_json(self) -> dict[str, Json]:
        """Return all of it as JSON."""
        return asdict(self)

    def _repr_html_(self) -> str:
        return comparison_table(self)


def compare_runs(
    a: ComparedRun, b: ComparedRun, *, topics: Sequence[NewsTopic] = (), tracer: Tracer | None = None
) -> Comparison:
    """Compare two runs. `topics` are pieces of news whose spread is compared, beside those of the paper.

    They are compared until the shorter one ends. Raises CorruptFile, or CannotWrite if one of them is saved meanwhile.
    """
    sides = _side(a), _side(b)
    if a.steps != b.steps:
        end = min(a.steps, b.steps)
        a, b = a.until(end), b.until(end)
    steps = compare_steps(a, b)
    residents = _residents(a, b, steps), _residents(b, a, steps)
    memories, decisions, moves = first_memories(a, b), first_decisions(a, b, steps), first_moves(a, b, steps)
    set_up, equal = compare_set_ups(a, b), _shared(a, steps, memories)
    prompts, prompts_from = _prompts(a, b, equal, decided=min(steps.doings.values(), default=None), tracer=tracer)
    only_a, only_b = own_records(a, b), own_records(b, a)
    ways = spread(a, b, set_up, (*memories, *decisions, *moves))
    known = _known_in_one(a, b, topics) if topics else None
    reach = compare_reach(set_up, (*only_a.talks, *only_b.talks), steps.doings, ways=ways, known=known)
    compared = Comparison(
        a=sides[0], b=sides[1], set_up=set_up, equal=equal,
        memories=told(memories), decisions=told(decisions), moves=told(moves),
        prompts=prompts, prompts_from=prompts_from,
        spread=ways, reach=reach, outcomes=compare_outcomes(a, b, topics), only_a=only_a, only_b=only_b,
        residents_a=residents[0], residents_b=residents[1], people=_people(a, b, steps),
    )  # fmt: skip
    a.check_unchanged()
    b.check_unchanged()
    return compared


def _side(run: ComparedRun) -> ComparedSide:
    store = "compressed" if run.compressed else "saved"
    return ComparedSide(run.name, store, run.steps, citation(run), rerun_command(run))


def _shared(a: ComparedRun, steps: StepComparison, memories: Sequence[FirstDifference]) -> SharedSteps:
    """Return until when two runs are equal."""
    first_memory = memories[0].step if memories and memories[0].step < steps.end else None
    found = [step for step in (steps.movement, steps.environment, first_memory) if step is not None]
    until = min(found, default=None)
    time = a.time(until) if until is not None else ""
    changed = steps.movement, steps.environment, first_memory
    return SharedSteps(steps.first, steps.end, until, time, *changed, a.time(steps.end))


def _prompts(
    a: ComparedRun, b: ComparedRun, equal: SharedSteps, *, decided: int | None, tracer: Tracer | None
) -> tuple[tuple[ChangedPrompt, ...], str]:
    """Return the first prompts that differ, and where they are from. `decided` is the first step that shows it."""
    if equal.until is None:
        return (), "no step differs"
    if a.ledger and b.ledger:
        return _from_ledgers(a, b, equal)
    if a.ledger or b.ledger:
        return (), "only one of the runs has a ledger"
    if tracer is None or a.compressed or b.compressed:
        return (), "the rules keep no ledger, and compressed runs cannot be computed again"
    end = min(equal.end, equal.until + MOST_TRACED, equal.end if decided is None else decided + 1)
    try:
        pairs = changed_prompts(*(tracer(run, range(equal.until, end)) for run in (a, b)))
    except ReverieError as fault:
        return (), str(fault)
    return tuple(_changed(a, pair) for pair in pairs), "traces"


def _from_ledgers(a: ComparedRun, b: ComparedRun, equal: SharedSteps) -> tuple[tuple[ChangedPrompt, ...], str]:
    """Return the first prompts that differ, from the step on from which both runs and their origins have ledgers."""
    recorded = recorded_steps(a), recorded_steps(b)
    first = max(equal.first, *(parts[0].first for parts in recorded))
    if equal.until is not None and first > equal.until:
        return (), f"the ledgers begin at step {first:,}"
    sides = (read_questions(parts, range(first, equal.end)) for parts in recorded)
    return tuple(_changed(a, pair) for pair in changed_prompts(*sides)), "ledgers"


def _changed(run: ComparedRun, pair: tuple[AskedQuestion | None, AskedQuestion | None]) -> ChangedPrompt:
    mine, other = pair
    asked = mine or other
    if asked is None:  # a pair has at least one side
        raise AssertionError
    lines = differing_lines(mine.prompt, other.prompt) if mine and other else ()
    by = "both" if mine and other else "a" if mine else "b"
    answers = (mine.answer if mine else "", other.answer if other else "")
    return ChangedPrompt(asked.step, run.time(asked.step), asked.persona, asked.question, lines, by, *answers)


def _known_in_one(a: ComparedRun, b: ComparedRun, topics: Sequence[NewsTopic]) -> list[str]:
    """Return those who know of some news in one run only."""
    sides = ({hearing.who for topic in topics for hearing in hearings(run, topic)} for run in (a, b))
    mine, other = sides
    return sorted(mine ^ other)


def _residents(run: ComparedRun, other: ComparedRun, steps: StepComparison) -> tuple[str, ...]:
    """Return those who are in one run only, except who came to town after the last step that is compared."""
    alone = [name for name in run.people if name not in other.people]
    return tuple(name for name in alone if name in steps.spans or steps.end <= steps.first)


def _people(a: ComparedRun, b: ComparedRun, steps: StepComparison) -> dict[str, tuple[UnlikeSpan, ...]]:
    shown = [*a.people, *b.people, *steps.spans]
    return {name: tuple(steps.spans.get(name, ())) for name in dict.fromkeys(shown)}


REVERIE = "reverie"


@dataclass(frozen=True)
class RecordedSteps:
    """Steps that are recorded in one ledger."""

    folder: Path
    first: int
    end: int
    """The step after the last one."""


def recorded_steps(run: ComparedRun) -> tuple[RecordedSteps, ...]:
    """Return the ledgers that tell what a run asked, in the order of steps, without gaps up to its last step.

    An origin that is not there, or has no ledger, leaves out what came before. Raises CorruptFile.
    """
    found: list[RecordedSteps] = []
    end = run.steps
    for root in (run.folder.root, *(ancestor for ancestor, _ in ancestors(run.folder.root))):
        if not (root / REVERIE / LEDGER).exists():
            break
        branch = read_branch(root)
        first = min(branch.step, end) if branch else 0
        found.append(RecordedSteps(root / REVERIE, first, end))
        end = first
    return tuple(reversed(found))


def read_questions(parts: Sequence[RecordedSteps], steps: range) -> Iterator[AskedQuestion]:
    """Yield the questions of some steps, in order. Raises CorruptFile."""
    query = (
        "SELECT step, persona, question, messages, answer FROM calls WHERE question <> ? AND repair = 0 "
        "AND step >= ? AND step < ? ORDER BY step, id"
    )
    for part in parts:
        within = (EMBEDDING, max(part.first, steps.start), min(part.end, steps.stop))
        with closing(Ledger.read(part.folder)) as ledger:
            for step, persona, question, messages, answer in ledger.connection.execute(query, within):
                yield AskedQuestion(step, persona, question, prompt_text(messages), answer)


def prompt_text(messages: str) -> str:
    """Return what a model read, from the JSON of a ledger."""
    return "\n\n".join(str(message["content"]) for message in json.loads(messages))
