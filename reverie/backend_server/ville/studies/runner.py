"""Runs a study: gives its jobs to an engine, keeps their manifests, writes the tables and draws the figures."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from ville.assembly.provenance import digest, template_digests
from ville.errors import BadStudy, Fault
from ville.jobs.job_report import JobReport
from ville.jobs.pool import JobPool
from ville.jobs.run_spec import RunSpec, StudyTerms
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.wire.providers import OFFLINE
from ville.settings import load_settings
from ville.storage.folder.branches import is_made_for
from ville.storage.past.moments import split_moment
from ville.storage.studies.registration import REGISTRATION, write_registration
from ville.storage.studies.study_folder import JobManifest, StudyFolder, StudyNote
from ville.studies.collecting import has_collected, write_collected
from ville.studies.dry_run import MeasureTrials
from ville.studies.earlier_jobs import EarlierJobs, changed_job, without_answers
from ville.studies.job import GROUPS, StudyJob, jobs_of, new_manifest
from ville.studies.kept_runs import KEPT_WORDS, KeptRuns, keep_of
from ville.studies.registering import registration_faults, registration_for
from ville.studies.shared_beginnings import with_shared_beginnings
from ville.studies.sparing import Sparing
from ville.studies.study import Study
from ville.studies.study_estimate import TYPICAL, EstimateBasis, StudyEstimate, by_done_runs, estimate_study
from ville.studies.tables import write_statistics, write_tables
from ville.studies.used_by_runs import used_by_bases, used_by_runs
from ville.studies.waiting_jobs import WaitingJobs

MOST_LOST = 20
"""How often the worker of a job may be killed until the job counts as failed: perhaps it kills it."""
MOST_AT_ONCE, FEW = 500, 20
"""Jobs that are written at once when a study begins; and those of which what is kept is written at once."""
SHOWN, WRITTEN = 2.0, 120.0
"""Seconds after which the jobs are shown, and the tables written, even if that takes long."""
LOOK = 0.2
"""Seconds between two looks at the engine, and for a request to stop."""
AGAIN = "Remove what was run with 'study.py clean {}', or give the study another name: --name NAME"
RENAME = "give the study another name: --name NAME"

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
        self._earlier = EarlierJobs(folder)
        self._keeping = KeptRuns(study, self._settings)
        whole = jobs_of(study, given)
        jobs = with_shared_beginnings(whole, study.name, self._is_begun)
        self._jobs = {job.run: job for job in jobs}
        self._runs = {job.simulation: job.run for job in jobs}
        self._known = {job.run: [str(row["id"]) for row in job.rows] for job in (*jobs, *whole)}
        """Identifiers of the interventions of each run, from its base on."""
        self._manifests: dict[str, JobManifest] = {}
        """Jobs as they are now, without their answers."""
        self._changes: dict[str, dict[str, object]] = {}
        """Changes since they were last written, by run."""
        self._kept: dict[tuple[str, str], bytes] = {}
        """Parts of simulations to be written with these changes, by run and kind."""
        self._ended: list[str] = []
        """Jobs that have been done since then."""
        self._going: set[str] = set()
        self._spent = ""
        """Why no more calls are admitted; empty: they are."""
        self._stopping = False
        self._trials = MeasureTrials(study, self._settings.fs_storage)
        self._lost: Counter[str] = Counter()
        """How often the worker of each job was killed."""
        self._check_same()
        self._waiting = WaitingJobs(self._jobs, self._is_ready)

    @property
    def jobs(self) -> list[JobManifest]:
        """The jobs as they are now, in the order of the tables, without their answers."""
        return [self._manifests[run] for run in self._jobs]

    def _is_begun(self, job: StudyJob) -> bool:
        """Return whether there is a simulation, or was one that is done."""
        earlier = self._earlier.jobs.get(job.run)
        return bool(earlier and earlier.state == "done") or self._keeping.is_there(job.simulation)

    def _request(self, job: StudyJob) -> str:
        """Return the identifier of a job, by which its simulation is recognized."""
        return digest({**job.fingerprint, "study": self._study.name})

    def estimate(self, workers: int, *, by: EstimateBasis = TYPICAL, like: StudyFolder | None = None) -> StudyEstimate:
        """Return what the rest will take, with so many runs at the same time: by what runs took that are done, also of
        a study that it is `like`; else by what bases took, else `by` what is known before. Raises a ReverieError.
        """
        self._trials.on_base(self._left())
        storage, unanswered = self._settings.fs_storage, self._earlier.unanswered
        done = used_by_runs(self._folder, storage, self.jobs) + (used_by_runs(like, storage) if like else [])
        by = by_done_runs(done or used_by_bases(storage, self._study.bases), self._jobs, by)
        return estimate_study(self._study, self._jobs, self._manifests, workers, by=by, unanswered=unanswered)

    def _left(self) -> Iterator[StudyJob]:
        return (job for job in self._jobs.values() if job.arm and self._manifests[job.run].state == "waiting")

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
                self._write()
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
            self._write()
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
        self._write_first()
        self._write_tables()

    def _write_first(self) -> None:
        """Write the jobs as they are taken up, and remove what a program that was killed has left to be removed."""
        self._folder.write_jobs(())
        runs = list(self._jobs)
        for start in range(0, len(runs), MOST_AT_ONCE):
            some = runs[start : start + MOST_AT_ONCE]
            known = {job.run: job for job in self._folder.some_jobs(some)}
            self._folder.write_jobs(self._taken_up(self._jobs[run], known.get(run)) for run in some)
        done = [run for run in reversed(runs) if self._manifests[run].state == "done"]
        for run in done:
            self._keeping.remove(self._manifests[run], self._request(self._jobs[run]))
        for start in range(0, len(done), FEW):
            self._ended = done[start : start + FEW]
            self._write()

    def _check_same(self) -> None:
        """Take up what was run before. Raises BadStudy if it was run otherwise."""
        faults, file = list(registration_faults(self._study, self._folder)), self._study.file.name
        again = AGAIN.format(self._study.name)
        for job in self._jobs.values():
            earlier = self._earlier.jobs.get(job.run)
            if self._is_foreign(job, earlier):
                said = f"there is a simulation {job.simulation} that is not of this study"
                faults.append(Fault(said, RENAME, file))
            if self._keeping.is_taken(job, earlier):
                said = f"there is a recording {job.simulation} that is not of this study"
                faults.append(Fault(said, RENAME, file))
            changed = _changed(job, earlier)
            if earlier and changed and (earlier.step > earlier.first_step or earlier.state == "done"):
                what = " and ".join(changed)
                faults.append(Fault(f"{what} of {job.run} have changed since it was run", again, file))
            self._manifests[job.run] = without_answers(self._taken_up(job, earlier))
        faults += self._faults_of_kept(file)
        if faults:
            raise BadStudy(*faults)

    def _faults_of_kept(self, file: str) -> Iterator[Fault]:
        """Yield what would need simulations that were not kept, and let beginnings be run again that can be."""
        reduced = next((job for job in self._manifests.values() if job.kept != "all" and job.arm), None)
        if reduced and self._study.collect and not has_collected(self._folder, reduced.run, self._study.collect):
            said = f"{reduced.run} was not looked at over time as `collect` says now, and was not kept"
            yield Fault(said, f"give `collect` its earlier value, or {RENAME}", file)
        for job in reversed(list(self._jobs.values())):
            manifest = self._manifests[job.run]
            if manifest.state != "waiting":
                continue
            if manifest.kept != "all" and job.arm:
                said = f"{job.run} keeps {KEPT_WORDS[manifest.kept]}, so that nothing more can be measured or asked"
                yield Fault(said, f"take out what was added to the study file, or {RENAME}", file)
            for run in job.needs:
                needed = self._manifests[run]
                if needed.kept != "all" and job.provenance["models"] != OFFLINE:
                    said = f"{job.run} begins with what {run} has left, which was not kept"
                    yield Fault(said, f"{RENAME}; `keep: all` keeps it", file)
                elif needed.kept != "all" and run == job.after:  # by the rules, it comes out as it was
                    origin = {"origin": self._jobs[run].origin, "first_step": self._jobs[run].first_step}
                    again = {"state": "waiting", "kept": "all", "step": self._jobs[run].first_step, **origin}
                    self._manifests[run] = needed.model_copy(update=again)

    def _is_foreign(self, job: StudyJob, earlier: JobManifest | None) -> bool:
        """Return whether there is a simulation of this name that something else has made."""
        is_begun = earlier and (earlier.state != "waiting" or earlier.step > earlier.first_step)
        return (
            not is_begun
            and self._keeping.is_there(job.simulation)
            and not is_made_for(self._settings.fs_storage / job.simulation, self._request(job))
        )

    def _taken_up(self, job: StudyJob, earlier: JobManifest | None) -> JobManifest:
        """Return the manifest of a job, of which an earlier one may be known."""
        if earlier is None or _changed(job, earlier):
            return new_manifest(job)
        if (now := self._manifests.get(job.run)) and now.state == "waiting" and earlier.state == "done":
            again = {name: getattr(now, name) for name in ("state", "kept", "step", "origin", "first_step")}
            return earlier.model_copy(update=again)
        is_whole = earlier.state == "done" and self._earlier.has_all(job, self._study)
        stays = is_whole or (earlier.state == "failed" and earlier.tries >= self._study.tries)
        if stays:
            return earlier
        begins = {} if self._is_begun(job) else {"origin": job.origin, "first_step": job.first_step}
        step = max(earlier.step, job.first_step)
        return earlier.model_copy(update={**begins, "state": "waiting", "fault": "", "step": step})

    def _next(self) -> StudyJob | None:
        """Return the next job that can be begun."""
        return None if self._stopping or self._spent or self._trials.fault else self._waiting.next()

    def _is_ready(self, job: StudyJob) -> bool:
        begun = not job.after or self._manifests[job.after].state == "done"
        answered = all(self._manifests[each.run].state in {"done", "failed"} for each in job.answers_of)
        waits = job.run not in self._going and self._manifests[job.run].state == "waiting"
        return waits and begun and answered

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
            run = self._runs[report.name]
            if report.is_final:
                self._end(run, report)
            else:
                self._update(run, step=report.step)
        return any(report.is_final for report in reports)

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
        result = {"result": report.outcome} if report.result else {}
        self._update(
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
            self._ended.append(run)
            if not self._jobs[run].arm:
                self._trials.on_beginning(self._jobs[run].simulation, self._jobs.values(), after=run)
        if state == "failed":
            self._fail_after(run, report.fault)

    def _fail_after(self, run: str, fault: str) -> None:
        """Note that jobs cannot begin, because the beginning that they share has failed; nor can those after them."""
        for each in self._waiting.needing(run):
            if self._jobs[each].after == run:
                why = f"its shared beginning failed: {fault}"
                self._update(each, state="failed", fault=why, tries=self._study.tries)
                self._fail_after(each, why)

    def _update(self, run: str, **changes: object) -> None:
        self._changes.setdefault(run, {}).update(changes)
        self._manifests[run] = without_answers(changed_job(self._manifests[run], changes))
        self._waiting.changed(run)

    def _write(self) -> None:
        """Write what has changed, with what is kept of runs that have ended, and remove the rest of these."""
        ended, self._ended = self._ended, []
        removed = []
        for run in (*ended, *(each for one in ended for each in self._needed(one))):
            job = self._manifests[run]
            if self._can_be_reduced(run):
                self._kept |= self._keeping.contents(job, self._line_of(run))
                self._update(run, kept=keep_of(self._study, job))
                removed.append(run)
        if self._changes:
            known = self._folder.some_jobs(self._changes)
            self._folder.write_jobs([changed_job(job, self._changes[job.run]) for job in known], self._kept)
            self._changes, self._kept = {}, {}
        for run in removed:
            self._keeping.remove(self._manifests[run], self._request(self._jobs[run]))

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
            job = self._manifests[now]
            found[job.simulation] = job
            now = self._runs.get(split_moment(job.origin).name)
        return found

    def _can_be_reduced(self, run: str) -> bool:
        """Return whether the simulation of a job has done its duty: it is done, and so is what needs it."""
        job = self._manifests[run]
        if self._study.keep == "all" or job.kept != "all" or job.state != "done":
            return False
        needing = [self._manifests[each] for each in self._waiting.needing(run)]
        return all(each.state == "done" and each.kept != "all" for each in needing)

    def _write_tables(self) -> None:
        write_tables(self._folder, [measure.name for measure in self._study.measures], self.jobs)


def _changed(job: StudyJob, earlier: JobManifest | None) -> list[str]:
    """Return what decides the outcome of a job and was otherwise."""
    was = {GROUPS: "", **earlier.fingerprint} if earlier else {}
    return [what for what, value in was.items() if job.fingerprint.get(what, "" if what == GROUPS else value) != value]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
