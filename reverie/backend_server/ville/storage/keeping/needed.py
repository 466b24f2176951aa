"""Which studies and simulations need a simulation under its name, so that it is not renamed or deleted behind them."""

import json
from collections.abc import Iterator
from pathlib import Path

from ville.errors import CorruptFile, SimulationInUse, SimulationNeeded
from ville.storage.files import read_bytes, read_object_if_whole
from ville.storage.folder.branches import BRANCH
from ville.storage.new_folder import PARTIAL, name_of
from ville.storage.past.moments import split_moment
from ville.storage.records.intervention_log import AHEAD_FILE, LOG
from ville.storage.records.lock import is_locked
from ville.storage.studies.study_folder import StudyFolder, find_studies


def check_not_needed(storage: Path, studies: Path, name: str) -> None:
    """Raise SimulationNeeded if a study or a rule finds a simulation by its name."""
    for study in find_studies(studies):
        if name in simulations_of(StudyFolder(studies, study)):
            template = (
                "'%(name)s' belongs to the study '%(study)s', which finds it by its name. Delete the study first "
                "(study.py clean %(study)s), or make a fork and go on with that."
            )
            raise SimulationNeeded(template, name=name, study=study)
    for root in sorted(storage.glob("[!.]*")):
        if root.name != name and name in _recordings(root):
            template = (
                "In '%(other)s', a persona repeats what '%(name)s' recorded, by a rule. Delete '%(other)s' first."
            )
            raise SimulationNeeded(template, name=name, other=root.name)


def simulations_of(study: StudyFolder) -> set[str]:
    """Return the simulations of a study: its bases, and those of its runs. Raises CorruptFile."""
    jobs = study.jobs()
    named = [*study.note().bases, *(job.origin for job in jobs)]
    return {*(split_moment(each).name for each in named), *(job.simulation for job in jobs)}


def _recordings(simulation: Path) -> set[object]:
    """Return the simulations that rules of this one repeat."""
    return {row.get("recording") for file in (LOG, AHEAD_FILE) for row in _rules(simulation / "reverie" / file)}


def _rules(path: Path) -> Iterator[dict[str, object]]:
    """Yield the rows of a log or a plan that name a recording, as far as they can be read."""
    try:
        text = read_bytes(path)
        found = json.loads(text)["rows"] if path.name == AHEAD_FILE else map(json.loads, text.splitlines())
        yield from (row for row in found if isinstance(row, dict) and row.get("recording"))
    except (OSError, CorruptFile, ValueError, KeyError, TypeError):
        return


def check_not_copied(storage: Path, name: str) -> None:
    """Raise SimulationInUse if a program is making a branch of a simulation now. For who keeps it from being saved."""
    for folder in storage.glob(f".*{PARTIAL}"):
        noted = read_object_if_whole(folder / "reverie" / BRANCH, folder) or {}
        if noted.get("from") == name and is_locked(folder):
            template = "'%(branch)s' is being made of '%(name)s' now. Try again when it is done."
            raise SimulationInUse(template, branch=name_of(folder), name=name)
