"""Beginnings that several runs share: they are run once, and the runs branch from them.

Runs have the same beginning if they have the same base, seed and settings, up to the step at which their interventions
first differ. What comes of a run does not depend on it. Runs of an arm with the past of another one are those of the
other one up to their turn, and branch there in any case.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ville.assembly.provenance import digest
from ville.storage.files import compact
from ville.storage.past.moments import NamedMoment
from ville.storage.records.intervention_log import Row
from ville.studies.job import ITS_ANSWERS, StudyJob, rows_digest

SHORTEST = 60
"""Steps from which on copying is faster than computing."""
TURN = "turn"
"""Stands among the interventions of a job for the step from which on its settings are its own."""
SAME = ("the base", "the seed", "the models", "the settings", "the prompts")
"""Fingerprints that a run shares with its beginning."""


def with_shared_beginnings(
    jobs: Sequence[StudyJob], study: str, is_begun: Callable[[StudyJob], bool]
) -> tuple[StudyJob, ...]:
    """Return jobs with the beginnings that at least two of them share, which come first.

    `is_begun` says whether a job has a simulation already: it needs no beginning then. A beginning that is there is
    used by a single job, too, and stays in the tables.
    """
    groups: dict[str, list[StudyJob]] = {}
    later = {job.run: job for job in jobs if job.past}
    for job in map(_as_before, jobs):
        settings = {name: str(value) for name, value in sorted(job.settings.items())}
        same = [job.fingerprint[what] for what in SAME]
        groups.setdefault(compact([job.base, job.seed, job.until_step, settings, same]), []).append(job)
    found = [job for group in groups.values() for job in _Sharing(study, is_begun, later).split(group)]
    places = {job.run: place for place, job in enumerate(jobs)}
    return tuple(sorted(found, key=lambda job: (bool(job.arm), places.get(job.run, 0))))


@dataclass(frozen=True)
class _Sharing:
    study: str
    is_begun: Callable[[StudyJob], bool]
    later: Mapping[str, StudyJob]
    """Jobs with a past, as they are from their turn on."""

    def split(self, jobs: Sequence[StudyJob]) -> Iterator[StudyJob]:
        """Yield jobs that are the same up to their `first_step`, and the beginnings that they share from there."""
        step = _first_difference(jobs)
        if len(jobs) == 1:
            yield from jobs
            return
        turning = [job for job in jobs if _turns_at(job, step)]
        if step - jobs[0].first_step >= (1 if turning else SHORTEST):
            beginning = self._beginning(jobs[0], step)
            needing = sum(not self.is_begun(job) for job in jobs)
            if needing > 1 or self.is_begun(beginning) or not all(map(self.is_begun, turning)):
                yield beginning
                origin = str(NamedMoment(beginning.simulation, str(step)))
                jobs = [_branching(job, origin, step, after=beginning.run) for job in jobs]
        if step == jobs[0].until_step:
            yield from jobs
            return
        groups: dict[str, list[StudyJob]] = {}
        for job in jobs:
            groups.setdefault(compact([row for row in job.rows if row["step"] <= step]), []).append(job)
        for group in groups.values():
            yield from self.split([self._turned(job, step) for job in group])

    def _turned(self, job: StudyJob, step: int) -> StudyJob:
        """Return a job that goes on with its own settings, if this is its turn."""
        if not _turns_at(job, step):
            return job
        own = self.later[job.run]
        rows = tuple(row for row in job.rows if not _is_turn(row))
        return replace(job, settings=own.settings, fingerprint=own.fingerprint, provenance=own.provenance, rows=rows)

    def _beginning(self, job: StudyJob, step: int) -> StudyJob:
        """Return the job that runs up to a step, as this one and others do."""
        rows = tuple(row for row in job.rows if row["step"] < step)
        fingerprint = {
            **{what: found for what, found in job.fingerprint.items() if what != ITS_ANSWERS},
            "the steps": digest([job.origin, step]),
            "the interventions": rows_digest(rows),
        }
        run = f"shared-{step}-{digest(fingerprint)[:8]}"
        return replace(
            job,
            run=run,
            simulation=f"{self.study}-{run}",
            arm="",
            until_step=step,
            rows=rows,
            fingerprint=fingerprint,
            questions=(),
            answers_of=(),
        )


def _as_before(job: StudyJob) -> StudyJob:
    """Return a job with a past as it begins, with its turn as if it were an intervention."""
    if (past := job.past) is None:
        return job
    turn: Row = {"step": job.turn, "kind": TURN, "to": dict(job.fingerprint)}
    first, then = ([row for row in job.rows if (row["step"] < job.turn) is early] for early in (True, False))
    rows = (*first, turn, *then)
    return replace(job, settings=past.settings, fingerprint=past.fingerprint, provenance=past.provenance, rows=rows)


def _turns_at(job: StudyJob, step: int) -> bool:
    return any(_is_turn(row) and row["step"] == step for row in job.rows)


def _is_turn(row: Row) -> bool:
    return bool(row.get("kind") == TURN)


def _branching(job: StudyJob, origin: str, step: int, *, after: str) -> StudyJob:
    """Return a job that branches from a beginning."""
    rows = tuple(row for row in job.rows if row["step"] >= step)
    return replace(job, origin=origin, first_step=step, rows=rows, after=after)


def _first_difference(jobs: Sequence[StudyJob]) -> int:
    """Return the first step before which the interventions of jobs differ; the last step if they never do."""
    ordered = [sorted(job.rows, key=lambda row: int(row["step"])) for job in jobs]
    most = max(map(len, ordered))
    for place in range(most):
        rows: list[Row | None] = [each[place] if place < len(each) else None for each in ordered]
        if any(row != rows[0] for row in rows):
            return min(int(row["step"]) for row in rows if row is not None)
    return jobs[0].until_step
