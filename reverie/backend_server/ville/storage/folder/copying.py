"""Copies a simulation into a new folder: as last saved, or as it was at a checkpoint."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.files import link_or_copy, pretty, read_object
from ville.storage.folder.branches import BRANCH, Answers, Branch, write_branch
from ville.storage.folder.earlier_save import EarlierSave
from ville.storage.past.checkpoints import CHECKPOINTS, Stem, digest_at, parse_stem
from ville.storage.records.ended_states import ENDED, cut_ended
from ville.storage.records.intervention_log import AHEAD_FILE, LOG, InterventionLog, Row, cut_to_save, read_rows
from ville.storage.records.memory_files import (
    COMMON_SENSE,
    EMBEDDINGS,
    FACTS,
    INDEX,
    MUSINGS,
    PERSONAS,
    POLICY,
    VECTORS,
)
from ville.storage.records.meta import META, read_meta
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.people_pack import PACK, PEOPLE, is_of_people
from ville.storage.steps.step_store import STEP_FOLDERS

NOT_COPIED = (
    "ledger.", "interviews.", "interventions_ahead.", "branch.", "title.", "notes.", "marks.", "brought.",
)  # fmt: skip
"""Beginnings of names of files that belong to one simulation: paid calls, what is planned, origin, title, notes, marks,
whence it was brought.
"""
REVERIE = "reverie"
PACKED = PEOPLE.removeprefix(f"{REVERIE}/")
IN_CHECKPOINTS = (
    "meta.json",
    "run.json",
    "town.json",
    POLICY,
    COMMON_SENSE,
    FACTS,
    MUSINGS,
    AHEAD_FILE,
    BRANCH,
    LOG,
    INDEX,
    PACKED,
)
"""Files below reverie/ that are copied in another way, or not at all."""


def copy_save(source: Path, target: Path, *, keep_plan: bool = False, links: bool = False) -> range:
    """Copy the last save of a simulation; return the steps whose files are still to be copied.

    With `keep_plan`, planned interventions are copied, too; `links` as for `copy_files`.
    """
    step = read_meta(source / META).step
    copy_files(source, target, _belongings(source), links=links)
    values = read_object(target / META)
    (target / META).write_bytes(pretty({**values, "fork_sim_code": source.name}).encode())
    cut_to_save(target / REVERIE)
    if keep_plan and (source / REVERIE / AHEAD_FILE).exists():
        shutil.copyfile(source / REVERIE / AHEAD_FILE, target / REVERIE / AHEAD_FILE)
    rows = read_rows(target / REVERIE / LOG)
    here = sum(row["step"] == step for row in rows)
    _note_branch(source, target, Stem(step, here), rows=len(rows), answers="shared" if keep_plan else "fresh")
    return range(step)


def copy_past(source: Path, target: Path, start: Stem, *, end: Stem, links: bool = False) -> range:
    """Copy a simulation as it was at a checkpoint, with the interventions up to a later moment; return the steps whose
    files are still to be copied. `links` as for `copy_files`. Raises CorruptFile, and CannotWrite.
    """
    save = EarlierSave(source, start)
    former = set(save.checkpoint.former)
    past = (file for file in _belongings(source) if _is_of_the_past(file, start, former=former))
    copy_files(source, target, past, links=links)
    _write_save(save, target, former)
    (target / META).write_bytes(pretty({**save.meta.as_json(), "fork_sim_code": source.name}).encode())
    cut_ended(target / REVERIE / ENDED, start.step - 1)
    rows = _rows_until(source, end)
    if len(rows) < save.checkpoint.rows:
        template = "%(file)s has lost interventions that took effect before step %(step)s. Restore the file."
        raise CorruptFile(template, file=source / REVERIE / LOG, step=start.step)
    if rows:
        InterventionLog(target / REVERIE).append(rows)
    _note_branch(source, target, end, rows=len(rows), answers="shared")
    return range(end.step)


def _write_save(save: EarlierSave, target: Path, former: set[str]) -> None:
    """Write the files of an earlier save. Where people are packed, they are so there, too, with those who had moved
    away.
    """
    index, packed = save.people.index, list[tuple[str, bytes]]()
    for name, content in save.files():
        if index and is_of_people(name):
            packed.append((name, content))
            continue
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if index:
        gone = [name for name in index.files if not name.startswith(f"{PERSONAS}/")]
        packed += [(name, save.people.content(name)) for name in gone if _is_of_former(Path(name), former)]
        PeopleFiles(target).put(packed)


def _note_branch(source: Path, target: Path, moment: Stem, *, rows: int, answers: Answers) -> None:
    digest = digest_at(source, moment)
    branch = Branch(
        origin=source.name, step=moment.step, rows=rows, rows_here=moment.rows, digest=digest, answers=answers
    )
    write_branch(target, branch)


def _rows_until(source: Path, end: Stem) -> list[Row]:
    """Return the interventions that had been applied at a moment."""
    rows = read_rows(source / REVERIE / LOG)
    before = sum(row["step"] < end.step for row in rows)
    return rows[: before + end.rows]


def _is_of_the_past(file: Path, start: Stem, *, former: set[str]) -> bool:
    """Return whether a file was as it is now at a checkpoint. Checkpoints do not contain it then."""
    folder, *below = file.parts
    if folder != REVERIE:
        return folder != PERSONAS
    match below:
        case [name]:
            return name not in IN_CHECKPOINTS and not PACK.fullmatch(name)
        case ["last_accessed" | "former", *_]:
            return _is_of_former(file, former)
        case ["checkpoints", name]:
            stem = parse_stem(name.removesuffix(".json.gz"))
            return stem is not None and stem <= start
    return True


def _is_of_former(file: Path, former: set[str]) -> bool:
    """Return whether a file below FORMER or of last accesses is of somebody who had moved away."""
    name = file.parts[2]
    return (name if file.parts[1] == "former" else name.removesuffix(".json")) in former


def _belongings(source: Path) -> Iterator[Path]:
    """Yield the files that belong to a simulation, relative to its folder.

    The files of steps, what belongs to one run, and hidden or temporary files are left out.
    """
    for folder in source.glob("[!.]*"):
        if folder.name in STEP_FOLDERS:
            continue
        for path in (folder, *folder.rglob("*")):
            file = path.relative_to(source)
            hidden = any(part.startswith(".") for part in file.parts)
            if path.is_file() and not hidden and not path.name.startswith(NOT_COPIED):
                yield file


def copy_files(source: Path, target: Path, files: Iterable[Path], *, links: bool = False) -> None:
    """Copy files, given relative to a folder, to the same places below another one.

    With `links`, vectors, packs of people and checkpoints, which are large, become links to the same files. Checkpoints
    are only ever replaced, and vectors and packs that are shared are copied before a save appends to them.
    """
    made: set[Path] = set()
    for file in files:
        if file.parent not in made:
            (target / file.parent).mkdir(parents=True, exist_ok=True)
            made.add(file.parent)
        (link_or_copy if links and _is_large(file) else shutil.copyfile)(source / file, target / file)


def _is_large(file: Path) -> bool:
    is_pack = file.parent.as_posix() == REVERIE and PACK.fullmatch(file.name)
    return bool(
        is_pack or file.as_posix().endswith((EMBEDDINGS, VECTORS)) or file.parent.as_posix() == CHECKPOINTS
    )  # fmt: skip
