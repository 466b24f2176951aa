"""Calls of runs that are done, as the best basis for an estimate of others like them."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from ville.llm.accounting.estimate import CostModel, Totals
from ville.llm.accounting.ledger import FILE, INTERVIEWS, Ledger
from ville.llm.accounting.ledger_schema import OF_STUDY, OPEN, PURPOSE, SHARED
from ville.llm.accounting.question_tokens import question_tokens
from ville.llm.gateway import EMBEDDING, Usage
from ville.llm.wire.providers import OFFLINE
from ville.storage.studies.study_folder import LEDGER, JobManifest, StudyFolder
from ville.studies.study import StudyBase

MOST_OF_ARM = 5
"""Runs that are read of an arm."""
TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens")
COLUMNS = ("key", "step", "question", "repair", PURPOSE, "outcome", *TOKENS)


@dataclass(frozen=True, slots=True)
class UsedCall:
    """A call of a run, without its texts."""

    key: str
    """Digest of the request."""
    step: int
    question: str
    repair: int
    of_study: bool
    """Whether it is for a question of the study."""
    usage: Usage

    def totals(self, model: CostModel) -> Totals:
        """Return the call with the prices of a model; nothing for embeddings that it computes here."""
        if self.question == EMBEDDING:
            price, counts = model.vectors, model.buys_vectors
        else:
            known = question_tokens().get(self.question)
            price, counts = model.fast if known and known.tier == "fast" else model.advanced, True
        return Totals(1, self.usage.tokens, price.of(self.usage) if price else 0.0) if counts else Totals()


@dataclass(frozen=True)
class UsedByRun:
    """The calls of a run that is done, from its first step on."""

    job: JobManifest
    calls: Sequence[UsedCall]
    known: frozenset[str] = frozenset()
    """Requests for which a run of another arm, with the same seed, has an answer."""

    def between(self, begins: int, ends: int, model: CostModel, *, sharing: bool) -> Totals:
        """Return what the run itself used between two steps; if it is `sharing`, without answers that are known."""
        whole = [each for each in self.calls if not each.of_study and begins <= each.step < ends]
        found = [each for each in whole if not (sharing and each.key in self.known)]
        share = (ends - begins) / max(1, self.job.until_step - self.job.first_step) * len(found) / max(1, len(whole))
        return summed([Totals(seconds=self.job.seconds * share), *(each.totals(model) for each in found)])


def used_by_runs(folder: StudyFolder, storage: Path, jobs: Iterable[JobManifest] | None = None) -> list[UsedByRun]:
    """Return what some runs of a study used: of each arm the first that are done. `jobs`: those of the study, if they
    are known. Raises CorruptFile.
    """
    if jobs is None:
        jobs = folder.each_job() if folder.is_there else ()
    of_arm: dict[tuple[str, str, int, int], list[JobManifest]] = defaultdict(list)
    for job in jobs:
        same = of_arm[job.base, job.arm, job.first_step, job.until_step]
        if job.state == "done" and job.provenance.get("models") != OFFLINE and len(same) < MOST_OF_ARM:
            same.append(job)
    found = [UsedByRun(job, _calls_of(folder, storage, job)) for some in of_arm.values() for job in some]
    return [replace(each, known=_known_by_others(each.job, found)) for each in found if each.calls]


def used_by_bases(storage: Path, bases: Iterable[StudyBase]) -> list[UsedByRun]:
    """Return what the simulations used from which runs begin, as far as they were lived with a model: also after the
    moment at which the runs begin. Raises CorruptFile.
    """
    found = []
    for base in bases:
        name = base.origin.name
        calls = [each for row in _ledger_rows(storage / name / "reverie", FILE) if (each := _call(row))]
        if calls:
            first, last = min(each.step for each in calls), max(each.step for each in calls)
            job = JobManifest(
                run=name, simulation=name, base=base.name, arm="", seed=0, origin="", first_step=first,
                until_step=last + 1,
            )  # fmt: skip
            found.append(UsedByRun(job, calls))
    return found


def _known_by_others(job: JobManifest, runs: Iterable[UsedByRun]) -> frozenset[str]:
    others = (each for each in runs if (each.job.base, each.job.seed) == (job.base, job.seed))
    return frozenset(call.key for each in others if each.job.arm != job.arm for call in each.calls)


def _calls_of(folder: StudyFolder, storage: Path, job: JobManifest) -> list[UsedCall]:
    calls = (_call(row) for row in _rows(folder, storage / job.simulation / "reverie", job))
    return [each for each in calls if each and (each.of_study or each.step >= job.first_step)]


def _rows(folder: StudyFolder, reverie: Path, job: JobManifest) -> Iterator[dict[str, Any]]:
    """Yield the rows of both ledgers, or what is kept of them."""
    if kept := folder.kept(job.run, LEDGER):
        yield from map(json.loads, kept.splitlines())
        return
    for file in (FILE, INTERVIEWS):
        yield from (row for row in _ledger_rows(reverie, file) if file == FILE or row[PURPOSE] == OF_STUDY)


def _ledger_rows(reverie: Path, file: str) -> Iterator[dict[str, Any]]:
    if (reverie / file).exists():
        with closing(Ledger.read(reverie, file)) as ledger:
            query = f"SELECT {', '.join(COLUMNS)} FROM calls"  # noqa: S608 - names from this file
            for row in ledger.connection.execute(query):
                yield dict(zip(COLUMNS, row, strict=True))


def _call(row: dict[str, Any]) -> UsedCall | None:
    if row["outcome"] in {OPEN, SHARED}:
        return None
    usage = Usage(*(row[name] for name in TOKENS))
    key = row["key"] if isinstance(row["key"], str) else row["key"].hex()
    return UsedCall(key, row["step"], row["question"], row["repair"], row[PURPOSE] == OF_STUDY, usage)


def mean_use(
    runs: Sequence[UsedByRun], begins: int, ends: int, model: CostModel, *, sharing: bool = False
) -> tuple[Totals, list[tuple[int, int]]]:
    """Return what runs like these use between two steps, on average, and the spans that none of them has run; if they
    are `sharing`, they take the answers of other arms.
    """
    limits = {limit for each in runs for limit in (each.job.first_step, each.job.until_step) if begins < limit < ends}
    parts, gaps = [], []
    for first, until in pairwise(sorted({begins, ends} | limits)):
        having = [each for each in runs if each.job.first_step <= first and until <= each.job.until_step]
        if having:
            whole = summed([each.between(first, until, model, sharing=sharing) for each in having])
            parts.append(times(whole, 1 / len(having)))
        else:
            gaps.append((first, until))
    return summed(parts), gaps


def mean_answer(runs: Sequence[UsedByRun], model: CostModel) -> Totals | None:
    """Return what the answer to a question of the study takes, with its corrections; None if none was asked."""
    calls = [each for run in runs for each in run.calls if each.of_study]
    answers = sum(each.question != EMBEDDING and not each.repair for each in calls)
    return times(summed([each.totals(model) for each in calls]), 1 / answers) if answers else None


def times(one: Totals, factor: float) -> Totals:
    return Totals(one.calls * factor, one.tokens * factor, one.cost * factor, one.seconds * factor)


def summed(parts: Iterable[Totals]) -> Totals:
    calls = tokens = cost = seconds = 0.0
    for each in parts:
        calls, tokens = calls + each.calls, tokens + each.tokens
        cost, seconds = cost + each.cost, seconds + each.seconds
    return Totals(calls, tokens, cost, seconds)
