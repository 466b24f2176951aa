"""Runs a study from its file, as the command line and the Python API do."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from ville.assembly.arrivals import brought_by_base
from ville.assembly.idle_settings import idle_settings
from ville.errors import BadArgument
from ville.jobs.local_pool import LocalPool
from ville.jobs.pool import JobPool
from ville.jobs.ray.ray_pool import RayPool
from ville.machine import processors
from ville.settings import Settings, load_settings
from ville.storage.compressed.compression import META_COPY
from ville.storage.files import writing
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import delete, find
from ville.storage.records.lock import Lock
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.registering import note_deleted
from ville.studies.results import StudyResults
from ville.studies.runner import StudyRunner, Watch
from ville.studies.study import Study
from ville.studies.study_estimate import TYPICAL, EstimateBasis, StudyEstimate

ENGINES = ("local", "ray")


def never() -> bool:
    """Return False: the study is not asked to stop."""
    return False


def ignore_jobs(_jobs: Sequence[JobManifest]) -> None:
    """No-op: nothing shows the progress."""


def engine_named(name: str, workers: int, address: str = "") -> JobPool:
    """Return an engine; `workers`: 0 for as many as there are processors; `address` of a Ray cluster.

    Raises BadArgument and MissingPackage.
    """
    if name not in ENGINES:
        raise BadArgument(f"There is no engine '{name}'. Choose from: {', '.join(ENGINES)}.")
    if address and name != "ray":
        raise BadArgument(f"The engine '{name}' has no address. Leave it out, or choose the engine ray.")
    return RayPool(workers, address) if name == "ray" else LocalPool(workers)


def check_workers(workers: int) -> None:
    """Raises BadArgument if there cannot be so many."""
    if workers < 0:
        raise BadArgument(f"There cannot be {workers} workers. Give 0 for as many as there are processors, or more.")


def study_notes(study: Study, given: Mapping[str, object]) -> list[str]:
    """Return what bases from elsewhere bring, and a line for each setting of an arm that changes nothing there. Raises
    SetupError and CorruptFile.
    """
    own = load_settings(given)
    origins = dict.fromkeys(base.origin.name for base in study.bases)
    brought = [line for name in origins for line in brought_by_base(own, find(own.fs_storage, name))]
    return brought + [
        f"Arm {arm.name}: {line}"
        for arm in study.arms
        for line in idle_settings(load_settings({**given, **arm.settings}))
    ]


def study_estimate(
    study: Study, given: Mapping[str, object], workers: int = 0, *, by: EstimateBasis = TYPICAL, like: str = ""
) -> StudyEstimate:
    """Return what is left of a study will take; runs of the study that it is `like` say so, too. Raises a
    ReverieError.
    """
    check_workers(workers)
    studies = load_settings(given).studies
    other = StudyFolder(studies, like) if like else None
    runner = StudyRunner(study, StudyFolder(studies, study.name), given)
    return runner.estimate(workers or processors(), by=by, like=other)


def run_study(
    study: Study,
    given: Mapping[str, object],
    *,
    engine: str = "local",
    workers: int = 0,
    address: str = "",
    watch: Watch = ignore_jobs,
    stop: Callable[[], bool] = never,
) -> StudyResults:
    """Run what is not done yet of a study, with these settings for all runs. Raises a ReverieError."""
    check_workers(workers)
    folder = StudyFolder(load_settings(given).studies, study.name)
    folder.create()
    with folder.lock():
        runner = StudyRunner(study, folder, given)
        watch(runner.jobs)
        runner.run(engine_named(engine, workers, address), watch, stop)
    return StudyResults(folder)


def remove_study(settings: Settings, folder: StudyFolder, today: date) -> list[str]:
    """Delete a study with the simulations of its runs; return their names. Of a registered one it stays noted, with
    the day by the user's clock. Raises a ReverieError.
    """
    removed = []
    with folder.lock():
        note_deleted(folder, today)
        for job in folder.jobs():
            root = settings.fs_storage / job.simulation
            if root.exists():
                with Lock(root):
                    delete(SimulationFolder(root))
                removed.append(job.simulation)
            recording = settings.replays / job.simulation
            if job.kept == "compressed" and (recording / META_COPY).exists():
                with writing(recording):
                    shutil.rmtree(recording)
                removed.append(job.simulation)
        folder.remove()
    return removed
