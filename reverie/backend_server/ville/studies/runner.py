"""Runs a study: gives its jobs to an engine, keeps their manifests, writes the tables and draws the figures."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from ville.assembly.provenance import template_digests
from ville.jobs.job_report import JobReport
from ville.jobs.pool import JobPool
from ville.jobs.run_spec import RunSpec, StudyTerms
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.wire.providers import OFFLINE
from ville.settings import load_settings
from ville.storage.studies.registration import REGISTRATION, write_registration
from ville.storage.studies.study_folder import JobManifest, StudyFolder, StudyNote
from ville.studies.collecting import write_collected
from ville.studies.dry_run import MeasureTrials
from ville.studies.job import StudyJob, jobs_of
from ville.studies.job_states import JobStates
from ville.studies.kept_runs import KeptRuns
from ville.studies.registering import registration_for
from ville.studies.shared_beginnings import with_shared_beginnings
from ville.studies.sparing import Sparing
from ville.studies.study import Study
from ville.studies.study_estimate import TYPICAL, EstimateBasis, StudyEstimate, by_done_runs, estimate_study
from ville.studies.tables import write_statistics, write_tables
from ville.studies.taking_up import TakingUp
from ville.studies.used_by_runs import used_by_bases, used_by_runs

MOST_LOST = 20
"""How often the worker of a job may be killed until the job counts as failed: perhaps it kills it."""
SHOWN, WRITTEN = 2.0, 120.0
"""Seconds after which the jobs are shown, and the tables written, even if that takes long."""
LOOK = 0.2
"""Seconds between two looks at the engine, and for a request to stop."""

Watch = Callable[[Sequence[JobManifest]], None]
"""Called whenever something has changed, with all jobs in order."""


class StudyRunner:
    """Runs one study. Only one program does so at a time.

    What it holds of each run does not grow with what the run has answered: that is in `jobs.sqlite3`.
    """

    def __init__(self, study: Study, folder: StudyFolder, given: Mapping[str, object]) -> None:
        """`given` are settings for all runs. Raises BadStudy if what was run before does not fit the study file."""
        self._study, self._folder = study, folder
        self._settings = load_settings(given)
        if not self._settings.fsync:
            folder.without_fsync()
        self._keeping = KeptRuns(study, self._settings)
        self._taking = TakingUp(study, folder, self._settings, self._keeping)
        whole = jobs_of(study, given)
        jobs = with_shared_beginnings(whole, study.name, self._taking.is_begun)
        self._jobs = {job.run: job for job in jobs}
        self._known = {job.run: [str(row["id"]) for row in job.rows] for job in (*jobs, *whole)}
        """Identifiers of the interventions of each run, from its base on."""
        self._states = JobStates(study, folder, self._jobs, taking=self._taking, keeping=self._keeping)
        self._going: set[str] = set()
        self._spent = ""
        """Why no more calls are admitted; empty: they are."""
        self._stopping = False
        self._trials = MeasureTrials(study, self._settings.fs_storage)
        self._lost: Counter[str] = Counter()
        """How often the worker of each job was killed."""

    @property
    def jobs(self) -> list[JobManifest]:
        """The jobs as they are now, in the order of the tables, without their answers."""
        return self._states.all

    def estimate(self, workers: int, *, by: EstimateBasis = TYPICAL, like: StudyFolder | None = None) -> StudyEstimate:
        """Return what the rest will take, with so many runs at the same time: by what runs took that are done, also of
        a study that it is `like`; else by what bases took, else `by` what is known before. Raises a ReverieError.
        """
        self._trials.on_base(self._left())
        storage, unanswered = self._settings.fs_storage, self._taking.unanswered
        done = used_by_runs(self._folder, storage, self.jobs) + (used_by_runs(like, storage) if like else [])
        by = by_done_runs(done or used_by_bases(storage, self._study.bases), self._jobs, by)
        return estimate_study(self._study, self._jobs, self._states.manifests, workers, by=by, unanswered=unanswered)

    def _left(self) -> Iterator[StudyJob]:
        return (job for job in self._jobs.values() if job.arm and self._states.manifests[job.run].state == "waiting")

    def run(self, engine: JobPool, watch: Watch, stop: Callable[[], bool]) -> list[JobManifest]:
        """Run what is not done yet, until all is or `stop` returns true; return the jobs.

        Raises StorageError, and BadStudy if a measure of one's own fails in its dry run.
        """
        self._trials.on_base(self._left())
        watch_sparingly = Sparing(lambda: watch(self.jobs), SHOWN)
        write_sparingly = Sparing(self._write_tables, WRITTEN)
        self._begin()
        try:
            while self._going or self._next():
                self._submit(engine)
                self._states.write()
                self._look_for_stop(engine, stop)
                if self._trials.fault and not self._stopping:
                    self._stopping = True
                    engine.stop()
                reports = engine.reports(LOOK)
                if self._note(reports):
                    write_sparingly()
                if reports:
                    watch_sparingly()
        finally:
            engine.close()
            self._states.write()
            self._write_tables()
            write_statistics(self._folder, self._study, self.jobs)
        if self._study.collect and not (self._stopping or self._spent):
            write_collected(self._folder, self._study.collect, self.jobs, self._settings)
        watch(self.jobs)
        if self._trials.fault:
            raise self._trials.fault
        return self.jobs

    def _begin(self) -> None:
        study, jobs = self._study, self._jobs.values()
        limits = {"dollars": study.budget.cost, "calls": study.budget.calls, "tokens": study.budget.tokens}
        note = StudyNote(
            name=study.name,
            title=study.title,
            file=str(study.file),
            measures=[measure.name for measure in study.measures],
            arms=[arm.name for arm in study.arms],
            seeds=list(study.seeds),
            bases=[base.name for base in study.bases],
            budget={name: value for name, value in limits.items() if value is not None},
            runs=[job.run for job in jobs if job.arm],
            shared=[job.run for job in jobs if not job.arm],
            prompts=template_digests(),
            keep=study.keep,
        )
        self._folder.forget_stop()
        if registered := registration_for(study, self._folder):
            write_registration(self._folder.root / REGISTRATION, registered)
        self._folder.write_note(note, study.text)
        self._states.write_first()
        self._write_tables()

    def _next(self) -> StudyJob | None:
        """Return the next job that can be begun."""
        return None if self._stopping or self._spent or self._trials.fault else self._states.waiting.next()

    def _submit(self, engine: JobPool) -> None:
        while engine.free > 0 and (job := self._next()):
            self._going.add(job.run)
            self._states.update(job.run, state="running", started=self._states.manifests[job.run].started or _now())
            engine.submit(self._spec(job))

    def _spec(self, job: StudyJob) -> RunSpec:
        study = self._study
        calls = job.provenance["models"] != OFFLINE
        budget = StudyBudget.described(self._folder.root, study.budget, study.concurrency) if calls else {}
        return RunSpec(
            origin=job.origin,
            name=job.simulation,
            request=self._taking.request(job),
            first_step=job.first_step,
            until_step=job.until_step,
            interventions=job.rows,
            settings={**self._keeping.settings_of(job), **job.answering},
            questions=job.questions,
            measures=[measure.source for measure in study.measures] if job.arm else (),
            study=StudyTerms(
                known=self._known[job.run], folder=str(study.file.parent), budget=budget, groups=job.groups
            ),
        )

    def _look_for_stop(self, engine: JobPool, stop: Callable[[], bool]) -> None:
        if not self._stopping and (stop() or self._folder.stop_is_wanted):
            self._stopping = True
            self._folder.forget_stop()
            engine.stop()

    def _note(self, reports: Sequence[JobReport]) -> bool:
        """Note what has been reported; return whether a job has ended."""
        for report in reports:
            run = self._states.run_of(report.name)
            if report.is_final:
                self._end(run, report)
            else:
                self._states.update(run, step=report.step)
        return any(report.is_final for report in reports)

    def _end(self, run: str, report: JobReport) -> None:
        """Note how a job has ended, and let it wait again if it may be tried again."""
        self._going.discard(run)
        manifest = self._states.manifests[run]
        self._lost[run] += report.state == "lost"
        failed = report.state == "failed" or self._lost[run] > MOST_LOST
        tries = manifest.tries + failed
        again = (failed and tries < self._study.tries) or (report.state == "lost" and not failed)
        ended = {"spent": "stopped", "lost": "failed"}.get(report.state, report.state)
        state = ended if not again else "stopped" if self._stopping else "waiting"
        self._spent = self._spent or (report.fault if report.state == "spent" else "")
        result = {"result": report.outcome} if report.result else {}
        self._states.update(
            run,
            state=state,
            fault=self._spent if report.state == "spent" else report.fault,
            tries=tries,
            step=report.step or manifest.step,  # a worker that was killed has not told it
            seconds=round(manifest.seconds + report.seconds, 3),
            ended=_now(),
            provenance={"host": report.host},
            **result,
        )
        if state == "done":
            self._states.done(run)
            if not self._jobs[run].arm:
                self._trials.on_beginning(self._jobs[run].simulation, self._jobs.values(), after=run)
        if state == "failed":
            self._fail_after(run, report.fault)

    def _fail_after(self, run: str, fault: str) -> None:
        """Note that jobs cannot begin, because the beginning that they share has failed; nor can those after them."""
        for each in self._states.waiting.needing(run):
            if self._jobs[each].after == run:
                why = f"its shared beginning failed: {fault}"
                self._states.update(each, state="failed", fault=why, tries=self._study.tries)
                self._fail_after(each, why)

    def _write_tables(self) -> None:
        write_tables(self._folder, [measure.name for measure in self._study.measures], self.jobs)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
