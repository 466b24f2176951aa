"""The jobs of a study as they were when it was last run, without their answers, which may take much memory."""

from collections.abc import Mapping

from ville.jobs.run_spec import AskedOfRun
from ville.reply_form import reply_form
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.job import StudyJob
from ville.studies.study import Study

Asked = tuple[str, str, str, str, str]
"""Question, moment, role, its name in measures, and the form of the answer."""
TOLD = ("host", "models")
"""Parts of the provenance of a run that the tables need."""


class EarlierJobs:
    """The jobs of a study folder, by run."""

    def __init__(self, folder: StudyFolder) -> None:
        """Raises CorruptFile."""
        self.jobs: dict[str, JobManifest] = {}
        self._answered: dict[str, frozenset[Asked]] = {}
        same: dict[frozenset[Asked], frozenset[Asked]] = {}
        for job in folder.each_job():
            result = job.result
            answers = result.answers if result else ()
            answered = frozenset((each.ask, each.when, each.role, each.name, each.form) for each in answers)
            self._answered[job.run] = same.setdefault(answered, answered)
            self.jobs[job.run] = without_answers(job).model_copy(update={"fingerprint": job.fingerprint})

    def has_all(self, job: StudyJob, study: Study) -> bool:
        """Return whether a job that is done has all measures and answers that the study file now asks for."""
        earlier = self.jobs.get(job.run)
        if earlier is None or earlier.result is None or not job.arm:
            return earlier is not None and earlier.result is not None
        measured = {measure.name for measure in study.measures} <= earlier.result.measures.keys()
        return measured and not self.unanswered(job)

    def unanswered(self, job: StudyJob) -> list[AskedOfRun]:
        """Return the questions of a job that nobody has answered yet."""
        known = self._answered.get(job.run, frozenset())
        return [each for each in job.questions if _asked(each) not in known]


def _asked(each: AskedOfRun) -> Asked:
    return (each.ask, each.when, each.role, each.name, reply_form(each.form).words)


def without_answers(job: JobManifest) -> JobManifest:
    """Return a job with what the tables and the order of work need."""
    result = job.result and job.result.model_copy(update={"answers": []})
    told = {key: value for key, value in job.provenance.items() if key in TOLD}
    return job.model_copy(update={"result": result, "provenance": told, "fingerprint": {}})


def changed_job(job: JobManifest, changes: Mapping[str, object]) -> JobManifest:
    """Return a job with other values; what is new of its provenance is added."""
    if isinstance(told := changes.get("provenance"), Mapping):
        changes = {**changes, "provenance": {**job.provenance, **told}}
    return job.model_copy(update=dict(changes))
