"""Runs a study: gives its jobs to an engine, keeps their manifests, writes the tables and draws the figures."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from ville.assembly.provenance import digest, template_digests
from ville.errors import BadStudy, Fault
from ville.jobs.job_report import JobReport
from ville.jobs.pool import JobPool
from ville.jobs.run_spec import RunSpec, StudyTerms
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.wire.providers import OFFLINE
from ville.reply_form import reply_form
from ville.settings import load_settings
from ville.storage.folder.branches import is_made_for
from ville.storage.studies.registration import REGISTRATION, registration_of, write_registration
from ville.storage.studies.study_folder import FIGURES, JobManifest, StudyFolder, StudyNote
from ville.studies.collecting import write_collected
from ville.studies.dry_run import try_measures
from ville.studies.job import GROUPS, StudyJob, jobs_of
from ville.studies.registering import registration_faults, registration_for
from ville.studies.shared_beginnings import with_shared_beginnings
from ville.studies.study import Study
from ville.studies.study_estimate import EstimateBasis, StudyEstimate, estimate_study
from ville.studies.tables import DIFFERENCES, STATISTICS, statistics_files, write_tables


def write_statistics(folder: StudyFolder, study: Study, jobs: Sequence[JobManifest]) -> None:
    """Draw the measures of all runs that are done, and write their statistics. Raises CannotWrite."""
    names, arms = [measure.name for measure in study.measures], [arm.name for arm in study.arms]
    files = statistics_files(names, arms, jobs, registration_of(folder))
    folder.write_figures({name.removeprefix(f"{FIGURES}/"): text for name, text in files.items() if "/" in name})
    for name in (STATISTICS, DIFFERENCES):
        folder.write_table(name, files[name])


MOST_LOST = 20
"""How often the worker of a job may be killed until the job counts as failed: perhaps it kills it."""
LOOK = 0.2
"""Seconds between two looks at the engine, and for a request to stop."""
AGAIN = "Remove what was run with 'study.py clean {}', or give the study another name: --name NAME"
RENAME = "give the study another name: --name NAME"

Watch = Callable[[Sequence[JobManifest]], None]
"""Called whenever something has changed, with all jobs in order."""


class StudyRunner:
    """Runs one study. Only one program does so at a time."""

    def __init__(self, study: Study, folder: StudyFolder, given: Mapping[str, object]) -> None:
        """`given` are settings for all runs. Raises BadStudy if what was run before does not fit the study file."""
        self._study, self._folder = study, folder
        self._settings = load_settings(given)
        whole = jobs_of(study, given)
        jobs = with_shared_beginnings(whole, study.name, self._is_begun)
        self._jobs = {job.run: job for job in jobs}
        self._known = {job.run: [str(row["id"]) for row in job.rows] for job in (*jobs, *whole)}
        """Identifiers of the interventions of each run, from its base on."""
        self._manifests: dict[str, JobManifest] = {}
        self._going: set[str] = set()
        self._spent = ""
        """Why no more calls are admitted; empty: they are."""
        self._stopping = False
        self._is_tried = False
        """Whether measures were tried on a shared beginning."""
        self._fault: BadStudy | None = None
        """Fault that was found by it."""
        self._lost: Counter[str] = Counter()
        """How often the worker of each job was killed."""
        self._check_same()

    @property
    def jobs(self) -> list[JobManifest]:
        """The jobs as they are now, in the order of the tables."""
        return [self._manifests[run] for run in self._jobs]

    def _is_begun(self, job: StudyJob) -> bool:
        return (self._settings.fs_storage / job.simulation).exists()

    def _request(self, job: StudyJob) -> str:
        """Return the identifier of a job, by which its simulation is recognized."""
        return digest({**job.fingerprint, "study": self._study.name})

    def estimate(self, workers: int, *, by: EstimateBasis | None = None) -> StudyEstimate:
        """Return what will be taken by all that is not done, with so many runs at the same time. Raises SetupError."""
        self._try_on_base()
        return estimate_study(self._study, self._jobs, self._manifests, workers, by=by)

    def _try_on_base(self) -> None:
        """Carry out measures of one's own on the base of the first run that is not done. Raises BadStudy."""
        left = (job for job in self._jobs.values() if job.arm and self._manifests[job.run].state == "waiting")
        if job := next(left, None):
            origin = next(str(base.origin) for base in self._study.bases if base.name == job.base)
            try_measures(self._study, job, origin, self._settings.fs_storage)

    def _try_on_beginning(self, run: str) -> None:
        """Carry them out on the first shared beginning that is done; if one fails, nothing more is begun."""
        job = next((job for job in self._jobs.values() if job.after == run and job.arm), None)
        if job is None or self._is_tried:
            return
        self._is_tried = True
        try:
            try_measures(self._study, job, self._jobs[run].simulation, self._settings.fs_storage)
        except BadStudy as fault:
            self._fault = fault

    def run(self, engine: JobPool, watch: Watch, stop: Callable[[], bool]) -> list[JobManifest]:
        """Run what is not done yet, until all is or `stop` returns true; return the jobs.

        Raises StorageError, and BadStudy if a measure of one's own fails in its dry run.
        """
        self._try_on_base()
        self._begin()
        try:
            while self._going or self._next():
                self._submit(engine)
                self._look_for_stop(engine, stop)
                if self._fault and not self._stopping:
                    self._stopping = True
                    engine.stop()
                if self._note(engine.reports(LOOK)):
                    watch(self.jobs)
        finally:
            engine.close()
            self._write_tables()
            write_statistics(self._folder, self._study, self.jobs)
        if self._study.collect and not (self._stopping or self._spent):
            write_collected(self._folder, self._study.collect, self.jobs, self._settings)
        watch(self.jobs)
        if self._fault:
            raise self._fault
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
        )
        self._folder.forget_stop()
        if registered := registration_for(study, self._folder):
            write_registration(self._folder.root / REGISTRATION, registered)
        self._folder.write_note(note, study.text)
        for manifest in self._manifests.values():
            self._folder.write_job(manifest)
        self._write_tables()

    def _check_same(self) -> None:
        """Take up what was run before. Raises BadStudy if it was run otherwise."""
        faults, file = list(registration_faults(self._study, self._folder)), self._study.file.name
        again = AGAIN.format(self._study.name)
        for job in self._jobs.values():
            earlier = self._folder.job(job.run)
            if self._is_foreign(job, earlier):
                said = f"there is a simulation {job.simulation} that is not of this study"
                faults.append(Fault(said, RENAME, file))
            before = {GROUPS: "", **earlier.fingerprint} if earlier else {}
            changed = [what for what, was in before.items() if _other(job, what, was)]
            if earlier and changed and (earlier.step > earlier.first_step or earlier.state == "done"):
                what = " and ".join(changed)
                faults.append(Fault(f"{what} of {job.run} have changed since it was run", again, file))
            self._manifests[job.run] = self._taken_up(job, earlier if not changed else None)
        if faults:
            raise BadStudy(*faults)

    def _is_foreign(self, job: StudyJob, earlier: JobManifest | None) -> bool:
        """Return whether there is a simulation of this name that something else has made."""
        is_begun = earlier and (earlier.state != "waiting" or earlier.step > earlier.first_step)
        return (
            not is_begun
            and self._is_begun(job)
            and not is_made_for(self._settings.fs_storage / job.simulation, self._request(job))
        )

    def _taken_up(self, job: StudyJob, earlier: JobManifest | None) -> JobManifest:
        if earlier is None:
            return JobManifest(
                run=job.run,
                simulation=job.simulation,
                base=job.base,
                arm=job.arm,
                seed=job.seed,
                origin=job.origin,
                first_step=job.first_step,
                until_step=job.until_step,
                fingerprint=dict(job.fingerprint),
                step=job.first_step,
                groups={name: list(people) for name, people in job.groups.items()} if job.arm else {},
                provenance=dict(job.provenance),
            )
        is_whole = earlier.state == "done" and earlier.result is not None and self._has_all(job, earlier)
        stays = is_whole or (earlier.state == "failed" and earlier.tries >= self._study.tries)
        if stays:
            return earlier
        begins = {} if self._is_begun(job) else {"origin": job.origin, "first_step": job.first_step}
        step = max(earlier.step, job.first_step)
        return earlier.model_copy(update={**begins, "state": "waiting", "fault": "", "step": step})

    def _has_all(self, job: StudyJob, earlier: JobManifest) -> bool:
        """Return whether a finished run has all measures and answers that the study file now asks for."""
        result = earlier.result
        if result is None or not job.arm:
            return result is not None
        asked = {(each.ask, each.when, each.role, each.name, reply_form(each.form).words) for each in job.questions}
        answered = {(each.ask, each.when, each.role, each.name, each.form) for each in result.answers}
        return {measure.name for measure in self._study.measures} <= result.measures.keys() and asked <= answered

    def _next(self) -> StudyJob | None:
        """Return the next job that can be begun."""
        if self._stopping or self._spent or self._fault:
            return None
        return next((job for run, job in self._jobs.items() if run not in self._going and self._is_ready(job)), None)

    def _is_ready(self, job: StudyJob) -> bool:
        begun = not job.after or self._manifests[job.after].state == "done"
        answered = all(self._manifests[each.run].state in {"done", "failed"} for each in job.answers_of)
        return begun and answered and self._manifests[job.run].state == "waiting"

    def _submit(self, engine: JobPool) -> None:
        while engine.free > 0 and (job := self._next()):
            self._going.add(job.run)
            self._update(job.run, state="running", started=self._manifests[job.run].started or _now())
            engine.submit(self._spec(job))

    def _spec(self, job: StudyJob) -> RunSpec:
        study = self._study
        calls = job.provenance["models"] != OFFLINE
        budget = StudyBudget.described(self._folder.root, study.budget, study.concurrency) if calls else {}
        return RunSpec(
            origin=job.origin,
            name=job.simulation,
            request=self._request(job),
            first_step=job.first_step,
            until_step=job.until_step,
            interventions=job.rows,
            settings={**job.settings, **_answering(job)},
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
        """Note what has been reported; return whether there was anything."""
        runs = {job.simulation: run for run, job in self._jobs.items()}
        ended = False
        for report in reports:
            run = runs[report.name]
            if report.is_final:
                self._end(run, report)
                ended = True
            else:
                self._update(run, step=report.step)
        if ended:
            self._write_tables()
        return bool(reports)

    def _end(self, run: str, report: JobReport) -> None:
        """Note how a job has ended, and let it wait again if it may be tried again."""
        self._going.discard(run)
        manifest = self._manifests[run]
        self._lost[run] += report.state == "lost"
        failed = report.state == "failed" or self._lost[run] > MOST_LOST
        tries = manifest.tries + failed
        again = (failed and tries < self._study.tries) or (report.state == "lost" and not failed)
        ended = {"spent": "stopped", "lost": "failed"}.get(report.state, report.state)
        state = ended if not again else "stopped" if self._stopping else "waiting"
        self._spent = self._spent or (report.fault if report.state == "spent" else "")
        self._update(
            run,
            state=state,
            fault=self._spent if report.state == "spent" else report.fault,
            tries=tries,
            step=report.step or manifest.step,  # a worker that was killed has not told it
            seconds=round(manifest.seconds + report.seconds, 3),
            ended=_now(),
            provenance={**manifest.provenance, "host": report.host},
            result=report.outcome or manifest.result,
        )
        if state == "done" and not self._jobs[run].arm:
            self._try_on_beginning(run)
        if state == "failed":
            for job in self._jobs.values():
                if job.after == run:
                    self._fail_with(job, report.fault)

    def _fail_with(self, job: StudyJob, fault: str) -> None:
        """Note that a job cannot begin, because the beginning that it shares has failed; nor can those after it."""
        self._update(job.run, state="failed", fault=f"its shared beginning failed: {fault}", tries=self._study.tries)
        for each in self._jobs.values():
            if each.after == job.run:
                self._fail_with(each, fault)

    def _update(self, run: str, **changes: object) -> None:
        self._manifests[run] = self._manifests[run].model_copy(update=changes)
        self._folder.write_job(self._manifests[run])

    def _write_tables(self) -> None:
        write_tables(self._folder, [measure.name for measure in self._study.measures], self.jobs)


def _answering(job: StudyJob) -> dict[str, str]:
    """Return the setting that names the simulations whose answers a job takes; empty: it takes none."""
    names = " ".join(each.simulation for each in job.answers_of)
    return {"answers_from": names} if names else {}


def _other(job: StudyJob, what: str, was: str) -> bool:
    return job.fingerprint.get(what, "" if what == GROUPS else was) != was


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
