"""Confirms a registered study: runs its plan once more, with a model that was named in advance and not used before."""

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Literal

from ville.analysis.hypotheses import hypothesis_table
from ville.assembly.model_choice import chat_name
from ville.errors import BadArgument
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import quantity
from ville.result_table import ResultTable
from ville.settings import load_settings
from ville.storage.files import pretty, write_text
from ville.storage.folder.storage import LONGEST_NAME
from ville.storage.shapes import Text
from ville.storage.studies.registration import REGISTRATION as REGISTRATION_FILE
from ville.storage.studies.registration import Registration, registration_of, write_registration
from ville.storage.studies.study_folder import STUDY_FILE, StudyFolder, StudyPart, find_studies, read_part
from ville.studies.reading.study_file import ROOM, read_study
from ville.studies.results import StudyResults
from ville.studies.study import Study

CONFIRMATION = "confirmation.json"


class Confirmation(StudyPart):
    """`confirmation.json` in the folder of a confirmation: of which study, and with which model."""

    v: Literal[1] = 1
    of: Text
    model: Text
    digest: Text
    """Of the plan."""
    begun: Text
    """The day, by the clock of whoever ran it."""


def confirmation_of(studies: Path, name: str, *, model: str, given: Mapping[str, object], today: date) -> Study:
    """Return the study that confirms another one with a model, ready to run; one that was cut off, or in which a run
    has failed, goes on.

    Raises BadArgument if the study is not registered or not done, the model is not eligible or was used in it, or the
    confirmation is done already.
    """
    folder = StudyFolder(studies, name)
    registered = registration_of(folder)
    if registered is None:
        raise BadArgument(f"The study {name} is not registered, so it cannot be confirmed. Register a new one first.")
    _check_model(folder, registered, model)
    own = StudyFolder(studies, confirming_name(name, model))
    _check_once(own, model)
    source = Path(folder.note().file)
    file = source if source.exists() else folder.root / STUDY_FILE
    settings = {**given, **model_settings(model)}
    study = read_study(file, name=own.name, settings=settings)
    _check_arms(study, settings, model)
    own.create()
    if not (own.root / CONFIRMATION).exists():
        write_registration(own.root / REGISTRATION_FILE, registered)
        note = Confirmation(of=name, model=model, digest=registered.digest, begun=today.isoformat())
        write_text(own.root / CONFIRMATION, pretty(note.as_json()) + "\n")
    return study


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


def _check_once(own: StudyFolder, model: str) -> None:
    if not (own.root / CONFIRMATION).exists():
        if own.is_there:
            raise BadArgument(f"There is a study {own.name} that is not a confirmation. Remove or rename it first.")
        return
    note = read_part(Confirmation, own.root / CONFIRMATION)
    if note.model != model:
        raise BadArgument(f"The study {own.name} is the confirmation with {note.model}. Rename one of the models.")
    jobs = own.jobs() if own.is_there else []
    for job in jobs:
        if job.state == "failed":
            own.write_job(job.model_copy(update={"state": "waiting", "fault": "", "tries": 0}))
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
    """Return the names of all confirmations of a study, so that none is passed over in silence. Raises CorruptFile."""
    found = ((each, studies / each / CONFIRMATION) for each in find_studies(studies))
    return [each for each, path in found if path.exists() and read_part(Confirmation, path).of == name]
