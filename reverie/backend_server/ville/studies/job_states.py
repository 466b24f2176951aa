"""The jobs of a study as they are now. What changes is written together, and what is not kept is removed then."""

from collections.abc import Iterator, Mapping

from ville.storage.past.moments import split_moment
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.earlier_jobs import changed_job, without_answers
from ville.studies.job import StudyJob
from ville.studies.kept_runs import KeptRuns, keep_of
from ville.studies.study import Study
from ville.studies.taking_up import TakingUp
from ville.studies.waiting_jobs import WaitingJobs

MOST_AT_ONCE, FEW = 500, 20
"""Jobs that are written at once when a study begins; and those of which what is kept is written at once."""


class JobStates:
    """The jobs of one study, by run, in the order of the tables, without their answers."""

    def __init__(
        self, study: Study, folder: StudyFolder, jobs: Mapping[str, StudyJob], *, taking: TakingUp, keeping: KeptRuns
    ) -> None:
        """Raises BadStudy if what was run before does not fit the study file."""
        self._study, self._folder, self._jobs = study, folder, jobs
        self._taking, self._keeping = taking, keeping
        self._runs = {job.simulation: job.run for job in jobs.values()}
        self.manifests = taking.manifests(jobs)
        self._changes: dict[str, dict[str, object]] = {}
        """Changes since they were last written, by run."""
        self._kept: dict[tuple[str, str], bytes] = {}
        """Parts of simulations to be written with these changes, by run and kind."""
        self._ended: list[str] = []
        """Jobs that have been done since then."""
        self.waiting = WaitingJobs(jobs, self._is_ready)

    @property
    def all(self) -> list[JobManifest]:
        """All jobs, in order."""
        return [self.manifests[run] for run in self._jobs]

    def run_of(self, simulation: str) -> str:
        """Return the run that a simulation belongs to."""
        return self._runs[simulation]

    def write_first(self) -> None:
        """Write the jobs as they are taken up, and remove what a program that was killed has left to be removed."""
        self._folder.write_jobs(())
        runs = list(self._jobs)
        for start in range(0, len(runs), MOST_AT_ONCE):
            some = runs[start : start + MOST_AT_ONCE]
            known = {job.run: job for job in self._folder.some_jobs(some)}
            self._folder.write_jobs(self._taking.taken_up(self._jobs[run], known.get(run)) for run in some)
        done = [run for run in reversed(runs) if self.manifests[run].state == "done"]
        for run in done:
            self._keeping.remove(self.manifests[run], self._taking.request(self._jobs[run]))
        for start in range(0, len(done), FEW):
            self._ended = done[start : start + FEW]
            self.write()

    def _is_ready(self, job: StudyJob) -> bool:
        begun = not job.after or self.manifests[job.after].state == "done"
        answered = all(self.manifests[each.run].state in {"done", "failed"} for each in job.answers_of)
        return self.manifests[job.run].state == "waiting" and begun and answered

    def update(self, run: str, **changes: object) -> None:
        """Change a job, which is written next."""
        self._changes.setdefault(run, {}).update(changes)
        self.manifests[run] = without_answers(changed_job(self.manifests[run], changes))
        self.waiting.changed(run)

    def done(self, run: str) -> None:
        """Note that a job is done, so that what is kept of it is written next."""
        self._ended.append(run)

    def write(self) -> None:
        """Write what has changed, with what is kept of runs that have ended, and remove the rest of these."""
        ended, self._ended = self._ended, []
        removed = []
        for run in (*ended, *(each for one in ended for each in self._needed(one))):
            job = self.manifests[run]
            if self._can_be_reduced(run):
                self._kept |= self._keeping.contents(job, self._line_of(run))
                self.update(run, kept=keep_of(self._study, job))
                removed.append(run)
        if self._changes:
            known = self._folder.some_jobs(self._changes)
            self._folder.write_jobs([changed_job(job, self._changes[job.run]) for job in known], self._kept)
            self._changes, self._kept = {}, {}
        for run in removed:
            self._keeping.remove(self.manifests[run], self._taking.request(self._jobs[run]))

    def _needed(self, run: str) -> Iterator[str]:
        """Yield the jobs that a job begins with or takes answers from, which may be needed no more."""
        for each in self._jobs[run].needs:
            yield each
            yield from self._needed(each)

    def _line_of(self, run: str) -> dict[str, JobManifest]:
        """Return a job and the beginnings that it branches from, by simulation."""
        found: dict[str, JobManifest] = {}
        now: str | None = run
        while now:
            job = self.manifests[now]
            found[job.simulation] = job
            now = self._runs.get(split_moment(job.origin).name)
        return found

    def _can_be_reduced(self, run: str) -> bool:
        """Return whether the simulation of a job has done its duty: it is done, and so is what needs it."""
        job = self.manifests[run]
        if self._study.keep == "all" or job.kept != "all" or job.state != "done":
            return False
        needing = [self.manifests[each] for each in self.waiting.needing(run)]
        return all(each.state == "done" and each.kept != "all" for each in needing)
