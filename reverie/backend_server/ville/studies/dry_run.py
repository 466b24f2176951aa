"""Dry run: measures of one's own are carried out once on what is there, before a study spends anything."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ville.analysis.named_measures import is_code
from ville.errors import BadStudy, Fault
from ville.jobs.measure_trial import MeasureTrial
from ville.studies.job import StudyJob
from ville.studies.study import Study

FIX = "correct it, or return None where there is nothing to measure: nobody was asked yet, and perhaps nothing happened"


class MeasureTrials:
    """Carries out the functions of a study once on a base, and once on the first shared beginning that is done."""

    def __init__(self, study: Study, storage: Path) -> None:
        self._study, self._storage = study, storage
        self._code = [measure.source for measure in study.measures if is_code(measure.source)]
        self.fault: BadStudy | None = None
        """Fault that was found on a beginning, after which nothing more is begun."""

    def on_base(self, left: Iterator[StudyJob]) -> None:
        """Try them on the base of the first run that is not done. Raises BadStudy with one line if one fails: its file,
        line and reason.
        """
        if self._code and (job := next(left, None)):
            self._try(job, next(str(base.origin) for base in self._study.bases if base.name == job.base))

    def on_beginning(self, simulation: str, jobs: Iterable[StudyJob], *, after: str) -> None:
        """Try them on a shared beginning that is done, unless they were tried on one."""
        job = next((job for job in jobs if job.after == after and job.arm), None)
        if not self._code or job is None:
            return
        try:
            self._try(job, simulation)
        except BadStudy as fault:
            self.fault = fault
        self._code = []

    def _try(self, job: StudyJob, town: str) -> None:
        groups = {name: list(people) for name, people in job.groups.items()}
        folder = str(self._study.file.parent)
        trial = MeasureTrial(str(self._storage), town, job.simulation, folder, self._code, groups)
        if fault := trial.fault():
            raise BadStudy(Fault(f"dry run on {town}: {fault}", FIX, self._study.file.name))
