"""Undo the last intervention: a simulation goes back to the moment before it, and what it was goes into the bin."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from ville.assembly.at_moment import copy_moment
from ville.assembly.housekeeper import housekeeper
from ville.assembly.opening import opened, saving_as_set
from ville.errors import BadMoment, SimulationNeeded
from ville.settings import Settings
from ville.simulation.running.retracing import Watch, ignore_step
from ville.storage.files import in_words_of, pretty, read_object, write_text, writing
from ville.storage.folder import known_simulations
from ville.storage.folder.branches import BRANCH, read_branch
from ville.storage.folder.replacements import replace_simulation, replacement_of
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.keeping.housekeeping import Housekeeping
from ville.storage.keeping.needed import check_not_copied, check_not_needed
from ville.storage.new_folder import new_folder
from ville.storage.past.checkpoints import Stem
from ville.storage.past.moments import find_moment
from ville.storage.records.intervention_log import LOG, Row, read_ahead, read_rows, rows_in_save
from ville.storage.records.lock import Lock
from ville.storage.records.marks import read_marks, write_marks
from ville.storage.records.meta import META
from ville.storage.records.own_files import OWN_FILES
from ville.storage.records.staging import recover

PAID = ("ledger.", "interviews.")
"""Beginnings of names of the files with paid answers: what is known already is not asked again."""


@dataclass(frozen=True)
class Undone:
    """An intervention that was undone."""

    number: int
    """In the log, from 1."""
    kind: str
    step: int
    """Next step of the simulation now."""


async def undo(settings: Settings, name: str, number: int | None = None, *, watch: Watch = ignore_step) -> Undone:
    """Take a simulation back to the moment before its last intervention. What it was can be restored from the bin.

    `number` is that of the intervention in the log, if another one is not meant: one that was undone already stays so.
    `watch` is called with every step that is computed again. Raises a ReverieError; nothing has changed then.
    """
    house = housekeeper(settings)
    root = house.root_of(name, "saved")
    with Lock(root):
        recover(root)
        rows, moment = read_rows(root / "reverie" / LOG), Stem(SimulationFolder(root).meta.step)
        if number is not None and len(rows) < number:
            return Undone(number, "", moment.step)
        last = _last_own(root, rows, number)
        moment = find_moment(root, f"i{last['n']}")
        _check_free_to_change(house, root, moment)
        check_not_copied(house.storage, root.name)
        was_known = known_simulations.is_known(house.known, root)
        with new_folder(replacement_of(root)) as folder, in_words_of(folder, root):
            await copy_moment(settings, root, folder, at=f"i{last['n']}", watch=watch)
            _take_over(root, folder)
            if marks := read_marks(root):
                write_marks(folder, [mark for mark in marks if mark.step <= moment.step])
            _forget_plan(settings, folder, str(last["id"]))
        replace_simulation(root)
        if was_known:
            known_simulations.note(house.known, root)
    return Undone(last["n"], last["kind"], moment.step)


def _last_own(root: Path, rows: list[Row], number: int | None) -> Row:
    """Return the last intervention of a simulation. Raises BadMoment if it has none of its own, or another is meant."""
    branch = read_branch(root)
    if len(rows) <= (branch.rows if branch else 0):
        raise BadMoment("'%(name)s' has no intervention of its own that could be undone.", name=root.name)
    if len(rows) > rows_in_save(root / "reverie"):
        template = "The last intervention of '%(name)s' has not taken effect yet. Open and save it first."
        raise BadMoment(template, name=root.name)
    if number is not None and rows[-1]["n"] != number:
        template = "Intervention %(number)s of '%(name)s' is not the last one. Undo the later ones first."
        raise BadMoment(template, name=root.name, number=number)
    return rows[-1]


def _check_free_to_change(house: Housekeeping, root: Path, moment: Stem) -> None:
    """Raise SimulationNeeded if a study, a rule or a later branch needs a simulation as it is."""
    check_not_needed(house.storage, house.studies, root.name)
    for path in sorted(house.storage.glob(f"[!.]*/reverie/{BRANCH}")):
        branch = read_branch(path.parents[1])
        if branch and branch.origin == root.name and branch.moment > moment:
            template = (
                "'%(branch)s' was begun in '%(name)s' after that moment. Delete it first, or fork %(name)s@%(at)s."
            )
            raise SimulationNeeded(template, branch=path.parents[1].name, name=root.name, at=moment)


def _take_over(root: Path, folder: Path) -> None:
    """Give a copy what is the simulation's own, for it is the same one: origin, description, paid answers."""
    meta = read_object(folder / META)
    origin = read_object(root / META).get("fork_sim_code", root.name)
    write_text(folder / META, pretty({**meta, "fork_sim_code": origin}))
    (folder / "reverie" / BRANCH).unlink(missing_ok=True)
    own = [
        path for path in (root / "reverie").iterdir() if path.name in (BRANCH, *OWN_FILES) or path.name.startswith(PAID)
    ]
    for path in own:
        with writing(folder):
            shutil.copyfile(path, folder / "reverie" / path.name)


def _forget_plan(settings: Settings, folder: Path, identifier: str) -> None:
    """Leave an intervention out of the plan, if it came from there: it would happen again."""
    if identifier not in {row["id"] for row in read_ahead(folder / "reverie")}:
        return
    simulation = opened(settings, saving_as_set(SimulationFolder(folder), settings))
    try:
        simulation.plan(planned for planned in simulation.intake.ahead if planned.id != identifier)
        simulation.save()
    finally:
        simulation.close_files()
