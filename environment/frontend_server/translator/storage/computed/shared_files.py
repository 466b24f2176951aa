"""Recordings, comparisons and studies as files for others, made by `reverie/share.py`."""

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
    done = (job.run for job in study.runs if job.state == "done")
    command = [*VILLE, *SHARE, *folder_flags(), study.name, "--study"]
    return _computed.begin(("study", study.name, str(study.changed), *done), command, [], may_act=may_act)
