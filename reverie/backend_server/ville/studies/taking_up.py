"""Takes up the jobs of a study as they were left: what is done stays, and what was run otherwise is refused."""

from collections.abc import Iterator, Mapping

from ville.assembly.provenance import digest
from ville.errors import BadStudy, Fault
from ville.llm.wire.providers import OFFLINE
from ville.settings import Settings
from ville.storage.folder.branches import is_made_for
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.collecting import has_collected
from ville.studies.earlier_jobs import EarlierJobs, without_answers
from ville.studies.job import GROUPS, StudyJob, new_manifest
from ville.studies.kept_runs import KEPT_WORDS, KeptRuns
from ville.studies.registering import registration_faults
from ville.studies.study import Study

AGAIN = "Remove what was run with 'study.py clean {}', or give the study another name: --name NAME"
RENAME = "give the study another name: --name NAME"


class TakingUp:
    """Decides what becomes of the jobs that a folder has, now that the study file says what it says."""

    def __init__(self, study: Study, folder: StudyFolder, settings: Settings, keeping: KeptRuns) -> None:
        """Raises CorruptFile."""
        self._study, self._folder, self._settings, self._keeping = study, folder, settings, keeping
        self._earlier = EarlierJobs(folder)
        self.unanswered = self._earlier.unanswered
        self._manifests: dict[str, JobManifest] = {}

    def is_begun(self, job: StudyJob) -> bool:
        """Return whether there is a simulation, or was one that is done."""
        earlier = self._earlier.jobs.get(job.run)
        return bool(earlier and earlier.state == "done") or self._keeping.is_there(job.simulation)

    def request(self, job: StudyJob) -> str:
        """Return the identifier of a job, by which its simulation is recognized."""
        return digest({**job.fingerprint, "study": self._study.name})

    def manifests(self, jobs: Mapping[str, StudyJob]) -> dict[str, JobManifest]:
        """Return the jobs as they are taken up, without their answers. Raises BadStudy if one was run otherwise."""
        faults, file = list(registration_faults(self._study, self._folder)), self._study.file.name
        again = AGAIN.format(self._study.name)
        for job in jobs.values():
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
            self._manifests[job.run] = without_answers(self.taken_up(job, earlier))
        faults += self._faults_of_kept(jobs, file)
        if faults:
            raise BadStudy(*faults)
        return self._manifests

    def _faults_of_kept(self, jobs: Mapping[str, StudyJob], file: str) -> Iterator[Fault]:
        """Yield what would need simulations that were not kept, and let beginnings be run again that can be."""
        reduced = next((job for job in self._manifests.values() if job.kept != "all" and job.arm), None)
        if reduced and self._study.collect and not has_collected(self._folder, reduced.run, self._study.collect):
            said = f"{reduced.run} was not looked at over time as `collect` says now, and was not kept"
            yield Fault(said, f"give `collect` its earlier value, or {RENAME}", file)
        for job in reversed(list(jobs.values())):
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
                    origin = {"origin": jobs[run].origin, "first_step": jobs[run].first_step}
                    again = {"state": "waiting", "kept": "all", "step": jobs[run].first_step, **origin}
                    self._manifests[run] = needed.model_copy(update=again)

    def _is_foreign(self, job: StudyJob, earlier: JobManifest | None) -> bool:
        """Return whether there is a simulation of this name that something else has made."""
        is_begun = earlier and (earlier.state != "waiting" or earlier.step > earlier.first_step)
        return (
            not is_begun
            and self._keeping.is_there(job.simulation)
            and not is_made_for(self._settings.fs_storage / job.simulation, self.request(job))
        )

    def taken_up(self, job: StudyJob, earlier: JobManifest | None) -> JobManifest:
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
        begins = {} if self.is_begun(job) else {"origin": job.origin, "first_step": job.first_step}
        step = max(earlier.step, job.first_step)
        return earlier.model_copy(update={**begins, "state": "waiting", "fault": "", "step": step})


def _changed(job: StudyJob, earlier: JobManifest | None) -> list[str]:
    """Return what decides the outcome of a job and was otherwise."""
    was = {GROUPS: "", **earlier.fingerprint} if earlier else {}
    return [what for what, value in was.items() if job.fingerprint.get(what, "" if what == GROUPS else value) != value]
