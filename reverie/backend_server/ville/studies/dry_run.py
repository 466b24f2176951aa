"""Dry run: measures of one's own are carried out once on what is there, before a study spends anything."""

from pathlib import Path

from ville.analysis.named_measures import is_code
from ville.errors import BadStudy, Fault
from ville.jobs.measure_trial import MeasureTrial
from ville.studies.job import StudyJob
from ville.studies.study import Study

FIX = "correct it, or return None where there is nothing to measure: nobody was asked yet, and perhaps nothing happened"


def try_measures(study: Study, job: StudyJob, town: str, storage: Path) -> None:
    """Carry out the functions of a study once on a town, a simulation or a moment of it.

    Raises BadStudy with one line if one fails: its file, line and reason.
    """
    code = [measure.source for measure in study.measures if is_code(measure.source)]
    if not code:
        return
    groups = {name: list(people) for name, people in job.groups.items()}
    trial = MeasureTrial(str(storage), town, job.simulation, str(study.file.parent), code, groups)
    if fault := trial.fault():
        raise BadStudy(Fault(f"dry run on {town}: {fault}", FIX, study.file.name))
