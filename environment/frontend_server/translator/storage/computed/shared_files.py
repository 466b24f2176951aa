"""Recordings, comparisons and studies as files for others, made by `reverie/share.py`, and reports of studies."""

from django.conf import settings

from translator.storage.computed.comparisons import NamedRun
from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.storage.studies import FoundStudy

SHARE = ("share", "--replace")  # a file that was begun while a simulation was saved is made again
_computed = Computations("--out")


def shared_file(simulation: StoredSimulation, *, may_act: bool) -> Computation:
    """Return the file of a recording; begin to make it unless that was begun before.

    Raises Unavailable, TooManyRequests and CorruptFile.
    """
    command = [*VILLE, *SHARE, *folder_flags(), simulation.code, "--store", simulation.store]
    return _computed.begin((str(simulation.root),), command, [simulation], may_act=may_act)


def shared_comparison(a: NamedRun, b: NamedRun, *, may_act: bool) -> Computation:
    """Return the file of a comparison, likewise."""
    command = [*VILLE, *SHARE, *folder_flags(), a.name, "--against", b.name]
    runs = [a.simulation, b.simulation]
    return _computed.begin((a.name, b.name, *(str(each.root) for each in runs)), command, runs, may_act=may_act)


def shared_study(study: FoundStudy, *, may_act: bool) -> Computation:
    """Return the file of a study with the runs that are done now, likewise."""
    command = [*VILLE, *SHARE, *folder_flags(), study.name, "--study"]
    return _computed.begin(("study", *_state(study)), command, [], may_act=may_act)


def study_report(study: FoundStudy) -> Computation:
    """Return the report of a study, likewise. It has answers and costs, and is for those who may act."""
    folders = ["--fs-storage", str(settings.STORAGE), "--fs-studies", str(settings.STUDIES)]
    command = [*VILLE, "study", "report", study.name, *folders]
    return _computed.begin(("report", *_state(study)), command, [], may_act=True)


def _state(study: FoundStudy) -> tuple[str, ...]:
    """Return what changes when a study has been worked on."""
    done = (job.run for job in study.runs if job.state == "done")
    return (study.name, str(study.changed), *done)
