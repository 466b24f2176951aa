"""Beginnings that several runs share: they are run once, and the runs branch from them.

Runs have the same beginning if they have the same base, seed and settings, up to the step at which their interventions
first differ. What comes of a run does not depend on it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ville.assembly.provenance import digest
from ville.storage.files import compact
from ville.storage.past.moments import NamedMoment
from ville.storage.records.intervention_log import Row
from ville.studies.job import StudyJob

SHORTEST = 60
"""Steps from which on copying is faster than computing."""
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
    for job in jobs:
        settings = {name: str(value) for name, value in sorted(job.settings.items())}
        same = [job.fingerprint[what] for what in SAME]
        groups.setdefault(compact([job.base, job.seed, job.until_step, settings, same]), []).append(job)
    found = [job for group in groups.values() for job in _Sharing(study, is_begun).split(group)]
    places = {job.run: place for place, job in enumerate(jobs)}
    return tuple(sorted(found, key=lambda job: (bool(job.arm), places.get(job.run, 0))))


@dataclass(frozen=True)
class _Sharing:
    study: str
    is_begun: Callable[[StudyJob], bool]

    def split(self, jobs: Sequence[StudyJob]) -> Iterator[StudyJob]:
        """Yield jobs that are the same up to their `first_step`, and the beginnings that they share from there."""
        step = _first_difference(jobs)
        if len(jobs) == 1:
            yield from jobs
            return
        if step - jobs[0].first_step >= SHORTEST:
            beginning = self._beginning(jobs[0], step)
            needing = sum(not self.is_begun(job) for job in jobs)
            if needing > 1 or self.is_begun(beginning):
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
            yield from self.split(group)

    def _beginning(self, job: StudyJob, step: int) -> StudyJob:
        """Return the job that runs up to a step, as this one and others do."""
        rows = tuple(row for row in job.rows if row["step"] < step)
        fingerprint = {
            **job.fingerprint,
            "the steps": digest([job.origin, step]),
            "the interventions": _digest_of(rows),
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
        )


def _digest_of(rows: Sequence[Row]) -> str:
    return digest([{**row, "id": ""} for row in rows])


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
