"""Confirms a registered study: runs its plan once more, with a model that was named in advance and not used before."""

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from ville.analysis.hypotheses import hypothesis_table
from ville.assembly.model_choice import chat_name
from ville.errors import BadArgument, CorruptFile
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import quantity
from ville.result_table import ResultTable
from ville.settings import load_settings
from ville.storage.files import append_rows, pretty, read_text, write_text
from ville.storage.folder.storage import LONGEST_NAME
from ville.storage.shapes import Text
from ville.storage.stored_part import StoredPart, read_part
from ville.storage.studies.registration import CONFIRMATION, Registration, registration_of, write_registration
from ville.storage.studies.registration import REGISTRATION as REGISTRATION_FILE
from ville.storage.studies.study_folder import STUDY_FILE, StudyFolder, find_studies
from ville.studies.reading.study_file import ROOM, read_study
from ville.studies.results import StudyResults
from ville.studies.study import Study

CONFIRMATIONS = "confirmations.jsonl"
UNFINISHED = "no outcome was noted"


class Confirmation(StoredPart):
    """`confirmation.json` in the folder of a confirmation: of which study, and with which model."""

    v: Literal[1] = 1
    of: Text
    model: Text
    digest: Text
    """Of the plan."""
    begun: Text
    """The day, by the clock of whoever ran it."""


class ConfirmationLine(StoredPart):
    """A line of `confirmations.jsonl` in the folder of a registered study: it stays when a confirmation is deleted."""

    v: Literal[1] = 1
    model: Text
    digest: Text
    """Of the plan."""
    begun: Text
    """The day, by the clock of whoever ran it."""
    outcome: Text = ""
    """The outcome of each hypothesis; empty until all runs are done."""


def confirmation_of(studies: Path, name: str, *, model: str, given: Mapping[str, object]) -> Study:
    """Return the study that confirms another one with a model; nothing is written.

    Raises BadArgument if the study is not registered or not done, the model is not eligible or was used in it, or the
    confirmation is done already.
    """
    folder = StudyFolder(studies, name)
    registered = registration_of(folder)
    if registered is None:
        raise BadArgument(f"The study {name} is not registered, so it cannot be confirmed. Register a new one first.")
    _check_model(folder, registered, model)
    own = StudyFolder(studies, confirming_name(name, model))
    _check_once(folder, own, model)
    source = Path(folder.note().file)
    file = source if source.exists() else folder.root / STUDY_FILE
    settings = {**given, **model_settings(model)}
    study = read_study(file, name=own.name, settings=settings)
    _check_arms(study, settings, model)
    return study


def begin_confirmation(studies: Path, name: str, *, model: str, today: date) -> None:
    """Make the folder of a confirmation, and note in that of its study that it has begun; one that was cut off, or in
    which a run has failed, goes on. Raises CannotWrite and CorruptFile.
    """
    folder, own = StudyFolder(studies, name), StudyFolder(studies, confirming_name(name, model))
    registered = registration_of(folder)
    if registered is None:
        return
    own.create()
    if not (own.root / CONFIRMATION).exists():
        write_registration(own.root / REGISTRATION_FILE, registered)
        note = Confirmation(of=name, model=model, digest=registered.digest, begun=today.isoformat())
        write_text(own.root / CONFIRMATION, pretty(note.as_json()) + "\n")
    note = read_part(Confirmation, own.root / CONFIRMATION)
    if model not in noted_confirmations(folder):
        _note(folder, ConfirmationLine(model=model, digest=note.digest, begun=note.begun))
    for job in own.jobs():
        if job.state == "failed":
            own.write_job(job.model_copy(update={"state": "waiting", "fault": "", "tries": 0}))


def end_confirmation(studies: Path, name: str, *, model: str, results: StudyResults) -> None:
    """Note in the folder of a study what became of its hypotheses in a confirmation. Raises CannotWrite."""
    folder = StudyFolder(studies, name)
    told = "; ".join(f"{row['measure']}, {row['arm']}: {row['outcome']}" for row in hypothesis_outcomes(results))
    known = noted_confirmations(folder)[model]
    if told != known.outcome:
        _note(folder, known.model_copy(update={"outcome": told}))


def _note(folder: StudyFolder, line: ConfirmationLine) -> None:
    append_rows(folder.root / CONFIRMATIONS, [line.as_json()])


def noted_confirmations(folder: StudyFolder) -> dict[str, ConfirmationLine]:
    """Return the last line of each model that confirmed a study, deleted confirmations included. Raises CorruptFile."""
    path = folder.root / CONFIRMATIONS
    if not path.exists():
        return {}
    try:
        lines = map(ConfirmationLine.model_validate_json, filter(str.strip, read_text(path).splitlines()))
        return {line.model: line for line in lines}
    except ValidationError:
        template = "%(file)s has a line that is not of a confirmation. Restore the file."
        raise CorruptFile(template, file=path) from None


def confirming_name(name: str, model: str) -> str:
    """Return the name of the study that confirms another one."""
    plain = re.sub(r"[^\w-]+", "_", model, flags=re.ASCII).strip("_")
    return f"{name}-confirm-{plain}"[: LONGEST_NAME - ROOM]


def model_settings(model: str) -> dict[str, object]:
    """Return the settings with which a model answers all questions."""
    return {"provider": OFFLINE} if model == OFFLINE else {"fast_model": model, "advanced_model": model}


def _check_model(folder: StudyFolder, registered: Registration, model: str) -> None:
    eligible = registered.eligible_models
    if model not in eligible:
        named = ", ".join(eligible) or "none was registered"
        raise BadArgument(f"{model} is not eligible to confirm {folder.name}. Eligible: {named}.")
    jobs = folder.jobs()
    left = sum(job.state != "done" for job in jobs)
    if left:
        raise BadArgument(f"{quantity(left, 'run', 'runs')} of {folder.name} are not done. Run it to its end first.")
    used = {name for job in jobs for name in _models_in(str(job.provenance.get("models", "")))}
    if model in used:
        raise BadArgument(f"{model} was used in {folder.name} already: a confirmation takes a model that was not.")


def _models_in(chat: str) -> list[str]:
    """Return the models in `provider:one,two`."""
    provider, separator, names = chat.partition(":")
    return names.split(",") if separator else [provider]


def _check_once(folder: StudyFolder, own: StudyFolder, model: str) -> None:
    if not (own.root / CONFIRMATION).exists():
        if known := noted_confirmations(folder).get(model):
            line = f"{folder.name} was confirmed with {model} on {known.begun}, and its runs were deleted"
            raise BadArgument(f"{line} ({known.outcome or UNFINISHED}). A confirmation is run once.")
        if own.is_there:
            raise BadArgument(f"There is a study {own.name} that is not a confirmation. Remove or rename it first.")
        return
    note = read_part(Confirmation, own.root / CONFIRMATION)
    if note.model != model:
        raise BadArgument(f"The study {own.name} is the confirmation with {note.model}. Rename one of the models.")
    jobs = own.jobs() if own.is_there else []
    if jobs and all(job.state == "done" for job in jobs):
        line = f"{note.of} was confirmed with {model} on {note.begun}. A confirmation is run once."
        raise BadArgument(f"{line} Its result: study.py statistics {own.name}")


def _check_arms(study: Study, settings: Mapping[str, object], model: str) -> None:
    """Raise BadArgument if an arm chooses another model by itself."""
    for arm in study.arms:
        answering = _models_in(chat_name(load_settings({**settings, **arm.settings})))
        if {*answering} != {model}:
            line = f"The arm {arm.name} is answered by {', '.join(answering)}, not by {model}."
            raise BadArgument(f"{line} Give --provider, or confirm a study whose arms do not choose models.")


def hypothesis_outcomes(results: StudyResults) -> ResultTable:
    """Return what became of each registered hypothesis; no rows if nothing was registered."""
    return hypothesis_table(results.by_arm(), results.registration())


def confirmations_of(studies: Path, name: str) -> list[str]:
    """Return the names of all confirmations of a study, so that none is passed over in silence; of one that was
    deleted, also with which model, when, and what became of it. Raises CorruptFile.
    """
    found = ((each, studies / each / CONFIRMATION) for each in find_studies(studies))
    there = [each for each, path in found if path.exists() and read_part(Confirmation, path).of == name]
    gone = [
        f"{own} (with {line.model}, begun on {line.begun}, its runs were deleted; {line.outcome or UNFINISHED})"
        for line in noted_confirmations(StudyFolder(studies, name)).values()
        if (own := confirming_name(name, line.model)) not in there
    ]
    return there + gone
