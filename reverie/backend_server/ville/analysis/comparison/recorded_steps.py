"""Questions that a run asked in each step: from its ledger, before a branch from the ledger of its origin."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ville.analysis.comparison.compared_run import LEDGER, ComparedRun
from ville.analysis.comparison.prompts import AskedQuestion
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import EMBEDDING
from ville.storage.folder.branches import ancestors, read_branch

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
